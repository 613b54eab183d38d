import type { Store } from '@palisade/platform'
import { type Kysely, sql } from 'kysely'
import type { FirewallTables } from '../tables.ts'

/** A server that is further behind than this reads the whole configuration; older traces of deletions are removed. */
const tracedVersionsMax = 10_000

/** Traces are looked through for old ones once in so many versions. */
const sweepEvery = 1_000

/** Whether {@link countVersion} also removes old traces when it counts the version after this one. */
export function isSweptAfter(version: number): boolean {
  return (version + 1) % sweepEvery === 0
}

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
  const { numUpdatedRows } = await versionCount(transaction, version).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  if (isSweptAfter(version)) {
    await transaction
      .deleteFrom('firewall_deleted_object')
      .where('version', '<=', version - tracedVersionsMax)
      .execute()
  }
  return true
}

/** The statement that counts one version more where a version is still the newest, and changes no row where it is not. */
export function versionCount(tables: Kysely<FirewallTables>, version: number) {
  return tables
    .updateTable('firewall_configuration')
    .set({
      version: version + 1,
      // What a server of an earlier release deletes leaves no trace: nobody may count on traces from before that.
      traced_since: sql<number>`CASE WHEN traced_version = version THEN traced_since ELSE version END`,
      traced_version: version + 1,
    })
    .where('version', '=', version)
}

/**
 * Reads, as of one moment, what is newer than a version.
 *
 * @param known the version of the copy; undefined where there is none, which reads everything
 */
export async function readNews(store: Store, known: number | undefined): Promise<StoredNews> {
  const news = known === undefined ? undefined : await newsSince(store.tables<FirewallTables>(), known)
  return news ?? everything(store)
}

/**
 * One statement sees one moment, and costs a server one question for another's change.
 *
 * @returns undefined where the copy has to be read anew
 */
async function newsSince(tables: Kysely<FirewallTables>, known: number): Promise<StoredNews | undefined> {
  const news = tables
    .selectFrom('firewall_deleted_object')
    .select(['kind', 'path', sql<string | null>`NULL`.as('document'), 'version'])
    .where('version', '>', known)
    .unionAll(
      tables
        .selectFrom('firewall_object')
        .select(['kind', 'path', 'document', 'version'])
        .where('version', '>', known)
        .$castTo<Omit<StoredObject, 'document'> & { document: string | null }>(),
    )
  const rows = await tables
    .selectFrom('firewall_configuration as newest')
    .leftJoin(news.as('news'), (join) => join.onTrue())
    .select([
      'newest.version as newest',
      'newest.traced_version',
      'newest.traced_since',
      'news.kind',
      'news.path',
      'news.document',
      'news.version',
    ])
    .execute()
  const [first] = rows
  if (first === undefined) return undefined
  const { newest, traced_version, traced_since } = first
  const oldest = Math.max(traced_since, newest - tracedVersionsMax)
  // A database that was restored may be older than the copy.
  if (traced_version !== newest || known < oldest || known > newest) return undefined
  const deleted: StoredNews['deleted'][number][] = []
  const written: StoredObject[] = []
  for (const { kind, path, document, version } of rows) {
    if (kind === null || path === null || version === null) continue
    if (document === null) deleted.push({ kind, path })
    else written.push({ kind, path, document, version })
  }
  return { version: newest, isWhole: false, deleted, written }
}

function everything(store: Store): Promise<StoredNews> {
  return store.serializably(async (moment) => {
    const tables = moment.tables<FirewallTables>()
    const version = await storedVersion(tables)
    const written = await tables.selectFrom('firewall_object').selectAll().execute()
    return { version, isWhole: true, deleted: [], written }
  })
}
