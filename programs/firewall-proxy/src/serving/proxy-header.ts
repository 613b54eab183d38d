import { isIPv4, isIPv6, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * What a load balancer writes before the first byte of a client ("The PROXY protocol", versions 1 and 2, HAProxy Technologies).
 *
 * Version 1 is a line: `PROXY TCP4 192.0.2.1 192.0.2.9 56324 443`, or `PROXY UNKNOWN` and anything. Version 2:
 *
 * ```
 *  0  signature     12 bytes
 * 12  version (4 bits, 2) and command (4 bits): 0 for a connection of the load balancer itself, 1 for one of a client
 * 13  family (4 bits): 1 for IPv4, 2 for IPv6; and protocol (4 bits): 1 for TCP
 * 14  length of what follows, 16 bits, big-endian
 * 16  addresses of client and load balancer, 4 or 16 bytes each, and their ports, 2 bytes each; further values, which are passed over
 * ```
 */
export interface ProxyHeader {
  /** In bytes. */
  readonly length: number
  /** Absent where the connection is the load balancer's own, or where it does not know the client. */
  readonly client?: { readonly address: string; readonly port: number }
}

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const fixedLength = 16
/** Of version 2: what is longer is refused, in bytes. */
const lengthMax = 4 * 1024
const lineBeginning = 'PROXY '
/** Of version 1, with its line end. */
const lineLengthMax = 107

/** How long a load balancer may take for its header. */
const waitMaxMs = 10_000

/** @returns undefined for what is no such header */
export function proxyHeaderIn(bytes: Buffer): ProxyHeader | 'incomplete' | undefined {
  if (beginsAlike(bytes, signature)) return bytes.length < fixedLength ? 'incomplete' : binaryHeader(bytes)
  if (beginsAlike(bytes, Buffer.from(lineBeginning))) return lineHeader(bytes)
  return undefined
}

/**
 * Reads the header of a connection. What the socket gives next are the client's bytes.
 *
 * @param onHeader called with the header
 * @param onFailure called with the reason, a sentence, where something else came; the caller ends the connection
 */
export function readProxyHeader(
  socket: Socket,
  onHeader: (header: ProxyHeader) => void,
  onFailure: (detail: string) => void,
): void {
  let bytes = Buffer.alloc(0)
  const stop = () => {
    clearTimeout(late)
    socket.off('readable', read).off('end', giveUp).off('error', giveUp)
  }
  // A health check that only opens the connection sends nothing, and is no failure.
  const giveUp = () => {
    stop()
    if (bytes.length > 0) onFailure('The connection ended within its PROXY header.')
    socket.destroy()
  }
  const read = () => {
    const chunk: Buffer | null = socket.read()
    if (chunk !== null) bytes = Buffer.concat([bytes, chunk])
    const header = proxyHeaderIn(bytes)
    if (header === 'incomplete') return
    stop()
    if (header === undefined) {
      onFailure('The connection does not begin with a PROXY header.')
      return
    }
    if (bytes.length > header.length) socket.unshift(bytes.subarray(header.length))
    onHeader(header)
  }
  const late = setTimeout(giveUp, waitMaxMs)
  socket.once('close', () => clearTimeout(late))
  socket.on('error', giveUp).on('end', giveUp).on('readable', read)
}

/** Whether one of them begins with the other. */
function beginsAlike(one: Buffer, other: Buffer): boolean {
  const length = Math.min(one.length, other.length)
  return one.subarray(0, length).equals(other.subarray(0, length))
}

function lineHeader(bytes: Buffer): ProxyHeader | 'incomplete' | undefined {
  const text = bytes.subarray(0, lineLengthMax).toString('latin1')
  const end = text.indexOf('\r\n')
  if (end < 0) return bytes.length < lineLengthMax ? 'incomplete' : undefined
  const length = end + 2
  const line = text.slice(lineBeginning.length, end)
  if (/^UNKNOWN(?: |$)/.test(line)) return { length }
  const [, family, address = '', own = '', ...ports] =
    /^TCP([46]) ([0-9a-fA-F.:]+) ([0-9a-fA-F.:]+) (\d{1,5}) (\d{1,5})$/.exec(line) ?? []
  const isAddress = family === '4' ? isIPv4 : isIPv6
  const [port = 0, ownPort = 0] = ports.map(Number)
  if (!isAddress(address) || !isAddress(own) || port > 65_535 || ownPort > 65_535) return undefined
  return { length, client: { address: ipaddr.process(address).toString(), port } }
}

function binaryHeader(bytes: Buffer): ProxyHeader | 'incomplete' | undefined {
  const [version = 0, family = 0] = bytes.subarray(signature.length)
  const length = fixedLength + bytes.readUInt16BE(14)
  const command = version & 0x0f
  if (version >> 4 !== 2 || command > 1 || length > lengthMax) return undefined
  if (bytes.length < length) return 'incomplete'
  const size = family === 0x11 ? 4 : family === 0x21 ? 16 : undefined
  if (command === 0 || size === undefined) return { length }
  const addresses = bytes.subarray(fixedLength, length)
  if (addresses.length < 2 * size + 4) return undefined
  const address = ipaddr.fromByteArray([...addresses.subarray(0, size)]).toString()
  return {
    length,
    client: { address: ipaddr.process(address).toString(), port: addresses.readUInt16BE(2 * size) },
  }
}
