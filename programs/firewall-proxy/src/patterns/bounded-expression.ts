import { linearForm } from '@palisade/proxy-protocol'
import { bothCases } from './both-cases.ts'

/** In texts of this length, a pattern that the backtracking engine tries anew at each place takes noticeable time. */
const longTextLength = 4096

/** What is looked for all over a text is no longer than this, in characters. */
export const occurrenceLengthMax = 512

/** So much of a text is looked through at once for what begins in it. */
const pieceLength = longTextLength - occurrenceLengthMax - 2

/** So many occurrences are replaced in a long text: each may take the time of all that is behind it. */
const replacementsMax = 50

/**
 * A regular expression of an administrator, without case unless told otherwise, run in bounded time: over short texts V8 changes to its linear engine
 * after many steps back, over long ones that engine runs from the start. One whose repetitions had to be written out for that engine
 * never runs on another one.
 */
export class BoundedExpression {
  readonly #short: RegExp
  readonly #long: RegExp

  /**
   * @param source one that `problemOfExpression` of proxy-protocol has no problem with
   * @throws NoLinearForm for one that cannot be run in bounded time @throws SyntaxError for one that is no expression
   */
  constructor(
    source: string,
    {
      isCaseSensitive = false,
      keepsGroups = false,
    }: { readonly isCaseSensitive?: boolean; readonly keepsGroups?: boolean } = {},
  ) {
    const form = linearForm(source, { keepsGroups })
    const folded = isCaseSensitive ? form : bothCases(form)
    this.#long = new RegExp(folded, 'gl')
    this.#short = form === source ? new RegExp(folded, 'g') : this.#long
  }

  /** Whether it occurs in the text. */
  test(text: string): boolean {
    const expression = this.#for(text)
    expression.lastIndex = 0
    return expression.test(text)
  }

  /**
   * The text with each occurrence replaced; in one of 4,096 characters or more the first fifty.
   *
   * @param replacement told the groups of one, the occurrence itself first
   */
  replaceIn(text: string, replacement: (groups: readonly (string | undefined)[]) => string): string {
    const expression = this.#for(text)
    const countMax = text.length < longTextLength ? Number.POSITIVE_INFINITY : replacementsMax
    const pieces: string[] = []
    let copiedTo = 0
    expression.lastIndex = 0
    for (const match of text.matchAll(expression).take(countMax)) {
      pieces.push(text.slice(copiedTo, match.index), replacement([...match]))
      copiedTo = match.index + match[0].length
    }
    return pieces.length === 0 ? text : pieces.join('') + text.slice(copiedTo)
  }

  /** The groups of the first occurrence, the occurrence itself first. */
  groupsIn(text: string): readonly (string | undefined)[] | undefined {
    const expression = this.#for(text)
    expression.lastIndex = 0
    return expression.exec(text) ?? undefined
  }

  /**
   * Occurrences with their places, from left to right; none of them empty. A long text is looked through piece by piece, since each
   * search may go through all that is behind it: what is longer than {@link occurrenceLengthMax} may be found as a shorter one, or not.
   */
  *occurrencesIn(text: string): Generator<{ readonly start: number; readonly text: string }> {
    let copiedTo = 0
    for (let start = 0; start < text.length; start += pieceLength) {
      // Expressions look at what stands before and behind.
      const from = Math.max(0, start - 1)
      const piece = text.slice(from, start + pieceLength + occurrenceLengthMax)
      const expression = this.#for(piece)
      expression.lastIndex = Math.max(copiedTo, start) - from
      for (let match = expression.exec(piece); match !== null; match = expression.exec(piece)) {
        const place = from + match.index
        if (place >= start + pieceLength) break
        if (match[0] === '') expression.lastIndex++
        else {
          copiedTo = place + match[0].length
          const { lastIndex } = expression
          yield { start: place, text: match[0] }
          expression.lastIndex = lastIndex
        }
      }
    }
  }

  #for(text: string): RegExp {
    return text.length < longTextLength ? this.#short : this.#long
  }
}
