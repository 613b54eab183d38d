import { run } from './tool.ts'

/** How much of a file is in the system's cache, in MiB. Needs `fincore`. */
export function cachedMiB(path: string): number {
  return Number(run('fincore', '--bytes', '-no', 'res', path)) / (1024 * 1024)
}
