import type { ForbiddenAddresses } from './forbidden-addresses.ts'
import type {
  SnapshotCertificateRuleSettings,
  SnapshotClientCertificateSettings,
  SnapshotRevocationListSettings,
  SnapshotStatusResponderSettings,
} from './settings.generated.ts'

/** How clients are met that speak TLS. */
export interface SnapshotTls {
  /** What is shown to clients that ask for no host, or for one that is not among the domains. */
  readonly certificates: readonly SnapshotCertificate[]
  /** What is shown to clients that ask for a host (server name indication, RFC 6066). */
  readonly domains: readonly SnapshotDomain[]
  /** Whether clients are turned away that ask for no host, or for one that is not among the domains. */
  readonly refusesOtherDomains: boolean
  readonly oldestVersion: TlsVersion
  readonly newestVersion: TlsVersion
  /** As OpenSSL names them, with ":" between them; undefined for the TLS library's own choice. */
  readonly ciphers?: string
  /** Present when clients show certificates. */
  readonly clients?: SnapshotClientCertificates
  /** Whether HTTP/2 is offered to clients. */
  readonly offersHttp2: boolean
  /** What browsers are told to remember, as `Strict-Transport-Security` has it. */
  readonly strictTransportSecurity?: string
}

/** A certificate with those above it, and its private key, all PEM. Secret, and so is the snapshot. */
export interface SnapshotCertificate {
  readonly chain: string
  readonly privateKey: string
}

/** The certificates for a server name (SNI). */
export interface SnapshotDomain {
  /** A host, or "*." and a domain for all hosts directly in it. */
  readonly name: string
  readonly certificates: readonly SnapshotCertificate[]
}

/** Which certificates clients have to show. */
export interface SnapshotClientCertificates extends SnapshotClientCertificateSettings {
  /** Those that may have signed them, PEM. */
  readonly authorities: readonly string[]
  /**
   * Lists of revoked certificates, at least one. Who shows one that is on them is refused, and so is everybody about whose certificate, or those
   * above it, no list says anything. Absent where certificates are not looked for in lists.
   */
  readonly revocationLists?: readonly SnapshotRevocationList[]
  /** Who is asked whether the certificate of a client was revoked. Absent where nobody is. */
  readonly statusResponder?: SnapshotStatusResponder
}

/** Who says by OCSP (RFC 6960) whether certificates were revoked. */
export interface SnapshotStatusResponder extends SnapshotStatusResponderSettings {
  /** Whose keys may sign the answers besides the issuer's, PEM. */
  readonly signers: readonly string[]
  /** Where it may not be. */
  readonly forbidden?: ForbiddenAddresses
}

/** A list of revoked certificates (CRL, RFC 5280) that proxies download. */
export interface SnapshotRevocationList extends SnapshotRevocationListSettings {
  readonly name: string
  /** Where the list may not come from. */
  readonly forbidden?: ForbiddenAddresses
}

/** As Node names them. */
export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

/** Lets clients in or keeps them out by the certificate that they show. In the order in which they are tried. */
export interface SnapshotCertificateRule extends SnapshotCertificateRuleSettings {
  readonly name: string
  /** What the subject has to have, by the short names of X.520: CN, OU, O, L, ST, C. In any case; `*` stands for any characters. */
  readonly subject: Readonly<Record<string, string>>
}
