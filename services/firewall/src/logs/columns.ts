import { type LogName, logNames, logTypes } from './log-types.ts'
import type { FieldClass } from './types/log-type.ts'

/** A column that holds one field of a log's entries. */
export interface Column {
  readonly field: string
  /** The field with underscores: "client_ip". */
  readonly column: string
  readonly isNumber: boolean
}

/** A type of log with its place in the store. */
export interface StoredLog {
  readonly name: LogName
  readonly title: string
  readonly segment: string
  readonly table: LogTable
  readonly fields: ReadonlyMap<string, FieldClass>
  /** For the fields that can be asked about; `id` holds the time as well, see entry-ids.ts. */
  readonly columns: readonly Column[]
  /** The fields that share the column `document`. */
  readonly documented: readonly string[]
}

/** The table of a log, by the name of its type. */
export type LogTable = `firewall_${Underscored<LogName>}_log`

type Underscored<Text extends string> = Text extends `${infer Start}-${infer Rest}`
  ? `${Start}_${Underscored<Rest>}`
  : Text

/** Every log with its place in the store, by name. */
export const storedLogs: ReadonlyMap<LogName, StoredLog> = new Map(
  logNames.map((name) => [name, storedLogOf(name)]),
)

/** The log with this name. */
export function storedLog(name: LogName): StoredLog {
  const log = storedLogs.get(name)
  if (log === undefined) throw new Error(`there is no log ${name}`)
  return log
}

/** The column for a field: "client-ip" is in "client_ip". */
export function columnOf(field: string): string {
  return field.replaceAll('-', '_')
}

function storedLogOf(name: LogName): StoredLog {
  const { title, segment, fields } = logTypes[name]
  const classes = new Map<string, FieldClass>(Object.entries(fields))
  const inColumns = [...classes].filter(([field, of]) => of !== 'shown' && of !== 'time' && field !== 'id')
  return {
    name,
    title,
    segment,
    table: `firewall_${columnOf(name)}_log` as LogTable,
    fields: classes,
    columns: inColumns.map(([field, of]) => ({ field, column: columnOf(field), isNumber: of === 'number' })),
    documented: [...classes].filter(([, of]) => of === 'shown').map(([field]) => field),
  }
}
