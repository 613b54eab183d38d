/** Rows in one insert: with up to thirty columns below the number of parameters that either engine takes (SQLite 32,766). */
const rowsInInsertMax = 1000

/** Rows in the batches in which they are inserted, one statement each: one for each row takes a hundred times as long. */
export function rowBatches<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsInInsertMax) }, (_, index) =>
    rows.slice(index * rowsInInsertMax, (index + 1) * rowsInInsertMax),
  )
}
