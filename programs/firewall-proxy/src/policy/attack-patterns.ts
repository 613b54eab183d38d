import type { SnapshotPattern } from '@palisade/proxy-protocol'
import { BoundedExpression } from '../patterns/bounded-expression.ts'
import { hasCheckDigits } from './check-digits.ts'
import { type AttackPlace, attackOf, ruleGroups } from './rule-attacks.ts'

/** Where a pattern was found. */
export interface Occurrence {
  readonly start: number
  readonly length: number
  readonly pattern: SnapshotPattern
}

/** Patterns made ready to be looked for. */
export class PatternSearch {
  readonly #patterns: readonly { readonly pattern: SnapshotPattern; readonly expression: BoundedExpression }[]

  constructor(patterns: readonly SnapshotPattern[]) {
    this.#patterns = patterns.map((pattern) => ({
      pattern,
      expression: new BoundedExpression(pattern.regex, pattern),
    }))
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0
  }

  /** The first pattern that occurs in a text; one that blocks before one that only logs. */
  firstIn(text: string): SnapshotPattern | undefined {
    let passive: SnapshotPattern | undefined
    for (const { pattern, expression } of this.#patterns) {
      if (!occurs(pattern, expression, text)) continue
      if (!pattern.isPassive) return pattern
      passive ??= pattern
    }
    return passive
  }

  /** All occurrences of all patterns. */
  *allIn(text: string): Generator<Occurrence> {
    for (const { pattern, expression } of this.#patterns) {
      for (const { start, text: match } of expression.occurrencesIn(text)) {
        if (isRight(pattern, match)) yield { start, length: match.length, pattern }
      }
    }
  }
}

function occurs(pattern: SnapshotPattern, expression: BoundedExpression, text: string): boolean {
  if (pattern.checkDigits === undefined) return expression.test(text)
  return expression.occurrencesIn(text).some(({ text: match }) => isRight(pattern, match))
}

function isRight({ checkDigits }: SnapshotPattern, match: string): boolean {
  return checkDigits === undefined || hasCheckDigits(checkDigits, match)
}

/** The name of the attack that a pattern finds in a place; types that an administrator made have one name in common. */
export function attackOfPattern({ type }: SnapshotPattern, place: AttackPlace): string {
  const plain = type.replace(/ strict$/, '').toLowerCase()
  const group = ruleGroups.find((one) => one.type.toLowerCase() === plain)
  return group ? attackOf(group, place) : `custom-attack-pattern-in-${place}`
}
