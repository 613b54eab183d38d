import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { judgeToken, problemOfTime, type TokenProblem, type TokenTimes } from './signed-token.ts'
import type { TokenKeys } from './token-keys.ts'
import type { TokenValidator } from './token-validator.ts'

/** Of one profile in one worker, about 200 bytes each. */
const verifiedMax = 1_000

/** The tokens of a profile whose signatures were right lately: clients send the same one with every request. */
export class VerifiedTokens implements TokenValidator {
  readonly #keys: TokenKeys
  /** By digest. */
  readonly #times = new LRUCache<string, TokenTimes>({ max: verifiedMax })
  /** The version of the fetched keys by which they were verified. */
  #version = 0

  constructor(keys: TokenKeys) {
    this.#keys = keys
  }

  /** Waits where a token names a key that may be among those which are fetched now. */
  problemOf(token: string, nowMs: number): string | undefined | Promise<string | undefined> {
    const { fetched } = this.#keys
    const problem = this.#problemNow(token, nowMs)
    if (problem?.lacksKey !== true || fetched === undefined) return problem?.problem
    const described = (one: TokenProblem | undefined) =>
      one?.lacksKey === true && fetched.problem !== ''
        ? `${one.problem}. ${withoutFullStop(fetched.problem)}`
        : one?.problem
    const renewed = fetched.renewed(nowMs)
    return renewed === undefined
      ? described(problem)
      : renewed.then(() => described(this.#problemNow(token, nowMs)))
  }

  #problemNow(token: string, nowMs: number): TokenProblem | undefined {
    this.#forgetByOldKeys(nowMs)
    const digest = createHash('sha256').update(token, 'latin1').digest('base64')
    const before = this.#times.get(digest)
    const judged = before ?? judgeToken(token, this.#keys, nowMs)
    if ('problem' in judged) return judged
    const problem = problemOfTime(judged, nowMs)
    if (problem !== undefined) {
      this.#times.delete(digest)
      return { problem }
    }
    this.#times.set(digest, judged)
    return undefined
  }

  /** What was verified by a key that its issuer has withdrawn is good no more. */
  #forgetByOldKeys(nowMs: number): void {
    const { fetched } = this.#keys
    if (fetched === undefined) return
    fetched.keysAt(nowMs)
    if (fetched.version === this.#version) return
    this.#version = fetched.version
    this.#times.clear()
  }
}

function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
