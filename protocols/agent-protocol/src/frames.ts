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
 *               position u32  base id (32)  patch id (32)   of each patched chunk, ascending
 *
 * A chunk that is patched is stored as two, its base and what of it was changed, and has an id of its own: that of its content. It is
 * downloaded as one frame, whose sealed bytes are
 *
 *   patched     80h 0 0 0  length u32 of the sealed base  base id (32)  patch id (32)  sealed base  sealed patch
 *
 * A sealed chunk begins with another byte than 80h.
 */
export const idSizeBytes = 32
/** In front of a sealed chunk that is uploaded: its id and length. */
export const uploadHeaderSizeBytes = idSizeBytes + 4
/** In front of a sealed chunk that is downloaded: its position, id and length. */
export const downloadHeaderSizeBytes = 4 + idSizeBytes + 4

/** Of a patched chunk in a commit. */
export const patchedEntrySizeBytes = 4 + 2 * idSizeBytes
/** In front of the sealed base of a patched chunk. */
export const patchedHeaderSizeBytes = 8 + 2 * idSizeBytes
const patchedMark = 0x80

/** The largest sealed chunk that either side takes. */
export const sealedSizeMaxBytes = 32 * 1024 * 1024

/** A sealed chunk on its way, in either direction. */
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

/** The bytes in front of the sealed base of a patched chunk. */
export function patchedHeader(baseId: Uint8Array, patchId: Uint8Array, sealedBaseSizeBytes: number): Buffer {
  const header = Buffer.alloc(patchedHeaderSizeBytes)
  header[0] = patchedMark
  header.writeUInt32LE(sealedBaseSizeBytes, 4)
  header.set(baseId, 8)
  header.set(patchId, 8 + idSizeBytes)
  return header
}

/** What a patched chunk is made of. */
export interface PatchedFrame {
  readonly base: { readonly id: Buffer; readonly sealed: Buffer }
  readonly patch: { readonly id: Buffer; readonly sealed: Buffer }
}

/** Takes the bytes of a frame apart, without copying; undefined when they are not those of a patched chunk. */
export function readPatchedFrame(sealed: Buffer): PatchedFrame | undefined {
  if (sealed[0] !== patchedMark || sealed.length < patchedHeaderSizeBytes) return undefined
  const baseEnd = patchedHeaderSizeBytes + sealed.readUInt32LE(4)
  if (baseEnd > sealed.length) return undefined
  const id = (at: number) => sealed.subarray(at, at + idSizeBytes)
  return {
    base: { id: id(8), sealed: sealed.subarray(patchedHeaderSizeBytes, baseEnd) },
    patch: { id: id(8 + idSizeBytes), sealed: sealed.subarray(baseEnd) },
  }
}

/** Whether bit `index` of a bitmap is set. */
export function isSet(bitmap: Uint8Array, index: number): boolean {
  return (((bitmap[index >> 3] ?? 0) >> (index & 7)) & 1) === 1
}

/** Sets bit `index` of a bitmap, the lowest bit of a byte first. */
export function setBit(bitmap: Uint8Array, index: number): void {
  bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7))
}
