import type { Search } from '../conditions.ts'
import type { FieldClass } from '../types/log-type.ts'
import { timeRangeOf } from './times.ts'

/** A field, and the values that it is to be held against. */
export interface Comparison {
  readonly field: string
  readonly of: FieldClass
  readonly values: readonly string[]
}

/** Thrown when a comparison has values that it cannot have; the message says what was expected. */
export class UnfitValues extends Error {}

/** In the words of the API. */
export type Operator = keyof typeof meanings

/** The operators of each class of fields, as the API spells them. */
export const operatorsOf = {
  text: ['is equal to', 'not equal to', 'regexp', 'not regexp'],
  'listed-text': [
    'is equal to',
    'not equal to',
    'regexp',
    'not regexp',
    'in (comma-separated)',
    'not in (comma-separated)',
  ],
  choice: ['in (comma-separated)', 'not in (comma-separated)'],
  number: [
    'is equal to',
    'not equal to',
    'greater than',
    'greater than or equal to',
    'less than',
    'less than or equal to',
    'in the range',
    'in (comma-separated)',
    'not in (comma-separated)',
  ],
  time: ['Time Range'],
  shown: [],
} as const satisfies Record<FieldClass, readonly Operator[]>

const meanings = {
  'is equal to': (comparison: Comparison) => listed(comparison, comparison.values, false),
  'not equal to': (comparison: Comparison) => listed(comparison, comparison.values, true),
  'in (comma-separated)': (comparison: Comparison) => listed(comparison, separated(comparison), false),
  'not in (comma-separated)': (comparison: Comparison) => listed(comparison, separated(comparison), true),
  'greater than': (comparison: Comparison) => compared(comparison, '>'),
  'greater than or equal to': (comparison: Comparison) => compared(comparison, '>='),
  'less than': (comparison: Comparison) => compared(comparison, '<'),
  'less than or equal to': (comparison: Comparison) => compared(comparison, '<='),
  'in the range': inRange,
  regexp: (comparison: Comparison) => matching(comparison, false),
  'not regexp': (comparison: Comparison) => matching(comparison, true),
  'Time Range': inTimeRange,
} as const satisfies Record<string, (comparison: Comparison) => Partial<Search>>

/**
 * What an entry has to fulfil for a comparison to hold. Several values of one comparison are alternatives.
 *
 * @throws UnfitValues
 */
export function searchFor(operator: Operator, comparison: Comparison): Partial<Search> {
  return meanings[operator](comparison)
}

/** Longer expressions are refused; a search may have several. */
const expressionLengthMax = 500

function listed({ field, of }: Comparison, values: readonly string[], isNegated: boolean): Partial<Search> {
  if (values.length === 0) throw new UnfitValues('a value is expected')
  const comparands = of === 'number' ? values.map(numberIn) : values
  return { conditions: [{ test: 'listed', field, of, values: comparands, isNegated }] }
}

function compared({ field, values }: Comparison, operator: '>' | '>=' | '<' | '<='): Partial<Search> {
  const [value, ...others] = values
  if (value === undefined || others.length > 0) throw new UnfitValues('one value is expected')
  return { conditions: [{ test: 'compared', field, operator, value: numberIn(value) }] }
}

/** From the first value to the second; or one value such as "80-443". */
function inRange({ field, values }: Comparison): Partial<Search> {
  const ends = values.length === 1 ? (values[0]?.split('-') ?? []) : values
  const [from, to, ...others] = ends.map(numberIn)
  if (from === undefined || to === undefined || others.length > 0) {
    throw new UnfitValues('two values are expected, the first and the last of the range')
  }
  return {
    conditions: [
      { test: 'compared', field, operator: '>=', value: from },
      { test: 'compared', field, operator: '<=', value: to },
    ],
  }
}

function matching({ field, values }: Comparison, isNegated: boolean): Partial<Search> {
  return { texts: [{ field, expressions: values.map(expressionIn), isNegated }] }
}

/** From the first value to the second, each of which may be empty. */
function inTimeRange({ values }: Comparison): Partial<Search> {
  const [start, end, ...others] = values
  if (start === undefined || end === undefined || others.length > 0) {
    throw new UnfitValues('two times are expected, the first and the last of the range; an empty one is open')
  }
  const range = {
    from: start.trim() === '' ? 0 : timeIn(start).from,
    to: end.trim() === '' ? Number.POSITIVE_INFINITY : timeIn(end).to,
  }
  if (range.from > range.to) throw new UnfitValues('the range ends before it begins')
  return { times: [range] }
}

/** Each value may itself be a list; a text that holds a comma is looked for as it is, too. */
function separated({ of, values }: Comparison): string[] {
  const parts = values.flatMap((value) => value.split(',')).map((part) => part.trim())
  const comparands = of === 'number' ? parts : [...values, ...parts]
  return [...new Set(comparands)].filter((value) => value !== '')
}

function numberIn(value: string): number {
  const text = value.trim()
  if (!/^-?\d{1,15}$/.test(text)) throw new UnfitValues(`${JSON.stringify(value)} is no whole number`)
  return Number(text)
}

function expressionIn(value: string): RegExp {
  if (value.length > expressionLengthMax) {
    throw new UnfitValues(`a regular expression of at most ${expressionLengthMax} characters is expected`)
  }
  try {
    return new RegExp(value)
  } catch {
    throw new UnfitValues(`${JSON.stringify(value)} is no regular expression`)
  }
}

function timeIn(value: string) {
  const range = timeRangeOf(value)
  if (range !== undefined) return range
  throw new UnfitValues(
    `${JSON.stringify(value)} is no time: milliseconds or seconds since 1970, or as in 2030-01-31T12:00:00Z`,
  )
}
