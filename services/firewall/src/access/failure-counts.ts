import type { Clock, Store } from '@palisade/platform'
import { type Kysely, sql } from 'kysely'
import type { FirewallTables } from '../tables.ts'

/** When logins are locked: the system's section "Account Lockout Settings". */
export interface LockoutSettings {
  /** Failures within the window after which one name is locked for one network. */
  readonly failuresMax: number
  readonly windowMs: number
  readonly lockedMs: number
}

/** Who tries to log in, and from where. */
export interface LoginSource {
  /** The SHA-256 of the name that was given, 64 hexadecimal digits. */
  readonly nameDigest: string
  /** An IPv4 address, or the first 64 bits of an IPv6 address. */
  readonly network: string
}

/** What the failures of a source amount to. */
export interface Locks {
  /** Whether the name has failed from this network lately, locked or not. */
  readonly hasFailed: boolean
  /** Whether the name is locked for this network. */
  readonly isLocked: boolean
  /** Whether the name has failed from many networks, or the network with many names. */
  readonly isCrowded: boolean
}

/** How many times as often a name may fail from all networks together, and a network with all names. */
export const crowdFactor = 10

/** How often failures that no longer count are swept out of the store. */
const sweepMs = 60_000

/** How many counts are kept. Beyond, the oldest are forgotten: a flood of names and networks fills no store. */
export const countsMax = 100_000

/** Stands for every name, or every network, in a count. */
const any = ''

/** Counts failed logins in the store, where other servers and a restart find them. */
export class FailureCounts {
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock
  readonly #settings: () => LockoutSettings
  #sweptAt = 0

  constructor(deps: { store: Store; clock: Clock; settings: () => LockoutSettings }) {
    this.#tables = deps.store.tables<FirewallTables>()
    this.#clock = deps.clock
    this.#settings = deps.settings
  }

  async locks({ nameDigest, network }: LoginSource): Promise<Locks> {
    const now = this.#clock.now()
    const rows = await this.#tables
      .selectFrom('firewall_failed_login')
      .select(['name_digest as nameDigest', 'network', 'locked_until as lockedUntil'])
      .where('name_digest', 'in', [nameDigest, any])
      .where('network', 'in', [network, any])
      .execute()
    const isOwn = (row: LoginSource) => row.nameDigest === nameDigest && row.network === network
    return {
      hasFailed: rows.some(isOwn),
      isLocked: rows.some((row) => isOwn(row) && row.lockedUntil > now),
      isCrowded: rows.some((row) => !isOwn(row) && row.lockedUntil > now),
    }
  }

  /**
   * Counts a failure: one statement, so that several servers lose none of their counts.
   *
   * @returns how often the name has failed from this network within the window, this time included
   */
  async add({ nameDigest, network }: LoginSource): Promise<number> {
    const now = this.#clock.now()
    const { failuresMax, windowMs, lockedMs } = this.#settings()
    await this.#sweep(now, windowMs)
    const most = (row: LoginSource) =>
      row.nameDigest === any || row.network === any ? crowdFactor * failuresMax : failuresMax
    const number = (value: number) => sql<number>`cast(${value} as bigint)`
    const isWithin = sql`(firewall_failed_login.first_failed_at > ${number(now - windowMs)} and
      (firewall_failed_login.locked_until = 0 or firewall_failed_login.locked_until > ${number(now)}))`
    const failures = sql<number>`case when ${isWithin} then firewall_failed_login.failures + 1 else 1 end`
    const mostOfRow = sql`case when firewall_failed_login.name_digest = ${any} or firewall_failed_login.network = ${any}
      then ${number(crowdFactor * failuresMax)} else ${number(failuresMax)} end`
    // Every writer has the name's row before that of the network, so that two never wait for each other.
    const keys = [
      { nameDigest, network },
      { nameDigest, network: any },
      { nameDigest: any, network },
    ]
    const rows = await this.#tables
      .insertInto('firewall_failed_login')
      .values(
        keys.map((row) => ({
          name_digest: row.nameDigest,
          network: row.network,
          failures: 1,
          first_failed_at: now,
          locked_until: most(row) <= 1 ? now + lockedMs : 0,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['name_digest', 'network']).doUpdateSet({
          failures,
          first_failed_at: sql<number>`case when ${isWithin} then firewall_failed_login.first_failed_at
            else ${number(now)} end`,
          locked_until: sql<number>`case when ${failures} >= ${mostOfRow} then ${number(now + lockedMs)}
            else ${number(0)} end`,
        }),
      )
      .returning(['name_digest as nameDigest', 'network', 'failures'])
      .execute()
    return rows.find((row) => row.nameDigest === nameDigest && row.network === network)?.failures ?? 1
  }

  /** Forgives a name what it failed from one network. What it failed from others counts on. */
  async forget({ nameDigest, network }: LoginSource): Promise<void> {
    await this.#tables
      .deleteFrom('firewall_failed_login')
      .where('name_digest', '=', nameDigest)
      .where('network', '=', network)
      .execute()
  }

  async #sweep(now: number, windowMs: number): Promise<void> {
    if (now - this.#sweptAt < sweepMs) return
    this.#sweptAt = now
    await this.#tables
      .deleteFrom('firewall_failed_login')
      .where('first_failed_at', '<=', now - windowMs)
      .where('locked_until', '<=', now)
      .execute()
    await this.#tables
      .deleteFrom('firewall_failed_login')
      .where('first_failed_at', '<=', (builder) =>
        builder
          .selectFrom('firewall_failed_login')
          .select('first_failed_at')
          .orderBy('first_failed_at', 'desc')
          .limit(1)
          .offset(countsMax),
      )
      .execute()
  }
}
