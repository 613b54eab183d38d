import { type Clock, isStorableText, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { FirewallTables } from '../../tables.ts'

/** A client that a service does not serve for a while. */
export interface LockedOutClient {
  /** The name of the service. */
  readonly service: string
  /** An IP address, or a fingerprint of 32 hexadecimal digits. */
  readonly client: string
  /** Why, in words. */
  readonly reason: string
  /** In milliseconds since 1970. */
  readonly lockedUntil: number
}

/** How often lockouts that are over are swept out of the store. */
const sweepMs = 60_000

/** How many lockouts one reply lists, the last ones first. */
const listedMax = 10_000

/**
 * Clients that are locked out, in the store: whoever carries traffic fills it and asks it, on whatever server, and
 * administrators look and release. Lockouts end by themselves.
 */
export class LockedOutClients {
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock
  #sweptAt = 0

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#tables = store.tables<FirewallTables>()
    this.#clock = clock
  }

  /** Locks a client out, or out for as long again. Names that no store can hold are passed over. */
  async lock({ service, client, reason, lockedUntil }: LockedOutClient): Promise<void> {
    if (![service, client, reason].every(isStorableText)) return
    const now = this.#clock.now()
    await this.#sweep(now)
    const row = { reason, locked_at: now, locked_until: lockedUntil }
    await this.#tables
      .insertInto('firewall_locked_out_client')
      .values({ service, client, ...row })
      .onConflict((conflict) => conflict.columns(['service', 'client']).doUpdateSet(row))
      .execute()
  }

  /** Whether the service does not serve the client now. */
  async isLockedOut(service: string, client: string): Promise<boolean> {
    if (!isStorableText(service) || !isStorableText(client)) return false
    const row = await this.#tables
      .selectFrom('firewall_locked_out_client')
      .select('client')
      .where('service', '=', service)
      .where('client', '=', client)
      .where('locked_until', '>', this.#clock.now())
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Who is locked out now, those that were locked out last first.
   *
   * @param services their names; an empty list asks for nobody
   */
  async list(services: readonly string[]): Promise<LockedOutClient[]> {
    const names = services.filter(isStorableText)
    if (names.length === 0) return []
    return this.#tables
      .selectFrom('firewall_locked_out_client')
      .select(['service', 'client', 'reason', 'locked_until as lockedUntil'])
      .where('service', 'in', names)
      .where('locked_until', '>', this.#clock.now())
      .orderBy('locked_at', 'desc')
      .orderBy('client')
      .limit(listedMax)
      .execute()
  }

  /**
   * Serves clients again.
   *
   * @param clients all that are locked out of the services when undefined
   * @returns the lockouts that ended
   */
  async release(
    services: readonly string[],
    clients: readonly string[] | undefined,
  ): Promise<Pick<LockedOutClient, 'service' | 'client'>[]> {
    const names = services.filter(isStorableText)
    const storableClients = clients?.filter(isStorableText)
    if (names.length === 0 || storableClients?.length === 0) return []
    const deletion = this.#tables
      .deleteFrom('firewall_locked_out_client')
      .where('service', 'in', names)
      .where('locked_until', '>', this.#clock.now())
    return (storableClients ? deletion.where('client', 'in', storableClients) : deletion)
      .returning(['service', 'client'])
      .execute()
  }

  async #sweep(now: number): Promise<void> {
    if (now - this.#sweptAt < sweepMs) return
    this.#sweptAt = now
    await this.#tables.deleteFrom('firewall_locked_out_client').where('locked_until', '<=', now).execute()
  }
}
