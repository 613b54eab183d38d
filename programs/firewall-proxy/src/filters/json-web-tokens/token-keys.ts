import { createPublicKey, createSecretKey } from 'node:crypto'
import type { SnapshotTokenKey } from '@palisade/proxy-protocol'
import type { FetchedKeys } from './fetched-keys.ts'
import { fitsAlgorithm, isSignedBy } from './signature-algorithms.ts'
import type { TokenKey } from './token-key.ts'

/** The keys of a profile: what a token says of its key only chooses among them. */
export class TokenKeys {
  readonly #given: readonly TokenKey[]
  /** Undefined where no keys are fetched. */
  readonly fetched: FetchedKeys | undefined

  constructor(given: readonly SnapshotTokenKey[], fetched?: FetchedKeys) {
    this.#given = given.flatMap((one) => keyOf(one) ?? [])
    this.fetched = fetched
  }

  /**
   * Why a signature is that of no key: a part of a sentence; undefined where it is one's.
   *
   * @param nowMs in milliseconds since 1970
   * @param keyId as the token names its key: one of that name alone is tried, or where there is none, those without names
   */
  problemOf(
    { algorithm, keyId }: { readonly algorithm: string; readonly keyId: string | undefined },
    signed: Buffer,
    signature: Buffer,
    nowMs: number,
  ): string | undefined {
    const keys = [...this.#given, ...(this.fetched?.keysAt(nowMs) ?? [])]
    const keysOfId = keyId === undefined ? keys : keys.filter((one) => one.keyId === keyId)
    const possible = keysOfId.length > 0 ? keysOfId : keys.filter((one) => one.keyId === undefined)
    if (possible.length === 0) return 'names a key that is not known'
    const fitting = possible.filter(
      ({ key, algorithm: only }) =>
        (only === undefined || only === algorithm) && fitsAlgorithm(algorithm, key),
    )
    if (fitting.length === 0) return 'is signed by an algorithm for which there is no key'
    const isSigned = fitting.some(({ key }) => isSignedBy(key, algorithm, signed, signature))
    return isSigned ? undefined : 'has a signature of no key that is known'
  }
}

/** Undefined for a key of which no OpenSSL here makes anything: it verifies nothing. */
function keyOf(given: SnapshotTokenKey): TokenKey | undefined {
  const { keyId } = given
  if ('secret' in given) {
    return { key: createSecretKey(Buffer.from(given.secret, 'utf8')), keyId, algorithm: undefined }
  }
  try {
    return { key: createPublicKey(given.publicKey), keyId, algorithm: given.algorithm }
  } catch {
    return undefined
  }
}
