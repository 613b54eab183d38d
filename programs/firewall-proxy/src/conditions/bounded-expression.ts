import { setFlagsFromString } from 'node:v8'
import { bothCases } from './both-cases.ts'

/** From here on a pattern that is tried at each place would be felt. */
const longTextLength = 4096

/**
 * A regular expression of an administrator, without case, run in bounded time: over short texts V8 changes to its linear engine
 * after many steps back, over long ones that engine runs from the start.
 */
export class BoundedExpression {
  readonly #short: RegExp
  readonly #long: RegExp

  /** @param source one that `problemOfExpression` of proxy-protocol has no problem with @throws SyntaxError for others */
  constructor(source: string) {
    boundTime()
    const folded = bothCases(source)
    this.#short = new RegExp(folded, 'g')
    this.#long = linear(folded) ?? this.#short
  }

  /** Whether it occurs in the text. */
  test(text: string): boolean {
    const expression = this.#for(text)
    expression.lastIndex = 0
    return expression.test(text)
  }

  /** The text with each occurrence replaced; `$1` to `$9` stand for the groups. */
  replaceIn(text: string, replacement: string): string {
    return text.replace(this.#for(text), replacement)
  }

  /** The groups of the first occurrence, the occurrence itself first. */
  groupsIn(text: string): readonly (string | undefined)[] | undefined {
    const expression = this.#for(text)
    expression.lastIndex = 0
    return expression.exec(text) ?? undefined
  }

  #for(text: string): RegExp {
    return text.length < longTextLength ? this.#short : this.#long
  }
}

/** Undefined for what the linear engine finds too large, such as a thousand repetitions. */
function linear(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'gl')
  } catch {
    return undefined
  }
}

let isTimeBound = false

/** For the whole process, and all expressions that are compiled from now on. */
function boundTime(): void {
  if (isTimeBound) return
  isTimeBound = true
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')
  setFlagsFromString('--enable-experimental-regexp-engine')
}
