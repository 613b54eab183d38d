/** Types of frames of HTTP/2 (RFC 9113, section 6). */
export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7 } as const

/** Flags of frames. */
export const endOfStream = 1
export const endOfHeaders = 4

/** A frame as it is sent (RFC 9113, section 4.1). @param length what it says of its length, when less of it is there */
export function http2Frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer,
  length = payload.length,
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** What every client says first, and then its settings: none. */
export const http2Preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
export const http2Greeting = Buffer.concat([
  http2Preface,
  http2Frame(frameTypes.settings, 0, 0, Buffer.alloc(0)),
])

/** The headers of a request for "https://a/", by the static table (RFC 7541, appendix A). */
export const http2HeadersOf = {
  GET: Buffer.from([0x82, 0x84, 0x87, 0x41, 1, 0x61]),
  POST: Buffer.from([0x83, 0x84, 0x87, 0x41, 1, 0x61]),
} as const
