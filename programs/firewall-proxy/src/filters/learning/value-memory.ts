import { createHmac } from 'node:crypto'
import { type LearntValue, learntMax } from '@palisade/proxy-protocol'
import { LRUCache } from 'lru-cache'

/** How many values are remembered, each with one client that sent it. */
const valuesMax = 10_000

/** Values that a form offers: a word or a small number. What people type is mostly something else. */
const offered = /^(?:[A-Za-z][A-Za-z_.:-]{0,31}|\d{1,3})$/

/** Names of parameters that may hold secrets; their values are never kept, whatever they look like. */
export const secretName =
  /pass|pwd|^pw?$|secret|token|auth|credential|session|signature|^pin$|otp|csrf|nonce|cvc|cvv|card|iban|ssn|key$/i

/**
 * Tells values apart without keeping them. A value is told in clear text only when a second client sends the same, and when it looks like
 * one that a form offers. Values of secrets are not to come here.
 */
export class ValueMemory {
  readonly #key: Buffer
  readonly #clients = new LRUCache<string, string>({ max: valuesMax })

  /** @param key in base64url */
  constructor(key: string) {
    this.#key = Buffer.from(key, 'base64url')
  }

  /** Undefined for a value that is too long to be told apart from others. */
  learn(name: string, value: string, client: string): LearntValue | undefined {
    if (value.length > learntMax.valueLength) return undefined
    const digest = createHmac('sha256', this.#key)
      .update(JSON.stringify([name, value]))
      .digest('base64url')
      .slice(0, 11)
    const first = this.#clients.get(digest)
    if (first === undefined) this.#clients.set(digest, client)
    const isShared = first !== undefined && first !== client
    return isShared && offered.test(value) ? { digest, value } : { digest }
  }
}
