import { isInRanges } from '../language/id-ranges.ts'
import type { RuleSelection } from '../language/syntax.ts'
import { compilePattern } from '../matching/index.ts'
import { argumentOf, type RuleDraft } from './rule-draft.ts'

/** Whether a directive or a `ctl` means a rule. Tags and messages are compared with a regular expression, as written. */
export function isSelected(rule: RuleDraft, selection: RuleSelection): boolean {
  if (selection.by === 'id') return isInRanges(rule.id, selection.ranges)
  const pattern = patternOf(selection.pattern)
  const actions = rule.links[0]?.actions ?? []
  if (selection.by === 'message') return pattern.test(argumentOf(actions, 'msg') ?? '')
  return [...rule.defaults, ...actions].some(
    ({ name, argument }) => name === 'tag' && pattern.test(argument ?? ''),
  )
}

/** A rule set names few patterns, but each for many rules. */
const patterns = new Map<string, ReturnType<typeof compilePattern>>()

function patternOf(source: string): ReturnType<typeof compilePattern> {
  const pattern = patterns.get(source)
  if (pattern !== undefined) return pattern
  const newPattern = compilePattern(source)
  patterns.set(source, newPattern)
  return newPattern
}
