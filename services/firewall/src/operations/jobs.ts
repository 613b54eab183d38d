import { randomUUID } from 'node:crypto'
import { type Clock, isStorableText, type Log, RequestRefused, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { ConfigurationRefused } from '../failure.ts'
import type { FirewallTables } from '../tables.ts'

/** A long operation, as the store knows it. */
export interface Job {
  readonly id: string
  readonly operation: string
  readonly state: 'running' | 'succeeded' | 'failed'
  readonly username: string
  /** In milliseconds since 1970, as all times here. */
  readonly startedAt: number
  /** 0 as long as it runs. */
  readonly finishedAt: number
  /** What was done and what came of it, oldest first. */
  readonly messages: readonly string[]
}

/** A job that was begun here. */
export interface StartedJob<Result> {
  readonly id: string
  /** Settles as the work does. */
  readonly result: Promise<Result>
}

/** How often a server says that it still works on a job, and after what silence it is taken for dead. */
const touchIntervalMs = 5000
const silenceMaxMs = 30_000

/** How many jobs that ended are remembered. */
const jobsKept = 100

/** Long operations: what they are doing, and what became of them. Every server knows of all. */
export class Jobs {
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock
  readonly #log: Log
  readonly #running = new Set<Promise<unknown>>()

  constructor({ store, clock, log }: { store: Store; clock: Clock; log: Log }) {
    this.#tables = store.tables<FirewallTables>()
    this.#clock = clock
    this.#log = log
  }

  /**
   * Begins a job.
   *
   * @param work what is to be done; what it throws is told in the job, if it is a refusal, and thrown to whoever
   *   waits for the result
   * @param conclusion the job's last message, from what the work gave
   */
  async start<Result>(
    { operation, username }: Pick<Job, 'operation' | 'username'>,
    work: () => Promise<Result>,
    conclusion: (result: Result) => string,
  ): Promise<StartedJob<Result>> {
    const id = randomUUID()
    const now = this.#clock.now()
    await this.#forgetOld()
    await this.#tables
      .insertInto('firewall_job')
      .values({
        id,
        operation,
        username,
        state: 'running',
        started_at: now,
        touched_at: now,
        finished_at: 0,
        messages: '[]',
      })
      .execute()
    const result = this.#run(id, work, conclusion)
    this.#running.add(result)
    // Whoever waits for the result is told of a failure; here it only has to end.
    result.catch(() => undefined).finally(() => this.#running.delete(result))
    return { id, result }
  }

  /** The running ones and the last that ended, newest first. */
  async list(): Promise<Job[]> {
    const rows = await this.#tables
      .selectFrom('firewall_job')
      .selectAll()
      .orderBy('started_at', 'desc')
      .orderBy('id')
      .execute()
    return rows.map((row) => this.#jobOf(row))
  }

  /** @throws ConfigurationRefused not-found */
  async find(id: string): Promise<Job> {
    const row = isStorableText(id)
      ? await this.#tables.selectFrom('firewall_job').selectAll().where('id', '=', id).executeTakeFirst()
      : undefined
    if (!row) throw new ConfigurationRefused({ code: 'not-found', what: `job ${JSON.stringify(id)}` })
    return this.#jobOf(row)
  }

  /** Waits for the jobs that run here. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  async #run<Result>(
    id: string,
    work: () => Promise<Result>,
    conclusion: (result: Result) => string,
  ): Promise<Result> {
    const touching = setInterval(() => {
      this.#update(id, { touched_at: this.#clock.now() }).catch((error: unknown) =>
        this.#log.error({ err: error, job: id }, 'a job could not be kept alive'),
      )
    }, touchIntervalMs).unref()
    try {
      const result = await work()
      await this.#end(id, 'succeeded', conclusion(result))
      return result
    } catch (error) {
      const isToTell = error instanceof ConfigurationRefused || error instanceof RequestRefused
      await this.#end(id, 'failed', isToTell ? error.message : 'It failed; the log of the server says why.')
      if (!isToTell) this.#log.error({ err: error, job: id }, 'a job failed')
      throw error
    } finally {
      clearInterval(touching)
    }
  }

  async #end(id: string, state: Job['state'], message: string): Promise<void> {
    const now = this.#clock.now()
    await this.#update(id, { state, touched_at: now, finished_at: now, messages: JSON.stringify([message]) })
  }

  async #update(id: string, values: Partial<FirewallTables['firewall_job']>): Promise<void> {
    await this.#tables.updateTable('firewall_job').set(values).where('id', '=', id).execute()
  }

  async #forgetOld(): Promise<void> {
    const old = await this.#tables
      .selectFrom('firewall_job')
      .select('id')
      .where('state', '!=', 'running')
      .orderBy('started_at', 'desc')
      .offset(jobsKept - 1)
      .limit(jobsKept)
      .execute()
    if (old.length === 0) return
    await this.#tables
      .deleteFrom('firewall_job')
      .where(
        'id',
        'in',
        old.map(({ id }) => id),
      )
      .execute()
  }

  #jobOf(row: FirewallTables['firewall_job']): Job {
    const { id, operation, username } = row
    const isSilent = row.state === 'running' && this.#clock.now() - row.touched_at > silenceMaxMs
    return {
      id,
      operation,
      username,
      state: isSilent ? 'failed' : row.state,
      startedAt: row.started_at,
      finishedAt: isSilent ? row.touched_at : row.finished_at,
      messages: isSilent ? ['The server ended before the job did.'] : JSON.parse(row.messages),
    }
  }
}
