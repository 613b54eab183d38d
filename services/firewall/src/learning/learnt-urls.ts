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
    const result = this.#lastTaken.then(() => this.#take(urls))
    this.#lastTaken = result.catch(() => undefined)
    return result
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
    await this.#tables
      .deleteFrom('firewall_learnt_url')
      .where('last_at', '<', this.#clock.now() - forgottenAfterMs)
      .execute()
    // Every server takes them in the same order, so that none waits for another that waits for it.
    const inOrder = storable
      .map((learnt) => ({ learnt, key: keyOf(learnt) }))
      .toSorted((one, other) => (one.key.digest < other.key.digest ? -1 : 1))
    await this.#tables.transaction().execute(async (transaction) => {
      for (const { learnt, key } of inOrder) await put(transaction, learnt, key)
    })
  }
}

/** Under which a sketch is kept. */
interface SketchKey {
  readonly service: string
  readonly digest: string
}

function keyOf(learnt: LearntUrl): SketchKey {
  return { service: learnt.service, digest: createHash('sha256').update(learntKey(learnt)).digest('hex') }
}

/** Puts a sketch to the one that is there, or keeps it as the first one while the service has room for more. */
async function put(tables: Kysely<FirewallTables>, learnt: LearntUrl, key: SketchKey): Promise<void> {
  if (await addToHeld(tables, learnt, key)) return
  if ((await countOf(tables, key.service)) >= learntMax.urls) return
  const { numInsertedOrUpdatedRows: inserted } = await tables
    .insertInto('firewall_learnt_url')
    .values({ ...key, ...columnsOf(learnt) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  // Another server was the first one.
  if (inserted === 0n) await addToHeld(tables, learnt, key)
}

/** @returns false when there is none to put it to */
async function addToHeld(
  tables: Kysely<FirewallTables>,
  learnt: LearntUrl,
  { service, digest }: SketchKey,
): Promise<boolean> {
  const row = tables
    .updateTable('firewall_learnt_url')
    .where('service', '=', service)
    .where('digest', '=', digest)
  // Locks it: another server may be putting another sketch to it.
  const lockedRow = await row
    .set(({ ref }) => ({ last_at: ref('last_at') }))
    .returning('document')
    .executeTakeFirst()
  if (lockedRow === undefined) return false
  await row.set(columnsOf(mergedUrl(JSON.parse(lockedRow.document) as LearntUrl, learnt))).execute()
  return true
}

function columnsOf(learnt: LearntUrl): { document: string; last_at: number } {
  return { document: JSON.stringify(fitted(learnt)), last_at: learnt.lastAt }
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
