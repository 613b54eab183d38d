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
  /** Literal sets of *all* of which every match has a member; undefined when nothing is known. */
  readonly literals: readonly LiteralSet[] | undefined
  /**
   * Whether V8 can finish this pattern in time linear in the value (see bounded-time.ts). Patterns with look-around or
   * back-references cannot; their values want a cap.
   */
  readonly isLinear: boolean
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
  throw new PatternNotConvertible(pcre, 'the conversion is not there yet')
}
