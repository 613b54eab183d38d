import { boundRegExpTime } from './bounded-time.ts'
import { uncertainCapturesOf } from './pcre/analysis.ts'
import { requiredLiteralsOf } from './pcre/literals.ts'
import { parsePattern } from './pcre/parser.ts'
import { SyntaxFailure } from './pcre/syntax-failure.ts'
import { type JavaScriptPattern, toJavaScript } from './pcre/to-javascript.ts'
import type { PatternTree } from './pcre/tree.ts'

/** A literal set: of its literals at least one occurs in every match, when letters A–Z are read as a–z. */
export type LiteralSet = readonly string[]

/**
 * A regular expression in the meaning that ModSecurity gives it: PCRE with PCRE_DOTALL and PCRE_DOLLAR_ENDONLY, neither
 * multiline nor Unicode, over byte strings (every byte one character U+0000–U+00FF).
 */
export interface Pattern {
  /** The pattern as the rule has it. */
  readonly source: string
  /** The same pattern as JavaScript runs it. */
  readonly regExp: RegExp
  /** Captures 0 to 9 of the leftmost match, `undefined` where a group took no part; null when nothing matches. */
  exec(value: string): readonly (string | undefined)[] | null
  test(value: string): boolean
  /**
   * One match after another that is not empty, each with captures as from `exec`. The next is looked for where the last one
   * ends, or, if they may overlap, one byte after its beginning.
   */
  execAll(value: string, manner?: 'apart' | 'overlapping'): Iterable<PatternMatch>
  /** Literal sets of *all* of which every match has a member; undefined when nothing is known. */
  readonly literals: readonly LiteralSet[] | undefined
  /**
   * Whether V8 can finish this pattern in time linear in the value (see bounded-time.ts). Patterns with look-around or
   * back-references cannot; their values want a cap.
   */
  readonly isLinear: boolean
  /**
   * Captures that JavaScript may tell otherwise than PCRE, 0 for the whole match: groups in loops that a later round leaves
   * out. Whether there is a match is never in doubt.
   */
  readonly uncertainCaptures: ReadonlySet<number>
}

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
 * Converts a PCRE pattern, given as a byte string.
 *
 * @throws {PatternNotConvertible} naming the reason
 */
export function compilePattern(pcre: string): Pattern {
  try {
    const tree = parsePattern(pcre)
    return new ConvertedPattern(pcre, tree, toJavaScript(tree))
  } catch (error) {
    if (error instanceof SyntaxFailure) throw new PatternNotConvertible(pcre, error.message)
    throw error
  }
}

boundRegExpTime()

class ConvertedPattern implements Pattern {
  readonly source: string
  readonly regExp: RegExp
  readonly literals: readonly LiteralSet[] | undefined
  readonly isLinear: boolean
  readonly uncertainCaptures: ReadonlySet<number>
  /** Where groups are not numbered as in JavaScript: of each capture the groups that may hold it. */
  readonly #groupsOf: readonly (readonly number[])[] | undefined

  constructor(source: string, tree: PatternTree, converted: JavaScriptPattern) {
    this.source = source
    this.regExp = new RegExp(converted.source)
    this.literals = requiredLiteralsOf(tree.root)
    this.isLinear = converted.isLinear
    this.uncertainCaptures = uncertainCapturesOf(tree.root)
    this.#groupsOf = groupsOfCaptures(converted.groups, tree.captures)
  }

  test(value: string): boolean {
    return this.regExp.test(value)
  }

  exec(value: string): readonly (string | undefined)[] | null {
    const match = this.regExp.exec(value)
    return match && this.#captures(match)
  }

  *execAll(value: string, manner: 'apart' | 'overlapping' = 'apart'): Iterable<PatternMatch> {
    const expression = new RegExp(this.regExp.source, 'g')
    for (let match = expression.exec(value); match; match = expression.exec(value)) {
      const [text] = match
      if (text === '') expression.lastIndex++
      else yield { captures: this.#captures(match), index: match.index }
      if (manner === 'overlapping') expression.lastIndex = match.index + 1
    }
  }

  #captures(match: RegExpExecArray): readonly (string | undefined)[] {
    if (this.#groupsOf === undefined) return match.slice(0, capturesMax)
    return this.#groupsOf.map(
      (groups) => match[groups.find((group) => match[group] !== undefined) ?? Number.NaN],
    )
  }
}

/** TX:0 to TX:9. */
const capturesMax = 10

function groupsOfCaptures(groups: readonly number[], captures: number): number[][] | undefined {
  if (groups.every((index, at) => index === at + 1)) return undefined
  const kept = Array.from({ length: Math.min(captures + 1, capturesMax) }, (_, index) => index)
  const numbered = [0, ...groups]
  return kept.map((index) =>
    numbered.flatMap((other, group) => (other === index && (index > 0 || group === 0) ? [group] : [])),
  )
}
