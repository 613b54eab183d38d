import type { TargetExclusion } from '../content/target-exclusion.ts'
import { exclusionOf } from '../engine/target-list.ts'
import { RuleExclusions } from '../inspection/rule-exclusions.ts'
import { parseVariables } from '../language/parse-variables.ts'
import type { RuleSelection } from '../language/syntax.ts'

/** Rules that do not count for a transaction, wholly or for some targets. */
export interface RuleExclusion {
  /** By number; or by a tag that they have, letter by letter, where wanted without those that have another one as well. */
  readonly rules:
    | { readonly first: number; readonly last: number }
    | { readonly tag: string; readonly withoutTag?: string }
  /** What they do not look at, as rules write it: `ARGS`, `ARGS:password`, `ARGS:/^x_/`. Absent: they do not run at all. */
  readonly targets?: readonly string[]
  /**
   * Whether what they would find in these targets is told in the matches all the same: it raises no score and interrupts nothing.
   * Chains tell nothing, since what comes after their first rule is not known.
   */
  readonly isLogged?: boolean
  /** Whether no rule of a chain looks at these targets. By default it is the first one only, as it is with `ctl`. */
  readonly inWholeChain?: boolean
  /** Of the targets, those with which values: byte strings, before any transformation; with the name, `ARGS:password`. All when absent. */
  readonly hasValue?: (value: string, targetName: string) => boolean
}

/**
 * @param select gives the indexes of rules
 * @throws {Error} when a target is not understood
 */
export function prepareExclusions(
  exclusions: readonly RuleExclusion[],
  select: (selection: RuleSelection) => readonly number[],
): RuleExclusions {
  const removed: number[] = []
  const targets = new Map<number, TargetExclusion[]>()
  for (const { rules, targets: written, isLogged = false, inWholeChain = false, hasValue } of exclusions) {
    const indexes = indexesOf(rules, select)
    if (written === undefined) {
      removed.push(...indexes)
      continue
    }
    const prepared = written.flatMap(parseVariables).map((syntax) => ({
      ...exclusionOf(syntax),
      isLogged,
      inWholeChain,
      ...(hasValue ? { hasValue } : {}),
    }))
    for (const index of indexes) targets.set(index, [...(targets.get(index) ?? []), ...prepared])
  }
  return new RuleExclusions(removed, targets)
}

function indexesOf(
  rules: RuleExclusion['rules'],
  select: (selection: RuleSelection) => readonly number[],
): readonly number[] {
  if ('first' in rules) return select({ by: 'id', ranges: [rules] })
  const indexes = select(byTag(rules.tag))
  if (rules.withoutTag === undefined) return indexes
  const without = new Set(select(byTag(rules.withoutTag)))
  return indexes.filter((index) => !without.has(index))
}

function byTag(tag: string): RuleSelection {
  return { by: 'tag', pattern: `^${tag.replace(/[^\w-]/g, '\\$&')}$` }
}
