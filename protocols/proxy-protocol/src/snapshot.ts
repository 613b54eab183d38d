import type { SnapshotAuthentication } from './authentication.ts'
import type { SnapshotBalancing, SnapshotContentRule, SnapshotServer } from './balancing.ts'
import type { SnapshotChallenges } from './challenges.ts'
import type { SnapshotChecks } from './checks.ts'
import type { SnapshotCookieSecurity } from './cookies.ts'
import type { SnapshotForms } from './forms.ts'
import type { SnapshotPolicy } from './policy.ts'
import type { SnapshotRewriting, SnapshotUrlEncryption } from './rewriting.ts'
import type {
  SnapshotCaching,
  SnapshotClientConnections,
  SnapshotCompression,
  SnapshotLogging,
  SnapshotStoredTraffic,
} from './settings.generated.ts'
import type { SnapshotCertificateRule, SnapshotTls } from './tls.ts'

/**
 * What proxies have to do, as a whole. A proxy takes a snapshot or leaves it; it never takes a part. Snapshots travel
 * and rest as JSON.
 */
export interface ProxySnapshot {
  /** See `snapshotFormat`; 1 when absent. */
  readonly format?: number
  /** The number of the newest change that it contains. Numbers grow, and start again in a new installation. */
  readonly version: number
  /** Tells snapshots apart: two with the same digest say the same, whatever their versions. */
  readonly digest: string
  /** By name, each once. No two share an address and a port. */
  readonly services: readonly SnapshotService[]
  /** By their digests, those that services name. */
  readonly policies?: Readonly<Record<string, SnapshotPolicy>>
  /** Present while an authority is asked for certificates. */
  readonly challenges?: SnapshotChallenges
}

/** A service that is switched on and that proxies know how to carry. */
export interface SnapshotService extends SnapshotClientConnections, SnapshotLogging {
  readonly name: string
  /** The addresses at which clients come: an IPv4 or IPv6 address of this machine, and a TCP port. */
  readonly address: string
  readonly port: number
  /** `redirect` answers every request with the same address over HTTPS. */
  readonly does: 'forward' | 'redirect'
  /** Present when clients speak TLS. */
  readonly tls?: SnapshotTls
  readonly inspection: SnapshotInspection
  /** In the order in which they are tried; absent when clients' certificates decide nothing. */
  readonly certificateRules?: readonly SnapshotCertificateRule[]
  /** The digest of the policy that its requests are checked against; absent when it is not inspected. */
  readonly policy?: string
  /** What it says itself about the checks of its requests; absent when it is not inspected. */
  readonly checks?: SnapshotChecks
  readonly servers: readonly SnapshotServer[]
  readonly balancing: SnapshotBalancing
  /** In the order in which they are tried. */
  readonly contentRules: readonly SnapshotContentRule[]
  /** Present when clients that are too slow are sent away. */
  readonly slowClients?: SlowClientLimits
  /**
   * The application for which alone links and cookies are sealed: services with the same one take each other's. The name of the service where
   * absent.
   */
  readonly application?: string
  /** Present when people have to log in. */
  readonly authentication?: SnapshotAuthentication
  /** Present when links are encrypted. */
  readonly urlEncryption?: SnapshotUrlEncryption
  /** Present when forms are sealed. */
  readonly forms?: SnapshotForms
  /** Present when requests or answers are rewritten. */
  readonly rewriting?: SnapshotRewriting
  /** Present when cookies are protected. */
  readonly cookieSecurity?: SnapshotCookieSecurity
  /** Present when answers are compressed. */
  readonly compression?: SnapshotCompression
  /** Present when answers are kept for further clients. */
  readonly caching?: SnapshotCaching
  /** Present when a sample of its requests is kept to be judged again. */
  readonly storedTraffic?: SnapshotStoredTraffic
}

/** Whether the rules run, and what follows. */
export interface SnapshotInspection {
  /** `off`: not inspected; `passive`: what is found is logged; `active`: it is blocked as well. */
  readonly mode: 'off' | 'passive' | 'active'
}

/**
 * How slow a client may be. It has `incremental` seconds and one more for each `bytesPerSecond` that it has moved,
 * `max` seconds at most, where 0 is no limit.
 */
export interface SlowClientLimits {
  readonly bytesPerSecond: number
  readonly request: SlowClientTimeouts
  readonly response: SlowClientTimeouts
  /** Clients that may take their time: addresses, ranges with "-" and networks with "/". */
  readonly exceptions: readonly string[]
}

/** The seconds that a client has, and how they grow. */
export interface SlowClientTimeouts {
  readonly incrementalSeconds: number
  readonly maxSeconds: number
}
