import { foldCase } from './fold-case.ts'
import { longValueLength } from './linear-engine.ts'
import { type Recognition, Recognizer } from './pcre/recognizer.ts'
import { toJavaScript } from './pcre/to-javascript.ts'
import { type PatternNode, someNode } from './pcre/tree.ts'

/** Literals, case-folded, of which one occurs in every value that matches. */
type LiteralSet = readonly string[]

/** TX:0 to TX:9. */
const capturesMax = 10

/** A relaxed tree (pcre/relax.ts) as V8 searches for it, in bounded time where V8 has its linear engine. */
export class Search {
  readonly regExp: RegExp
  readonly #literals: readonly LiteralSet[]
  readonly #hasUnlimitedRepeat: boolean
  /** Where groups are not numbered as in the pattern: of each capture the groups that may hold it. */
  readonly #groupsOf: readonly (readonly number[])[] | undefined
  readonly #root: PatternNode
  #linear: RegExp | undefined
  /** Null when there is none for the pattern. */
  #recognizer: Recognizer | null | undefined

  /** @param captures how many groups the pattern has */
  constructor(root: PatternNode, captures: number, literals: readonly LiteralSet[] | undefined) {
    const { source, groups } = toJavaScript(root)
    this.regExp = new RegExp(source)
    this.#root = root
    this.#literals = literals ?? []
    this.#hasUnlimitedRepeat = someNode(
      root,
      (node) => node.kind === 'repeat' && node.max === Number.POSITIVE_INFINITY,
    )
    this.#groupsOf = groupsOfCaptures(groups, captures)
  }

  test(value: string): boolean {
    if (value.length < longValueLength) return this.regExp.test(value)
    return this.#mayMatchLong(value) && this.#forLong.test(value)
  }

  find(value: string): RegExpExecArray | null {
    if (value.length < longValueLength) return this.regExp.exec(value)
    return this.#mayMatchLong(value) ? this.#forLong.exec(value) : null
  }

  /** A new expression with the flag `g` for a value. */
  repeated(value: string): RegExp {
    return new RegExp(this.regExp.source, this.#isLinearFor(value) ? 'gl' : 'g')
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
    if (this.#recognizer === undefined) this.#recognizer = Recognizer.of(this.#root) ?? null
    return this.#recognizer?.recognize(value) ?? 'unknown'
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
