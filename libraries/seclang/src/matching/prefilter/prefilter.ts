import type { LiteralSet } from '../pattern.ts'

/** Says in one pass over a value which of many patterns can match it. It never skips one that does. */
export interface Prefilter {
  /** How many 32-bit words `bits` needs. */
  readonly words: number
  /**
   * Sets the bits of the patterns that can match `value`; sets, never clears, so that several values may share `bits`.
   * Pattern `n` is bit `n & 31` of word `n >>> 5`.
   */
  scan(value: string, bits: Uint32Array): void
}

/** Collects patterns by their literals and makes the automaton. */
export class PrefilterBuilder {
  #patterns = 0

  /**
   * Adds a pattern and gives its number, counting from 0.
   *
   * @param literals as in `Pattern.literals` and `Operator.literals`; of a pattern without any the bit is always set
   */
  add(_literals: readonly LiteralSet[] | undefined): number {
    return this.#patterns++
  }

  build(): Prefilter {
    const patterns = this.#patterns
    const words = (patterns + 31) >>> 5
    return {
      words,
      scan: (_value, bits) => {
        bits.fill(0xffffffff, 0, words)
      },
    }
  }
}
