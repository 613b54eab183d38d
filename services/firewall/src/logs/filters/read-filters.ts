import { isStorableText, parseJsonText, RequestRefused, repeatedIndexes } from '@palisade/platform'
import { canonicalSpelling } from '../../kinds/field-set.ts'
import type { StoredLog } from '../columns.ts'
import { everyEntry, type Search } from '../conditions.ts'
import type { FieldClass } from '../types/log-type.ts'
import { type Comparison, type Operator, operatorsOf, searchFor, UnfitValues } from './operators.ts'

/** More than anybody fills in by hand; each costs time for each entry that is looked at. */
const filtersMax = 20
const valuesMax = 100

/** The members of a filter. The API's own names are `field`, `operators`, `values`. */
const memberNames = {
  field: 'field',
  operators: 'operators',
  operator: 'operators',
  values: 'values',
  value: 'values',
}

/**
 * What the query parameter `filters` asks for: a JSON array of filters, or one by itself, such as
 * `[{"field":"client-ip","operators":"is equal to","values":["192.0.2.1"]}]`. All of them have to hold.
 *
 * @throws RequestRefused bad-request, naming the filter and what was expected
 */
export function readFilters(log: StoredLog, text: unknown): Search {
  if (text === undefined) return everyEntry
  const filters = [parsed(text)].flat()
  if (filters.length > filtersMax)
    throw refused(`has ${filters.length} filters; at most ${filtersMax} are taken`)
  return allOf(filters.map((filter) => filterOf(log, filter)))
}

/** A search for what fulfils all of them. */
export function allOf(searches: readonly Partial<Search>[]): Search {
  return {
    times: searches.flatMap(({ times = [] }) => times),
    conditions: searches.flatMap(({ conditions = [] }) => conditions),
    texts: searches.flatMap(({ texts = [] }) => texts),
  }
}

/**
 * What an entry has to fulfil for a comparison of a parameter's to hold.
 *
 * @throws RequestRefused bad-request, naming the parameter and what was expected
 */
export function readComparison(
  parameter: string,
  operator: Operator,
  comparison: Comparison,
): Partial<Search> {
  const { field, values } = comparison
  if (values.length > valuesMax)
    throw refused(`has ${values.length} values for ${field}; at most ${valuesMax} are taken`, parameter)
  if (!values.every(isStorableText))
    throw refused(`has a character for ${field} that no entry has`, parameter)
  try {
    return searchFor(operator, comparison)
  } catch (error) {
    if (error instanceof UnfitValues)
      throw refused(`cannot be used for ${field}: ${error.message}`, parameter)
    throw error
  }
}

function filterOf(log: StoredLog, filter: unknown): Partial<Search> {
  const { field, operators, values } = membersOf(filter)
  const [name, of] = fieldNamed(log, field)
  return readComparison('filters', operatorNamed(name, of, operators), {
    field: name,
    of,
    values: valuesIn(name, values),
  })
}

function fieldNamed(log: StoredLog, value: unknown): [string, FieldClass] {
  const name = typeof value === 'string' ? canonicalSpelling(value) : undefined
  const of = name === undefined ? undefined : log.fields.get(name)
  if (name !== undefined && of !== undefined && of !== 'shown') return [name, of]
  const names = [...log.fields].filter(([, each]) => each !== 'shown').map(([one]) => one)
  throw refused(`names the field ${JSON.stringify(value)}; expected: ${names.join(', ')}`)
}

function operatorNamed(field: string, of: FieldClass, value: unknown): Operator {
  const operators: readonly Operator[] = operatorsOf[of]
  const spelling = typeof value === 'string' ? canonicalOperator(value) : undefined
  const operator = operators.find((one) => canonicalOperator(one) === spelling)
  if (operator !== undefined) return operator
  throw refused(`has the operator ${JSON.stringify(value)} for ${field}; expected: ${operators.join(', ')}`)
}

/** In any case, with and without the hint that lists are separated by commas. */
function canonicalOperator(operator: string): string {
  return operator
    .trim()
    .toLowerCase()
    .replace(/\s*\(comma-separated\)$/, '')
}

function valuesIn(field: string, input: unknown): string[] {
  const values = [input].flat()
  if (
    input !== undefined &&
    values.every((value) => typeof value === 'string' || typeof value === 'number')
  ) {
    return values.map(String)
  }
  throw refused(`has no list of texts as the values for ${field}`)
}

function membersOf(filter: unknown): Record<string, unknown> {
  if (typeof filter !== 'object' || filter === null) throw refused('has a filter that is no JSON object')
  const members = Object.entries(filter).map(([name, value]) => {
    const member = Object.entries(memberNames).find(([spelling]) => spelling === canonicalSpelling(name))
    if (member === undefined)
      throw refused(
        `has a filter with the member ${JSON.stringify(name)}; expected: field, operators, values`,
      )
    return [member[1], value] as const
  })
  const [repeated] = repeatedIndexes(members.map(([name]) => name))
  if (repeated !== undefined) throw refused(`has a filter with the member ${members[repeated]?.[0]} twice`)
  return Object.fromEntries(members)
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? parseJsonText(text) : undefined
  } catch (error) {
    if (error instanceof RequestRefused && error.field !== undefined)
      throw refused(`cannot be used: ${error.message}`)
    throw refused(
      'is no JSON; expected: a list such as [{"field":"time","operators":"Time Range","values":["",""]}]',
    )
  }
}

function refused(what: string, parameter = 'filters'): RequestRefused {
  return new RequestRefused('bad-request', `The parameter ${parameter} ${what}.`, { field: parameter })
}
