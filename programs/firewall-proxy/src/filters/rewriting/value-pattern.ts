import { isExpressionPattern, problemOfOldValue } from '@palisade/proxy-protocol'
import { BoundedExpression } from '../../patterns/bounded-expression.ts'

/** Gives a value that fits the pattern its new form; undefined for one that does not fit. */
export type ValueChange = (value: string, macros: Macros) => string | undefined

/** What names in new values stand for: `$SRC_ADDR`, `$URI`. */
export type Macros = Readonly<Record<string, string>>

/**
 * A change as rules describe it. The old value is
 *
 * - empty or `*`: every value fits, and the new one takes its place;
 * - with `(` or `.*` in it, a regular expression: what it finds is replaced, the rest stays;
 * - anything else: all of the value has to fit, where `*` stands for any characters.
 *
 * In the new value `$1` to `$9` stand for what groups, or the `*`, have taken. Nothing depends on case.
 *
 * @returns undefined for a regular expression that is none
 */
export function valueChange(oldValue: string, newValue: string): ValueChange | undefined {
  if (oldValue === '' || oldValue === '*') return (value, macros) => filled(newValue, [value, value], macros)
  const isExpression = isExpressionPattern(oldValue)
  // The management tells administrators of what is none.
  if (problemOfOldValue(oldValue) !== undefined) return undefined
  const expression = new BoundedExpression(isExpression ? oldValue : wholeWithStars(oldValue), {
    keepsGroups: true,
  })
  if (isExpression) return (value, macros) => replacedOccurrences(expression, value, newValue, macros)
  return (value, macros) => {
    const groups = expression.groupsIn(value)
    return groups && filled(newValue, groups, macros)
  }
}

function replacedOccurrences(
  expression: BoundedExpression,
  value: string,
  newValue: string,
  macros: Macros,
): string | undefined {
  if (!expression.test(value)) return undefined
  return expression.replaceIn(value, (groups) => filled(newValue, groups, macros))
}

/** Not `RegExp.escape`, which writes letters as numbers, so that their case would count. */
function wholeWithStars(pattern: string): string {
  const escaped = pattern.replace(/[\\^$.+?()[\]{}|/]/g, '\\$&')
  return `^${escaped.replaceAll('*', '([\\s\\S]*)')}$`
}

function filled(newValue: string, groups: readonly (string | undefined)[], macros: Macros): string {
  return newValue.replace(/\$(?:([1-9])|([A-Z][A-Z0-9_]*))/g, (whole, group?: string, name?: string) => {
    if (group !== undefined) return groups[Number(group)] ?? ''
    return name !== undefined && Object.hasOwn(macros, name) ? (macros[name] ?? '') : whole
  })
}
