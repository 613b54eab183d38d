import type { SnapshotPlace } from './policy.ts'

/** Requests that need a JSON Web Token (RFC 7519) which one of these keys has signed; without a key, no token is good enough. */
export interface SnapshotTokenProfile extends SnapshotPlace {
  readonly name: string
  readonly keys: readonly SnapshotTokenKey[]
}

/** A key that verifies signatures (RFC 7515): a public one, or a secret that the signer has, too. */
export type SnapshotTokenKey = {
  /** Under which tokens name the key (`kid`); absent for one that is tried for every token that names no other key. */
  readonly keyId?: string
} & (
  | {
      /** SubjectPublicKeyInfo as PEM. */
      readonly publicKey: string
      /** The only algorithm that it verifies, such as `RS256`; absent for all that its sort is for. */
      readonly algorithm?: string
    }
  | {
      /** For the algorithms of HMAC; its UTF-8 is the key. */
      readonly secret: string
    }
)
