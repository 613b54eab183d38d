import type { X509Certificate } from 'node:crypto'
import { createSecureContext, createServer, type SecureContext, type TLSSocket } from 'node:tls'
import type { TlsFront } from '@palisade/acme-challenges'
import type { CounterName, SnapshotCertificate, SnapshotTls } from '@palisade/proxy-protocol'
import { type LoadedRevocationList, nameInOneLine } from '../revocation/revocation-lists.ts'

/** What becomes of the connections that a front was given. */
export interface TlsEvents {
  /** The protocol is agreed on: `alpnProtocol` is "h2" for HTTP/2. */
  onSecure(socket: TLSSocket): void
  /** A client was sent away for its certificate: why, in a sentence. */
  onRefused(socket: TLSSocket, detail: string): void
  /** For the statistics. */
  onCount(counter: CounterName): void
}

const versions: Readonly<Record<string, CounterName>> = {
  TLSv1: 'ssl-tls-1-0',
  'TLSv1.1': 'ssl-tls-1-1',
  'TLSv1.2': 'ssl-tls-1-2',
  'TLSv1.3': 'ssl-tls-1-3',
}

/** Those that are obeyed, as far as they are there; undefined where certificates are not looked for in lists. */
type RevocationListsOfService = readonly LoadedRevocationList[] | undefined

const revoked = 'CERT_REVOKED'

/** What OpenSSL says about certificates and lists, after "The certificate …". */
const reasons: Readonly<Record<string, string>> = {
  [revoked]: 'was revoked',
  UNABLE_TO_GET_CRL:
    'is not taken: there is no list of revoked certificates from its issuer, or from one above it',
  CRL_HAS_EXPIRED:
    'is not taken: the list of revoked certificates from its issuer, or from one above it, has expired',
}

/** What OpenSSL says of a client that has shown no certificate. */
const noCertificate = 'UNABLE_TO_GET_ISSUER_CERT'

/**
 * Speaks TLS as a service wants it: shows the certificate of the domain that a client asks for, and asks for the client's own
 * where that is wanted. Resumption of sessions works for as long as the service stays the same.
 *
 * @param lists see {@link ServiceRuntime.revocationLists}
 * @throws Error when clients could not be met with these certificates or ciphers
 */
export function tlsFront(
  tls: SnapshotTls,
  lists: RevocationListsOfService,
  { onSecure, onRefused, onCount }: TlsEvents,
): TlsFront {
  const domains = new Map(
    tls.domains.map(({ name, certificates }) => [name, contextOf(tls, certificates, lists)]),
  )
  const server = createServer({
    ...contextOptions(tls, tls.certificates, lists),
    requestCert: tls.clients !== undefined,
    // Of whom the TLS library refuses, it does not tell the certificate: by lists, refusing is done below.
    rejectUnauthorized: tls.clients?.areRequired === true && lists === undefined,
    ALPNProtocols: tls.offersHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    SNICallback: (asked, answer) => {
      const context = ofDomain(domains, asked)
      if (context !== undefined || !tls.refusesOtherDomains) answer(null, context)
      else answer(new Error('no such domain is served here'))
    },
  })
  server.on('secureConnection', (socket) => {
    for (const counter of countersOf(socket)) onCount(counter)
    const refusal = tls.clients && lists && refusalOf(socket, tls.clients.areRequired, lists)
    // Who asked for no host was never asked about.
    if (tls.refusesOtherDomains && !socket.servername) socket.destroy()
    else if (refusal !== undefined) {
      onRefused(socket, refusal)
      socket.destroy()
    } else onSecure(socket)
  })
  server.on('tlsClientError', (_error, socket) => {
    onCount('ssl-handshakes-failed')
    if (hasRefusedCertificate(socket)) onCount('ssl-client-certificates-refused')
    socket.destroy()
  })
  return { admit: (socket) => server.emit('connection', socket) }
}

/** Why a client is sent away by lists of revoked certificates; undefined where it is not. */
function refusalOf(
  socket: TLSSocket,
  isRequired: boolean,
  lists: readonly LoadedRevocationList[],
): string | undefined {
  if (socket.authorized) return undefined
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return isRequired ? 'The client has shown no certificate.' : undefined
  const error = String(socket.authorizationError)
  if (!isRequired && error !== revoked) return undefined
  const reason =
    lists.length === 0
      ? 'is not taken: none of the lists of revoked certificates is there'
      : (reasons[error] ?? `is not trusted (${error})`)
  return `The certificate ${certificateName(certificate)} ${reason}.`
}

/** How a certificate is called in logs. */
export function certificateName({ subject, serialNumber }: X509Certificate): string {
  return `${nameInOneLine(subject ?? '')} with the serial number ${serialNumber}`
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
    contextOf(tls, certificates, undefined)
  }
}

function contextOf(
  tls: SnapshotTls,
  certificates: readonly SnapshotCertificate[],
  lists: RevocationListsOfService,
): SecureContext {
  return createSecureContext(contextOptions(tls, certificates, lists))
}

function contextOptions(
  tls: SnapshotTls,
  certificates: readonly SnapshotCertificate[],
  lists: RevocationListsOfService,
) {
  // Without a list OpenSSL would look for none.
  const trustsNobody = lists?.length === 0
  return {
    cert: certificates.map(({ chain }) => chain),
    key: certificates.map(({ privateKey }) => privateKey),
    minVersion: tls.oldestVersion,
    maxVersion: tls.newestVersion,
    ...(tls.ciphers === undefined ? {} : { ciphers: tls.ciphers, honorCipherOrder: true }),
    ...(tls.clients === undefined ? {} : { ca: trustsNobody ? [] : [...tls.clients.authorities] }),
    ...(lists === undefined || trustsNobody ? {} : { crl: lists.map(({ list }) => list.pem) }),
  }
}

/** "shop.example.org" is that domain, or "*.example.org". */
function ofDomain<T>(domains: ReadonlyMap<string, T>, asked: string): T | undefined {
  const name = asked.toLowerCase()
  return domains.get(name) ?? domains.get(name.replace(/^[^.]+/, '*'))
}
