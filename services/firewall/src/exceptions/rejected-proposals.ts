import { type Clock, isStorableText, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { FirewallTables } from '../tables.ts'

/** Which proposals of exceptions administrators have rejected, in the store, by the names of services. */
export class RejectedProposals {
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#tables = store.tables<FirewallTables>()
    this.#clock = clock
  }

  /** The ids of the rejected proposals for a service. */
  async of(service: string): Promise<ReadonlySet<string>> {
    if (!isStorableText(service)) return new Set()
    const rows = await this.#tables
      .selectFrom('firewall_rejected_proposal')
      .select('id')
      .where('service', '=', service)
      .execute()
    return new Set(rows.map(({ id }) => id))
  }

  /** Rejects a proposal, which may be rejected already. */
  async reject(service: string, id: string): Promise<void> {
    await this.#tables
      .insertInto('firewall_rejected_proposal')
      .values({ service, id, rejected_at: this.#clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  /** Lets a proposal, which need not be rejected, be shown again. */
  async takeBack(service: string, id: string): Promise<void> {
    await this.#tables
      .deleteFrom('firewall_rejected_proposal')
      .where('service', '=', service)
      .where('id', '=', id)
      .execute()
  }
}
