import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { AddressGuard, type ForbiddenAddresses } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { LRUCache } from 'lru-cache'
import type { CustomFetch } from 'openid-client'
import { ProviderUnavailable, providerFetch } from '../authentication/provider-fetch.ts'
import type { TokenKey } from './token-key.ts'

/** After this time keys are fetched anew, while the old ones still count. */
const freshMs = 10 * 60_000

/** So long nothing is fetched again: tokens that name invented keys must not have each request ask the issuer. */
const pauseMs = 30_000

/** How long the last good keys count while none can be fetched. It has an end, since the issuer may have withdrawn them. */
const usableMs = 24 * 60 * 60_000

const timeoutMs = 5_000

/** So many keys of one set are read. */
const keysMax = 100

/** How many addresses a worker remembers the keys of; those asked for longest ago are forgotten. */
const addressesMax = 256

const byAddress = new LRUCache<string, FetchedKeys>({ max: addressesMax })

/**
 * The keys of an address, from one snapshot to the next: a change of the configuration must not lose keys whose issuer is away.
 *
 * @param url over HTTPS
 */
export function fetchedKeysOf(url: string, forbidden?: ForbiddenAddresses): FetchedKeys {
  const name = JSON.stringify([url, forbidden])
  const keys = byAddress.get(name) ?? new FetchedKeys(url, providerFetch(new AddressGuard(forbidden)))
  byAddress.set(name, keys)
  return keys
}

/** The keys of a JSON Web Key Set (RFC 7517) that is fetched, and fetched anew. */
export class FetchedKeys {
  readonly #url: string
  readonly #fetch: CustomFetch
  #keys: readonly TokenKey[] = []
  #fetchedAt = Number.NEGATIVE_INFINITY
  #askedAt = Number.NEGATIVE_INFINITY
  #request: Promise<void> | undefined
  #problem = ''
  #version = 0

  constructor(url: string, fetch: CustomFetch) {
    this.#url = url
    this.#fetch = fetch
  }

  /** Another number whenever the keys are others. */
  get version(): number {
    return this.#version
  }

  /** Why the keys could not be fetched the last time: a sentence; empty where they could. */
  get problem(): string {
    return this.#problem
  }

  /** The keys that count now. Has them fetched anew in the background when they are old. @param now in milliseconds since 1970 */
  keysAt(now: number): readonly TokenKey[] {
    const age = now - this.#fetchedAt
    if (age > freshMs) void this.renewed(now)
    if (age > usableMs && this.#keys.length > 0) this.#take([])
    return this.#keys
  }

  /** Ends when the keys were fetched anew, or could not be; undefined where that was tried a moment ago. */
  renewed(now: number): Promise<void> | undefined {
    if (this.#request !== undefined) return this.#request
    if (Math.abs(now - this.#askedAt) < pauseMs) return undefined
    this.#askedAt = now
    this.#request = this.#renew(now).finally(() => {
      this.#request = undefined
    })
    return this.#request
  }

  async #renew(now: number): Promise<void> {
    try {
      const keys = await this.#fetched()
      this.#fetchedAt = now
      this.#problem = ''
      this.#take(keys)
    } catch (error) {
      const reason = error instanceof ProviderUnavailable ? error.message : `${describe(error)}.`
      this.#problem = `The keys of ${this.#url} could not be fetched: ${reason}`
    }
  }

  #take(keys: readonly TokenKey[]): void {
    this.#keys = keys
    this.#version++
  }

  /** A redirect is not followed: it is an answer without keys. */
  async #fetched(): Promise<readonly TokenKey[]> {
    const response = await this.#fetch(this.#url, {
      method: 'GET',
      headers: { accept: 'application/jwk-set+json, application/json' },
      body: undefined,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status !== 200)
      throw new ProviderUnavailable(`The answer has the status ${response.status}.`)
    const keys = keysIn(await response.text())
    if (keys.length === 0) throw new ProviderUnavailable('The answer holds no public key for signatures.')
    return keys
  }
}

/** Keys for encryption, of unknown sorts, damaged or secret ones are passed over (RFC 7517, section 5). */
function keysIn(text: string): TokenKey[] {
  let set: unknown
  try {
    set = JSON.parse(text)
  } catch {
    throw new ProviderUnavailable('The answer is not JSON.')
  }
  const keys: unknown = Object(set).keys
  if (!Array.isArray(keys)) throw new ProviderUnavailable('The answer is no JSON Web Key Set.')
  return keys.slice(0, keysMax).flatMap((jwk: unknown) => keyIn(Object(jwk)) ?? [])
}

function keyIn(jwk: JsonWebKey): TokenKey | undefined {
  if (jwk.kty === 'oct' || jwk.d !== undefined || jwk.use === 'enc') return undefined
  try {
    return {
      key: createPublicKey({ key: jwk, format: 'jwk' }),
      keyId: typeof jwk.kid === 'string' ? jwk.kid : undefined,
      algorithm: typeof jwk.alg === 'string' ? jwk.alg : undefined,
    }
  } catch {
    return undefined
  }
}
