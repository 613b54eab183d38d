import { isIPv6 } from 'node:net'
import { AddressGuard, type SnapshotServer } from '@palisade/proxy-protocol'
import { buildConnector } from 'undici'
import { asError } from '../failure.ts'

/** How long a connection to a server may take to open. */
export const connectTimeoutMs = 5_000

/** Scheme, host and port of a server. */
export function originOf({ host, port, tls }: SnapshotServer): string {
  return `${tls ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/** From which address a server is reached; nothing where that is any. undici takes it beside what it opens connections with. */
export function localAddressOf({ localAddress }: SnapshotServer) {
  return localAddress === undefined ? {} : { localAddress }
}

/** Keeps connections to a server from where the operator has forbidden them. */
export function guardOf({ forbidden }: SnapshotServer): AddressGuard {
  return new AddressGuard(forbidden)
}

/** Opens so many connections at once as the server may have opened; who comes then waits until one is open or has failed. */
export function limitedConnectorOf(
  server: SnapshotServer,
  options: { readonly allowH2: boolean },
): buildConnector.connector {
  const connect = connectorOf(server, options)
  const { establishingMax = Number.POSITIVE_INFINITY } = server
  const waiting: (() => void)[] = []
  let opening = 0
  return (socketOptions, done) => {
    const open = () => {
      opening++
      connect(socketOptions, (...outcome) => {
        opening--
        waiting.shift()?.()
        done(...outcome)
      })
    }
    if (opening < establishingMax) open()
    else waiting.push(open)
  }
}

/** Opens connections to a server, for undici's clients and ours; none to where that is forbidden. */
export function connectorOf(
  server: SnapshotServer,
  { allowH2 }: { readonly allowH2: boolean },
): ReturnType<typeof buildConnector> {
  const guard = guardOf(server)
  const lookup = guard.lookupFor(server.port)
  const connect = buildConnector({ allowH2, timeout: connectTimeoutMs, lookup, ...tlsOptionsOf(server) })
  return (options, done) => {
    try {
      guard.refuse(server.host, server.port)
    } catch (error) {
      done(asError(error), null)
      return
    }
    connect(options, done)
  }
}

/** How TLS is spoken with a server; nothing where it speaks none. */
function tlsOptionsOf({ tls }: SnapshotServer) {
  if (tls === undefined) return {}
  const { validatesCertificate, oldestVersion, newestVersion, certificate } = tls
  return {
    rejectUnauthorized: validatesCertificate,
    minVersion: oldestVersion,
    maxVersion: newestVersion,
    ...(certificate === undefined ? {} : { cert: certificate.chain, key: certificate.privateKey }),
  }
}
