import { createHash } from 'node:crypto'
import { type Clock, isStorableText, type Store } from '@palisade/platform'
import { type LearntUrl, learntKey, learntMax, mergedUrl } from '@palisade/proxy-protocol'
import type { Kysely } from 'kysely'
import type { FirewallTables } from '../tables.ts'

/** What nobody has asked for in this time is forgotten. */
const forgottenAfterMs = 90 * 24 * 60 * 60 * 1000

/** What is kept of one URL, as JSON; ordinary ones take some KiB. Who makes up parameters could have all of them read at once otherwise. */
const documentMax = 64 * 1024

/** What proxies learnt of the applications, in the store: a sketch of each URL of each service, all proxies together. */
export class LearntUrls {
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock
  #lastTaken: Promise<unknown> = Promise.resolve()

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#tables = store.tables<FirewallTables>()
    this.#clock = clock
  }

  /** Puts sketches to those that are there. Durable when it ends; one call after the other. */
  take(urls: readonly LearntUrl[]): Promise<void> {
    const taken = this.#lastTaken.then(() => this.#take(urls))
    this.#lastTaken = taken.catch(() => undefined)
    return taken
  }

  /** All sketches of a service, those first that most requests asked for. */
  async of(service: string): Promise<LearntUrl[]> {
    if (!isStorableText(service)) return []
    const rows = await this.#tables
      .selectFrom('firewall_learnt_url')
      .select('document')
      .where('service', '=', service)
      .execute()
    return rows
      .map(({ document }) => JSON.parse(document) as LearntUrl)
      .sort((one, other) => other.requests - one.requests || (one.url < other.url ? -1 : 1))
  }

  /** Forgets everything of a service. */
  async forget(service: string): Promise<void> {
    if (!isStorableText(service)) return
    await this.#tables.deleteFrom('firewall_learnt_url').where('service', '=', service).execute()
  }

  async #take(urls: readonly LearntUrl[]): Promise<void> {
    const storable = urls.filter((url) => isStorableText(JSON.stringify(url)) && isStorableText(url.service))
    await this.#tables.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('firewall_learnt_url')
        .where('last_at', '<', this.#clock.now() - forgottenAfterMs)
        .execute()
      for (const learnt of storable) {
        const { service } = learnt
        const digest = createHash('sha256').update(learntKey(learnt)).digest('hex')
        const known = await transaction
          .selectFrom('firewall_learnt_url')
          .select('document')
          .where('service', '=', service)
          .where('digest', '=', digest)
          .executeTakeFirst()
        if (known === undefined && (await countOf(transaction, service)) >= learntMax.urls) continue
        const merged = fitted(known ? mergedUrl(JSON.parse(known.document) as LearntUrl, learnt) : learnt)
        const row = { document: JSON.stringify(merged), last_at: merged.lastAt }
        await transaction
          .insertInto('firewall_learnt_url')
          .values({ service, digest, ...row })
          .onConflict((conflict) => conflict.columns(['service', 'digest']).doUpdateSet(row))
          .execute()
      }
    })
  }
}

async function countOf(tables: Kysely<FirewallTables>, service: string): Promise<number> {
  const { count } = await tables
    .selectFrom('firewall_learnt_url')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('service', '=', service)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A sketch that is not too long: of its parameters those go that the fewest requests had. */
function fitted(learnt: LearntUrl): LearntUrl {
  if (learnt.parameters.length === 0 || JSON.stringify(learnt).length <= documentMax) return learnt
  const byRequests = learnt.parameters.toSorted((one, other) => other.requests - one.requests)
  return fitted({ ...learnt, parameters: byRequests.slice(0, Math.floor(byRequests.length / 2)) })
}
