import { createHash } from 'node:crypto'
import { judgeToken, problemOfTime, type TokenTimes } from './signed-token.ts'
import type { TokenKeys } from './token-keys.ts'

/** Of one profile in one worker, about 200 bytes each. */
const verifiedMax = 1_000

/** The tokens of a profile whose signatures were right lately: clients send the same one with every request. */
export class VerifiedTokens {
  readonly #keys: TokenKeys
  /** By digest, those used last at the end. */
  readonly #times = new Map<string, TokenTimes>()

  constructor(keys: TokenKeys) {
    this.#keys = keys
  }

  /** Why a token is not good enough: a part of a sentence; undefined where it is. @param nowMs in milliseconds since 1970 */
  problemOf(token: string, nowMs: number): string | undefined {
    const digest = createHash('sha256').update(token, 'latin1').digest('base64')
    const before = this.#times.get(digest)
    const judged = before ?? judgeToken(token, this.#keys)
    if ('problem' in judged) return judged.problem
    const problem = problemOfTime(judged, nowMs)
    this.#times.delete(digest)
    if (problem === undefined) this.#remember(digest, judged)
    return problem
  }

  #remember(digest: string, times: TokenTimes): void {
    this.#times.set(digest, times)
    if (this.#times.size <= verifiedMax) return
    const [oldest = ''] = this.#times.keys()
    this.#times.delete(oldest)
  }
}
