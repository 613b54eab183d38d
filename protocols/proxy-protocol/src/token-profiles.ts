import type { ForbiddenAddresses } from './forbidden-addresses.ts'
import type { SnapshotPlace } from './policy.ts'

/** Requests that need a JSON Web Token (RFC 7519) which one of these keys has signed; without a key, no token is good enough. */
export interface SnapshotTokenProfile extends SnapshotPlace {
  readonly name: string
  readonly keys: readonly SnapshotTokenKey[]
  /** Present where further keys are fetched. */
  readonly fetchedKeys?: {
    /** Of a JSON Web Key Set (RFC 7517), over HTTPS. */
    readonly url: string
    readonly forbidden?: ForbiddenAddresses
  }
  /** Present where an endpoint says which tokens are good, and no key does. */
  readonly introspection?: SnapshotIntrospection
}

/** An endpoint that is asked about tokens (RFC 7662). */
export interface SnapshotIntrospection {
  /** Over HTTPS. */
  readonly endpoint: string
  readonly verifiesCertificate: boolean
  /** The parameter that holds the token. */
  readonly tokenParameter: string
  /** Further ones, as in a query. */
  readonly moreParameters: string
  /** The header by which the proxy proves who it is; absent for none. */
  readonly authorization?: string
  /** How many tokens are remembered that are good; 0 for none. */
  readonly rememberedMax: number
  readonly forbidden?: ForbiddenAddresses
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
