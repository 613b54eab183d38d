import { createHash } from 'node:crypto'
import { AddressGuard, type SnapshotIntrospection } from '@palisade/proxy-protocol'
import type { CustomFetch } from 'openid-client'
import { ProviderAway, providerFetch } from '../authentication/provider-fetch.ts'
import { problemOfTime, timesOf } from './signed-token.ts'
import type { TokenValidator } from './token-validator.ts'

/** How long an endpoint's word that a token is good is taken again: what it withdraws is refused after that. */
const rememberedMs = 60_000

/** Of one profile in one worker, whatever `max-cache-size` asks for. */
const rememberedTokensMax = 10_000

const timeoutMs = 5_000

/** Of one profile in one worker: tokens that nobody has given out must not have the endpoint asked without end. */
const questionsMax = 100

const notAsked = 'could not be shown to the endpoint of its validator'

/** An endpoint that says of tokens whether they are good (RFC 7662). A token is whatever it takes for one. */
export class AskedEndpoint implements TokenValidator {
  readonly #told: SnapshotIntrospection
  readonly #fetch: CustomFetch
  /** When what was said is forgotten, by the digest of the token; those told last at the end. */
  readonly #good = new Map<string, number>()
  readonly #asked = new Map<string, Promise<string | undefined>>()

  constructor(told: SnapshotIntrospection) {
    const { forbidden = { networks: [], endpoints: [] }, verifiesCertificate } = told
    this.#told = told
    this.#fetch = providerFetch(new AddressGuard(forbidden), { rejectUnauthorized: verifiesCertificate })
  }

  problemOf(token: string, nowMs: number): string | undefined | Promise<string | undefined> {
    const digest = createHash('sha256').update(token, 'latin1').digest('base64')
    if (nowMs < (this.#good.get(digest) ?? 0)) return undefined
    const asked = this.#asked.get(digest)
    if (asked !== undefined) return asked
    if (this.#asked.size >= questionsMax) return `${notAsked}: ${questionsMax} others wait for its answer`
    const asking = this.#ask(token, digest, nowMs).finally(() => this.#asked.delete(digest))
    this.#asked.set(digest, asking)
    return asking
  }

  async #ask(token: string, digest: string, nowMs: number): Promise<string | undefined> {
    let told: Readonly<Record<string, unknown>>
    try {
      told = await this.#answerOn(token)
    } catch (error) {
      const reason = error instanceof ProviderAway ? error.message : `${(error as Error).name}.`
      return `${notAsked}: ${reason.replace(/\.$/, '')}`
    }
    if (told.active !== true) return 'is not active, as the endpoint of its validator says'
    const times = timesOf(told)
    const problem = 'problem' in times ? times.problem : problemOfTime(times, nowMs)
    if (problem === undefined && !('problem' in times))
      this.#remember(digest, Math.min(nowMs + rememberedMs, times.expires * 1_000))
    return problem
  }

  async #answerOn(token: string): Promise<Readonly<Record<string, unknown>>> {
    const { endpoint, tokenParameter, moreParameters, authorization } = this.#told
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
    if (response.status !== 200) throw new ProviderAway(`The answer has the status ${response.status}.`)
    try {
      return Object(JSON.parse(await response.text()))
    } catch (error) {
      throw error instanceof SyntaxError ? new ProviderAway('The answer is not JSON.') : error
    }
  }

  #remember(digest: string, until: number): void {
    const rememberedMax = Math.min(this.#told.rememberedMax, rememberedTokensMax)
    if (rememberedMax === 0) return
    this.#good.delete(digest)
    this.#good.set(digest, until)
    const [oldest = ''] = this.#good.keys()
    if (this.#good.size > rememberedMax) this.#good.delete(oldest)
  }
}
