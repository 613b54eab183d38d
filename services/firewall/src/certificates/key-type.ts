import type { KeyObject } from 'node:crypto'

/** The sort of a key, in the words of the API. */
export type KeyType =
  | { readonly type: 'RSA'; readonly bits: number }
  | { readonly type: 'ECDSA'; readonly curve: string }
  /** Node's name of it, such as "ed25519" or "rsa-pss"; it can be read, but is not made here. */
  | { readonly type: 'other'; readonly name: string }

/** The curves by the names of SEC 2, which the API uses, with those of Node. */
export const curves = { secp256r1: 'prime256v1', secp384r1: 'secp384r1', secp521r1: 'secp521r1' } as const

/** The sort of a private or public key. */
export function keyTypeOf(key: KeyObject): KeyType {
  const { asymmetricKeyType: name = 'unknown', asymmetricKeyDetails: details = {} } = key
  if (name === 'rsa') return { type: 'RSA', bits: details.modulusLength ?? 0 }
  if (name === 'ec') return { type: 'ECDSA', curve: curveName(details.namedCurve) }
  return { type: 'other', name }
}

/** A curve of no name is one whose numbers are written out in the key. */
function curveName(nodeName = 'unnamed'): string {
  const curve = Object.entries(curves).find(([, name]) => name === nodeName)
  return curve?.[0] ?? nodeName
}
