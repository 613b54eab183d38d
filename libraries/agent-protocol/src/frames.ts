/**
 * Chunks on the wire, one after another. All integers little-endian.
 *
 *   upload      id (32)  length u32  sealed bytes
 *   download    index u32  id (32)  length u32  sealed bytes
 *
 * `missing` takes ids (32 bytes each) and answers a bitmap, one bit a chunk in the order of the ids, lowest bit
 * first: 1 means that the server wants it. `presence` answers a bitmap over the chunks of a revision: 1 means
 * that the chunk is stored, 0 that it is all zeros.
 *
 *   commit      length u32  metadata (JSON, {@link CommitMetadata})  id (32) of each chunk, zeros for a zero chunk
 */
export const idSizeBytes = 32
export const uploadHeaderSizeBytes = idSizeBytes + 4
export const downloadHeaderSizeBytes = 4 + idSizeBytes + 4

/** The largest sealed chunk that either side takes. */
export const sealedSizeMaxBytes = 32 * 1024 * 1024

export interface ChunkFrame {
  /** Position in the revision; -1 in uploads, where the id alone counts. */
  readonly index: number
  readonly id: Buffer
  readonly sealed: Buffer
}

/** The bytes in front of a sealed chunk that is uploaded. */
export function uploadHeader(id: Uint8Array, sealedSizeBytes: number): Buffer {
  const header = Buffer.allocUnsafe(uploadHeaderSizeBytes)
  header.set(id, 0)
  header.writeUInt32LE(sealedSizeBytes, idSizeBytes)
  return header
}

/** The bytes in front of a sealed chunk that is downloaded. */
export function downloadHeader(index: number, id: Uint8Array, sealedSizeBytes: number): Buffer {
  const header = Buffer.allocUnsafe(downloadHeaderSizeBytes)
  header.writeUInt32LE(index, 0)
  header.set(id, 4)
  header.writeUInt32LE(sealedSizeBytes, 4 + idSizeBytes)
  return header
}

/** Whether bit `index` of a bitmap is set. */
export function isSet(bitmap: Uint8Array, index: number): boolean {
  return (((bitmap[index >> 3] ?? 0) >> (index & 7)) & 1) === 1
}

export function setBit(bitmap: Uint8Array, index: number): void {
  bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7))
}
