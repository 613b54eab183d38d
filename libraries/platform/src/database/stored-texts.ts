import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Store } from './store.ts'

/**
 * Whether a text column of every store gives the text back as it is. PostgreSQL refuses the character NUL, and
 * half of a surrogate pair has no UTF-8, so it would come back as another character. Nothing that is stored can
 * carry such a name: answer "there is none" instead of asking the store.
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** A list of texts as it lies in one column: JSON. */
export function writeList(texts: readonly string[]): string {
  return JSON.stringify(texts)
}

/** The texts of a column that `writeList` has written. Throws for anything but a JSON array. */
export function readList(column: string): string[] {
  const list: unknown = JSON.parse(column)
  if (!Array.isArray(list)) throw new Error('a column that should hold a list holds something else')
  return list.map(String)
}

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
