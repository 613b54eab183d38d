import type { SnapshotProtectedData, SnapshotUrlPolicy } from '@palisade/proxy-protocol'
import { type Occurrence, PatternSearch } from '../../policy/attack-patterns.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { found } from '../../traffic/found.ts'
import type { Answer, BodyFilter } from '../filter.ts'

const attack = 'identity-theft-pattern-matched'

/** What is looked for is no longer than this; so much waits for what follows it. */
const occurrenceLengthMax = 512

/** A type of data, ready to be looked for. */
export class ProtectedType {
  readonly data: SnapshotProtectedData
  readonly patterns: PatternSearch

  constructor(data: SnapshotProtectedData) {
    this.data = data
    this.patterns = new PatternSearch(data.patterns)
  }
}

/** Something that was found, with the type that it is of. */
interface Found extends Occurrence {
  readonly type: ProtectedType
}

/**
 * Looks through a body on its way, whatever its chunks: the end of what has come waits until it is known what follows. What is to
 * be cloaked is overwritten, byte for byte; what is to be blocked takes the place of the answer.
 */
export class ProtectedBody implements BodyFilter {
  readonly holds: boolean
  readonly #exchange: Exchange
  readonly #types: readonly ProtectedType[]
  readonly #isPassive: boolean
  readonly #told = new Map<ProtectedType, Answer | undefined>()
  /** What has come and has not gone on, after one character that has: expressions look at what stands before. */
  #waiting = ''
  #hasGone = 0

  constructor(exchange: Exchange, types: readonly ProtectedType[], { isPassive }: SnapshotUrlPolicy) {
    this.#exchange = exchange
    this.#types = types
    this.#isPassive = isPassive
    this.holds = exchange.mode === 'active' && !isPassive && types.some(({ data }) => data.does === 'block')
  }

  transform(chunk: Buffer): Buffer | Answer {
    this.#waiting += chunk.toString('latin1')
    return this.#go(false)
  }

  flush(): Buffer | Answer {
    return this.#go(true)
  }

  #go(isEnd: boolean): Buffer | Answer {
    const text = this.#waiting
    let end = isEnd ? text.length : Math.max(this.#hasGone, text.length - occurrenceLengthMax)
    const passed: string[] = []
    let from = this.#hasGone
    for (const one of this.#foundIn(text)) {
      if (one.start < from || one.start >= end) continue
      const oneEnd = one.start + one.length
      // What ends where everything ends may go on.
      if (oneEnd === text.length && !isEnd) {
        end = Math.min(end, one.start)
        break
      }
      const answer = this.#say(one.type)
      if (answer !== undefined && one.type.data.does === 'block') return answer
      if (answer === undefined || one.type.data.does === 'block') continue
      passed.push(text.slice(from, one.start), cloaked(text.slice(one.start, oneEnd), one.type.data))
      from = oneEnd
      end = Math.max(end, oneEnd)
    }
    passed.push(text.slice(from, end))
    const kept = Math.max(0, end - 1)
    this.#waiting = text.slice(kept)
    this.#hasGone = end - kept
    return Buffer.from(passed.join(''), 'latin1')
  }

  #foundIn(text: string): Found[] {
    const all = this.#types.flatMap((type) =>
      Array.from(type.patterns.allIn(text), (one) => ({ ...one, type })),
    )
    return all.sort((one, other) => one.start - other.start)
  }

  /** Tells of each type once. @returns undefined where the policy or the mode only logs */
  #say(type: ProtectedType): Answer | undefined {
    if (!this.#told.has(type)) {
      const { name, does } = type.data
      const detail = `The answer has data of the type ${name}.`
      const violation = { attack, detail, rule: name }
      const answer = found(this.#exchange, violation, { isPassive: this.#isPassive })
      const last = this.#exchange.violations.at(-1)
      if (answer && does === 'cloak' && last?.attack === attack) {
        this.#exchange.violations.splice(-1, 1, { ...last, action: 'CLOAK' })
      }
      this.#told.set(type, answer)
    }
    return this.#told.get(type)
  }
}

/** Letters and digits overwritten but for those that stay readable. */
function cloaked(text: string, { keepsInitial, keepsTrailing }: SnapshotProtectedData): string {
  const end = Math.max(keepsInitial, text.length - keepsTrailing)
  return text.slice(0, keepsInitial) + text.slice(keepsInitial, end).replace(/[^\s-]/g, 'X') + text.slice(end)
}
