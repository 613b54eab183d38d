import type { VariableCopy } from '../collections/variable-collection.ts'
import type { Target } from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { Rule } from './rule.ts'

/** Fewer rules are quicker run than remembered. */
const rulesMin = 4

/** What the rules of a prologue leave behind. */
interface Outcome {
  readonly tx: VariableCopy
  readonly matchedTarget: Target | undefined
  readonly highestSeverity: number
  /** The place of the rule to go on with. */
  readonly next: number
}

/**
 * Rules one after another at the beginning of a phase that read and write nothing but TX, as those with which the Core Rule Set
 * gives its settings their defaults. Where TX is empty before them, it is always the same behind them; so they run once, and what
 * they leave is given to all later transactions.
 */
export class Prologue {
  /** The places of its first rule and of the one behind its last. */
  readonly start: number
  readonly end: number
  readonly #indexes: readonly number[]
  #outcome: Outcome | undefined

  private constructor(rules: readonly Rule[], start: number, end: number) {
    this.start = start
    this.end = end
    this.#indexes = rules.slice(start, end).map(({ index }) => index)
  }

  /** The first prologue among the rules of a phase that is worth it: once rules have written TX, it is empty for none behind it. */
  static of(rules: readonly Rule[]): Prologue | undefined {
    for (let start = 0; start < rules.length; start++) {
      let end = start
      while (end < rules.length && isOnlyOnTx(rules[end])) end++
      if (end - start >= rulesMin && rules.slice(start, end).some(writes))
        return new Prologue(rules, start, end)
      start = end
    }
    return undefined
  }

  /**
   * Passes over the rules of the prologue, to be called where its first one is to run.
   *
   * @param run runs them one by one, and gives the place of the rule to go on with
   * @returns that place; undefined when the phase is over
   */
  pass(inspection: Inspection, run: () => number | undefined): number | undefined {
    const { tx, exclusions, matches, ruleEngine } = inspection
    if (!tx.isEmpty || !exclusions.spare(this.#indexes) || ruleEngine === 'off') return run()
    if (this.#outcome !== undefined) return restore(this.#outcome, inspection)
    const matchesBefore = matches.length
    const next = run()
    if (next === undefined || matches.length > matchesBefore) return next
    const { matchedTarget, highestSeverity } = inspection
    this.#outcome = { tx: tx.copy(), matchedTarget, highestSeverity, next }
    return next
  }
}

function restore({ tx, matchedTarget, highestSeverity, next }: Outcome, inspection: Inspection): number {
  inspection.tx.restore(tx)
  inspection.matchedTarget = matchedTarget
  inspection.highestSeverity = Math.min(inspection.highestSeverity, highestSeverity)
  return next
}

function writes({ links }: Rule): boolean {
  return links.some(({ effects }) => effects.length > 0)
}

function isOnlyOnTx(rule: Rule | undefined): boolean {
  return (
    rule?.links.every(
      ({ test, effects }) =>
        effects.every(({ isOnlyOnTx: isOnly }) => isOnly === true) &&
        (test === undefined ||
          (test.group.readsOnlyTx && !test.capturesResults && typeof test.operator !== 'function')),
    ) === true
  )
}
