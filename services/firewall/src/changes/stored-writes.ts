import { setImmediate } from 'node:timers/promises'
import type { TextSeal } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { partToStore } from '../objects/content.ts'
import type { Write } from '../objects/snapshot.ts'
import type { FirewallTables } from '../tables.ts'
import { sealedContent } from './sealed-content.ts'

/** How many objects one statement stores. */
const rowsAtOnce = 50

/**
 * Stores the writes of one change, however many, as part of its transaction. Others are served in between.
 *
 * @param version the one that the change makes
 */
export async function storeWrites(
  transaction: Kysely<FirewallTables>,
  writes: readonly Write[],
  version: number,
  seal: TextSeal,
): Promise<void> {
  // Of several writes to one object the last one holds, as in the snapshot.
  const byKey = new Map(writes.map((write) => [JSON.stringify([write.kind.name, write.path]), write]))
  const last = [...byKey.values()]
  for (let start = 0; start < last.length; start += rowsAtOnce) {
    if (start > 0) await setImmediate()
    const part = last.slice(start, start + rowsAtOnce)
    const deleted = part.filter(({ content }) => content === undefined)
    for (const write of deleted) await forget(transaction, write)
    if (deleted.length > 0) await trace(transaction, deleted, version)
    const rows = part.flatMap(({ kind, path, content }) => {
      if (content === undefined) return []
      const document = JSON.stringify(sealedContent(kind, partToStore(kind, content), seal))
      return [{ kind: kind.name, path: JSON.stringify(path), document, version }]
    })
    if (rows.length === 0) continue
    await transaction
      .insertInto('firewall_object')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['kind', 'path']).doUpdateSet(({ ref }) => ({
          document: ref('excluded.document'),
          version: ref('excluded.version'),
        })),
      )
      .execute()
  }
}

async function forget(transaction: Kysely<FirewallTables>, { kind, path }: Write): Promise<void> {
  await transaction
    .deleteFrom('firewall_object')
    .where('kind', '=', kind.name)
    .where('path', '=', JSON.stringify(path))
    .execute()
}

/** Leaves a trace of what was deleted, for servers that know an earlier version. */
async function trace(
  transaction: Kysely<FirewallTables>,
  deleted: readonly Write[],
  version: number,
): Promise<void> {
  await transaction
    .insertInto('firewall_deleted_object')
    .values(deleted.map(({ kind, path }) => ({ kind: kind.name, path: JSON.stringify(path), version })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'path']).doUpdateSet(({ ref }) => ({ version: ref('excluded.version') })),
    )
    .execute()
}
