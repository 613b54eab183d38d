import { createHash, randomBytes } from 'node:crypto'
import type { SnapshotKey } from '@palisade/proxy-protocol'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValues } from '../../exchange/headers.ts'
import { Sealer } from '../sealer.ts'

/** How long a riddle may be answered. */
const riddleMs = 600_000

/** When a client has solved a riddle, and when it has last shown that; milliseconds since 1970. */
export interface Pass {
  readonly solvedAt: number
  readonly usedAt: number
}

/** What an answer to a riddle is worth; `late` is one that came too late or for the second time. */
export type AnswerWorth = 'right' | 'wrong' | 'late'

/**
 * Riddles, and the passes of those who have solved one. Nothing of either is kept but which riddles were answered: both are sealed for
 * the application, the client's address and its `User-Agent`, with keys that all proxies have.
 *
 *     riddle  zero bits, when it was made, random text
 *     answer  riddle "." n, where SHA-256(hex(SHA-256(riddle)) n) begins with so many zero bits
 *     pass    when the riddle was solved, when the pass was last used
 */
export class Riddles {
  readonly #application: string
  readonly #riddles: Sealer
  readonly #passes: Sealer

  constructor(application: string, keys: readonly SnapshotKey[]) {
    this.#application = application
    this.#riddles = new Sealer(keys, 'captcha/riddle')
    this.#passes = new Sealer(keys, 'captcha/pass')
  }

  riddle(exchange: Exchange, bits: number): string {
    const text = [bits, exchange.runtime.now(), randomBytes(12).toString('base64url')].join(' ')
    return this.#riddles.seal(text, this.#contextOf(exchange))
  }

  /** Takes an answer, once. */
  worthOf(exchange: Exchange, answer: string): AnswerWorth {
    const [riddle = '', number = ''] = answer.split('.', 2)
    const text = /^\d{1,15}$/.test(number) && this.#riddles.open(riddle, this.#contextOf(exchange))
    if (!text) return 'wrong'
    const [bits, madeAt, name = ''] = text.split(' ')
    const { memory, now } = { memory: exchange.runtime.memory, now: exchange.runtime.now() }
    const until = Number(madeAt) + riddleMs
    const key = `answered ${name}`
    if (now >= until || memory.recall(key, now) !== undefined) return 'late'
    if (zeroBitsOf(riddle, number) < Number(bits)) return 'wrong'
    memory.remember(key, until)
    return 'right'
  }

  pass(exchange: Exchange, { solvedAt, usedAt }: Pass): string {
    return this.#passes.seal(`${solvedAt} ${usedAt}`, this.#contextOf(exchange))
  }

  /** @returns undefined for what is no pass of this client */
  readPass(exchange: Exchange, pass: string): Pass | undefined {
    const [solvedAt, usedAt] = this.#passes.open(pass, this.#contextOf(exchange))?.split(' ') ?? []
    return usedAt === undefined ? undefined : { solvedAt: Number(solvedAt), usedAt: Number(usedAt) }
  }

  #contextOf({ clientAddress, headers }: Exchange): string {
    return JSON.stringify([this.#application, clientAddress, headerValues(headers, 'user-agent')])
  }
}

/** With how many zero bits the digest of an answer begins, of the first 32. */
function zeroBitsOf(riddle: string, number: string): number {
  const prefix = createHash('sha256').update(riddle).digest('hex')
  return Math.clz32(
    createHash('sha256')
      .update(prefix + number)
      .digest()
      .readUInt32BE(),
  )
}
