import { createHash } from 'node:crypto'
import { headerValues } from '../exchange/headers.ts'

/** What makes a key into the answer to it (RFC 6455, section 1.3). */
const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** 16 bytes in base64. */
const key = /^[A-Za-z0-9+/]{22}==$/

/** Whether a request's `Sec-WebSocket-Key` is one: without it no server can agree to a WebSocket. */
export function isWebSocketKey(value: string | undefined): boolean {
  return value !== undefined && key.test(value)
}

/**
 * Why an answer with the status 101 does not open the WebSocket that its request has asked for (RFC 6455, section 4.1): what follows would be
 * something else, and some server on the way may have understood another request.
 *
 * @param asked the headers of the request as the server got them, names and values in turn
 * @param answered those of the answer
 * @returns a sentence; undefined when the WebSocket is open
 */
export function handshakeFault(asked: readonly string[], answered: readonly string[]): string | undefined {
  if (!isOnly(headerValues(answered, 'upgrade'), 'websocket')) return 'Its Upgrade is not websocket.'
  const connection = listOf(answered, 'connection').map((option) => option.toLowerCase())
  if (!connection.includes('upgrade')) return 'Its Connection is not Upgrade.'
  const [ownKey = '', ...moreKeys] = headerValues(asked, 'sec-websocket-key')
  const accepts = headerValues(answered, 'sec-websocket-accept')
  if (moreKeys.length > 0 || accepts.length !== 1 || accepts[0] !== acceptFor(ownKey)) {
    return 'Its Sec-WebSocket-Accept does not answer the key of the request.'
  }
  const protocols = headerValues(answered, 'sec-websocket-protocol')
  const offered = listOf(asked, 'sec-websocket-protocol')
  if (protocols.length > 1 || !protocols.every((protocol) => offered.includes(protocol))) {
    return 'Its subprotocol is none that the request has offered.'
  }
  const extensions = extensionsOf(asked)
  if (!extensionsOf(answered).every((extension) => extensions.includes(extension))) {
    return 'It has an extension that the request has not offered.'
  }
  return undefined
}

/** @param webSocketKey as the request has it @returns what the server has to say to it */
export function acceptFor(webSocketKey: string): string {
  return createHash('sha1')
    .update(webSocketKey + guid)
    .digest('base64')
}

function isOnly(values: readonly string[], lowerValue: string): boolean {
  return values.length === 1 && values[0]?.trim().toLowerCase() === lowerValue
}

/** The members of a list, over all headers of a name. */
function listOf(headers: readonly string[], lowerName: string): string[] {
  return headerValues(headers, lowerName)
    .flatMap((value) => value.split(','))
    .map((member) => member.trim())
    .filter((member) => member !== '')
}

/** The names of extensions, without their parameters. */
function extensionsOf(headers: readonly string[]): string[] {
  return listOf(headers, 'sec-websocket-extensions').map((one) => one.split(';', 1)[0]?.trim() ?? '')
}
