import { isIPv6 } from 'node:net'
import type { SnapshotServer } from '@palisade/proxy-protocol'

export const connectTimeoutMs = 5_000

export function originOf({ host, port, tls }: SnapshotServer): string {
  return `${tls ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/** What connections to a server have to know besides its address. */
export function tlsOptionsOf({ tls, localAddress }: SnapshotServer) {
  return {
    ...(localAddress === undefined ? {} : { localAddress }),
    ...(tls === undefined
      ? {}
      : {
          rejectUnauthorized: tls.validatesCertificate,
          minVersion: tls.oldestVersion,
          maxVersion: tls.newestVersion,
          ...(tls.certificate === undefined
            ? {}
            : { cert: tls.certificate.chain, key: tls.certificate.privateKey }),
        }),
  }
}
