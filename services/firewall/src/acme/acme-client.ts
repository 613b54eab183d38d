/**
 * A client of certificate authorities that speak ACME (RFC 8555):
 *
 *     directory ──> account ──> order ──> authorizations ──> challenges ──> finalize ──> certificate
 *
 * Each request is signed with the account's key and bears a nonce of the authority. One that it has not given, or has forgotten, it refuses
 * with a fresh one, by which the request is made again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AccountKey, ExternalAccount } from './account-key.ts'
import { AcmeFailure } from './acme-failure.ts'
import { type HttpsCall, type HttpsReply, httpsCall, retryAfterMs } from './https-call.ts'
import {
  Authorization,
  type Challenge,
  Directory,
  inWords,
  Order,
  Problem,
  problemType,
  readResource,
} from './resources.ts'

/** How often a request is made again whose nonce was refused. */
const nonceTriesMax = 10

/** Between two looks at what the authority works on, in milliseconds; longer each time. */
const lookMs = { first: 250, longest: 5_000 }

/** An authority, and how it is reached. */
export interface Authority {
  /** The address of its directory. */
  readonly directory: string
  /** PEM of who may have signed its own certificate; those that Node trusts when undefined. */
  readonly trusted: string | undefined
}

/** An order, and where it is. */
export interface PlacedOrder {
  readonly url: string
  readonly order: Order
}

/** Speaks with one authority for as long as one certificate takes. */
export class AcmeClient {
  readonly #authority: Authority
  readonly #key: AccountKey
  readonly #signal: AbortSignal
  #directory: Directory | undefined
  #account: string | undefined
  #nonce: string | undefined

  /** @param signal ends whatever goes on, with its reason */
  constructor(authority: Authority, key: AccountKey, signal: AbortSignal) {
    this.#authority = authority
    this.#key = key
    this.#signal = signal
  }

  /** @throws AcmeFailure, as all methods do */
  async directory(): Promise<Directory> {
    this.#directory ??= await readDirectory(this.#authority, this.#signal)
    return this.#directory
  }

  /**
   * Makes an account, or finds the one that the key has. The operator has agreed to the authority's terms by naming it.
   *
   * @param contact an address of mail; undefined for none
   */
  async openAccount(
    contact: string | undefined,
    externalAccount: ExternalAccount | undefined,
  ): Promise<void> {
    const { newAccount } = await this.directory()
    const { headers } = await this.#post(newAccount, {
      termsOfServiceAgreed: true,
      ...(contact === undefined ? {} : { contact: [`mailto:${contact}`] }),
      ...(externalAccount === undefined
        ? {}
        : { externalAccountBinding: this.#key.boundTo(externalAccount, newAccount) }),
    })
    this.#account = locationIn(headers)
  }

  /**
   * Asks for a certificate.
   *
   * @param names hosts, of which the first label may be "*"
   * @param replaced the certificate that it takes the place of, as RFC 9773 names it; undefined for none
   * @param signal ends it instead of the client's
   */
  async placeOrder(
    names: readonly string[],
    replaced: string | undefined,
    signal: AbortSignal,
  ): Promise<PlacedOrder> {
    const { newOrder, renewalInfo } = await this.directory()
    const order = { identifiers: names.map((value) => ({ type: 'dns', value })) }
    const replaces = renewalInfo === undefined ? undefined : replaced
    const place = (body: object) => this.#post(newOrder, body, signal)
    const reply = await place(replaces === undefined ? order : { ...order, replaces }).catch(
      (error: unknown) => {
        // It has replaced that one already, or does not know it any more; neither keeps anybody from an order.
        const isRefused = error instanceof AcmeFailure && !error.isAway && !error.isRateLimit
        if (isRefused && replaces !== undefined && error.retryAfterMs === undefined) return place(order)
        throw error
      },
    )
    return { url: locationIn(reply.headers), order: readOrder(reply.body) }
  }

  /** An order that was placed before, as it is now. */
  async order(url: string): Promise<PlacedOrder> {
    return { url, order: readOrder((await this.#post(url, undefined)).body) }
  }

  async authorization(url: string): Promise<Authorization> {
    return readAuthorization((await this.#post(url, undefined)).body)
  }

  /** Tells the authority that a challenge can be looked at, unless it was told before. */
  async answerChallenge({ url, status = 'pending' }: Pick<Challenge, 'url' | 'status'>): Promise<void> {
    if (status === 'pending') await this.#post(url, {})
  }

  /** Waits until the authority has looked at a challenge. @throws AcmeFailure with what it has found, where that was not the proof */
  async untilProven(url: string): Promise<void> {
    const { status, identifier, challenges } = await this.#until(url, readAuthorization, [
      'pending',
      'processing',
    ])
    if (status === 'valid') return
    const problem = challenges.find(({ error }) => error !== undefined)?.error
    const why = problem === undefined ? `its authorization is ${status}` : inWords(problem)
    throw new AcmeFailure(`The authority does not find the proof for ${identifier.value}: ${why}.`, {
      type: problem === undefined ? '' : problemType(problem),
    })
  }

  /**
   * Has the certificate signed, once everything is proven; only fetches it where it was signed before.
   *
   * @param request DER of a PKCS #10
   * @returns the certificate and those above it, PEM
   */
  async finalize({ url, order }: PlacedOrder, request: Uint8Array): Promise<string> {
    const proven = await this.#until(url, readOrder, ['pending'])
    if (proven.status === 'ready') {
      await this.#post(order.finalize, { csr: Buffer.from(request).toString('base64url') })
    }
    const { status, certificate, error } = await this.#until(url, readOrder, ['ready', 'processing'])
    if (status !== 'valid' || certificate === undefined) {
      const why = error === undefined ? `its order is ${status}` : inWords(error)
      throw new AcmeFailure(`The authority signs no certificate: ${why}.`, {
        type: error === undefined ? '' : problemType(error),
      })
    }
    return (await this.#post(certificate, undefined)).body
  }

  async #until<Resource extends { readonly status: string }>(
    url: string,
    read: (text: string) => Resource,
    unsettled: readonly string[],
  ): Promise<Resource> {
    for (let waitMs = lookMs.first; ; waitMs = Math.min(waitMs * 1.5, lookMs.longest)) {
      const reply = await this.#post(url, undefined)
      const resource = read(reply.body)
      if (!unsettled.includes(resource.status)) return resource
      const askedMs = retryAfterMs(reply.headers, Date.now()) ?? 0
      await pause(Math.max(waitMs, Math.min(askedMs, lookMs.longest)), undefined, { signal: this.#signal })
    }
  }

  async #post(url: string, payload: object | undefined, signal = this.#signal): Promise<HttpsReply> {
    for (let tries = 1; ; tries++) {
      const nonce = this.#nonce ?? (await this.#freshNonce(signal))
      this.#nonce = undefined
      const body = this.#key.signed(payload, { url, nonce, account: this.#account })
      const reply = await this.#call(url, { method: 'POST', body, signal })
      this.#keepNonce(reply)
      if (reply.status < 400) return reply
      const failure = failureIn(reply)
      if (failure.type !== 'badNonce' || tries === nonceTriesMax) throw failure
    }
  }

  async #freshNonce(signal: AbortSignal): Promise<string> {
    const { newNonce } = await this.directory()
    const reply = await this.#call(newNonce, { method: 'HEAD', signal })
    this.#keepNonce(reply)
    if (this.#nonce === undefined) throw failureIn(reply)
    return this.#nonce
  }

  #keepNonce({ headers }: HttpsReply): void {
    const nonce = headers['replay-nonce']
    if (typeof nonce === 'string') this.#nonce = nonce
  }

  #call(url: string, call: Omit<HttpsCall, 'trusted'>): Promise<HttpsReply> {
    return httpsCall(url, { ...call, trusted: this.#authority.trusted })
  }
}

const readOrder = (text: string): Order => readResource(Order, text)
const readAuthorization = (text: string): Authorization => readResource(Authorization, text)

/** What an authority says of where its resources are. @throws AcmeFailure */
export async function readDirectory(
  { directory, trusted }: Authority,
  signal: AbortSignal,
): Promise<Directory> {
  const reply = await httpsCall(directory, { method: 'GET', trusted, signal })
  if (reply.status !== 200) throw failureIn(reply)
  return readResource(Directory, reply.body)
}

/** Why a request was not carried out, as the authority says. */
export function failureIn({ status, headers, body }: HttpsReply): AcmeFailure {
  const more = { retryAfterMs: retryAfterMs(headers, Date.now()), isAway: status >= 500 }
  const isTooMany = status === 429
  if (!String(headers['content-type']).startsWith('application/problem+json')) {
    return new AcmeFailure(`The authority answers with status ${status}.`, {
      ...more,
      isRateLimit: isTooMany,
    })
  }
  const problem = readResource(Problem, body)
  const type = problemType(problem)
  return new AcmeFailure(`The authority refuses it: ${inWords(problem) || type || `status ${status}`}.`, {
    ...more,
    type,
    isRateLimit: isTooMany || type === 'rateLimited',
  })
}

function locationIn({ location }: HttpsReply['headers']): string {
  if (location === undefined) throw new AcmeFailure('The authority does not say where it has put something.')
  return location
}
