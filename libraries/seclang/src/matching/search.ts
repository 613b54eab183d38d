import { foldCase } from './fold-case.ts'
import { longValueLength, middleValueLength } from './linear-engine.ts'
import { type Recognition, Recognizer } from './pcre/recognizer.ts'
import { toJavaScript } from './pcre/to-javascript.ts'
import { type PatternNode, someNode } from './pcre/tree.ts'

/** As the Core Rule Set's alternations of many words are. */
const largeSourceLength = 500

/** Literals, case-folded, of which one occurs in every value that matches. */
type LiteralSet = readonly string[]

/** TX:0 to TX:9. */
const capturesMax = 10

/**
 * A relaxed tree (pcre/relax.ts) as V8 searches for it, in bounded time where V8 has its linear engine. Made of the tree when it first
 * searches: many patterns never do, and a tree takes a hundred times the memory of its pattern.
 */
export class Search {
  readonly #newRoot: () => PatternNode
  readonly #captureCount: number
  readonly #literals: readonly LiteralSet[]
  #regExp: RegExp | undefined
  #hasUnlimitedRepeat = false
  /** Whether the linear engine would take long over it. */
  #isLarge = false
  /** Where groups are not numbered as in the pattern: of each capture the groups that may hold it. */
  #groupsOf: readonly (readonly number[])[] | undefined
  #linear: RegExp | undefined
  /** Null when there is none for the pattern. */
  #recognizer: Recognizer | null | undefined

  /**
   * @param newRoot makes the relaxed tree, each time that it is called
   * @param captures how many groups the pattern has
   */
  constructor(newRoot: () => PatternNode, captures: number, literals: readonly LiteralSet[] | undefined) {
    this.#newRoot = newRoot
    this.#captureCount = captures
    this.#literals = literals ?? []
  }

  get regExp(): RegExp {
    return this.#regExp ?? this.#prepare()
  }

  #prepare(): RegExp {
    const root = this.#newRoot()
    const { source, groups } = toJavaScript(root)
    this.#hasUnlimitedRepeat = someNode(
      root,
      (node) => node.kind === 'repeat' && node.max === Number.POSITIVE_INFINITY,
    )
    this.#groupsOf = groupsOfCaptures(groups, this.#captureCount)
    this.#isLarge = source.length >= largeSourceLength
    this.#regExp = new RegExp(source)
    return this.#regExp
  }

  test(value: string): boolean {
    const { regExp } = this
    if (value.length < longValueLength) return !this.#isRuledOut(value) && regExp.test(value)
    return this.#mayMatchLong(value) && this.#forLong.test(value)
  }

  find(value: string): RegExpExecArray | null {
    const { regExp } = this
    if (value.length < longValueLength) return this.#isRuledOut(value) ? null : regExp.exec(value)
    return this.#mayMatchLong(value) ? this.#forLong.exec(value) : null
  }

  /** A new expression with the flag `g` for a value. */
  repeated(value: string): RegExp {
    const { source } = this.regExp
    return new RegExp(source, this.#isLinearFor(value) ? 'gl' : 'g')
  }

  /** The captures of the pattern out of the groups of what was found. */
  captures(match: RegExpExecArray): readonly (string | undefined)[] {
    if (this.#groupsOf === undefined) return match.slice(0, capturesMax)
    return this.#groupsOf.map(
      (groups) => match[groups.find((group) => match[group] !== undefined) ?? Number.NaN],
    )
  }

  #isLinearFor(value: string): boolean {
    return this.#hasUnlimitedRepeat && value.length >= longValueLength
  }

  /** What is known of a value without V8. A match is one of the relaxed tree. */
  recognize(value: string): Recognition {
    if (!hasLiterals(value, this.#literals)) return 'no match'
    if (this.#recognizer === undefined) this.#recognizer = Recognizer.of(this.#newRoot()) ?? null
    return this.#recognizer?.recognize(value) ?? 'unknown'
  }

  /** Whether a value that is not long is certain not to match, without going back and forth over it. */
  #isRuledOut(value: string): boolean {
    return (
      this.#isLarge &&
      value.length >= middleValueLength &&
      this.#hasUnlimitedRepeat &&
      this.recognize(value) === 'no match'
    )
  }

  /** Whether a long value is worth a search by the engine that runs the pattern over such. */
  #mayMatchLong(value: string): boolean {
    return this.#hasUnlimitedRepeat
      ? this.recognize(value) !== 'no match'
      : hasLiterals(value, this.#literals)
  }

  get #forLong(): RegExp {
    this.#linear ??= this.#hasUnlimitedRepeat ? new RegExp(this.regExp.source, 'l') : this.regExp
    return this.#linear
  }
}

/** Cheaper than any search, if the value is long. */
function hasLiterals(value: string, literals: readonly LiteralSet[]): boolean {
  if (literals.length === 0) return true
  const folded = foldedOnce(value)
  return literals.every((set) => set.some((literal) => folded.includes(literal)))
}

let lastValue = ''
let lastFolded = ''

/** Many patterns ask for the same value one after another. */
function foldedOnce(value: string): string {
  if (value !== lastValue) {
    lastFolded = foldCase(value)
    lastValue = value
  }
  return lastFolded
}

function groupsOfCaptures(groups: readonly number[], captures: number): number[][] | undefined {
  if (groups.every((index, at) => index === at + 1)) return undefined
  const captureIndexes = Array.from({ length: Math.min(captures + 1, capturesMax) }, (_, index) => index)
  const numbered = [0, ...groups]
  return captureIndexes.map((index) => numbered.flatMap((other, group) => (other === index ? [group] : [])))
}
