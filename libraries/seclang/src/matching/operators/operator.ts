import type { InjectionDetector } from '../injection-detector.ts'
import type { LiteralSet } from '../pattern.ts'

/** What an operator found. */
export interface OperatorMatch {
  /**
   * Captures 0 to 9, as the action `capture` stores them in TX: of `@rx` the match and its groups, of `@pm` the word, of
   * `@detectSQLi` the fingerprint. Empty for operators that capture nothing.
   */
  readonly captures: readonly (string | undefined)[]
}

/** In the place of a match, for a value that took too many steps and was given up (see `Pattern.timesGivenUp`): it counts as not matching. */
export const matchLimitExceeded: OperatorMatch = { captures: [] }

/** An operator with its argument: made once per rule (or per expansion of a macro), run over many values. */
export interface Operator {
  /** What was found in a value (a byte string), or undefined, or {@link matchLimitExceeded}. `!` is the rule's business. */
  match(value: string): OperatorMatch | undefined
  /** Literal sets of *all* of which every value that matches has a member (A–Z read as a–z); absent when nothing is known. */
  readonly literals?: readonly LiteralSet[] | undefined
  /** Why the operator never matches, where it cannot work here: a library or a service is missing. To be told to the reader. */
  readonly inactive?: string
}

/** What an operator may ask for while it is made. */
export interface OperatorContext {
  /** The contents of a data file (as a byte string) named relative to the rule file. Throws when it cannot be read. */
  readFile(name: string): string
  /** What `@detectSQLi` and `@detectXSS` ask; they are inactive without. */
  readonly injections?: InjectionDetector | undefined
}

/** Makes an operator from the argument of a rule, once for each rule. */
export interface OperatorFactory {
  /** As after `@`, in ModSecurity's spelling. */
  readonly name: string
  /**
   * @param argument what follows the operator's name, macros already expanded, as a byte string
   * @throws {OperatorArgumentError} when the argument is not what the operator takes
   * @throws {PatternNotConvertible} from `@rx`
   */
  create(argument: string, context: OperatorContext): Operator
}

/** An argument that an operator cannot work with. */
export class OperatorArgumentError extends Error {
  override readonly name = 'OperatorArgumentError'
}

/** The match of an operator that captures nothing. */
export const plainMatch: OperatorMatch = { captures: [] }

/** A match as some operators have it: nothing captured, only yes or no. */
export function matchIf(isMatch: boolean): OperatorMatch | undefined {
  return isMatch ? plainMatch : undefined
}
