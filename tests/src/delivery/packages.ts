import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../support/repository/root.ts'

/** Paths of the packages of one version. */
export interface Packages {
  readonly npm: string
  readonly debian: string
}

/**
 * Makes the packages as users do.
 *
 * @param folder where they are put
 */
export function pack(folder: string, version: string): Packages {
  const [npm = '', debian = ''] = packed(['--debian', '--version', version, folder]).slice(-2)
  return { npm, debian }
}

/** Makes the package for npm of the repository's version alone. @returns its path */
export function packNpm(folder: string): string {
  return packed([folder]).at(-1) ?? ''
}

function packed(args: readonly string[]): string[] {
  const script = join(root, 'scripts', 'pack.mjs')
  return execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' })
    .trim()
    .split('\n')
}
