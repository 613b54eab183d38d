import { readFileSync } from 'node:fs'

/** Memory of a process, in MiB. */
export interface ProcessMemory {
  /** All that it has in memory (`Rss`), the program and libraries included. */
  readonly resident: number
  /** The same, where what several processes have counts for each by its share (`Pss`). */
  readonly share: number
  /** What nobody else has (`Private_Clean` and `Private_Dirty`). */
  readonly own: number
  /** The most that was resident so far (`VmHWM`). */
  readonly peak: number
}

/** Memory of a process as the kernel counts it (proc(5), `smaps_rollup` and `status`). */
export function memoryOf(pid: number): ProcessMemory {
  const sums = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return {
    resident: mebibytes(sums, 'Rss'),
    share: mebibytes(sums, 'Pss'),
    own: mebibytes(sums, 'Private_Clean') + mebibytes(sums, 'Private_Dirty'),
    peak: mebibytes(status, 'VmHWM'),
  }
}

/** What each of some processes has at a moment, a line each. @param names of the processes, in their order */
export function printMemory(moment: string, names: readonly string[], pids: readonly number[]): void {
  for (const [index, pid] of pids.entries()) {
    const { resident, share, own, peak } = memoryOf(pid)
    const columns = [resident, share, own, peak].map((size) => size.toFixed(0).padStart(9))
    console.log(`  ${moment.padEnd(22)} ${(names[index] ?? '').padEnd(24)} ${columns.join(' ')}`)
  }
}

function mebibytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024
}
