import { FieldSet } from '../kinds/field-set.ts'
import { type StoredLog, storedLogs } from './columns.ts'

const fieldSets = new Map(
  Array.from(storedLogs.values(), (log) => [log, readOnlyFields(log.title, log.fields.keys())] as const),
)

/** The fields of a log's entries, as the query parameter `parameters` and the API's description know fields. */
export function fieldSetOf(log: StoredLog): FieldSet {
  return fieldSets.get(log) ?? readOnlyFields(log.title, log.fields.keys())
}

/** Fields that are shown as text and cannot be set. */
export function readOnlyFields(owner: string, names: Iterable<string>): FieldSet {
  const fields = Array.from(names, (name) => [name, { type: 'string', readOnly: true }] as const)
  return new FieldSet(Object.fromEntries(fields), owner)
}
