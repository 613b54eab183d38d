import type { PatternOptions } from './options.ts'
import type { Reader } from './reader.ts'
import type { RepeatNode } from './tree.ts'

/** How often an item may repeat, and whether it gives characters back. */
export type Quantifier = Pick<RepeatNode, 'min' | 'max' | 'mode'>

/** PCRE's own limit. */
const repeatsMax = 65_535

/** Reads a quantifier if one comes next. A brace that begins none is an ordinary character. */
export function readQuantifier(reader: Reader, options: PatternOptions): Quantifier | undefined {
  if (!reader.isAtOneOf('*+?{')) return undefined
  const match = reader.match(/([*+?]|\{(\d+)(,?)(\d*)\})([?+]?)/y)
  if (!match) return undefined
  const [, symbol = '', digits, comma, limit, suffix = ''] = match
  const mode = suffix === '+' ? 'possessive' : (suffix === '?') !== options.ungreedy ? 'lazy' : 'greedy'
  if (symbol === '*') return { min: 0, max: Number.POSITIVE_INFINITY, mode }
  if (symbol === '+') return { min: 1, max: Number.POSITIVE_INFINITY, mode }
  if (symbol === '?') return { min: 0, max: 1, mode }
  const min = Number(digits)
  const max = limit ? Number(limit) : comma ? Number.POSITIVE_INFINITY : min
  if (min > max) reader.fail('the numbers of a quantifier are out of order')
  if (min > repeatsMax || (max > repeatsMax && max !== Number.POSITIVE_INFINITY))
    reader.fail(`a quantifier is above ${repeatsMax}`)
  return { min, max, mode }
}
