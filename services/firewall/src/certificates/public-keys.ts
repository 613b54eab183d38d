import { createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto'
import { CertificateUnreadable, orUnreadable } from './certificate-unreadable.ts'
import { type KeyType, keyTypeOf } from './key-type.ts'
import { type PemBlock, pemBlocks, textLengthMax } from './pem.ts'
import { readCertificate } from './read-certificate.ts'
import { readUploadedText } from './uploaded-text.ts'

/** A key with which signatures of JSON Web Tokens are checked. */
export interface PublicKeyDescription {
  /** SubjectPublicKeyInfo as PEM ("PUBLIC KEY"). */
  readonly pem: string
  readonly keyType: KeyType
  /** The "kid" of a JSON Web Key. */
  readonly keyId: string | undefined
  /** The "alg" of a JSON Web Key: the only algorithm that it is for; undefined where it says none. */
  readonly algorithm: string | undefined
  /** Of the certificate, where the key came in one. */
  readonly commonName: string | undefined
  readonly expiry: Date | undefined
}

/** How many keys one text may hold. */
export const publicKeysMax = 100

const privateKeyGiven =
  'The text holds a private or secret key. Expected were public keys alone: this key should be replaced.'
const nothingFound =
  'The text holds no public key. Expected was PEM ("PUBLIC KEY", "RSA PUBLIC KEY" or "CERTIFICATE"), or a JSON Web Key (RFC 7517) or set of them for signatures.'

/**
 * Reads public keys: PEM in all forms of `readUploadedText`, certificates, DER, a JSON Web Key or a set of them. Of a set,
 * keys for encryption and of unknown sorts are passed over, as RFC 7517 (5) has it.
 *
 * @returns at least one key, in the order of the text
 * @throws CertificateUnreadable when there is none, when one of them is damaged, and when one is private
 */
export function readPublicKeys(value: string | Uint8Array): PublicKeyDescription[] {
  const keys = typeof value === 'string' && /^\s*\{/.test(value) ? keysOfJson(value) : keysOfText(value)
  if (keys.length === 0) throw new CertificateUnreadable(nothingFound)
  return keys
}

function keysOfText(value: string | Uint8Array): PublicKeyDescription[] {
  const text = readUploadedText(value)
  if (typeof text !== 'string') return [keyOfDer(text)]
  const blocks = limited(pemBlocks(text))
  if (blocks.some(({ label }) => label.endsWith('PRIVATE KEY')))
    throw new CertificateUnreadable(privateKeyGiven)
  return blocks.flatMap((block) => keyOfBlock(block) ?? [])
}

function keyOfDer(der: Buffer): PublicKeyDescription {
  return isCertificate(der) ? keyOfCertificate(der) : keyOfSpki(der)
}

function isCertificate(der: Buffer): boolean {
  try {
    return new X509Certificate(der).raw.length > 0
  } catch {
    // It may be a bare key, which is tried next.
    return false
  }
}

function keyOfBlock({ label, der }: PemBlock): PublicKeyDescription | undefined {
  if (label.endsWith('CERTIFICATE')) return keyOfCertificate(der)
  if (label === 'PUBLIC KEY') return keyOfSpki(der)
  if (label === 'RSA PUBLIC KEY') return describe(publicKey({ key: der, format: 'der', type: 'pkcs1' }))
  return undefined
}

function keyOfSpki(key: Buffer): PublicKeyDescription {
  return describe(publicKey({ key, format: 'der', type: 'spki' }))
}

function keyOfCertificate(der: Buffer): PublicKeyDescription {
  const { commonName, notAfter, pem } = readCertificate(der)
  return { ...describe(publicKey({ key: pem })), commonName, expiry: notAfter }
}

function keysOfJson(text: string): PublicKeyDescription[] {
  if (text.length > textLengthMax)
    throw new CertificateUnreadable(`The text is longer than ${textLengthMax} characters.`)
  const json: unknown = orUnreadable('The text begins like JSON, but is not.', () => JSON.parse(text))
  const keys = isRecord(json) && Array.isArray(json.keys) ? json.keys : [json]
  return limited(keys).flatMap((key) => keyOfJwk(key) ?? [])
}

function keyOfJwk(jwk: unknown): PublicKeyDescription | undefined {
  if (!isRecord(jwk)) throw new CertificateUnreadable('A key of the set is no JSON object.')
  if (jwk.kty === 'oct' || jwk.d !== undefined) throw new CertificateUnreadable(privateKeyGiven)
  if (jwk.use === 'enc' || !['RSA', 'EC', 'OKP'].includes(String(jwk.kty))) return undefined
  const key = describe(publicKey({ key: jwk as JsonWebKey, format: 'jwk' }))
  const certificate = certificateOfJwk(jwk.x5c)
  if (certificate && certificate.pem !== key.pem) {
    throw new CertificateUnreadable('A JSON Web Key and its certificate ("x5c") are of different keys.')
  }
  return {
    ...(certificate ?? key),
    keyId: typeof jwk.kid === 'string' ? jwk.kid : undefined,
    algorithm: typeof jwk.alg === 'string' ? jwk.alg : undefined,
  }
}

/** "x5c" is a chain, in base64 of DER, whose first certificate is that of the key. */
function certificateOfJwk(chain: unknown): PublicKeyDescription | undefined {
  const first: unknown = Array.isArray(chain) ? chain[0] : undefined
  return typeof first === 'string' ? keyOfCertificate(Buffer.from(first, 'base64')) : undefined
}

function publicKey(input: Parameters<typeof createPublicKey>[0]): KeyObject {
  return orUnreadable('A public key is damaged, or of a sort that is not known.', () =>
    createPublicKey(input),
  )
}

function describe(key: KeyObject): PublicKeyDescription {
  return {
    pem: key.export({ type: 'spki', format: 'pem' }).toString(),
    keyType: keyTypeOf(key),
    keyId: undefined,
    algorithm: undefined,
    commonName: undefined,
    expiry: undefined,
  }
}

function limited<T>(keys: readonly T[]): readonly T[] {
  if (keys.length > publicKeysMax)
    throw new CertificateUnreadable(`The text holds more than ${publicKeysMax} keys.`)
  return keys
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
