import type { LiteralSet } from '../pattern.ts'
import { type Automaton, buildAutomaton } from './automaton.ts'
import { readInLanes } from './lanes.ts'
import { windowsOf } from './windows.ts'

/** Says in one pass over a value which of many patterns can match it. It never skips one that does. */
export interface Prefilter {
  /** How many 32-bit words `bits` needs. */
  readonly words: number
  /** The patterns that every value has to be taken for: nothing is known about them. */
  readonly unfiltered: readonly number[]
  /**
   * Sets the bits of the patterns that can match `value`; sets, never clears, so that several values may share `bits`.
   * Pattern `n` is bit `n & 31` of word `n >>> 5`.
   *
   * @param value a byte string
   * @param from which word of `bits` is the first; 0 by default
   * @returns whether a literal was found
   */
  scan(value: string, bits: Uint32Array, from?: number): boolean
}

const manyWindows = 64

/** Collects patterns by their literals and makes the automaton. */
export class PrefilterBuilder {
  readonly #words = new Map<string, number[]>()
  readonly #unfiltered: number[] = []
  #patterns = 0

  /**
   * Adds a pattern and gives its number, counting from 0.
   *
   * @param literals as in `Pattern.literals` and `Operator.literals`; of a pattern without any the bit is always set
   */
  add(literals: readonly LiteralSet[] | undefined): number {
    const windows = windowsOf(literals)
    const pattern = this.#number(windows ?? [])
    if (windows === undefined) this.#unfiltered.push(pattern)
    return pattern
  }

  /** Adds a pattern where there is something to look for. @returns undefined where every value would be a candidate, or most would be */
  addIfTelling(literals: readonly LiteralSet[] | undefined): number | undefined {
    const windows = windowsOf(literals)
    return windows === undefined || areEverywhere(windows) ? undefined : this.#number(windows)
  }

  build(): Prefilter {
    return new AutomatonPrefilter(buildAutomaton(this.#words), this.#patterns, this.#unfiltered)
  }

  #number(windows: readonly string[]): number {
    const pattern = this.#patterns++
    for (const window of windows) this.#patternsWith(window).push(pattern)
    return pattern
  }

  #patternsWith(window: string): number[] {
    const patterns = this.#words.get(window) ?? []
    this.#words.set(window, patterns)
    return patterns
  }
}

/** Many short words, as `5\d\d` has a hundred: long texts mostly have one of them, and are read more slowly for all. */
function areEverywhere(windows: readonly string[]): boolean {
  return windows.length > manyWindows && windows.every(({ length }) => length <= 3)
}

class AutomatonPrefilter implements Prefilter {
  readonly words: number
  readonly unfiltered: readonly number[]
  readonly #automaton: Automaton
  // Of the scan under way: a function that knew them would be made for each.
  readonly #onAccepting = (state: number) => this.#report(state)
  #bits: Uint32Array = new Uint32Array()
  #from = 0
  #hasFound = false

  constructor(automaton: Automaton, patterns: number, unfiltered: readonly number[]) {
    this.#automaton = automaton
    this.words = (patterns + 31) >>> 5
    this.unfiltered = unfiltered
  }

  scan(value: string, bits: Uint32Array, from = 0): boolean {
    for (const pattern of this.unfiltered) setBit(bits, from, pattern)
    this.#bits = bits
    this.#from = from
    this.#hasFound = false
    readInLanes(this.#automaton, value, this.#onAccepting)
    return this.#hasFound
  }

  #report(state: number): void {
    this.#hasFound = true
    const bits = this.#bits
    const from = this.#from
    const { accepting, classCount, outputs, outputStarts } = this.#automaton
    const rank = (state - accepting) / classCount
    const end = outputStarts[rank + 1] ?? 0
    for (let at = outputStarts[rank] ?? 0; at < end; at++) setBit(bits, from, outputs[at] ?? 0)
  }
}

function setBit(bits: Uint32Array, from: number, bit: number): void {
  const word = from + (bit >>> 5)
  bits[word] = (bits[word] ?? 0) | (1 << (bit & 31))
}
