import { readdirSync, readFileSync } from 'node:fs'

/** Whether there is such a process, which may have ended without having been waited for. */
export function runs(pid: number): boolean {
  return /^\d+ \(.*\) [^ZX]/s.test(contentOf(`/proc/${pid}/stat`))
}

/** Processes that a process has started and those have started, as far as they run. */
export function descendantsOf(pid: number): number[] {
  const children = contentOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

/** Kills a process; nothing happens when it has ended by itself. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** How many descriptors (files, connections) processes have open together. @throws Error when one of them has ended */
export function descriptorsOf(pids: readonly number[]): number {
  return sumOf(pids, (pid) => readdirSync(`/proc/${pid}/fd`).length)
}

/** The memory that processes hold together at the moment, in bytes. @throws Error when one of them has ended */
export function residentBytesOf(pids: readonly number[]): number {
  return sumOf(pids, (pid) => kibibytesOf(pid, 'VmRSS') * 1024)
}

/** The most memory that each process has held so far, added up, in bytes. @throws Error when one of them has ended */
export function peakBytesOf(pids: readonly number[]): number {
  return sumOf(pids, (pid) => kibibytesOf(pid, 'VmHWM') * 1024)
}

/** For what tests print. */
export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}

/** Nothing where the process is gone. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function kibibytesOf(pid: number, member: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${member}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
}

function sumOf(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((sum, pid) => sum + of(pid), 0)
}
