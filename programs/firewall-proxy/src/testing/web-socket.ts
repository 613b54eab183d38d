import type { IncomingMessage } from 'node:http'
import { acceptFor } from '../traffic/websocket-handshake.ts'

const key = 'AAAAAAAAAAAAAAAAAAAAAA=='

/** The headers, besides the host, with which a client asks for a WebSocket. */
export const webSocketHeaders = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': key,
}

/** A client that asks for a WebSocket, as bytes. */
export const webSocketRequest = `GET /chat HTTP/1.1\r\nHost: a\r\n${lines(webSocketHeaders)}\r\n`

/** The head with which a server agrees to a WebSocket. @param more headers in the place of the usual ones and besides them */
export function switchingProtocols(
  { headers }: Pick<IncomingMessage, 'headers'>,
  more: Readonly<Record<string, string>> = {},
): string {
  const usual = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Accept': acceptFor(headers['sec-websocket-key'] ?? ''),
  }
  return `HTTP/1.1 101 Switching Protocols\r\n${lines({ ...usual, ...more })}\r\n`
}

/** @param headers those that are empty are left out */
function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => (value === '' ? '' : `${name}: ${value}\r\n`))
    .join('')
}
