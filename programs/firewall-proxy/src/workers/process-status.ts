import { readFileSync } from 'node:fs'

/**
 * What Linux says of other processes; see proc_pid_stat(5) and `Documentation/scheduler/sched-stats.rst` of the kernel. Every function
 * gives undefined where there is no such process, and on systems that are no Linux.
 */

/**
 * When a process was started, in clock ticks since the machine was: with its id, that tells it from all others of this machine's run.
 * Undefined also for one that has ended and was not waited for.
 */
export function startOf(pid: number): string | undefined {
  // Behind the name, which may hold anything.
  const [state = '', ...others] = textOf(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ') ?? []
  return 'ZX'.includes(state) ? undefined : others[18]
}

/** Tells this run of the machine from all others. */
export function bootId(): string | undefined {
  return textOf('/proc/sys/kernel/random/boot_id')?.trim()
}

/** How long the main thread of a process has run, and how long it has waited for a processor, in milliseconds. */
export interface ThreadTimes {
  readonly ranMs: number
  readonly waitedMs: number
}

/** The times of a process's main thread, on which its JavaScript runs. */
export function mainThreadTimes(pid: number): ThreadTimes | undefined {
  const [ran, waited] = textOf(`/proc/${pid}/task/${pid}/schedstat`)?.split(' ').map(Number) ?? []
  if (ran === undefined || waited === undefined) return undefined
  return { ranMs: ran / 1e6, waitedMs: waited / 1e6 }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
