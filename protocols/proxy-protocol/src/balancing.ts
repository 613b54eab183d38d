import type { ForbiddenAddresses } from './forbidden-addresses.ts'
import type { SnapshotRuleChecks } from './rule-checks.ts'
import type {
  SnapshotCaching,
  SnapshotCompression,
  SnapshotFailureLimits,
  SnapshotServerConnections,
  SnapshotServerTlsSettings,
} from './settings.generated.ts'
import type { SnapshotCertificate, TlsVersion } from './tls.ts'

/** How requests are spread over the servers of a service or content rule, and clients bound to one of them. */
export interface SnapshotBalancing {
  /** `least-requests`: the server with the fewest requests under way gets the next. */
  readonly algorithm: 'round-robin' | 'weighted-round-robin' | 'least-requests'
  /** Present when clients stay with a server. */
  readonly persistence?: SnapshotPersistence
  /** What a client gets whose server cannot be used: another server, or an error. */
  readonly whenServerFails: 'another' | 'error'
}

/**
 * By what a client is known. `source-address`, `header` and `parameter` choose the server from what the request says, the same in
 * every process; `cookie-insert` has a cookie of our own; `cookie-passive` remembers which server set a cookie.
 */
export type SnapshotPersistence =
  | {
      readonly by: 'source-address'
      /** The bits of an IPv4 address that tell clients apart, 1 to 32. */
      readonly prefixLength: number
    }
  | {
      readonly by: 'cookie-insert'
      readonly name: string
      /** With which the cookie says which server it is, so that nobody can find out its address by trying. Absent in snapshots of before. */
      readonly key?: string
      readonly path: string
      readonly domain?: string
      /** How long browsers keep it, in seconds; undefined for as long as they run. */
      readonly maxAgeSeconds?: number
      /** How long after the last request it counts, in seconds; 0 for any time. */
      readonly idleSeconds: number
    }
  | { readonly by: 'cookie-passive'; readonly name: string; readonly idleSeconds: number }
  | { readonly by: 'header' | 'parameter'; readonly name: string }

/** Some requests to a service that have servers of their own. */
export interface SnapshotContentRule {
  readonly name: string
  /** A host, in which "*" stands for any characters. */
  readonly host: string
  /** A path, in which "*" stands for any characters. */
  readonly url: string
  /** What else has to be true of a request, in the language of extended matches; "*" for nothing. */
  readonly extendedMatch: string
  /** Of rules with the same host and URL, the one with the lowest number is tried first. */
  readonly sequence: number
  /** Those of the service when there are none. */
  readonly servers: readonly SnapshotServer[]
  readonly balancing: SnapshotBalancing
  readonly logsAccess: boolean
  /** Present when nobody is let in without a certificate that is trusted. */
  readonly needsClientCertificate?: boolean
  /** Present when its requests are judged otherwise than the service says. */
  readonly checks?: SnapshotRuleChecks
  /** Present when answers to its requests are compressed, whatever the service says. */
  readonly compression?: SnapshotCompression
  /** Present when answers to its requests are kept for further clients, whatever the service says. */
  readonly caching?: SnapshotCaching
}

/** A machine that answers the requests to a service. */
export interface SnapshotServer extends SnapshotServerConnections {
  readonly name: string
  /** An IP address, or a name that the proxy looks up. */
  readonly host: string
  readonly port: number
  /** Where it may not lie, whatever its name leads to; nowhere is forbidden when absent. */
  readonly forbidden?: ForbiddenAddresses
  /**
   * `sticky` gets requests of clients that are bound to it only; `maintenance` and `off` get no further requests; `off` also cuts
   * those under way.
   */
  readonly state: 'in-service' | 'sticky' | 'maintenance' | 'off'
  /** Gets requests only while no other server can. */
  readonly isBackup: boolean
  /** Its share under `weighted-round-robin`; 0 for none. */
  readonly weight: number
  /** Present when the server speaks TLS. */
  readonly tls?: SnapshotServerTls
  /** Whether HTTP/2 is offered to it, over TLS. */
  readonly offersHttp2: boolean
  /** How long an unused connection is kept, in milliseconds; 0 closes each after its request. */
  readonly keepAliveMs: number
  readonly health: SnapshotHealth
}

/** How TLS is spoken with a server. */
export interface SnapshotServerTls extends SnapshotServerTlsSettings {
  readonly oldestVersion: TlsVersion
  readonly newestVersion: TlsVersion
  /** Shown to the server. */
  readonly certificate?: SnapshotCertificate
}

/** When a server is taken out of service by itself. */
export interface SnapshotHealth extends SnapshotFailureLimits {
  /** Present when the server is asked now and then, also without clients. */
  readonly probe?: SnapshotProbe
}

/** An out-of-band health check. */
export interface SnapshotProbe {
  readonly everySeconds: number
  /** Undefined when it is enough that a connection can be opened. */
  readonly request?: {
    readonly method: string
    readonly path: string
    /** For the Host header; undefined for the server's own. */
    readonly host?: string
    /** Names and values in turn. */
    readonly headers: readonly string[]
    readonly status: number
    /** What the answer's body must have in it; undefined for nothing. */
    readonly contains?: string
  }
}
