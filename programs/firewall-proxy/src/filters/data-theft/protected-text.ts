import type { SnapshotProtectedData } from '@palisade/proxy-protocol'
import type { Answer } from '../../exchange/answer.ts'
import { occurrenceLengthMax } from '../../patterns/bounded-expression.ts'
import type { Occurrence } from '../../policy/attack-patterns.ts'
import type { DataFindings } from './data-findings.ts'
import { completeLength, type ReadableText, readableText } from './escaped-text.ts'
import type { ProtectedType } from './protected-type.ts'

/** Something that was found, with the type that it is of. */
interface Found extends Occurrence {
  readonly type: ProtectedType
}

/** How a text is read: as it stands, or with what is written by other characters in it. */
export type Reading = 'plain' | 'body' | 'header'

/**
 * Looks through a text on its way, whatever its pieces: the end of what has come waits until it is known what follows. What is to
 * be cloaked is overwritten, character by character; what is to be blocked takes the place of the answer.
 */
export class ProtectedText {
  readonly #types: readonly ProtectedType[]
  readonly #findings: DataFindings
  readonly #reading: Reading
  /** What has come and has not gone on, after one character that has: expressions look at what stands before. */
  #waiting = ''
  /** As many characters of it have gone on. */
  #hasGone = 0

  constructor(types: readonly ProtectedType[], findings: DataFindings, reading: Reading) {
    this.#types = types
    this.#findings = findings
    this.#reading = reading
  }

  /** @returns what can go on */
  take(piece: string): string | Answer {
    this.#waiting += piece
    return this.#go(false)
  }

  /** @returns what is left */
  end(): string | Answer {
    return this.#go(true)
  }

  #go(isEnd: boolean): string | Answer {
    const length = isEnd || this.#reading === 'plain' ? this.#waiting.length : completeLength(this.#waiting)
    const unfinished = this.#waiting.slice(length)
    const read = this.#read(this.#waiting.slice(0, length))
    const { text, source } = read
    let end = isEnd
      ? text.length
      : Math.max(Math.min(this.#hasGone, text.length), text.length - occurrenceLengthMax)
    const passed: string[] = []
    let from = Math.min(this.#hasGone, text.length)
    const pass = (until: number) => passed.push(source.slice(read.sourceOf(from), read.sourceOf(until)))
    for (const one of this.#foundIn(text)) {
      if (one.start < from || one.start >= end) continue
      const oneEnd = one.start + one.length
      // What ends where everything ends may go on.
      if (oneEnd === text.length && !isEnd) {
        end = Math.min(end, one.start)
        break
      }
      const answer = this.#findings.tell(one.type)
      if (answer !== undefined && one.type.data.does === 'block') return answer
      if (answer === undefined || one.type.data.does === 'block') continue
      pass(one.start)
      passed.push(cloaked(read, one.start, oneEnd, one.type.data))
      from = oneEnd
      end = Math.max(end, oneEnd)
    }
    pass(end)
    const keptLength = Math.max(0, end - 1)
    this.#waiting = source.slice(read.sourceOf(keptLength)) + unfinished
    this.#hasGone = end - keptLength
    return passed.join('')
  }

  #read(source: string): ReadableText {
    if (this.#reading === 'plain') return { text: source, source, sourceOf: (at) => at }
    return readableText(source, this.#reading)
  }

  #foundIn(text: string): Found[] {
    const all = this.#types.flatMap((type) =>
      Array.from(type.patterns.allIn(text), (one) => ({ ...one, type })),
    )
    return all.sort((one, other) => one.start - other.start)
  }
}

/** Letters and digits overwritten but for those that stay readable. */
function cloaked(
  { text, source, sourceOf }: ReadableText,
  start: number,
  end: number,
  { keepsInitial, keepsTrailing }: SnapshotProtectedData,
): string {
  const first = start + keepsInitial
  const last = Math.max(first, end - keepsTrailing)
  let after = ''
  for (let at = start; at < end; at++) {
    const isHidden = at >= first && at < last && /[^\s-]/.test(text.charAt(at))
    after += isHidden ? 'X' : source.slice(sourceOf(at), sourceOf(at + 1))
  }
  return after
}
