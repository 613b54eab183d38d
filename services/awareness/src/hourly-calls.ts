import {
  type Clock,
  type Log,
  newSecret,
  rowBatches,
  SlidingWindow,
  type Store,
  tooManyRequests,
} from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { AwarenessTables } from './tables.ts'

const hourMs = 60 * 60 * 1000

/** The most that a kill takes from the count, and the longest that other servers wait to hear of a call. */
const flushEveryMs = 2000

/** While there is nothing to write, it is read once in so many times what others have written. */
const quietFlushes = 10

interface CountedCall {
  readonly username: string
  readonly called_at: number
  calls: number
}

/**
 * How many calls each user made in the last hour: an exact sliding window, shared by all tokens of a user.
 *
 * Counting happens in memory. Every two seconds, and when closed, a server writes its new calls down as one
 * flush and reads the flushes of the others, among them those of its own former runs; where it has no new calls, every twenty seconds:
 *
 *   awareness_call_server   server | flushed_at (its newest flush)
 *   awareness_call          server | flushed_at | username | called_at | calls      never changed
 *
 * A flush is one transaction, and the times of a server's flushes only rise, so a server knows by one number
 * for each other what it has read already. What is older than an hour is deleted. Calls of a clock that was ahead by more
 * than an hour do not count.
 */
export class HourlyCalls {
  readonly callsPerHour: number
  readonly #tables: Kysely<AwarenessTables>
  readonly #clock: Clock
  readonly #log: Log
  readonly #server = newSecret()
  readonly #windows = new Map<string, SlidingWindow>()
  /** The newest flush of each other server that is counted here. */
  readonly #readUpTo = new Map<string, number>()
  #unwritten: CountedCall[] = []
  #flushedAt = 0
  #running: Promise<void> = Promise.resolve()
  #quietFlushes = 0
  readonly #timer = setInterval(() => this.#flush(), flushEveryMs).unref()

  private constructor(deps: { store: Store; clock: Clock; log: Log; callsPerHour: number }) {
    this.callsPerHour = deps.callsPerHour
    this.#tables = deps.store.tables<AwarenessTables>()
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /** Starts counting with what the last hour has left in the store. */
  static async open(deps: {
    store: Store
    clock: Clock
    log: Log
    callsPerHour: number
  }): Promise<HourlyCalls> {
    const calls = new HourlyCalls(deps)
    await calls.synchronise()
    return calls
  }

  /**
   * Counts one call of the user.
   *
   * @returns the user's calls in the last hour, this one among them
   * @throws RequestRefused too-many-requests when the hour is used up; such a call is not counted
   */
  count(username: string): number {
    const now = this.#clock.now()
    const window = this.#windowOf(username)
    const calls = window.count(now)
    if (calls >= this.callsPerHour) {
      const reason = `The maximum of ${this.callsPerHour} API calls per hour is used up.`
      throw tooManyRequests(reason, window.roomAt(this.callsPerHour, now) - now)
    }
    window.add(now, 1)
    this.#unwritten.push({ username, called_at: now, calls: 1 })
    return calls + 1
  }

  /** Writes what is new here and reads what is new elsewhere, after whatever of this is under way. */
  synchronise(): Promise<void> {
    const next = this.#running.then(async () => {
      await this.#write()
      await this.#read()
    })
    this.#running = next.catch(() => undefined)
    return next
  }

  /** Writes everything down and stops. What cannot be written is lost: a server must be able to end all the same. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#synchroniseOrLog()
  }

  /** Servers that count for the same user tell each other when they count, not here. */
  #flush(): void {
    const isQuiet = this.#unwritten.length === 0
    this.#quietFlushes = isQuiet ? (this.#quietFlushes + 1) % quietFlushes : 0
    if (this.#quietFlushes === 0) void this.#synchroniseOrLog()
  }

  /** A flush that fails is made up for by the next one: nothing is forgotten meanwhile. */
  async #synchroniseOrLog(): Promise<void> {
    try {
      await this.synchronise()
    } catch (error) {
      this.#log.warn({ err: error }, 'the hourly call counts could not be synchronised')
    }
  }

  async #write(): Promise<void> {
    const calls = this.#unwritten
    if (calls.length === 0) return
    this.#unwritten = []
    const now = this.#clock.now()
    const flushedAt = Math.max(now, this.#flushedAt + 1)
    this.#flushedAt = flushedAt
    const rows = merged(calls).map((call) => ({ ...call, server: this.#server, flushed_at: flushedAt }))
    try {
      await this.#tables.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('awareness_call_server')
          .values({ server: this.#server, flushed_at: flushedAt })
          .onConflict((conflict) => conflict.column('server').doUpdateSet({ flushed_at: flushedAt }))
          .execute()
        for (const batch of rowBatches(rows)) {
          await transaction.insertInto('awareness_call').values(batch).execute()
        }
        await transaction
          .deleteFrom('awareness_call')
          .where('server', '=', this.#server)
          .where('called_at', '<=', now - hourMs)
          .execute()
      })
    } catch (error) {
      this.#unwritten = [...calls, ...this.#unwritten]
      throw error
    }
  }

  async #read(): Promise<void> {
    const anHourAgo = this.#clock.now() - hourMs
    const servers = await this.#tables
      .selectFrom('awareness_call_server')
      .selectAll()
      .where('server', '<>', this.#server)
      .execute()
    for (const { server, flushed_at: newest } of servers) {
      if (newest <= anHourAgo) {
        await this.#forget(server, newest)
        continue
      }
      const readUpTo = this.#readUpTo.get(server) ?? anHourAgo
      if (newest <= readUpTo) continue
      const rows = await this.#tables
        .selectFrom('awareness_call')
        .select(['username', 'called_at', 'calls'])
        .where('server', '=', server)
        .where('flushed_at', '>', readUpTo)
        .where('flushed_at', '<=', newest)
        .execute()
      for (const row of rows) this.#windowOf(row.username).add(row.called_at, row.calls)
      this.#readUpTo.set(server, newest)
    }
  }

  /** Deletes what a server that flushed nothing for an hour has left. Should it live, it comes back. */
  async #forget(server: string, newest: number): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('awareness_call_server')
        .where('server', '=', server)
        .where('flushed_at', '=', newest)
        .executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) return
      await transaction.deleteFrom('awareness_call').where('server', '=', server).execute()
    })
    this.#readUpTo.delete(server)
  }

  #windowOf(username: string): SlidingWindow {
    const window = this.#windows.get(username)
    if (window) return window
    const newWindow = new SlidingWindow(hourMs)
    this.#windows.set(username, newWindow)
    return newWindow
  }
}

/** Calls of the same user in the same millisecond become one. */
function merged(calls: readonly CountedCall[]): CountedCall[] {
  const byMoment = new Map<string, CountedCall>()
  for (const call of calls) {
    const key = `${call.called_at} ${call.username}`
    const sameMoment = byMoment.get(key)
    if (sameMoment) sameMoment.calls += call.calls
    else byMoment.set(key, { ...call })
  }
  return [...byMoment.values()]
}
