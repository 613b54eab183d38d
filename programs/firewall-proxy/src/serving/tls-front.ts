import { createSecureContext, createServer, type SecureContext, type TLSSocket } from 'node:tls'
import type { TlsFront } from '@palisade/acme-challenges'
import type { CounterName, SnapshotCertificate, SnapshotTls } from '@palisade/proxy-protocol'

/** What becomes of the connections that a front was given. */
export interface TlsEvents {
  /** The protocol is agreed on: `alpnProtocol` is "h2" for HTTP/2. */
  onSecure(socket: TLSSocket): void
  /** For the statistics. */
  onCount(counter: CounterName): void
}

const versions: Readonly<Record<string, CounterName>> = {
  TLSv1: 'ssl-tls-1-0',
  'TLSv1.1': 'ssl-tls-1-1',
  'TLSv1.2': 'ssl-tls-1-2',
  'TLSv1.3': 'ssl-tls-1-3',
}

/** What OpenSSL says of a client that has shown no certificate. */
const noCertificate = 'UNABLE_TO_GET_ISSUER_CERT'

/**
 * Speaks TLS as a service wants it: shows the certificate of the domain that a client asks for, and asks for the client's own
 * where that is wanted. Resumption of sessions works for as long as the service stays the same.
 *
 * @throws Error when clients could not be met with these certificates or ciphers
 */
export function tlsFront(tls: SnapshotTls, { onSecure, onCount }: TlsEvents): TlsFront {
  const domains = new Map(tls.domains.map(({ name, certificates }) => [name, contextOf(tls, certificates)]))
  const server = createServer({
    ...contextOptions(tls, tls.certificates),
    requestCert: tls.clients !== undefined,
    rejectUnauthorized: tls.clients?.areRequired === true,
    ALPNProtocols: tls.offersHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    SNICallback: (asked, answer) => {
      const context = ofDomain(domains, asked)
      if (context !== undefined || !tls.refusesOtherDomains) answer(null, context)
      else answer(new Error('no such domain is served here'))
    },
  })
  server.on('secureConnection', (socket) => {
    for (const counter of countersOf(socket)) onCount(counter)
    // Who asked for no host was never asked about.
    if (tls.refusesOtherDomains && !socket.servername) socket.destroy()
    else onSecure(socket)
  })
  server.on('tlsClientError', (_error, socket) => {
    onCount('ssl-handshakes-failed')
    if (hasRefusedCertificate(socket)) onCount('ssl-client-certificates-refused')
    socket.destroy()
  })
  return { admit: (socket) => server.emit('connection', socket) }
}

/** What an agreed handshake counts for. */
function countersOf(socket: TLSSocket): CounterName[] {
  const version = versions[socket.getProtocol() ?? '']
  return [
    'ssl-connections',
    ...(version === undefined ? [] : [version]),
    ...(socket.isSessionReused() ? (['ssl-sessions-resumed'] as const) : []),
    ...(socket.authorized ? (['ssl-client-certificates-accepted'] as const) : []),
    ...(hasRefusedCertificate(socket) ? (['ssl-client-certificates-refused'] as const) : []),
  ]
}

/** Node's types call it an error; it is the error's code. */
function hasRefusedCertificate({ authorizationError }: TLSSocket): boolean {
  return (
    authorizationError !== undefined &&
    authorizationError !== null &&
    String(authorizationError) !== noCertificate
  )
}

/** @throws Error when clients could not be met like this */
export function checkTls(tls: SnapshotTls): void {
  for (const certificates of [tls.certificates, ...tls.domains.map((one) => one.certificates)]) {
    contextOf(tls, certificates)
  }
}

function contextOf(tls: SnapshotTls, certificates: readonly SnapshotCertificate[]): SecureContext {
  return createSecureContext(contextOptions(tls, certificates))
}

function contextOptions(tls: SnapshotTls, certificates: readonly SnapshotCertificate[]) {
  return {
    cert: certificates.map(({ chain }) => chain),
    key: certificates.map(({ privateKey }) => privateKey),
    minVersion: tls.oldestVersion,
    maxVersion: tls.newestVersion,
    ...(tls.ciphers === undefined ? {} : { ciphers: tls.ciphers, honorCipherOrder: true }),
    ...(tls.clients === undefined ? {} : { ca: [...tls.clients.authorities] }),
  }
}

/** "shop.example.org" is that domain, or "*.example.org". */
function ofDomain<T>(domains: ReadonlyMap<string, T>, asked: string): T | undefined {
  const name = asked.toLowerCase()
  return domains.get(name) ?? domains.get(name.replace(/^[^.]+/, '*'))
}
