import type { Store } from '@palisade/platform'
import { type Kysely, sql } from 'kysely'
import type { FirewallTables } from '../tables.ts'

/** A server that is further behind than this reads the whole configuration; older traces of deletions are removed. */
const tracedVersionsMax = 10_000

/** Traces are looked through for old ones once in so many versions. */
const sweepEvery = 1_000

/** An object as it is stored. */
export type StoredObject = FirewallTables['firewall_object']

/** What a server is to make of its copy of the configuration to have the newest one. */
export interface StoredNews {
  readonly version: number
  /** Whether `written` is the whole configuration, and whatever else the copy has is gone. */
  readonly isWhole: boolean
  /** What was deleted; some of it may have come again, and is among what was written then. */
  readonly deleted: readonly Pick<StoredObject, 'kind' | 'path'>[]
  readonly written: readonly StoredObject[]
}

/** The number of the newest change. */
export async function storedVersion(tables: Kysely<FirewallTables>): Promise<number> {
  const { version } = await tables
    .selectFrom('firewall_configuration')
    .select('version')
    .executeTakeFirstOrThrow()
  return version
}

/**
 * Counts one version more, as part of the transaction that makes the change.
 *
 * @returns whether the version was still the newest; otherwise nothing was written
 */
export async function countVersion(transaction: Kysely<FirewallTables>, version: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('firewall_configuration')
    .set({
      version: version + 1,
      // What a server of an earlier release deletes leaves no trace: nobody may count on traces from before that.
      traced_since: sql<number>`CASE WHEN traced_version = version THEN traced_since ELSE version END`,
      traced_version: version + 1,
    })
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  if ((version + 1) % sweepEvery === 0) {
    await transaction
      .deleteFrom('firewall_deleted_object')
      .where('version', '<=', version - tracedVersionsMax)
      .execute()
  }
  return true
}

/**
 * Reads, as of one moment, what is newer than a version.
 *
 * @param known the version of the copy; undefined where there is none, which reads everything
 */
export function readNews(store: Store, known: number | undefined): Promise<StoredNews> {
  return store.serializably(async (moment) => {
    const tables = moment.tables<FirewallTables>()
    const { version, traced_version, traced_since } = await tables
      .selectFrom('firewall_configuration')
      .selectAll()
      .executeTakeFirstOrThrow()
    const objects = tables.selectFrom('firewall_object').selectAll()
    const oldest = Math.max(traced_since, version - tracedVersionsMax)
    // A database that was restored may be older than the copy.
    if (known === undefined || traced_version !== version || known < oldest || known > version) {
      return { version, isWhole: true, deleted: [], written: await objects.execute() }
    }
    const deleted = await tables
      .selectFrom('firewall_deleted_object')
      .select(['kind', 'path'])
      .where('version', '>', known)
      .execute()
    return { version, isWhole: false, deleted, written: await objects.where('version', '>', known).execute() }
  })
}
