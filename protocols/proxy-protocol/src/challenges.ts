import type { SnapshotCertificate } from './tls.ts'

/**
 * What certificate authorities are to be answered, at whatever listener they ask, so that they see who holds a name. For the minutes
 * that an order takes.
 */
export interface SnapshotChallenges {
  /** Asked for over HTTP at `/.well-known/acme-challenge/` and the token (RFC 8555, section 8.3). */
  readonly http: readonly SnapshotHttpChallenge[]
  /** Asked for in a handshake for the protocol `acme-tls/1` (RFC 8737). */
  readonly tls: readonly SnapshotTlsChallenge[]
}

/** A pending http-01 challenge. */
export interface SnapshotHttpChallenge {
  readonly token: string
  /** The body of the answer. */
  readonly keyAuthorization: string
}

/** A pending tls-alpn-01 challenge. */
export interface SnapshotTlsChallenge {
  /** The host that is asked for, in lower case. */
  readonly name: string
  /** What proves to the authority that the name is held; no client trusts it. */
  readonly certificate: SnapshotCertificate
}
