import { RequestRefused } from '@palisade/platform'
import type { StoredLog } from '../columns.ts'
import type { Search } from '../conditions.ts'
import { logTypes } from '../log-types.ts'
import type { FieldClass, OlderParameter } from '../types/log-type.ts'
import type { Operator } from './operators.ts'
import { allOf, readComparison } from './read-filters.ts'

/** What the parameters of `logs/{segment}` ask of each class of fields. */
const operatorFor = {
  text: 'is equal to',
  'listed-text': 'is equal to',
  number: 'is equal to',
  choice: 'in (comma-separated)',
  time: 'Time Range',
  shown: 'is equal to',
} as const satisfies Record<FieldClass, Operator>

/** The names of the parameters by which older clients search a log. */
export function olderParametersOf({ name }: StoredLog): string[] {
  return Object.keys(logTypes[name].olderParameters)
}

/**
 * What the parameters of older clients ask for: each names a field and the value that it has to have. `timestamp`
 * takes one time, or the first and the last of a range with a comma between them.
 *
 * @param query a parameter that is repeated has a list; its values are alternatives
 * @throws RequestRefused bad-request, naming the parameter and what was expected
 */
export function readOlderParameters(log: StoredLog, query: Readonly<Record<string, unknown>>): Search {
  const parameters: Readonly<Record<string, OlderParameter>> = logTypes[log.name].olderParameters
  const searches = Object.entries(parameters).flatMap(([name, parameter]) => {
    const values = [query[name] ?? []].flat().map(String)
    return values.length === 0 ? [] : searchesOf(log, name, parameter, values)
  })
  return allOf(searches)
}

function searchesOf(
  log: StoredLog,
  name: string,
  parameter: OlderParameter,
  values: string[],
): Partial<Search>[] {
  if (typeof parameter === 'string') {
    const of = classOf(log, parameter)
    const comparands = of === 'time' ? timesIn(values) : values
    return [readComparison(name, operatorFor[of], { field: parameter, of, values: comparands })]
  }
  if ('containedIn' in parameter) {
    const expressions = values.map((value) => RegExp.escape(value))
    const field = parameter.containedIn
    return [readComparison(name, 'regexp', { field, of: classOf(log, field), values: expressions })]
  }
  const [address, port] = parameter
  const parts = addressAndPort(name, values)
  return [
    readComparison(name, 'is equal to', {
      field: address,
      of: classOf(log, address),
      values: [parts.address],
    }),
    readComparison(name, 'is equal to', { field: port, of: classOf(log, port), values: [parts.port] }),
  ]
}

/** "192.0.2.1:80", "[2001:db8::1]:80" */
function addressAndPort(name: string, values: readonly string[]): { address: string; port: string } {
  const { address, port } = /^\[?(?<address>.+?)\]?:(?<port>\d+)$/.exec(values[0] ?? '')?.groups ?? {}
  if (address !== undefined && port !== undefined && values.length === 1) return { address, port }
  throw new RequestRefused(
    'bad-request',
    `The parameter ${name} must be one address and port, as in 192.0.2.1:80.`,
    {
      field: name,
    },
  )
}

/** A single time is both ends of its range: the less precise it is, the longer that lasts. */
function timesIn(values: readonly string[]): string[] {
  const times = values.flatMap((value) => value.split(','))
  const [only] = times
  return only !== undefined && times.length === 1 ? [only, only] : times
}

function classOf(log: StoredLog, field: string): FieldClass {
  const fieldClass = log.fields.get(field)
  if (fieldClass === undefined) throw new Error(`${log.name} has no field ${field}`)
  return fieldClass
}
