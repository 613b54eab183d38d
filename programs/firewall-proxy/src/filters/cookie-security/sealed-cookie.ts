import { createHash } from 'node:crypto'
import type { SnapshotCookieSecurity } from '@palisade/proxy-protocol'
import { headersOf } from '../../exchange/client-message.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValues } from '../../exchange/headers.ts'
import { areSameBytes } from '../same-bytes.ts'
import type { Sealer } from '../sealer.ts'
import { scopesFor } from './cookie-scope.ts'

/** How encrypted values begin, and names of cookies that sign others. */
export const sealedValuePrefix = '~ps~'
/** The cookie beside a signed one has its name behind this. */
export const signaturePrefix = '_ps_'

/** Which cookie it is, and for which hosts, as `scopeOf` says it. */
interface CookiePlace {
  readonly name: string
  readonly scope: string
}

/** What was sealed with a cookie: when, for whom, and its value or the digest of that. */
type SealedFacts = readonly [issuedSeconds: number, address: string, headers: string, content: string]

/** Why a cookie is not taken, as policies name it. */
export type CookieProblem =
  | 'cookie-tampered'
  | 'cookie-expired'
  | 'mismatched-ip-cookie-replay-attack'
  | 'mismatched-header-cookie-replay-attack'

/** Seals cookies for the client of a request, and opens what comes back. */
export class CookieSeal {
  readonly #settings: SnapshotCookieSecurity
  readonly #sealer: Sealer
  readonly #application: string

  /** @param application for which alone the cookies are good */
  constructor(settings: SnapshotCookieSecurity, sealer: Sealer, application: string) {
    this.#settings = settings
    this.#sealer = sealer
    this.#application = application
  }

  /** @returns the value that the client gets in the place of a cookie's own */
  encrypted({ name, scope }: CookiePlace, value: string, exchange: Exchange): string {
    return sealedValuePrefix + this.#seal(this.#context(name, scope), value, exchange)
  }

  /** @returns the value of the cookie that signs another */
  signature({ name, scope }: CookiePlace, value: string, exchange: Exchange): string {
    return this.#seal(this.#context(signaturePrefix + name, scope), digest(value), exchange)
  }

  /** @param sealed with its prefix @returns the plain value */
  decrypted(
    name: string,
    sealed: string,
    exchange: Exchange,
  ): { value: string } | { problem: CookieProblem } {
    const opened = this.#open(name, sealed.slice(sealedValuePrefix.length), exchange)
    return 'problem' in opened ? opened : { value: opened.content }
  }

  /** @returns why a signed cookie is not taken; undefined when it is as it was set */
  problemOf(name: string, value: string, signature: string, exchange: Exchange): CookieProblem | undefined {
    const opened = this.#open(signaturePrefix + name, signature, exchange)
    if ('problem' in opened) return opened.problem
    const isSame = areSameBytes(Buffer.from(opened.content), Buffer.from(digest(value)))
    return isSame ? undefined : 'cookie-tampered'
  }

  #context(name: string, scope: string): string {
    return JSON.stringify([this.#application, scope, name])
  }

  #seal(context: string, content: string, exchange: Exchange): string {
    const facts: SealedFacts = [
      Math.floor(exchange.runtime.now() / 1000),
      this.#addressOf(exchange),
      this.#headersOf(exchange),
      content,
    ]
    return this.#sealer.seal(JSON.stringify(facts), context)
  }

  #open(name: string, token: string, exchange: Exchange): { content: string } | { problem: CookieProblem } {
    const text = this.#opened(name, token, exchange)
    if (text === undefined) return { problem: 'cookie-tampered' }
    const [issuedSeconds, address, headers, content] = JSON.parse(text) as SealedFacts
    const { ageMaxSeconds } = this.#settings
    const ageSeconds = exchange.runtime.now() / 1000 - issuedSeconds
    if (ageMaxSeconds > 0 && ageSeconds > ageMaxSeconds) return { problem: 'cookie-expired' }
    if (address !== this.#addressOf(exchange)) return { problem: 'mismatched-ip-cookie-replay-attack' }
    if (headers !== this.#headersOf(exchange)) return { problem: 'mismatched-header-cookie-replay-attack' }
    return { content }
  }

  #opened(name: string, token: string, exchange: Exchange): string | undefined {
    for (const scope of scopesFor(exchange)) {
      const text = this.#sealer.open(token, this.#context(name, scope))
      if (text !== undefined) return text
    }
    return undefined
  }

  #addressOf({ clientAddress }: Exchange): string {
    return this.#settings.bindsToAddress ? clientAddress : ''
  }

  #headersOf({ request }: Exchange): string {
    const names = this.#settings.bindsToHeaders
    if (names.length === 0) return ''
    return digest(JSON.stringify(names.map((name) => headerValues(headersOf(request), name))))
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
