import type { Store } from '@palisade/platform'
import { type Kysely, sql } from 'kysely'

/** Everything that the store holds, as JSON. @param isLeftOut which tables are not looked at; none when left out */
export async function everyRow(
  store: Store,
  isLeftOut: (table: string) => boolean = () => false,
): Promise<string> {
  const tables: Kysely<Record<string, Record<string, unknown>>> = store.tables()
  const allTables = await tables.introspection.getTables()
  const texts: string[] = []
  for (const { name } of allTables) {
    if (isLeftOut(name)) continue
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(tables)
    texts.push(JSON.stringify(rows))
  }
  return texts.join()
}
