import { inSpan } from '@palisade/tracing'
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/**
 * Runs a statement of PostgreSQL that is a transaction of its own: it takes one round trip, where BEGIN and COMMIT take one each.
 *
 * @returns the rows that it gives
 */
export async function oneStatement<Row>(
  tables: QueryExecutorProvider,
  statement: RawBuilder<Row>,
): Promise<readonly Row[]> {
  const about = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const
  const { rows } = await inSpan('transaction', about, () => statement.execute(tables))
  return rows
}

/**
 * An INSERT of PostgreSQL that inserts rows if a part of the same statement gave a row. It has one parameter for all of them, and so the same
 * text for any number.
 *
 * @param condition the name of that part, which has no column of the rows' names and gives one row at most
 * @param columns those that the rows have; others get what they get by default
 */
export function insertedIf<Row extends object>(
  condition: string,
  table: string,
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): RawBuilder<unknown> {
  const names = sql.join(columns.map((column) => sql.id(column)))
  return sql`INSERT INTO ${sql.id(table)} (${names}) SELECT ${names} FROM ${sql.id(condition)},
    json_populate_recordset(NULL::${sql.id(table)}, ${rowsAsJson(rows)}::json)`
}

/** As PostgreSQL reads it: half of a surrogate pair, which it refuses, becomes what it becomes in parameters of their own. */
function rowsAsJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )
}
