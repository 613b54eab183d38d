import { type Clock, digestOf, type Store } from '@palisade/platform'
import { type Kysely, sql } from 'kysely'
import type { FirewallTables } from '../tables.ts'

/** When a name is locked: the system's section "Account Lockout Settings". */
export interface LockoutSettings {
  /** Failures within the window after which the name is locked. */
  readonly failuresMax: number
  readonly windowMs: number
  readonly lockedMs: number
}

/** How often failures that no longer count are swept out of the store. */
const sweepMs = 60_000

interface Failures {
  readonly failures: number
  readonly firstFailedAt: number
  readonly lockedUntil: number
}

/**
 * Locks a name after too many failed logins, wherever they came from and whether there is an administrator of
 * that name or not, so that neither the reply nor its time tells. The store keeps the counts: other servers and a
 * restart know them. Attempts for one name run one after the other, so that a crowd of them counts in full.
 */
export class FailedLogins {
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock
  readonly #settings: () => LockoutSettings
  readonly #running = new Map<string, Promise<unknown>>()
  #sweptAt = 0

  constructor(deps: { store: Store; clock: Clock; settings: () => LockoutSettings }) {
    this.#tables = deps.store.tables<FirewallTables>()
    this.#clock = deps.clock
    this.#settings = deps.settings
  }

  /**
   * Runs one login.
   *
   * @returns what it found; undefined also when the name is locked, after the same work
   */
  async attempt<T>(name: string, login: () => Promise<T | undefined>): Promise<T | undefined> {
    const digest = digestOf(name)
    const turn = (this.#running.get(digest) ?? Promise.resolve()).then(() => this.#attempt(digest, login))
    const settled = turn.catch(() => undefined)
    this.#running.set(digest, settled)
    try {
      return await turn
    } finally {
      if (this.#running.get(digest) === settled) this.#running.delete(digest)
    }
  }

  async #attempt<T>(digest: string, login: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await login()
    // Asked for afterwards: another server may have counted failures in the meantime.
    const before = await this.#read(digest)
    if ((before?.lockedUntil ?? 0) > this.#clock.now()) return undefined
    if (found === undefined) await this.#count(digest)
    else if (before) await this.#forget(digest)
    return found
  }

  /** One statement, so that several servers lose none of their counts. */
  async #count(digest: string): Promise<void> {
    const now = this.#clock.now()
    const { failuresMax, windowMs, lockedMs } = this.#settings()
    await this.#sweep(now, windowMs)
    const time = (ms: number) => sql<number>`cast(${ms} as bigint)`
    const isWithin = sql`(firewall_failed_login.first_failed_at > ${time(now - windowMs)} and
      (firewall_failed_login.locked_until = 0 or firewall_failed_login.locked_until > ${time(now)}))`
    const failures = sql<number>`case when ${isWithin} then firewall_failed_login.failures + 1 else 1 end`
    await this.#tables
      .insertInto('firewall_failed_login')
      .values({
        name_digest: digest,
        failures: 1,
        first_failed_at: now,
        locked_until: failuresMax <= 1 ? now + lockedMs : 0,
      })
      .onConflict((conflict) =>
        conflict.column('name_digest').doUpdateSet({
          failures,
          first_failed_at: sql<number>`case when ${isWithin} then firewall_failed_login.first_failed_at
            else ${time(now)} end`,
          locked_until: sql<number>`case when ${failures} >= ${time(failuresMax)} then ${time(now + lockedMs)}
            else ${time(0)} end`,
        }),
      )
      .execute()
  }

  async #forget(digest: string): Promise<void> {
    await this.#tables.deleteFrom('firewall_failed_login').where('name_digest', '=', digest).execute()
  }

  #read(digest: string): Promise<Failures | undefined> {
    return this.#tables
      .selectFrom('firewall_failed_login')
      .select(['failures', 'first_failed_at as firstFailedAt', 'locked_until as lockedUntil'])
      .where('name_digest', '=', digest)
      .executeTakeFirst()
  }

  async #sweep(now: number, windowMs: number): Promise<void> {
    if (now - this.#sweptAt < sweepMs) return
    this.#sweptAt = now
    await this.#tables
      .deleteFrom('firewall_failed_login')
      .where('first_failed_at', '<=', now - windowMs)
      .where('locked_until', '<=', now)
      .execute()
  }
}
