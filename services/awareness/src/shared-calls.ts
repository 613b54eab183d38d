import { type Log, newSecret, oneServerAtATime, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { HourlyCalls } from './hourly-calls.ts'
import type { AwarenessTables } from './tables.ts'

/** How often a server says that it runs, and looks which others do. */
const sayEveryMs = 5_000

/** Of the notifications that a server has begun, so that the others need not wait until they look. */
const begunTopic = 'awareness server begun'

/** A server that has said nothing for so long has ended. */
const silenceMaxMs = 30_000

/** Somebody whose call is to be counted. */
interface Caller {
  readonly username: string
  readonly resolve: (calls: number) => void
  readonly reject: (error: unknown) => void
}

/**
 * Counts calls so that no user gets more than his hour, also of several servers together.
 *
 * One server alone counts in memory. While others run on the same database, calls are counted in rounds, one server at a time: it reads
 * what the others have counted, counts all who are waiting, and writes that down. Each says every five seconds that it runs,
 * and at its start in a notification:
 *
 *   awareness_server   server | beats (rises with each)
 */
export class SharedCalls {
  readonly #calls: HourlyCalls
  readonly #store: Store
  readonly #tables: Kysely<AwarenessTables>
  readonly #log: Log
  readonly #server = newSecret()
  #beats = 0
  /** What each other server has said last, and when that was new, by `performance.now()`. */
  #others = new Map<string, { readonly beats: number; readonly since: number }>()
  #waiting: Caller[] = []
  #isInRound = false
  #running: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #stopListening: () => void = () => undefined

  private constructor(deps: { calls: HourlyCalls; store: Store; log: Log }) {
    this.#calls = deps.calls
    this.#store = deps.store
    this.#tables = deps.store.tables<AwarenessTables>()
    this.#log = deps.log
  }

  static async open(deps: { calls: HourlyCalls; store: Store; log: Log }): Promise<SharedCalls> {
    const shared = new SharedCalls(deps)
    // SQLite belongs to one server.
    if (deps.store.kind === 'sqlite') return shared
    await shared.lookAround()
    const look = () => void shared.#lookAroundOrLog()
    shared.#stopListening = deps.store.notifications.listen(begunTopic, {
      heard: (server) => {
        if (server !== shared.#server) look()
      },
      missed: look,
    })
    await deps.store.notifications.send(shared.#tables, begunTopic, shared.#server)
    shared.#timer = setInterval(look, sayEveryMs).unref()
    return shared
  }

  /**
   * Counts one call of the user.
   *
   * @returns the user's calls in the last hour, this one among them
   * @throws RequestRefused too-many-requests when the hour is used up; such a call is not counted
   */
  async count(username: string): Promise<number> {
    if (this.#others.size === 0) return this.#calls.count(username)
    const counted = new Promise<number>((resolve, reject) =>
      this.#waiting.push({ username, resolve, reject }),
    )
    if (!this.#isInRound) void this.#rounds()
    return counted
  }

  /** Says that this server runs, and looks which others do. */
  lookAround(): Promise<void> {
    this.#running = this.#running.catch(() => undefined).then(() => this.#lookAround())
    return this.#running
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#timer === undefined) return
    this.#stopListening()
    await this.#running.catch(() => undefined)
    try {
      await this.#tables.deleteFrom('awareness_server').where('server', '=', this.#server).execute()
    } catch (error) {
      this.#log.warn({ err: error }, 'other servers hear later that this one has ended')
    }
  }

  async #lookAroundOrLog(): Promise<void> {
    try {
      await this.lookAround()
    } catch (error) {
      this.#log.warn({ err: error }, 'it is not known which other servers count calls')
    }
  }

  async #lookAround(): Promise<void> {
    const beats = ++this.#beats
    await this.#tables
      .insertInto('awareness_server')
      .values({ server: this.#server, beats })
      .onConflict((conflict) => conflict.column('server').doUpdateSet({ beats }))
      .execute()
    const rows = await this.#tables
      .selectFrom('awareness_server')
      .selectAll()
      .where('server', '<>', this.#server)
      .execute()
    const now = performance.now()
    const others = new Map(
      rows.map((row) => {
        const previous = this.#others.get(row.server)
        return [
          row.server,
          previous?.beats === row.beats ? previous : { beats: row.beats, since: now },
        ] as const
      }),
    )
    for (const [server, { since }] of others) {
      if (now - since < silenceMaxMs) continue
      others.delete(server)
      await this.#tables.deleteFrom('awareness_server').where('server', '=', server).execute()
    }
    this.#others = others
  }

  async #rounds(): Promise<void> {
    this.#isInRound = true
    while (this.#waiting.length > 0) await this.#round()
    this.#isInRound = false
  }

  /** Should the store not keep in step, each server goes on counting what it knows. */
  async #round(): Promise<void> {
    const answers: (() => void)[] = []
    const countAll = () => {
      for (const caller of this.#waiting.splice(0)) answers.push(this.#countOne(caller))
    }
    try {
      await oneServerAtATime(this.#store, 'awareness calls', async () => {
        await this.#calls.synchronise()
        countAll()
        await this.#calls.synchronise()
      })
    } catch (error) {
      this.#log.warn({ err: error }, 'calls are counted without the other servers')
      countAll()
    }
    for (const answer of answers) answer()
  }

  /** @returns answers the caller */
  #countOne({ username, resolve, reject }: Caller): () => void {
    try {
      const calls = this.#calls.count(username)
      return () => resolve(calls)
    } catch (error) {
      return () => reject(error)
    }
  }
}
