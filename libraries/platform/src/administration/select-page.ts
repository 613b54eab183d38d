import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Store } from '../database/store.ts'

/** One page of a listing that is ordered by a member, and then by what tells things apart. */
export interface PageRequest {
  readonly limit: number
  /** The member that it is ordered by. */
  readonly order: string
  readonly isDescending: boolean
  /** The last thing of the page before: its value of the order, and its id; undefined for the first page. */
  readonly after: PagePlace | undefined
  /** What was given of the listing's filters. */
  readonly filters: Readonly<Record<string, string>>
  /** The accounts that the caller may see; all of them when undefined. */
  readonly accounts: readonly string[] | undefined
}

/** Where a thing stands in a listing. */
export interface PagePlace {
  readonly value: string | number
  readonly id: string | number
}

/** A column that a listing may be ordered by. */
export interface OrderColumn {
  readonly column: string
  readonly type: 'text' | 'number'
}

/**
 * Orders a query and cuts one page out of it, in time that does not depend on how far into the listing it lies, where an index has
 * both columns. Texts are ordered by their characters; in PostgreSQL such an index says `COLLATE "C"`.
 *
 * @param columns of each member that the listing may be ordered by
 * @param id the column that tells things apart
 */
export function selectPage<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  page: Pick<PageRequest, 'limit' | 'order' | 'isDescending' | 'after'>,
  {
    columns,
    id,
    characterOrder,
  }: {
    readonly columns: Readonly<Record<string, OrderColumn>>
    readonly id: OrderColumn
    readonly characterOrder: Store['characterOrder']
  },
): SelectQueryBuilder<Database, Table, Row> {
  const given = columns[page.order]
  if (given === undefined) throw new Error(`a listing has no order by ${page.order}`)
  const expressionOf = ({ column, type }: OrderColumn) =>
    type === 'text' ? sql`${sql.ref(column)} collate ${sql.id(characterOrder)}` : sql`${sql.ref(column)}`
  const keys = (given.column === id.column ? [id] : [given, id]).map(expressionOf)
  const direction = page.isDescending ? 'desc' : 'asc'
  const ordered = keys.reduce((selected, key) => selected.orderBy(key, direction), query).limit(page.limit)
  if (page.after === undefined) return ordered
  const values = given.column === id.column ? [page.after.id] : [page.after.value, page.after.id]
  const than = page.isDescending ? sql`<` : sql`>`
  return ordered.where(sql<SqlBool>`(${sql.join(keys)}) ${than} (${sql.join(values)})`)
}
