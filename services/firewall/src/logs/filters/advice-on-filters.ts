import { canonicalSpelling } from '../../kinds/field-set.ts'
import type { StoredLog } from '../columns.ts'
import { operatorsOf } from './operators.ts'

/**
 * How entries are filtered, for somebody who has tried it by a parameter that bears the name of a field, or a part of it.
 *
 * @param name of the parameter
 * @param value of the same
 * @returns a sentence with an example that does what seems to be meant
 */
export function adviceOnFilters(log: StoredLog, name: string, value: unknown): string {
  const fields = [...log.fields].flatMap(([field, of]) =>
    of === 'shown' || of === 'time' ? [] : [{ field, of }],
  )
  const spelt = canonicalSpelling(name)
  const meant =
    fields.find(({ field }) => field === spelt) ??
    fields.find(({ field }) => spelt !== '' && field.includes(spelt)) ??
    fields[0]
  if (meant === undefined) return ''
  const text = typeof value === 'string' && value.length <= 100 ? value : '…'
  const example = [{ field: meant.field, operators: operatorsOf[meant.of][0], values: [text] }]
  return `Filters are JSON, URL-encoded: filters=${JSON.stringify(example)}`
}
