import { randomUUID } from 'node:crypto'
import type { Clock, Log } from '@palisade/platform'
import { isVaultFailure } from '@palisade/vault'
import type { Timer, Timers } from './timers.ts'

const leaseMs = 60_000
const renewEveryMs = 20_000
/** Work that failed is tried again after this long. */
const retryAfterMs = 15 * 60_000
/** And work that only had to give way to backups and restores after this long. */
const retryWhenBusyAfterMs = 20_000

/** What work throws that cannot be done beside what goes on now, and is to be tried again soon. */
export class WorkPostponed extends Error {
  override readonly name = 'WorkPostponed'
}

/** Long work that is due: what it does, and when it is due again after it was done. */
export interface Work {
  readonly timer: Timer
  /** How long after its beginning it is due again; null when it is done with. */
  readonly everyMs: number | null
  /** Ends early when the signal is aborted; will then be begun anew. */
  perform(signal: AbortSignal): Promise<void>
}

/**
 * Does long work under leases: each on one server, renewed while it is at it, given up when the service closes or the
 * lease is lost. Clocks of leases are those of the servers, which must agree within a minute.
 */
export class LeasedWork {
  readonly #timers: Timers
  readonly #clock: Clock
  readonly #log: Log
  readonly #holder = randomUUID()
  readonly #closing = new AbortController()
  /** What this server is at, by kind and subject. */
  readonly #running = new Map<string, Promise<void>>()

  constructor(deps: { timers: Timers; clock: Clock; log: Log }) {
    this.#timers = deps.timers
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /** Begins the work, unless this server or another one is at it. It goes on after this has resolved. */
  async begin(work: Work): Promise<void> {
    const now = this.#clock.now()
    const key = `${work.timer.kind} ${work.timer.subject}`
    if (this.#closing.signal.aborted || this.#running.has(key)) return
    if (!(await this.#timers.take(work.timer, this.#holder, now, now + leaseMs))) return
    const running = this.#perform(work).finally(() => this.#running.delete(key))
    this.#running.set(key, running)
  }

  /** Ends what is under way and waits for it. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running.values())
  }

  async #perform({ timer, everyMs, perform }: Work): Promise<void> {
    const beganAt = this.#clock.now()
    const lost = new AbortController()
    const signal = AbortSignal.any([this.#closing.signal, lost.signal])
    const renewal = setInterval(() => void this.#renew(timer, lost), renewEveryMs)
    try {
      await perform(signal)
      // The clock may have been set back meanwhile.
      const nextDueAt = everyMs === null ? null : Math.min(beganAt, this.#clock.now()) + everyMs
      await this.#timers.release(timer, this.#holder, nextDueAt)
    } catch (err) {
      // Its end was wished: whoever is there next begins anew.
      const hasToWait = isVaultFailure(err, 'busy') || err instanceof WorkPostponed
      const retryMs = hasToWait ? retryWhenBusyAfterMs : retryAfterMs
      await this.#release(timer, signal.aborted ? timer.dueAt : this.#clock.now() + retryMs)
      if (!signal.aborted) this.#noteFailure(timer, err)
    } finally {
      clearInterval(renewal)
    }
  }

  #noteFailure({ kind, subject }: Timer, err: unknown): void {
    const what = { err, work: kind, subject }
    if (err instanceof WorkPostponed) this.#log.debug(what, 'upkeep waits for an agent')
    else if (isVaultFailure(err, 'busy')) this.#log.warn(what, 'upkeep waits for backups and restores')
    else this.#log.error(what, 'upkeep failed')
  }

  async #renew(timer: Timer, lost: AbortController): Promise<void> {
    try {
      if (!(await this.#timers.renew(timer, this.#holder, this.#clock.now() + leaseMs))) lost.abort()
    } catch (err) {
      // The next renewal comes before the lease has run out.
      this.#log.warn({ err, work: timer.kind }, 'a lease could not be renewed')
    }
  }

  async #release(timer: Timer, dueAt: number): Promise<void> {
    try {
      await this.#timers.release(timer, this.#holder, dueAt)
    } catch (err) {
      // The lease runs out by itself.
      this.#log.warn({ err, work: timer.kind }, 'a lease could not be given back')
    }
  }
}
