import type { Inspection } from '../inspection/inspection.ts'
import { namesOf, scalar, type Variable, valuesOf, valuesWithReadings } from './variable.ts'

/** The connection, the request line and the request's headers. */
export const requestVariables: readonly Variable[] = [
  scalar('REMOTE_ADDR', 'transaction', ({ connection }) => connection.clientAddress),
  scalar('REMOTE_HOST', 'transaction', ({ connection }) => connection.clientAddress),
  scalar('REMOTE_PORT', 'transaction', ({ connection }) => connection.clientPort),
  scalar('SERVER_ADDR', 'transaction', ({ connection }) => connection.serverAddress),
  scalar('SERVER_PORT', 'transaction', ({ connection }) => connection.serverPort),
  scalar('SERVER_NAME', 'transaction', serverName),
  scalar('UNIQUE_ID', 'transaction', ({ uniqueId }) => uniqueId),
  scalar(
    'AUTH_TYPE',
    'transaction',
    (inspection) => inspection.requestHeader('authorization')?.split(' ', 1)[0],
  ),
  scalar('REMOTE_USER', 'transaction', remoteUser),
  scalar('REQUEST_METHOD', 'transaction', ({ request }) => request.method),
  scalar('REQUEST_PROTOCOL', 'transaction', ({ request }) => request.protocol),
  scalar('REQUEST_LINE', 'transaction', requestLine),
  scalar('REQUEST_URI', 'transaction', ({ target }) => target.uri),
  scalar('REQUEST_URI_RAW', 'transaction', ({ request }) => request.uri),
  scalar('REQUEST_FILENAME', 'transaction', ({ target }) => target.path),
  scalar('REQUEST_BASENAME', 'transaction', ({ target }) => target.baseName),
  scalar('PATH_INFO', 'transaction', ({ target }) => target.path),
  scalar('QUERY_STRING', 'transaction', ({ target }) => target.query),
  valuesOf('REQUEST_HEADERS', 'transaction', ({ requestHeaders }) => requestHeaders),
  namesOf('REQUEST_HEADERS_NAMES', 'transaction', ({ requestHeaders }) => requestHeaders),
  valuesWithReadings(
    'REQUEST_COOKIES',
    'transaction',
    ({ cookies }) => cookies,
    ({ cookieReadings }) => cookieReadings,
  ),
  namesOf('REQUEST_COOKIES_NAMES', 'transaction', ({ cookies }) => cookies),
]

/** The request line as it came, or as it must have come. */
export function requestLine({ request }: Inspection): string {
  return (
    request.line ?? [request.method, request.uri, request.protocol].filter((part) => part !== '').join(' ')
  )
}

function serverName(inspection: Inspection): string | undefined {
  return inspection.requestHeader('host')?.replace(/:\d*$/, '')
}

/** The user of Basic authentication (RFC 7617), not verified. */
function remoteUser(inspection: Inspection): string | undefined {
  const credentials = /^Basic\s+(\S+)/i.exec(inspection.requestHeader('authorization') ?? '')?.[1]
  if (credentials === undefined) return undefined
  return Buffer.from(credentials, 'base64').toString('latin1').split(':', 1)[0]
}
