import type { Socket } from 'node:net'
import { createSecureContext, createServer, type SecureContext, type TLSSocket } from 'node:tls'
import type { SnapshotCertificate, SnapshotTls } from '@palisade/proxy-protocol'

/** Takes clients' connections and gives them back when TLS is spoken on them. */
export interface TlsFront {
  admit(socket: Socket): void
}

/**
 * Speaks TLS as a service wants it: shows the certificate of the domain that a client asks for, and asks for the client's own
 * where that is wanted. Resumption of sessions works for as long as the service stays the same.
 *
 * @param onSecure gets connections on which the protocol is agreed on: `alpnProtocol` is "h2" for HTTP/2
 * @throws Error when clients could not be met with these certificates or ciphers
 */
export function tlsFront(tls: SnapshotTls, onSecure: (socket: TLSSocket) => void): TlsFront {
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
    // Who asked for no host was never asked about.
    if (tls.refusesOtherDomains && !socket.servername) socket.destroy()
    else onSecure(socket)
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return { admit: (socket) => server.emit('connection', socket) }
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
