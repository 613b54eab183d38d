/**
 * Jobs that are due at a time, which stands in a table of the service that they belong to:
 *
 *     wait ──> ask what is due  ──> claim a lease ──> run it, renewing the lease ──> it is due again, or done with
 *      ^                                                     │ fails
 *      └── until the next is due, `pollIntervalMs` at most          └──> give the lease back, due again later
 *
 * Of several servers one does each job, and a restart forgets nothing: what became due while nobody was there is due once. When a
 * server dies, its leases run out and another begins anew. Clocks of servers agree within a minute.
 */
import { randomUUID } from 'node:crypto'
import { type Log, newRequestId, withRequestId } from '@palisade/log'
import { inTrace } from '@palisade/tracing'
import type { Clock } from './clock.ts'

/** The right of one server to do a job for a while. */
export interface Lease {
  readonly holder: string
  /** Milliseconds since 1970. */
  readonly untilMs: number
}

/** A job, by what its table says of when it is due. */
export interface QueuedJob {
  /** Milliseconds since 1970. */
  readonly dueAt: number
}

/** The jobs of a service. All but `run` are short. */
export interface JobQueue<Job extends QueuedJob> {
  /** What is due and nobody has a lease of, the longest due first; it may be as many as `countMax`. */
  due(nowMs: number, countMax: number): Promise<readonly Job[]>
  /** When the first job is due that nobody has a lease of; undefined when there is none. */
  nextDueAt(nowMs: number): Promise<number | undefined>
  /** The name of a job, for the log; no two that are due have the same. */
  nameOf(job: Job): string
  /** Jobs of one lane wait for each other, and hold up no other lane. There is one when it is left out. */
  laneOf?(job: Job): string
  /** @returns whether the lease is the holder's: of several who ask at once one is told so */
  claim(job: Job, lease: Lease, nowMs: number): Promise<boolean>
  /** @returns whether the holder still has the lease. Left out where no job takes as long as its lease */
  renew?(job: Job, lease: Lease): Promise<boolean>
  /**
   * Does a job, and writes down when it is due again, which ends the lease. Ends early when the signal is aborted, since the server
   * stops or the lease is lost; is begun anew then. May throw {@link JobPostponed}.
   */
  run(job: Job, holder: string, signal: AbortSignal): Promise<void>
  /** A run was ended or has failed: ends the lease, and the job is due at this time. Left out where the lease runs out soon enough. */
  giveBack?(job: Job, holder: string, dueAt: number): Promise<void>
}

/** What a job throws that cannot be done beside what goes on now. */
export class JobPostponed extends Error {
  override readonly name = 'JobPostponed'
  /** After how long it is due again. */
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
  }
}

/** How the jobs of a runner fare. */
export interface JobFigures {
  /** How long the job has been due that is longest overdue and that no server is at, in seconds; 0 when none is due. */
  readonly overdueSeconds: number
  /** How many this server is at. */
  readonly running: number
  /** How many have failed on this server since its start. */
  readonly failed: number
}

/** A runner of jobs that operators can watch. */
export interface WatchedQueue {
  /** Tells queues of all services apart, in kebab case: `upkeep`. */
  readonly name: string
  readonly runner: { figures(): Promise<JobFigures> }
}

/** Where jobs come from, and how many run how often. Times are in milliseconds. */
export interface JobRunnerOptions<Job extends QueuedJob> {
  /** What a job is, for the log: `upkeep`. */
  readonly name: string
  readonly jobs: JobQueue<Job>
  readonly clock: Clock
  readonly log: Log
  /** How long it is waited at most, and before the first poll, in milliseconds: others may make something due at any time. */
  readonly pollIntervalMs: number
  /** How many jobs of a lane this server does at once. */
  readonly concurrencyMax: number
  /** How long a lease lasts; it is renewed three times in between. */
  readonly leaseMs?: number
  /** A job that has failed is due again after this long; fifteen minutes when left out. */
  readonly retryAfterMs?: number
  /** What else is done before each poll. When it fails, nothing is begun. */
  readonly beforePoll?: (nowMs: number) => Promise<void>
}

const leaseMsDefault = 60_000
const retryAfterMsDefault = 15 * 60_000
/** After polls that failed one after another it is waited no longer than this, or `pollIntervalMs` where that is longer. */
const failedPollWaitMaxMs = 60_000

/** Does what is due, from the beginning until it is closed. */
export class JobRunner<Job extends QueuedJob> {
  readonly #options: JobRunnerOptions<Job>
  readonly #leaseMs: number
  readonly #holder = randomUUID()
  readonly #closing = new AbortController()
  /** What this server is at, by name, and in which lane. */
  readonly #running = new Map<string, { readonly lane: string; readonly ended: Promise<void> }>()
  readonly #ended: Promise<void>
  #endPause: () => void = () => undefined
  /** Whether something has happened since the last poll began that the next one is not to wait for. */
  #isWoken = false
  /** Whether something may be due that there was no room for. */
  #hasMore = false
  #isDraining = false
  #failed = 0

  constructor(options: JobRunnerOptions<Job>) {
    this.#options = options
    this.#leaseMs = options.leaseMs ?? leaseMsDefault
    this.#ended = this.#keepPolling()
  }

  /** How its jobs fare. Asks the store. */
  async figures(): Promise<JobFigures> {
    const { jobs, clock } = this.#options
    const now = clock.now()
    const dueAt = (await jobs.nextDueAt(now)) ?? now
    return {
      overdueSeconds: Math.max(0, now - dueAt) / 1000,
      running: this.#running.size,
      failed: this.#failed,
    }
  }

  /** Begins nothing more, and waits until what is under way has ended by itself; {@link close} breaks it off all the same. */
  async drain(): Promise<void> {
    this.#isDraining = true
    this.#wake()
    await this.#ended
    await Promise.all(Array.from(this.#running.values(), ({ ended }) => ended))
  }

  /** Begins nothing more, ends what is under way and waits for it. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.drain()
  }

  async #keepPolling(): Promise<void> {
    const { name, log, pollIntervalMs } = this.#options
    let failures = 0
    let waitMs = pollIntervalMs
    for (;;) {
      if (!this.#isWoken) await this.#pause(waitMs)
      if (this.#isDraining) return
      this.#isWoken = false
      try {
        waitMs = await this.#poll()
        failures = 0
      } catch (err) {
        log.error({ err }, `${name}: what is due could not be asked for`)
        waitMs = Math.min(pollIntervalMs * 2 ** failures++, Math.max(pollIntervalMs, failedPollWaitMaxMs))
      }
    }
  }

  #wake(): void {
    this.#isWoken = true
    this.#endPause()
  }

  /** Ends early when it is woken. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** @returns how long to wait until the next poll, in milliseconds */
  async #poll(): Promise<number> {
    const { jobs, clock, pollIntervalMs, concurrencyMax, beforePoll } = this.#options
    await beforePoll?.(clock.now())
    const askedAt = clock.now()
    const due = await jobs.due(askedAt, concurrencyMax)
    this.#hasMore = due.length >= concurrencyMax
    const faults: unknown[] = []
    for (const job of due) await this.#begin(job).catch((err: unknown) => faults.push(err))
    // One that cannot be begun holds up nothing else.
    if (faults.length > 0) throw faults[0]
    const nextDueAt = (await jobs.nextDueAt(clock.now())) ?? Number.POSITIVE_INFINITY
    // What was due already is another server's by now, or there is no room for it.
    if (nextDueAt <= askedAt) return pollIntervalMs
    return Math.min(Math.max(0, nextDueAt - clock.now()), pollIntervalMs)
  }

  async #begin(job: Job): Promise<void> {
    const { jobs, clock, concurrencyMax } = this.#options
    const name = jobs.nameOf(job)
    const lane = jobs.laneOf?.(job) ?? ''
    if (this.#isDraining || this.#running.has(name)) return
    const inLane = [...this.#running.values()].filter((other) => other.lane === lane)
    if (inLane.length >= concurrencyMax) {
      this.#hasMore = true
      return
    }
    const now = clock.now()
    if (!(await jobs.claim(job, this.#leaseFrom(now), now))) return
    // What it logs, and has others do, is told apart as that of a request.
    const ended = withRequestId(newRequestId(), () => this.#run(job, name)).finally(() => {
      this.#running.delete(name)
      if (this.#hasMore) this.#wake()
    })
    this.#running.set(name, { lane, ended })
  }

  #leaseFrom(nowMs: number): Lease {
    return { holder: this.#holder, untilMs: nowMs + this.#leaseMs }
  }

  async #run(job: Job, name: string): Promise<void> {
    const { jobs, clock, retryAfterMs = retryAfterMsDefault } = this.#options
    const lost = new AbortController()
    const signal = AbortSignal.any([this.#closing.signal, lost.signal])
    const renewal = setInterval(() => void this.#renew(job, lost), this.#leaseMs / 3)
    try {
      const attributes = { 'palisade.job.queue': this.#options.name }
      await inTrace(`job ${this.#options.name}`, { attributes }, { trustsCaller: false }, () =>
        jobs.run(job, this.#holder, signal),
      )
    } catch (err) {
      const afterMs = err instanceof JobPostponed ? err.retryAfterMs : retryAfterMs
      // Where its end was wished, whoever is there next begins anew.
      await this.#giveBack(job, signal.aborted ? job.dueAt : clock.now() + afterMs)
      if (!signal.aborted) this.#noteFailure(name, err)
    } finally {
      clearInterval(renewal)
    }
  }

  #noteFailure(job: string, err: unknown): void {
    const { name, log } = this.#options
    if (err instanceof JobPostponed) log.debug({ err, job }, `${name} is postponed`)
    else {
      this.#failed++
      log.error({ err, job }, `${name} failed`)
    }
  }

  async #renew(job: Job, lost: AbortController): Promise<void> {
    const { name, jobs, clock, log } = this.#options
    try {
      const isHeld = (await jobs.renew?.(job, this.#leaseFrom(clock.now()))) ?? true
      if (!isHeld) lost.abort()
    } catch (err) {
      // The next renewal comes before the lease has run out.
      log.warn({ err, job: jobs.nameOf(job) }, `${name}: a lease could not be renewed`)
    }
  }

  async #giveBack(job: Job, dueAt: number): Promise<void> {
    const { name, jobs, log } = this.#options
    try {
      await jobs.giveBack?.(job, this.#holder, dueAt)
    } catch (err) {
      // The lease runs out by itself.
      log.warn({ err, job: jobs.nameOf(job) }, `${name}: a lease could not be given back`)
    }
  }
}
