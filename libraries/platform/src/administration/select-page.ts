import {
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Store } from '../database/store.ts'
import { RequestRefused } from '../refusal.ts'

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
  /** The services whose items the caller may see, where a listing has items of several; all of them when undefined. */
  readonly services: readonly string[] | undefined
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
 * @throws RequestRefused bad-request for a place that no page of this listing ends at
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
  const column = columns[page.order]
  if (column === undefined) throw new Error(`a listing has no order by ${page.order}`)
  const isById = column.column === id.column
  const order = isById ? [id] : [column, id]
  const keys = order.map((key) => inOrder(key, characterOrder))
  const direction = page.isDescending ? 'desc' : 'asc'
  const ordered = keys.reduce((selected, key) => selected.orderBy(key, direction), query).limit(page.limit)
  if (page.after === undefined) return ordered
  const values = isById ? [page.after.id] : [page.after.value, page.after.id]
  if (values.some((value, index) => (typeof value === 'string') !== (order[index]?.type === 'text'))) {
    throw new RequestRefused('bad-request', 'after must be the next of a page in the same order.', {
      field: 'after',
    })
  }
  const than = page.isDescending ? sql`<` : sql`>`
  return ordered.where(sql<SqlBool>`(${sql.join(keys)}) ${than} (${sql.join(values)})`)
}

/** The condition that a text begins so; it goes along an index that has the text in the order of its characters. */
export function beginsWith(
  column: string,
  beginning: string,
  characterOrder: Store['characterOrder'],
): RawBuilder<SqlBool> {
  const text = inOrder({ column, type: 'text' }, characterOrder)
  return sql<SqlBool>`${text} >= ${beginning} and ${text} < ${`${beginning}\u{10ffff}`}`
}

/**
 * Makes an index that pages of a listing go along.
 *
 * @param columns names of those that are asked for by one value, and then those of the order
 */
export async function createListingIndex(
  db: Pick<Kysely<unknown>, 'schema' | 'getExecutor'>,
  { name, table, columns }: { name: string; table: string; columns: readonly (string | OrderColumn)[] },
): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const characterOrder = isPostgres ? 'C' : 'BINARY'
  await db.schema
    .createIndex(name)
    .on(table)
    .columns(
      columns.map((column) =>
        typeof column === 'string' ? sql.ref(column) : inOrder(column, characterOrder),
      ),
    )
    .execute()
}

/** SQLite compares by characters unless told otherwise, and goes along no index where it is told even that. */
function inOrder(
  { column, type }: OrderColumn,
  characterOrder: Store['characterOrder'],
): RawBuilder<unknown> {
  const ref = sql.ref(column)
  return type === 'text' && characterOrder === 'C' ? sql`${ref} collate "C"` : ref
}
