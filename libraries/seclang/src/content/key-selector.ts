import type { Selector } from '../language/syntax.ts'
import { compilePattern, type Pattern } from '../matching/index.ts'
import type { Target, TargetCollection } from './target.ts'

/** Answers for keys are remembered for so many of them; those of variables that rules write are always the same. */
const rememberedMax = 1_000

/** Which keys of a variable are meant: one, or those that a pattern matches. Keys are compared without case. */
export class KeySelector {
  readonly #lowerKey: string
  readonly #pattern: Pattern | undefined
  readonly #isWanted = (key: string) => this.fits(key)
  readonly #remembered = new Map<string, boolean>()

  constructor(selector: Selector) {
    this.#lowerKey = selector.kind === 'key' ? selector.key.toLowerCase() : ''
    this.#pattern = selector.kind === 'key' ? undefined : compilePattern(`(?i)${selector.source}`)
  }

  /** The one key that is meant, in lower case; undefined where a pattern says which. */
  get only(): string | undefined {
    return this.#pattern === undefined ? this.#lowerKey : undefined
  }

  fits(key: string): boolean {
    return this.#pattern === undefined
      ? key.toLowerCase() === this.#lowerKey
      : this.#matches(this.#pattern, key)
  }

  select(collection: TargetCollection): readonly Target[] {
    return this.#pattern === undefined
      ? collection.byKey(this.#lowerKey)
      : collection.matching(this.#isWanted)
  }

  #matches(pattern: Pattern, key: string): boolean {
    const answer = this.#remembered.get(key)
    if (answer !== undefined) return answer
    if (this.#remembered.size >= rememberedMax) this.#remembered.clear()
    const isMatch = pattern.test(key)
    this.#remembered.set(key, isMatch)
    return isMatch
  }
}
