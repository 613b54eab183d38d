import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

/** What an authority has given a client of its outside of ACME, to tell whose account it is (RFC 8555, section 7.3.4). */
export interface ExternalAccount {
  readonly keyId: string
  /** Base64url, as authorities show it. */
  readonly hmacKey: string
}

/** An ECDSA key on P-256 by which an authority knows its client. It signs requests as JWS (RFC 7515) with ES256. */
export class AccountKey {
  readonly #key: KeyObject
  readonly #jwk: { readonly crv: string; readonly kty: string; readonly x: string; readonly y: string }

  /** @param pem PKCS #8 */
  constructor(pem: string) {
    this.#key = createPrivateKey(pem)
    const { crv = '', kty = '', x = '', y = '' } = createPublicKey(this.#key).export({ format: 'jwk' })
    // In the order that thumbprints want.
    this.#jwk = { crv, kty, x, y }
  }

  /**
   * A signed request (RFC 8555, section 6.2).
   *
   * @param payload undefined for a request that only reads
   * @param account the address of the account; the key itself is sent where there is none yet
   */
  signed(
    payload: object | undefined,
    {
      url,
      nonce,
      account,
    }: { readonly url: string; readonly nonce: string; readonly account: string | undefined },
  ): string {
    const key = account === undefined ? { jwk: this.#jwk } : { kid: account }
    const protectedHeader = encoded({ alg: 'ES256', nonce, url, ...key })
    const body = payload === undefined ? '' : encoded(payload)
    const signature = sign('sha256', Buffer.from(`${protectedHeader}.${body}`), {
      key: this.#key,
      dsaEncoding: 'ieee-p1363',
    })
    return JSON.stringify({
      protected: protectedHeader,
      payload: body,
      signature: signature.toString('base64url'),
    })
  }

  /** Binds the key to an account that the authority knows already. @param url where accounts are made */
  boundTo({ keyId, hmacKey }: ExternalAccount, url: string): object {
    const protectedHeader = encoded({ alg: 'HS256', kid: keyId, url })
    const payload = encoded(this.#jwk)
    const signature = createHmac('sha256', Buffer.from(hmacKey, 'base64url'))
      .update(`${protectedHeader}.${payload}`)
      .digest('base64url')
    return { protected: protectedHeader, payload, signature }
  }

  /** What a challenge is answered with (RFC 8555, section 8.1): its token and the key's thumbprint (RFC 7638). */
  authorization(token: string): string {
    const thumbprint = createHash('sha256').update(JSON.stringify(this.#jwk)).digest('base64url')
    return `${token}.${thumbprint}`
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
