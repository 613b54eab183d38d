import { linearForm } from '@palisade/proxy-protocol'
import { bothCases } from './both-cases.ts'

/** In texts of this length, a pattern that the backtracking engine tries anew at each place takes noticeable time. */
const longTextLength = 4096

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

  /** The text with each occurrence replaced. @param replacement told the groups of one, the occurrence itself first */
  replaceIn(text: string, replacement: (groups: readonly (string | undefined)[]) => string): string {
    return text.replace(this.#for(text), (...found: unknown[]) => {
      const place = found.findIndex((part) => typeof part === 'number')
      return replacement(found.slice(0, place) as (string | undefined)[])
    })
  }

  /** The groups of the first occurrence, the occurrence itself first. */
  groupsIn(text: string): readonly (string | undefined)[] | undefined {
    const expression = this.#for(text)
    expression.lastIndex = 0
    return expression.exec(text) ?? undefined
  }

  /** Every occurrence with its place, from left to right; none of them empty. */
  *occurrencesIn(text: string): Generator<{ readonly start: number; readonly text: string }> {
    for (const { index, 0: found } of text.matchAll(this.#for(text))) {
      if (found !== '') yield { start: index, text: found }
    }
  }

  #for(text: string): RegExp {
    return text.length < longTextLength ? this.#short : this.#long
  }
}
