/**
 * Frames of WebSockets (RFC 6455, section 5.2):
 *
 *     byte 0   FIN, three bits of extensions, opcode
 *     byte 1   whether it is masked, and the length of the payload, or 126 or 127
 *     then     2 bytes of length behind 126, 8 bytes behind 127; 4 bytes of mask; the payload
 */

/** The opcodes that are in use. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** The longest payload of a control frame. */
const controlBytesMax = 125

/** What a frame says before its payload. */
export interface FrameHead {
  readonly isFinal: boolean
  readonly opcode: number
  /** Whether bits are set that only extensions have a use for. */
  readonly hasExtensionBits: boolean
  /** Four bytes; undefined for a frame that is not masked. */
  readonly mask: Buffer | undefined
  /** Of the payload. */
  readonly bytes: number
  /** Whether the length could have been said in fewer bytes, which is not allowed. */
  readonly isLengthPadded: boolean
  /** How many bytes all of this takes. */
  readonly size: number
}

/** The head of the frame with which bytes begin; undefined where they end within it. */
export function frameHeadIn(bytes: Buffer): FrameHead | undefined {
  if (bytes.length < 2) return undefined
  const [first = 0, second = 0] = bytes
  const short = second & 0x7f
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0
  const isMasked = (second & 0x80) !== 0
  const size = 2 + lengthBytes + (isMasked ? 4 : 0)
  if (bytes.length < size) return undefined
  const length =
    lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : lengthBytes === 2 ? bytes.readUInt16BE(2) : short
  return {
    isFinal: (first & 0x80) !== 0,
    opcode: first & 0x0f,
    hasExtensionBits: (first & 0x70) !== 0,
    mask: isMasked ? Buffer.from(bytes.subarray(size - 4, size)) : undefined,
    bytes: length,
    isLengthPadded: (lengthBytes === 2 && length < 126) || (lengthBytes === 8 && length < 65_536),
    size,
  }
}

/** Whether a frame is about the connection; it may come between the frames of a message. */
export function isControl({ opcode }: FrameHead): boolean {
  return opcode >= opcodes.close
}

/**
 * What is wrong with a frame, whatever any policy says: a sentence; undefined for a proper one.
 *
 * @param at who sends it, and whether a message was begun and not ended
 */
export function faultOf(
  head: FrameHead,
  at: { readonly isFromClient: boolean; readonly isWithinMessage: boolean },
): string | undefined {
  const { isFinal, opcode, mask, bytes } = head
  if (head.hasExtensionBits) return 'A frame is of an extension that was not agreed on.'
  if (opcode > opcodes.pong || (opcode > opcodes.binary && opcode < opcodes.close)) {
    return 'A frame has an opcode that nobody has given a meaning to.'
  }
  if ((mask !== undefined) !== at.isFromClient) {
    return at.isFromClient ? 'A frame of the client is not masked.' : 'A frame of the server is masked.'
  }
  if (head.isLengthPadded || bytes > Number.MAX_SAFE_INTEGER) return 'A frame says its length in a wrong way.'
  if (isControl(head)) {
    return isFinal && bytes <= controlBytesMax ? undefined : 'A control frame is too long, or one of several.'
  }
  const isContinuation = opcode === opcodes.continuation
  if (isContinuation === at.isWithinMessage) return undefined
  return isContinuation ? 'A frame goes on with no message.' : 'A message begins within another one.'
}

/** Takes the mask from a piece of a payload, into bytes of its own. @param at how many bytes of the payload came before */
export function unmask(piece: Buffer, mask: Buffer | undefined, at: number): Buffer {
  const plain = Buffer.from(piece)
  if (mask === undefined) return plain
  for (let index = 0; index < plain.length; index++) {
    plain[index] = (plain[index] ?? 0) ^ (mask[(at + index) & 3] ?? 0)
  }
  return plain
}

/** A frame that ends a WebSocket, and says why by a number. @param isMasked whether it goes to a server */
export function closeFrame(code: number, isMasked: boolean): Buffer {
  const frame = Buffer.from([0x80 | opcodes.close, 2, code >> 8, code & 0xff])
  // A mask of zeros changes nothing; what it is good for, hiding what scripts choose to send, is not needed here.
  return isMasked ? Buffer.concat([Buffer.from([0x88, 0x82, 0, 0, 0, 0]), frame.subarray(2)]) : frame
}
