import { constants, createHmac, type KeyObject, verify } from 'node:crypto'
import { areSameBytes } from '../same-bytes.ts'

/** Verifies a signature. */
type Verification = (key: KeyObject, signed: Buffer, signature: Buffer) => boolean

/** An algorithm of JSON Web Signatures (RFC 7518, section 3; RFC 8037 for `EdDSA`). */
interface SignatureAlgorithm {
  /** Whether a key is of its sort: an algorithm that a token names must not make another sort of key out of one. */
  readonly fits: (key: KeyObject) => boolean
  readonly verifies: Verification
}

/** RFC 7518, section 3.3. */
const rsaBitsMin = 2_048

const hashes = ['sha256', 'sha384', 'sha512'] as const

/** All that are verified, by the name that tokens have for them; `none` is none of them. */
const algorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ...hashes.flatMap((hash): [string, SignatureAlgorithm][] => {
    const bits = hash.slice('sha'.length)
    return [
      [`HS${bits}`, { fits: isSecret, verifies: hmac(hash) }],
      [`RS${bits}`, { fits: (key) => isRsa(key, 'rsa'), verifies: (...given) => isSignedRs(hash, ...given) }],
      [
        `PS${bits}`,
        {
          fits: (key) => isRsa(key, 'rsa') || isRsa(key, 'rsa-pss'),
          verifies: (...given) => isSignedPs(hash, ...given),
        },
      ],
    ]
  }),
  ...(
    [
      ['ES256', 'prime256v1', 'sha256'],
      ['ES384', 'secp384r1', 'sha384'],
      ['ES512', 'secp521r1', 'sha512'],
    ] as const
  ).map(([name, curve, hash]): [string, SignatureAlgorithm] => [
    name,
    { fits: (key) => isOnCurve(key, curve), verifies: (...given) => isSignedEs(hash, ...given) },
  ]),
  ['EdDSA', { fits: isEdwards, verifies: isSignedEd }],
  ['Ed25519', { fits: (key) => key.asymmetricKeyType === 'ed25519', verifies: isSignedEd }],
])

/** Whether a key is for an algorithm. @param name as a token names it */
export function fitsAlgorithm(name: string, key: KeyObject): boolean {
  return algorithms.get(name)?.fits(key) === true
}

/** Whether the signature is that of the key. @param name an algorithm that the key fits */
export function isSignedBy(key: KeyObject, name: string, signed: Buffer, signature: Buffer): boolean {
  const algorithm = algorithms.get(name)
  try {
    return algorithm?.fits(key) === true && algorithm.verifies(key, signed, signature)
  } catch {
    // OpenSSL fails for some signatures that have not the length of the key, which is an answer.
    return false
  }
}

function isSecret(key: KeyObject): boolean {
  return key.type === 'secret'
}

function isRsa({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, type: 'rsa' | 'rsa-pss'): boolean {
  return asymmetricKeyType === type && (asymmetricKeyDetails?.modulusLength ?? 0) >= rsaBitsMin
}

function isOnCurve({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, curve: string): boolean {
  return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === curve
}

function isEdwards({ asymmetricKeyType }: KeyObject): boolean {
  return asymmetricKeyType === 'ed25519' || asymmetricKeyType === 'ed448'
}

function hmac(hash: string): Verification {
  return (key, signed, signature) => {
    return areSameBytes(createHmac(hash, key).update(signed).digest(), signature)
  }
}

function isSignedRs(hash: string, key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  return verify(hash, signed, { key, padding: constants.RSA_PKCS1_PADDING }, signature)
}

/** The salt is as long as the digest. */
function isSignedPs(hash: string, key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  const padding = constants.RSA_PKCS1_PSS_PADDING
  return verify(hash, signed, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }, signature)
}

/** Two numbers of fixed length, not DER. */
function isSignedEs(hash: string, key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  return verify(hash, signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

function isSignedEd(key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  return verify(null, signed, key, signature)
}
