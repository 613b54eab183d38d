import {
  allocationContext,
  lastChunkFlag,
  replyChunks,
  simpleReplyMagic,
  structuredReplyMagic,
} from './nbd-protocol.ts'

/** A reply without structure: an error number, 0 for none, and what was read. */
export function simpleReply(
  cookie: bigint,
  error: number,
  data: Buffer = Buffer.alloc(0),
): readonly Buffer[] {
  const head = Buffer.alloc(16)
  head.writeUInt32BE(simpleReplyMagic)
  head.writeUInt32BE(error, 4)
  head.writeBigUInt64BE(cookie, 8)
  return [head, data]
}

/** What was read, as a reply of one chunk. */
export function dataReply(cookie: bigint, offsetBytes: number, data: Buffer): readonly Buffer[] {
  const at = Buffer.alloc(8)
  at.writeBigUInt64BE(BigInt(offsetBytes))
  return [chunkHead(cookie, replyChunks.data, at.length + data.length), at, data]
}

/** That a range is zeros. */
export function holeReply(cookie: bigint, offsetBytes: number, sizeBytes: number): readonly Buffer[] {
  const content = Buffer.alloc(12)
  content.writeBigUInt64BE(BigInt(offsetBytes))
  content.writeUInt32BE(sizeBytes, 8)
  return [chunkHead(cookie, replyChunks.hole, content.length), content]
}

/** That a request which asks for no data, such as a flush, is done. */
export function emptyReply(cookie: bigint): readonly Buffer[] {
  return [chunkHead(cookie, replyChunks.none, 0)]
}

/** What parts of a range are, in order. */
export function allocationReply(
  cookie: bigint,
  extents: readonly { readonly sizeBytes: number; readonly isZero: boolean }[],
): readonly Buffer[] {
  const content = Buffer.alloc(4 + 8 * extents.length)
  content.writeUInt32BE(allocationContext.id)
  extents.forEach(({ sizeBytes, isZero }, index) => {
    content.writeUInt32BE(sizeBytes, 4 + 8 * index)
    content.writeUInt32BE(isZero ? allocationContext.holeOfZeros : 0, 8 + 8 * index)
  })
  return [chunkHead(cookie, replyChunks.blockStatus, content.length), content]
}

/** That a request failed, as a structured reply without a message. @param error one of `errors` of the protocol */
export function errorReply(cookie: bigint, error: number): readonly Buffer[] {
  const content = Buffer.alloc(6)
  content.writeUInt32BE(error)
  return [chunkHead(cookie, replyChunks.error, content.length), content]
}

function chunkHead(cookie: bigint, type: number, sizeBytes: number): Buffer {
  const head = Buffer.alloc(20)
  head.writeUInt32BE(structuredReplyMagic)
  head.writeUInt16BE(lastChunkFlag, 4)
  head.writeUInt16BE(type, 6)
  head.writeBigUInt64BE(cookie, 8)
  head.writeUInt32BE(sizeBytes, 16)
  return head
}
