import { FieldSet } from '../kinds/field-set.ts'
import { type StoredLog, storedLogs } from './columns.ts'
import { logTypes } from './log-types.ts'
import type { LogType } from './types/log-type.ts'

const fieldSets = new Map(Array.from(storedLogs.values(), (log) => [log, fieldsOf(log)] as const))

/** The fields of a log's entries, as the query parameter `parameters` and the API's description know fields. */
export function fieldSetOf(log: StoredLog): FieldSet {
  return fieldSets.get(log) ?? fieldsOf(log)
}

function fieldsOf(log: StoredLog): FieldSet {
  const type: LogType = logTypes[log.name]
  const descriptions = Object.entries(type.alwaysEmpty ?? {}).map(([field, reason]) => {
    return [field, `Always empty: ${reason}`] as const
  })
  return readOnlyFields(log.title, log.fields.keys(), Object.fromEntries(descriptions))
}

/** Fields that are shown as text and cannot be set. */
export function readOnlyFields(
  owner: string,
  names: Iterable<string>,
  descriptions: Readonly<Record<string, string>> = {},
): FieldSet {
  const fields = Array.from(names, (name) => {
    const description = descriptions[name]
    const field = { type: 'string', readOnly: true } as const
    return [name, description === undefined ? field : { ...field, description }] as const
  })
  return new FieldSet(Object.fromEntries(fields), owner)
}
