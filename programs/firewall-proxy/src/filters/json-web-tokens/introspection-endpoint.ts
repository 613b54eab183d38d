import { createHash } from 'node:crypto'
import { AddressGuard, type SnapshotIntrospection } from '@palisade/proxy-protocol'
import { LRUCache } from 'lru-cache'
import type { CustomFetch } from 'openid-client'
import { ProviderUnavailable, providerFetch } from '../authentication/provider-fetch.ts'
import { problemOfTime, timesOf } from './signed-token.ts'
import type { TokenValidator } from './token-validator.ts'

/** How long a good answer counts: a token that the endpoint has withdrawn meanwhile is refused after that. */
const memoryMs = 60_000

/** Of one profile in one worker, whatever `max-cache-size` asks for. */
const rememberedTokensMax = 10_000

const timeoutMs = 5_000

/** Questions that wait for an answer, of one profile in one worker: invented tokens must not have the endpoint asked without end. */
const questionsMax = 100

const unavailable = 'could not be shown to the endpoint of its validator'

/** Asks an endpoint whether tokens are good (RFC 7662). Good answers are remembered for a minute; others are not. */
export class IntrospectionEndpoint implements TokenValidator {
  readonly #settings: SnapshotIntrospection
  readonly #fetch: CustomFetch
  /** When a good answer ends to count, in milliseconds since 1970, by the digest of the token; undefined where none is remembered. */
  readonly #expiries: LRUCache<string, number> | undefined
  readonly #questions = new Map<string, Promise<string | undefined>>()

  constructor(settings: SnapshotIntrospection) {
    const { forbidden, rememberedMax, verifiesCertificate } = settings
    this.#settings = settings
    if (rememberedMax > 0)
      this.#expiries = new LRUCache({ max: Math.min(rememberedMax, rememberedTokensMax) })
    this.#fetch = providerFetch(new AddressGuard(forbidden), { rejectUnauthorized: verifiesCertificate })
  }

  problemOf(token: string, nowMs: number): string | undefined | Promise<string | undefined> {
    const digest = createHash('sha256').update(token, 'latin1').digest('base64')
    if (nowMs < (this.#expiries?.get(digest) ?? 0)) return undefined
    const question = this.#questions.get(digest)
    if (question !== undefined) return question
    if (this.#questions.size >= questionsMax)
      return `${unavailable}: ${questionsMax} others wait for its answer`
    const newQuestion = this.#ask(token, digest, nowMs).finally(() => this.#questions.delete(digest))
    this.#questions.set(digest, newQuestion)
    return newQuestion
  }

  async #ask(token: string, digest: string, nowMs: number): Promise<string | undefined> {
    let answer: Readonly<Record<string, unknown>>
    try {
      answer = await this.#answerOn(token)
    } catch (error) {
      const reason = error instanceof ProviderUnavailable ? error.message : `${(error as Error).name}.`
      return `${unavailable}: ${reason.replace(/\.$/, '')}`
    }
    if (answer.active !== true) return 'is not active, as the endpoint of its validator says'
    const times = timesOf(answer)
    const problem = 'problem' in times ? times.problem : problemOfTime(times, nowMs)
    if (problem === undefined && !('problem' in times))
      this.#expiries?.set(digest, Math.min(nowMs + memoryMs, times.expires * 1_000))
    return problem
  }

  async #answerOn(token: string): Promise<Readonly<Record<string, unknown>>> {
    const { endpoint, tokenParameter, moreParameters, authorization } = this.#settings
    const form = new URLSearchParams(moreParameters)
    form.set(tokenParameter, token)
    const response = await this.#fetch(endpoint, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: form.toString(),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status !== 200)
      throw new ProviderUnavailable(`The answer has the status ${response.status}.`)
    try {
      return Object(JSON.parse(await response.text()))
    } catch (error) {
      throw error instanceof SyntaxError ? new ProviderUnavailable('The answer is not JSON.') : error
    }
  }
}
