import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto'
import { CertificateUnreadable } from './certificate-unreadable.ts'
import { curves, keyTypeOf } from './key-type.ts'

/** A key pair as the library for certificates takes it, and how it signs. */
export interface SigningKeys {
  readonly keys: webcrypto.CryptoKeyPair
  readonly algorithm: { readonly name: string; readonly namedCurve?: string; readonly hash: string }
}

/** The curve's name in the Web Cryptography API, and the hash of the same strength. */
const curveAlgorithms: Readonly<Record<string, { namedCurve: string; hash: string }>> = {
  secp256r1: { namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { namedCurve: 'P-521', hash: 'SHA-512' },
} satisfies Record<keyof typeof curves, object>

/**
 * Makes a private key ready for signing certificates and requests: RSA with SHA-256 (PKCS #1 v1.5), or ECDSA.
 *
 * @throws CertificateUnreadable when the key is of another sort
 */
export function signingKeys(privateKey: KeyObject): SigningKeys {
  const algorithm = algorithmOf(privateKey)
  return {
    keys: {
      privateKey: privateKey.toCryptoKey(algorithm, false, ['sign']),
      publicKey: createPublicKey(privateKey).toCryptoKey(algorithm, true, ['verify']),
    },
    algorithm,
  }
}

function algorithmOf(privateKey: KeyObject): SigningKeys['algorithm'] {
  const keyType = keyTypeOf(privateKey)
  if (keyType.type === 'RSA') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const curve = keyType.type === 'ECDSA' ? curveAlgorithms[keyType.curve] : undefined
  if (curve) return { name: 'ECDSA', ...curve }
  throw new CertificateUnreadable(
    `The private key cannot sign here. Expected was an RSA key, or an ECDSA key on ${Object.keys(curves).join(', ')}.`,
  )
}
