import { createHash, X509Certificate } from 'node:crypto'
import {
  DerUnreadable,
  type DerValue,
  derObjectIdentifier,
  derSequence,
  derTag,
  derTime,
  derValues,
} from './der.ts'
import { isSignedBy } from './signature.ts'

/** What an authority says of a certificate (OCSP, RFC 6960). */
export interface CertificateStatus {
  readonly status: 'good' | 'revoked' | 'unknown'
  /** Until when it counts, in milliseconds since 1970; absent where the authority does not say. */
  readonly expiresAt: number | undefined
}

const sha1 = '06052b0e03021a'
const basicResponse = '1.3.6.1.5.5.7.48.1.1'
const ocspSigning = '1.3.6.1.5.5.7.3.9'
/** The clocks of responders may be wrong by so much, in milliseconds. */
const skewMaxMs = 5 * 60_000
/** Without an end an answer has to be newer than this, in milliseconds. */
const freshMs = 60 * 60_000

/**
 * The question about a certificate, DER: `OCSPRequest` with one `CertID` and without a nonce, since many responders give answers that were made
 * before.
 */
export function statusRequest(certificate: X509Certificate, issuer: X509Certificate): Buffer {
  return sequence(sequence(sequence(sequence(certificateId(certificate, issuer)))))
}

/**
 * Reads what a responder has answered.
 *
 * ```
 * OCSPResponse ::= SEQUENCE { responseStatus ENUMERATED, responseBytes [0] { SEQUENCE { type OID, response OCTET STRING } } }
 * BasicOCSPResponse ::= SEQUENCE { tbsResponseData, signatureAlgorithm, signature BIT STRING, certs [0] { SEQUENCE OF Certificate } }
 * ResponseData ::= SEQUENCE { version [0], responderID [1] or [2], producedAt, responses SEQUENCE OF SingleResponse, … }
 * SingleResponse ::= SEQUENCE { certID, status [0] good, [1] revoked or [2] unknown, thisUpdate, nextUpdate [0], … }
 * ```
 *
 * @param signers whose keys sign answers besides the issuer's, and those whom it has certified to sign answers
 * @param now in milliseconds since 1970
 * @throws DerUnreadable where it is no answer that counts; its message says why, without a full stop
 */
export function readStatus(
  bytes: Buffer,
  {
    certificate,
    issuer,
    signers,
  }: {
    readonly certificate: X509Certificate
    readonly issuer: X509Certificate
    readonly signers: readonly X509Certificate[]
  },
  now: number,
): CertificateStatus {
  const [whole] = derValues(bytes)
  const [outcome, wrapped] = derSequence(whole)
  if (outcome?.content.toString('hex') !== '00') throw new DerUnreadable('the responder gives no answer')
  const [type, response] = derSequence(unwrapped(wrapped, 0xa0))
  if (derObjectIdentifier(type) !== basicResponse || response === undefined) {
    throw new DerUnreadable('the answer is of another type')
  }
  const [data, algorithm, signature, certificates] = derSequence([...derValues(response.content)][0])
  if (data === undefined || algorithm === undefined || signature?.tag !== derTag.bitString) {
    throw new DerUnreadable('a part of the answer is missing')
  }
  const signed = { content: data.encoded, algorithm, signature: signature.content.subarray(1) }
  const delegates = certificates === undefined ? [] : delegatedSigners(certificates, issuer, now)
  if (![issuer, ...signers, ...delegates].some(({ publicKey }) => isSignedBy(signed, publicKey))) {
    throw new DerUnreadable('the answer is signed by nobody who may sign it')
  }
  const members = derSequence(data)
  const responses = derSequence(members.find(({ tag }) => tag === derTag.sequence))
  const own = identityOf(derValueOf(certificateId(certificate, issuer)))
  const single = responses.map(derSequence).find(([id]) => identityOf(id) === own)
  if (single === undefined) throw new DerUnreadable('the answer is about another certificate')
  return statusOf(single, now)
}

function statusOf([, status, madeAt, next]: readonly DerValue[], now: number): CertificateStatus {
  if (status === undefined || madeAt === undefined) throw new DerUnreadable('a part of the answer is missing')
  const from = derTime(madeAt)
  const expiresAt = next?.tag === 0xa0 ? derTime(unwrapped(next, 0xa0)) : undefined
  if (from > now + skewMaxMs) throw new DerUnreadable('the answer is of a time to come')
  if ((expiresAt ?? from + freshMs) + skewMaxMs <= now) throw new DerUnreadable('the answer has expired')
  const number = status.tag & 0x1f
  return { status: number === 0 ? 'good' : number === 1 ? 'revoked' : 'unknown', expiresAt }
}

/** Delegated responders: those whom the issuer itself has certified to sign answers (RFC 6960, section 4.2.2.2). */
function delegatedSigners(certificates: DerValue, issuer: X509Certificate, now: number): X509Certificate[] {
  return derSequence(unwrapped(certificates, 0xa0))
    .map(({ encoded }) => new X509Certificate(encoded))
    .filter(
      (one) =>
        one.keyUsage?.includes(ocspSigning) === true &&
        one.checkIssued(issuer) &&
        one.verify(issuer.publicKey) &&
        Date.parse(one.validFrom) <= now &&
        Date.parse(one.validTo) > now,
    )
}

/** Digests of the issuer's name and key, and the serial number: SHA-1, by which every responder knows certificates, and which protects nothing here. */
function certificateId(certificate: X509Certificate, issuer: X509Certificate): Buffer {
  const [content] = derSequence(derValueOf(issuer.raw))
  const members = derSequence(content).filter(({ tag }) => tag !== 0xa0)
  // Serial number, algorithm, issuer, validity, subject, public key.
  const [, , , , subject, publicKey] = members
  const [, key] = derSequence(publicKey)
  if (subject === undefined || key === undefined)
    throw new DerUnreadable('a part of the issuer’s certificate is missing')
  const [own] = derSequence(derValueOf(certificate.raw))
  const [serial] = derSequence(own).filter(({ tag }) => tag !== 0xa0)
  if (serial === undefined) throw new DerUnreadable('a part of the certificate is missing')
  return sequence(
    sequence(Buffer.from(sha1, 'hex'), Buffer.from('0500', 'hex')),
    digestOctets(subject.encoded),
    digestOctets(key.content.subarray(1)),
    serial.encoded,
  )
}

/** A `CertID` in one spelling: authorities write the parameters of the digest in two ways. */
function identityOf(id: DerValue | undefined): string {
  const [algorithm, ...rest] = derSequence(id)
  return [
    derObjectIdentifier(derSequence(algorithm)[0]),
    ...rest.map(({ content }) => content.toString('hex')),
  ].join(' ')
}

function derValueOf(bytes: Buffer): DerValue {
  const [value] = derValues(bytes)
  if (value === undefined) throw new DerUnreadable('it is no DER')
  return value
}

function unwrapped(value: DerValue | undefined, tag: number): DerValue {
  if (value?.tag !== tag) throw new DerUnreadable('a part of the answer is missing')
  return derValueOf(value.content)
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return encode(derTag.sequence, Buffer.concat(parts))
}

/** The SHA-1 of the bytes, as OCTET STRING. */
function digestOctets(bytes: Buffer): Buffer {
  return encode(0x04, createHash('sha1').update(bytes).digest())
}

function encode(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
