import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { describe } from '@palisade/start-up'
import { DerUnreadable, type DerValue, derSequence, derTag, derTime, derValues } from './der.ts'
import { isSignedBy, type SignedData } from './signature.ts'

/**
 * A list of revoked certificates (CRL; RFC 5280, section 5). OpenSSL judges certificates by it; this reads what OpenSSL tells nobody.
 *
 * ```
 * CertificateList ::= SEQUENCE {
 *   tbsCertList SEQUENCE {
 *     version INTEGER OPTIONAL, signature SEQUENCE, issuer SEQUENCE, thisUpdate Time, nextUpdate Time OPTIONAL,
 *     revokedCertificates SEQUENCE OF SEQUENCE { userCertificate INTEGER, … } OPTIONAL, crlExtensions [0] OPTIONAL },
 *   signatureAlgorithm SEQUENCE, signatureValue BIT STRING }
 * ```
 */
export class CertificateList {
  /** DER. */
  readonly bytes: Buffer
  /** When it was made, in milliseconds since 1970. */
  readonly madeAt: number
  /** When a newer one will be there, at the latest; absent where the authority does not say. */
  readonly expiresAt: number | undefined
  readonly #signed: SignedData
  readonly #revoked: Buffer

  /** @param bytes DER, or PEM @throws DerUnreadable; its message says what is wrong, without a full stop */
  constructor(bytes: Buffer) {
    this.bytes = derOf(bytes)
    const [whole] = derValues(this.bytes)
    const [content, algorithm, signature] = derSequence(whole)
    if (content === undefined || algorithm === undefined || signature?.tag !== derTag.bitString) {
      throw new DerUnreadable('a part is missing')
    }
    this.#signed = { content: content.encoded, algorithm, signature: signature.content.subarray(1) }
    const members = derSequence(content)
    if (members[0]?.tag === derTag.integer) members.shift()
    const [, , made, next, ...rest] = members
    if (made === undefined || !isTime(made)) throw new DerUnreadable('it does not say when it was made')
    this.madeAt = derTime(made)
    this.expiresAt = next !== undefined && isTime(next) ? derTime(next) : undefined
    const revoked = [next, ...rest].find((one) => one?.tag === derTag.sequence)
    this.#revoked = revoked?.content ?? Buffer.alloc(0)
    this.#refuseUnloadable()
  }

  /** Whether it counts no more. @param now in milliseconds since 1970 */
  hasExpired(now: number): boolean {
    return this.expiresAt !== undefined && this.expiresAt <= now
  }

  /** PEM, as OpenSSL takes it. */
  get pem(): string {
    const lines = this.bytes.toString('base64').match(/.{1,64}/g) ?? []
    return ['-----BEGIN X509 CRL-----', ...lines, '-----END X509 CRL-----', ''].join('\n')
  }

  /** Which of the authorities has signed it. @param authorities PEM */
  issuerAmong(authorities: readonly string[]): X509Certificate | undefined {
    return authorities
      .map((authority) => new X509Certificate(authority))
      .find(({ publicKey }) => isSignedBy(this.#signed, publicKey))
  }

  /** Which of these serial numbers are on it. They are hexadecimal digits as {@link serialDigits} has them. */
  revokedAmong(serials: ReadonlySet<string>): ReadonlySet<string> {
    const revoked = new Set<string>()
    for (const entry of derValues(this.#revoked)) {
      const [serial] = derValues(entry.content)
      const digits = serialDigits(serial?.content.toString('hex') ?? '')
      if (serials.has(digits)) revoked.add(digits)
    }
    return revoked
  }

  #refuseUnloadable(): void {
    try {
      createSecureContext({ crl: this.pem })
    } catch (error) {
      throw new DerUnreadable(`OpenSSL does not take it: ${describe(error)}`)
    }
  }
}

/** One spelling of a serial number in hexadecimal digits. */
export function serialDigits(hexadecimal: string): string {
  return hexadecimal.replace(/^0+/, '').toUpperCase()
}

function isTime({ tag }: DerValue): boolean {
  return tag === derTag.utcTime || tag === derTag.generalizedTime
}

function derOf(bytes: Buffer): Buffer {
  const [, base64] =
    /-----BEGIN X509 CRL-----([A-Za-z0-9+/=\s]+)-----END X509 CRL-----/.exec(bytes.toString('latin1')) ?? []
  return base64 === undefined ? bytes : Buffer.from(base64, 'base64')
}
