import { setImmediate } from 'node:timers/promises'
import type { TextSeal } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { partToStore } from '../objects/content.ts'
import type { Write } from '../objects/snapshot.ts'
import type { FirewallTables } from '../tables.ts'
import { sealedContent } from './sealed-content.ts'
import type { StoredObject } from './stored-versions.ts'

/** How many objects one statement stores. */
export const rowsAtOnce = 50

/** The rows that writes of one change make. */
export interface RowsOfWrites {
  readonly written: readonly StoredObject[]
  /** Traces of what is deleted, for servers that know an earlier version. */
  readonly deleted: readonly FirewallTables['firewall_deleted_object'][]
}

/** Of several writes to one object the last one holds, as in the snapshot. */
export function lastWrites(writes: readonly Write[]): Write[] {
  return [...new Map(writes.map((write) => [JSON.stringify([write.kind.name, write.path]), write])).values()]
}

/** @param version the one that the change makes @param writes of which each is to another object */
export function rowsOfWrites(writes: readonly Write[], version: number, seal: TextSeal): RowsOfWrites {
  const written: StoredObject[] = []
  const deleted: RowsOfWrites['deleted'][number][] = []
  for (const { kind, path, content } of writes) {
    const row = { kind: kind.name, path: JSON.stringify(path), version }
    if (content === undefined) deleted.push(row)
    else {
      const document = JSON.stringify(sealedContent(kind, partToStore(kind, content), seal))
      written.push({ ...row, document })
    }
  }
  return { written, deleted }
}

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
  for (let start = 0; start < writes.length; start += rowsAtOnce) {
    if (start > 0) await setImmediate()
    const { written, deleted } = rowsOfWrites(writes.slice(start, start + rowsAtOnce), version, seal)
    for (const row of deleted) await forget(transaction, row)
    if (deleted.length > 0) await trace(transaction, deleted)
    if (written.length === 0) continue
    await transaction
      .insertInto('firewall_object')
      .values(written)
      .onConflict((conflict) =>
        conflict.columns(['kind', 'path']).doUpdateSet(({ ref }) => ({
          document: ref('excluded.document'),
          version: ref('excluded.version'),
        })),
      )
      .execute()
  }
}

async function forget(
  transaction: Kysely<FirewallTables>,
  { kind, path }: RowsOfWrites['deleted'][number],
): Promise<void> {
  await transaction.deleteFrom('firewall_object').where('kind', '=', kind).where('path', '=', path).execute()
}

async function trace(transaction: Kysely<FirewallTables>, deleted: RowsOfWrites['deleted']): Promise<void> {
  await transaction
    .insertInto('firewall_deleted_object')
    .values(deleted)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'path']).doUpdateSet(({ ref }) => ({ version: ref('excluded.version') })),
    )
    .execute()
}
