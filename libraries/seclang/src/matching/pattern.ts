import { hasLinearRegExpEngine } from './linear-engine.ts'
import { hasUncertainCaptures } from './pcre/analysis.ts'
import { requiredLiteralsOf } from './pcre/literals.ts'
import { Machine } from './pcre/machine.ts'
import { parsePattern } from './pcre/parser.ts'
import { arePlacesExact } from './pcre/places.ts'
import { toProgram } from './pcre/program.ts'
import { relax } from './pcre/relax.ts'
import { SyntaxFailure } from './pcre/syntax-failure.ts'
import { someNode } from './pcre/tree.ts'
import { Search } from './search.ts'

/** A literal set: of its literals at least one occurs in every match, when letters A–Z are read as a–z. */
export type LiteralSet = readonly string[]

/**
 * A regular expression in the meaning that ModSecurity gives it: PCRE with PCRE_DOTALL and PCRE_DOLLAR_ENDONLY, neither
 * multiline nor Unicode, over byte strings (every byte one character U+0000–U+00FF).
 */
export interface Pattern {
  /** The pattern as the rule has it. */
  readonly source: string
  /** The pattern for V8, or, where `isLinear` is false, something that matches wherever the pattern does. */
  readonly regExp: RegExp
  /**
   * Captures 0 to 9 of the leftmost match, `undefined` where a group took no part; null when nothing matches. Where it took too many
   * steps to find a match that there is, capture 0 is empty and alone.
   */
  exec(value: string): readonly (string | undefined)[] | null
  test(value: string): boolean
  /**
   * One match after another that is not empty, each with captures as from `exec`. The next is looked for where the last one
   * ends, or, if they may overlap, one byte after its beginning.
   */
  execAll(value: string, manner?: 'apart' | 'overlapping'): Iterable<PatternMatch>
  /** Literal sets of *all* of which every match has a member; undefined when nothing is known. */
  readonly literals: readonly LiteralSet[] | undefined
  /** Whether V8 alone finds the matches. Otherwise a machine of our own decides (pcre/machine.ts). */
  readonly isLinear: boolean
  /**
   * How many values were given up because going back and forth over them took too many steps. Such a value counts as not
   * matching, as with PCRE's match limit.
   */
  readonly timesGivenUp: number
}

/** One match of a pattern in a value. */
export interface PatternMatch {
  readonly captures: readonly (string | undefined)[]
  /** Where the match begins. */
  readonly index: number
}

/** A pattern that has no faithful equivalent in JavaScript, or is no PCRE pattern at all. A rule set with one must not load. */
export class PatternNotConvertible extends Error {
  override readonly name = 'PatternNotConvertible'
  readonly source: string
  /** What stands in the way, as the end of a sentence: "recursion (?R) is not supported at offset 3". */
  readonly reason: string

  constructor(source: string, reason: string) {
    super(`the pattern cannot be converted: ${reason}`)
    this.source = source
    this.reason = reason
  }
}

/**
 * Converts a PCRE pattern, given as a byte string. How it is run depends on whether `enableLinearRegExpEngine` was called before; what it
 * matches does not, but for values that a machine gives up because they take too many steps.
 *
 * @throws {PatternNotConvertible} naming the reason
 */
export function compilePattern(pcre: string): Pattern {
  try {
    const tree = parsePattern(pcre)
    const relaxed = relax(tree.root)
    const literals = requiredLiteralsOf(tree.root)
    const search = new Search(treeMaker(pcre), tree.captures, literals)
    const newMachine = () => new Machine(toProgram(tree.root, tree.captures))
    const repeats = someNode(relaxed.root, ({ kind }) => kind === 'repeat')
    if (repeats && !hasLinearRegExpEngine())
      return new CountedPattern(
        pcre,
        literals,
        search,
        newMachine(),
        relaxed.isExact && arePlacesExact(relaxed.root),
      )
    if (!relaxed.isExact) return new MachinePattern(pcre, literals, search, newMachine())
    const needsMachine = hasUncertainCaptures(tree.root)
    return new LinearPattern(pcre, literals, search, needsMachine ? newMachine() : undefined)
  } catch (error) {
    if (error instanceof SyntaxFailure) throw new PatternNotConvertible(pcre, error.message)
    throw error
  }
}

/** A function of its own, since one that is made in {@link compilePattern} would keep the trees there. */
const treeMaker = (pcre: string) => () => relax(parsePattern(pcre).root).root

/** TX:0 to TX:9. */
const capturesMax = 10

/** Like PCRE's match limit, but in smaller steps: some tens of milliseconds. */
const stepsMax = 1_000_000

/** What all kinds of patterns have in common. */
abstract class ConvertedPattern implements Pattern {
  readonly source: string
  readonly literals: readonly LiteralSet[] | undefined
  abstract readonly isLinear: boolean
  timesGivenUp = 0
  protected readonly search: Search

  constructor(source: string, literals: readonly LiteralSet[] | undefined, search: Search) {
    this.source = source
    this.literals = literals
    this.search = search
  }

  get regExp(): RegExp {
    return this.search.regExp
  }

  abstract test(value: string): boolean

  abstract exec(value: string): readonly (string | undefined)[] | null

  *execAll(value: string, manner: 'apart' | 'overlapping' = 'apart'): Iterable<PatternMatch> {
    const matchFrom = this.finder(value)
    for (let match = matchFrom(0); match; ) {
      const length = match.captures[0]?.length ?? 0
      if (length > 0) yield match
      match = matchFrom(match.index + (manner === 'overlapping' ? 1 : Math.max(1, length)))
    }
  }

  /** What finds the first match in a value that begins at a place or behind it. */
  protected abstract finder(value: string): (from: number) => PatternMatch | null

  /** The machine's match that begins at a place or behind it; undefined when it gives up. */
  protected runMachine(machine: Machine, value: string, from: number): PatternMatch | null | undefined {
    const match = machine.exec(value, from, stepsMax)
    if (match === 'gave up') {
      this.timesGivenUp++
      return undefined
    }
    return match && { captures: match.captures.slice(0, capturesMax), index: match.index }
  }
}

/** A pattern that V8 looks for. */
abstract class SearchedPattern extends ConvertedPattern {
  exec(value: string): readonly (string | undefined)[] | null {
    return this.matchFrom(value, this.search.find(value))?.captures ?? null
  }

  protected finder(value: string): (from: number) => PatternMatch | null {
    const expression = this.search.repeated(value)
    return (from) => {
      expression.lastIndex = from
      return this.matchFrom(value, expression.exec(value))
    }
  }

  /** The match that V8's find leads to. */
  protected abstract matchFrom(value: string, searchMatch: RegExpExecArray | null): PatternMatch | null
}

/** A pattern that V8 matches exactly. The machine only tells groups that JavaScript would tell otherwise. */
class LinearPattern extends SearchedPattern {
  readonly isLinear = true
  readonly #machine: Machine | undefined

  constructor(
    source: string,
    literals: readonly LiteralSet[] | undefined,
    search: Search,
    machine: Machine | undefined,
  ) {
    super(source, literals, search)
    this.#machine = machine
  }

  test(value: string): boolean {
    return this.search.test(value)
  }

  protected matchFrom(value: string, searchMatch: RegExpExecArray | null): PatternMatch | null {
    if (!searchMatch) return null
    const exact = this.#machine && this.runMachine(this.#machine, value, searchMatch.index)
    return exact ?? { captures: this.search.captures(searchMatch), index: searchMatch.index }
  }
}

/** A pattern of which V8 finds candidates only. */
class MachinePattern extends SearchedPattern {
  readonly isLinear = false
  readonly #machine: Machine

  constructor(source: string, literals: readonly LiteralSet[] | undefined, search: Search, machine: Machine) {
    super(source, literals, search)
    this.#machine = machine
  }

  test(value: string): boolean {
    return this.exec(value) !== null
  }

  protected matchFrom(value: string, searchMatch: RegExpExecArray | null): PatternMatch | null {
    return searchMatch && (this.runMachine(this.#machine, value, searchMatch.index) ?? null)
  }
}

/**
 * A pattern that V8 does not run at all, since nothing would bound its time. The recognizer says whether there is a match, and the
 * machine where. No match is lost because the machine gives up behind a long beginning: its text is unknown then.
 */
class CountedPattern extends ConvertedPattern {
  readonly isLinear = false
  readonly #machine: Machine
  /** Whether the recognizer knows the pattern itself, and not something that matches wherever it does. */
  readonly #isExact: boolean

  constructor(
    source: string,
    literals: readonly LiteralSet[] | undefined,
    search: Search,
    machine: Machine,
    isExact: boolean,
  ) {
    super(source, literals, search)
    this.#machine = machine
    this.#isExact = isExact
  }

  test(value: string): boolean {
    const verdict = this.search.recognize(value)
    if (verdict === 'no match') return false
    return (verdict === 'match' && this.#isExact) || this.exec(value) !== null
  }

  exec(value: string): readonly (string | undefined)[] | null {
    return this.finder(value)(0)?.captures ?? null
  }

  protected finder(value: string): (from: number) => PatternMatch | null {
    const verdict = this.search.recognize(value)
    if (verdict === 'no match') return () => null
    const isCertain = verdict === 'match' && this.#isExact
    return (from) => {
      const match = this.runMachine(this.#machine, value, from)
      if (match !== undefined) return match
      return isCertain && from === 0 ? { captures: [''], index: value.length } : null
    }
  }
}
