import type { StoredLog } from './columns.ts'
import { timeOfEntry } from './entry-ids.ts'
import type { LogRow } from './tables.ts'

/** The fields of one entry before they are stored. */
export type EntryFields = Readonly<Record<string, string | number | undefined>>

/**
 * Longer texts are cut: what a client sends decides how long a URL or a header is, and no client shall fill the
 * store with a few requests.
 */
const textLengthMax = 8192

/** What a row takes beside its texts: its id, twice, and what the store adds; measured on SQLite. */
const rowBytes = 150

/** The row for an entry. Texts are made such that every store keeps them; a number that is none is left out. */
export function rowOf(log: StoredLog, id: string, entry: EntryFields): LogRow {
  const row: LogRow = { id, bytes: rowBytes, document: '{}' }
  for (const { field, column, isNumber } of log.columns) {
    if (isNumber) {
      row[column] = numberOf(entry[field])
    } else {
      const text = textOf(entry[field])
      row[column] = text
      row.bytes += text.length
    }
  }
  row.document = documentOf(log, entry)
  row.bytes += row.document.length
  return row
}

/**
 * The entry that a row holds, every field a text and those that are not known empty.
 *
 * @param shown the fields to show; all when undefined
 */
export function entryOf(
  log: StoredLog,
  row: LogRow,
  shown: ReadonlySet<string> | undefined,
): Record<string, string> {
  const document: Record<string, unknown> = JSON.parse(row.document)
  document.id = row.id
  document.time = timeOfEntry(row.id)
  for (const { field, column } of log.columns) document[field] = row[column]
  const entry: Record<string, string> = {}
  for (const field of log.fields.keys()) {
    if (shown === undefined || shown.has(field)) entry[field] = String(document[field] ?? '')
  }
  return entry
}

function documentOf(log: StoredLog, entry: EntryFields): string {
  const row: Record<string, string> = {}
  for (const field of log.documented) {
    const text = textOf(entry[field])
    if (text !== '') row[field] = text
  }
  return JSON.stringify(row)
}

function numberOf(value: string | number | undefined): number | null {
  if (value === undefined || value === '') return null
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : null
}

/** PostgreSQL refuses the character NUL, and half of a surrogate pair has no UTF-8. */
function textOf(value: string | number | undefined): string {
  if (value === undefined) return ''
  return String(value).slice(0, textLengthMax).toWellFormed().replaceAll('\0', '\uFFFD')
}
