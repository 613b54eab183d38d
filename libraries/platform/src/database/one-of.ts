import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Store } from './store.ts'
import { writeList } from './stored-list.ts'

/**
 * The condition that a text column holds one of these texts, none of them for an empty list. They go to the store as one
 * parameter, since neither store takes one for each of a hundred thousand.
 *
 * @param texts such as the store can hold; see `isStorableText`
 */
export function isOneOf(kind: Store['kind'], column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  const list = writeList(texts)
  const elements =
    kind === 'sqlite'
      ? sql`select value from json_each(${list})`
      : sql`select json_array_elements_text(${list}::json)`
  return sql<SqlBool>`${sql.ref(column)} in (${elements})`
}
