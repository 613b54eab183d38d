import type { VariableCollection } from '../collections/variable-collection.ts'
import type { Target } from '../content/target.ts'
import { hasBit, setBit } from './bits.ts'
import { cachedLengthMax } from './gate.ts'
import type { GateQuestion, Rule } from './rule.ts'

/** A question of the gate at a place. */
interface PlacedQuestion {
  readonly place: number
  readonly question: GateQuestion
}

/**
 * Strikes out the rules of a phase whose gates are closed, all at once: the gates ask for few variables of TX, which mostly have the value
 * that they had in the transaction before.
 */
export class ClosedGates {
  readonly #variables: readonly GateVariable[]
  /** All rules with gates; bit `n & 31` of word `n >>> 5` is the rule at place `n`. */
  readonly #places: Uint32Array

  constructor(rules: readonly Rule[]) {
    const questions = rules.flatMap(({ gate }, place) =>
      (gate?.questions ?? []).map((question) => ({ place, question })),
    )
    const words = (rules.length + 31) >>> 5
    this.#places = new Uint32Array(words)
    for (const { place } of questions) setBit(this.#places, place)
    const byKey = Map.groupBy(questions, ({ question }) => question.lowerKey)
    this.#variables = Array.from(byKey, ([lowerKey, ofKey]) => new GateVariable(lowerKey, ofKey, words))
  }

  /** Whether the rule at a place has a gate. */
  has(place: number): boolean {
    return hasBit(this.#places, place)
  }

  /** Takes all rules with gates back into `worthwhile`. */
  open(worthwhile: Uint32Array): void {
    for (let word = 0; word < worthwhile.length; word++) {
      worthwhile[word] = (worthwhile[word] ?? 0) | (this.#places[word] ?? 0)
    }
  }

  /** Leaves of the rules with gates in `worthwhile` those that may match. */
  strikeOut(worthwhile: Uint32Array, tx: VariableCollection): void {
    for (let word = 0; word < worthwhile.length; word++) {
      worthwhile[word] = (worthwhile[word] ?? 0) & ~(this.#places[word] ?? 0)
    }
    for (const variable of this.#variables) variable.addOpen(worthwhile, tx)
  }
}

/** What the gates of a phase ask for one variable of TX. */
class GateVariable {
  readonly #lowerKey: string
  readonly #questions: readonly PlacedQuestion[]
  readonly #open: Uint32Array
  /** For which {@link #open} was found out; the same holds where there is none. */
  #lastTarget: Target | undefined
  #isCached = false

  constructor(lowerKey: string, questions: readonly PlacedQuestion[], words: number) {
    this.#lowerKey = lowerKey
    this.#questions = questions
    this.#open = new Uint32Array(words)
  }

  /** Adds the places of the gates that may match. */
  addOpen(places: Uint32Array, tx: VariableCollection): void {
    const [target] = tx.byKey(this.#lowerKey)
    if (!this.#isCached || target !== this.#lastTarget) this.#ask(target)
    const open = this.#open
    for (let word = 0; word < open.length; word++) places[word] = (places[word] ?? 0) | (open[word] ?? 0)
  }

  #ask(target: Target | undefined): void {
    this.#open.fill(0)
    for (const { place, question } of this.#questions) {
      if (question.mayMatch(target)) setBit(this.#open, place)
    }
    this.#isCached = target === undefined || target.content.text.length <= cachedLengthMax
    this.#lastTarget = this.#isCached ? target : undefined
  }
}
