/**
 * The block allocation table: an array of u64, each a state in bits 0 to 2, zeros in bits 3 to 19, and the
 * file offset of a block in MiB from bit 20 on; so an entry is the byte offset with the state added.
 *
 * Blocks are grouped in chunks of `chunkRatio` = 2^23 sectors / block size. Behind the entries of each full
 * chunk stands one for the chunk's sector bitmap (1 MiB; one bit for each sector of the chunk), in fixed,
 * dynamic and differencing disks alike; only the last use it. So:
 *
 *     entry of block b             b + floor(b / chunkRatio)
 *     entry of chunk c's bitmap    (c + 1) * chunkRatio + c
 *     entries without a parent     n + floor((n - 1) / chunkRatio)
 *     entries with a parent        ceil(n / chunkRatio) * (chunkRatio + 1)
 */
export const BAT_ENTRY_SIZE_BYTES = 8
const SECTORS_PER_CHUNK = 2 ** 23
/** One bit for each of the 2^23 sectors of a chunk. */
export const SECTOR_BITMAP_SIZE_BYTES = SECTORS_PER_CHUNK / 8

/** Payload block states; 4 and 5 do not exist. */
export const blockState = {
  notPresent: 0,
  undefined: 1,
  zero: 2,
  unmapped: 3,
  fullyPresent: 6,
  partiallyPresent: 7,
} as const

/** Sector bitmap states; the others do not exist. */
export const bitmapState = { notPresent: 0, present: 6 } as const

/** How many entries a BAT has, and how they interleave. */
export interface BatGeometry {
  readonly blockCount: number
  /** Blocks to a sector bitmap. */
  readonly chunkRatio: number
  readonly entryCount: number
}

/** By the formulas above. All sizes are in bytes. */
export function batGeometry(of: {
  readonly virtualSizeBytes: number
  readonly blockSizeBytes: number
  readonly logicalSectorSizeBytes: number
  readonly hasParent: boolean
}): BatGeometry {
  const blockCount = Math.ceil(of.virtualSizeBytes / of.blockSizeBytes)
  const chunkRatio = (SECTORS_PER_CHUNK * of.logicalSectorSizeBytes) / of.blockSizeBytes
  const entryCount = of.hasParent
    ? Math.ceil(blockCount / chunkRatio) * (chunkRatio + 1)
    : blockCount + Math.floor((blockCount - 1) / chunkRatio)
  return { blockCount, chunkRatio, entryCount }
}

/** The index of a payload block's entry. */
export function batIndexOfBlock(block: number, chunkRatio: number): number {
  return block + Math.floor(block / chunkRatio)
}

/** The index of the entry of a chunk's sector bitmap. */
export function batIndexOfBitmap(chunk: number, chunkRatio: number): number {
  return (chunk + 1) * chunkRatio + chunk
}

/** What the entry at `index` is for: a payload block, or the sector bitmap of a chunk. */
export function meaningOfBatIndex(
  index: number,
  chunkRatio: number,
): { readonly block: number } | { readonly bitmapOfChunk: number } {
  const chunk = Math.floor(index / (chunkRatio + 1))
  const within = index % (chunkRatio + 1)
  return within === chunkRatio ? { bitmapOfChunk: chunk } : { block: chunk * chunkRatio + within }
}

/** An entry, decoded; `state` is one of `blockState` or `bitmapState`. */
export interface BatEntry {
  readonly state: number
  /** Bits 3 to 19, which must be zero. */
  readonly reserved: number
  readonly offsetBytes: number
}

/** The entry at a byte offset of the table. */
export function decodeBatEntry(table: Buffer, at: number): BatEntry {
  const low = table.readUInt32LE(at)
  const high = table.readUInt32LE(at + 4)
  return {
    state: low & 7,
    reserved: (low >>> 3) & 0x1_ffff,
    offsetBytes: high * 2 ** 32 + (low - (low % 2 ** 20)),
  }
}
