import type { Clock, Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { FirewallTables } from '../tables.ts'
import type { LoginSource } from './failure-counts.ts'

const dayMs = 24 * 60 * 60_000

/** How long a network from which nobody logs in any more is remembered. */
const rememberedMs = 180 * dayMs

/** How many networks are remembered for one name, those that were used last. */
const networksMax = 100

/** From where each name was logged in with: who knows its password has been there. */
export class FamiliarNetworks {
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock

  constructor(deps: { store: Store; clock: Clock }) {
    this.#tables = deps.store.tables<FirewallTables>()
    this.#clock = deps.clock
  }

  /** Notes that somebody has logged in. Writes once in a day. */
  async remember({ nameDigest, network }: LoginSource): Promise<void> {
    const now = this.#clock.now()
    const lastAt = await this.#lastAt({ nameDigest, network })
    if (lastAt !== undefined && now - lastAt < dayMs) return
    await this.#tables
      .insertInto('firewall_familiar_network')
      .values({ name_digest: nameDigest, network, last_at: now })
      .onConflict((conflict) => conflict.columns(['name_digest', 'network']).doUpdateSet({ last_at: now }))
      .execute()
    await this.#tables
      .deleteFrom('firewall_familiar_network')
      .where('last_at', '<', now - rememberedMs)
      .execute()
    await this.#tables
      .deleteFrom('firewall_familiar_network')
      .where('name_digest', '=', nameDigest)
      .where('last_at', '<', (builder) =>
        builder
          .selectFrom('firewall_familiar_network')
          .select('last_at')
          .where('name_digest', '=', nameDigest)
          .orderBy('last_at', 'desc')
          .limit(1)
          .offset(networksMax - 1),
      )
      .execute()
  }

  async isFamiliar(source: LoginSource): Promise<boolean> {
    const lastAt = await this.#lastAt(source)
    return lastAt !== undefined && this.#clock.now() - lastAt <= rememberedMs
  }

  /** The digests of the names that a network is familiar to and that are not locked for it. */
  async openNames(network: string): Promise<string[]> {
    const now = this.#clock.now()
    const rows = await this.#tables
      .selectFrom('firewall_familiar_network as familiar')
      .leftJoin('firewall_failed_login as failed', (join) =>
        join
          .onRef('failed.name_digest', '=', 'familiar.name_digest')
          .onRef('failed.network', '=', 'familiar.network'),
      )
      .select('familiar.name_digest as nameDigest')
      .where('familiar.network', '=', network)
      .where('familiar.last_at', '>=', now - rememberedMs)
      .where(({ eb, or }) =>
        or([eb('failed.locked_until', 'is', null), eb('failed.locked_until', '<=', now)]),
      )
      .execute()
    return rows.map(({ nameDigest }) => nameDigest)
  }

  async #lastAt({ nameDigest, network }: LoginSource): Promise<number | undefined> {
    const row = await this.#tables
      .selectFrom('firewall_familiar_network')
      .select('last_at as lastAt')
      .where('name_digest', '=', nameDigest)
      .where('network', '=', network)
      .executeTakeFirst()
    return row?.lastAt
  }
}
