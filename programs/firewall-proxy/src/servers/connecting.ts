import { isIPv6 } from 'node:net'
import type { SnapshotServer } from '@palisade/proxy-protocol'

export const connectTimeoutMs = 5_000

export function originOf({ host, port, tls }: SnapshotServer): string {
  return `${tls ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/** From which address a server is reached; nothing where that is any. undici takes it beside what it opens connections with. */
export function localAddressOf({ localAddress }: SnapshotServer) {
  return localAddress === undefined ? {} : { localAddress }
}

/** How TLS is spoken with a server; nothing where it speaks none. */
export function tlsOptionsOf({ tls }: SnapshotServer) {
  if (tls === undefined) return {}
  const { validatesCertificate, oldestVersion, newestVersion, certificate } = tls
  return {
    rejectUnauthorized: validatesCertificate,
    minVersion: oldestVersion,
    maxVersion: newestVersion,
    ...(certificate === undefined ? {} : { cert: certificate.chain, key: certificate.privateKey }),
  }
}
