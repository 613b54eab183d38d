import type { Prefilter } from '../matching/index.ts'

/** The set without patterns. */
export const noCandidates = 0

/** Sets that a phase has room for at first. */
const setsAtFirst = 256

/**
 * Sets of the patterns of a phase that values can match. All lie in one block of memory, which is used again in each run of the
 * phase: a set is the place of its first word, and is good until the next round begins. Since a phase runs in one go, no two
 * transactions are in it at once.
 */
export class Candidates {
  readonly #prefilter: Prefilter
  /** Of a set. */
  readonly words: number
  #sets: Uint32Array
  #end: number
  /** Counts the runs of the phase. */
  round = 0

  /** @param prefilter without patterns whose literals are not known: a set for which no literal was found is empty */
  constructor(prefilter: Prefilter) {
    this.#prefilter = prefilter
    this.words = Math.max(1, prefilter.words)
    this.#sets = new Uint32Array(setsAtFirst * this.words)
    this.#end = this.words
  }

  /** Forgets all sets. */
  begin(): void {
    this.round++
    this.#sets.fill(0, this.words, this.#end)
    this.#end = this.words
  }

  /** The patterns that `text` can match. */
  scan(text: string): number {
    const set = this.#free()
    if (!this.#prefilter.scan(text, this.#sets, set)) return noCandidates
    this.#end += this.words
    return set
  }

  /** Adds to `patternSet` what is in a set and among `patterns`, which have the same words; `patternSet` may have more. */
  addTo(patternSet: Uint32Array, set: number, patterns: Uint32Array): void {
    if (set === noCandidates) return
    const sets = this.#sets
    for (let word = 0; word < patterns.length; word++) {
      patternSet[word] = (patternSet[word] ?? 0) | ((sets[set + word] ?? 0) & (patterns[word] ?? 0))
    }
  }

  has(set: number, pattern: number): boolean {
    return (((this.#sets[set + (pattern >>> 5)] ?? 0) >>> (pattern & 31)) & 1) === 1
  }

  /** The words of a set, to be kept; undefined when it is empty. */
  copyOf(set: number): Uint32Array | undefined {
    return set === noCandidates ? undefined : this.#sets.slice(set, set + this.words)
  }

  /** Takes a set over that was kept. */
  add(words: Uint32Array): number {
    const set = this.#free()
    for (let word = 0; word < this.words; word++) this.#sets[set + word] = words[word] ?? 0
    this.#end += this.words
    return set
  }

  /** Room for one more set, all zero, which is not yet taken. */
  #free(): number {
    const set = this.#end
    if (set + this.words > this.#sets.length) {
      const larger = new Uint32Array(this.#sets.length * 2)
      larger.set(this.#sets)
      this.#sets = larger
    }
    return set
  }
}
