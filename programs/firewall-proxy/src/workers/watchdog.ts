import { mainThreadTimes, type ThreadTimes } from './process-status.ts'

/** How often workers are looked at; each gives a sign of life as often when it has nothing else to say. */
export const lookMs = 1_000

/** A worker hangs that has used so much processor time since its last sign of life. */
const busyMaxMs = 10_000

/** The same for loading rules and for building the services of a snapshot, one piece of work that takes a second on a usual machine. */
const silentMaxMs = 60_000

/** A worker hangs whose thread has slept for so long since its last sign of life: it was stopped, or waits for what does not come. */
const asleepMaxMs = 30_000

/** Between two looks counts at most so much, in milliseconds: when more time went by, this process was stopped itself, or had no processor. */
const countedMaxMs = 2 * lookMs

/** A worker as the watchdog sees it. */
export interface WatchedWorker {
  readonly pid: number
  /** Becomes another number with each sign of life. */
  readonly signs: number
  /** Whether it may be silent for longer than usual: it loads rules, or takes a snapshot. */
  readonly mayBeSilent: boolean
}

/** What a worker did since its last sign of life, in milliseconds. */
export interface Hang {
  readonly busyMs: number
  readonly asleepMs: number
}

/** What was seen of a worker at the last look. */
interface Seen extends Hang {
  readonly signs: number
  readonly times: ThreadTimes
}

/**
 * Finds workers whose event loop does not come round any more. A worker that lacks a processor gives no signs either, and does not hang:
 * what counts is the time for which its main thread ran, and the time for which it slept, but not the time for which it waited for a
 * processor. Linux only: elsewhere none is found.
 */
export class Watchdog {
  readonly #timesOf: (pid: number) => ThreadTimes | undefined
  #seen = new Map<number, Seen>()
  #lookedAt: number

  /** @param now of `performance` */
  constructor(now: number, timesOf: (pid: number) => ThreadTimes | undefined = mainThreadTimes) {
    this.#lookedAt = now
    this.#timesOf = timesOf
  }

  /** To be called once a second. @returns those that hang, with what they did */
  look(now: number, workers: readonly WatchedWorker[]): ReadonlyMap<number, Hang> {
    const elapsedMs = Math.min(now - this.#lookedAt, countedMaxMs)
    this.#lookedAt = now
    const processes = new Map<number, Seen>()
    for (const worker of workers) {
      const one = this.#lookAt(worker, elapsedMs)
      if (one) processes.set(worker.pid, one)
    }
    this.#seen = processes
    return new Map(
      workers.flatMap(({ pid, mayBeSilent }) => {
        const hang = processes.get(pid)
        return hang && isTooLong(hang, mayBeSilent) ? [[pid, hang] as const] : []
      }),
    )
  }

  #lookAt({ pid, signs }: WatchedWorker, elapsedMs: number): Seen | undefined {
    const times = this.#timesOf(pid)
    if (times === undefined) return undefined
    const before = this.#seen.get(pid)
    if (before?.signs !== signs) return { signs, times, busyMs: 0, asleepMs: 0 }
    const ranMs = times.ranMs - before.times.ranMs
    const waitedMs = times.waitedMs - before.times.waitedMs
    return {
      signs,
      times,
      busyMs: before.busyMs + Math.min(elapsedMs, ranMs),
      asleepMs: before.asleepMs + Math.max(0, elapsedMs - ranMs - waitedMs),
    }
  }
}

function isTooLong({ busyMs, asleepMs }: Hang, mayBeSilent: boolean): boolean {
  return busyMs > (mayBeSilent ? silentMaxMs : busyMaxMs) || asleepMs > asleepMaxMs
}
