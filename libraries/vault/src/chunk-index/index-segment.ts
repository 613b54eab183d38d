/**
 * An index segment: what the tables of many packs of one domain say, in one object. Segments only save reading every
 * pack's table when a vault is opened; a missing or damaged one costs time, nothing else. Integers are little-endian.
 *
 *     header   64 bytes   8  "PLSDINDX"
 *                         4  version of this layout: 1
 *                         4  zero
 *                         8  number of packs P
 *                         8  number of entries E
 *                        32  MAC: keyed BLAKE3 under the domain's `tables` key, over the other 32 bytes of the header,
 *                            the domain tag (16 bytes), and all that follows the header
 *     packs    32 × P    16  pack id
 *                         8  time of creation, milliseconds since 1970
 *                         8  size of the pack
 *     ids      32 × E        chunk ids
 *     packs     4 × E        for each entry the number of its pack in this segment
 *     offsets   4 × E        of the sealed chunk, from the start of the pack
 *     lengths   4 × E        of the sealed chunk
 */
import { chunkIdBytes, keyedHash } from '../chunk/chunk-id.ts'
import { ChunkList } from '../chunk/chunk-list.ts'
import { VaultFailure } from '../failure.ts'
import type { DomainKeys } from '../keys/derive.ts'

const magic = Buffer.from('PLSDINDX')
const layoutVersion = 1
const headerBytes = 64
const headerPlainBytes = 32
const packBytes = 32
const entryBytes = chunkIdBytes + 12

/** What a segment says of a pack. */
export interface SegmentPack {
  readonly packId: string
  readonly createdMs: number
  readonly sizeBytes: number
}

/** Where the chunks of some packs are: entries sorted by id, in parallel arrays. Offsets and lengths are in bytes. */
export interface IndexSegment {
  readonly packs: readonly SegmentPack[]
  readonly ids: ChunkList
  /** Place in `packs`, for each entry. */
  readonly packOf: Uint32Array
  readonly offsets: Uint32Array
  readonly lengths: Uint32Array
}

/** The bytes of a segment, sealed with the tables' key of its domain. */
export function encodeIndexSegment(keys: DomainKeys, segment: IndexSegment): Buffer {
  const { packs, ids } = segment
  const content = Buffer.alloc(headerBytes + packs.length * packBytes + ids.length * entryBytes)
  content.set(magic)
  content.writeUInt32LE(layoutVersion, 8)
  content.writeBigUInt64LE(BigInt(packs.length), 16)
  content.writeBigUInt64LE(BigInt(ids.length), 24)
  let end = headerBytes
  for (const pack of packs) {
    content.write(pack.packId, end, 'hex')
    content.writeBigUInt64LE(BigInt(pack.createdMs), end + 16)
    content.writeBigUInt64LE(BigInt(pack.sizeBytes), end + 24)
    end += packBytes
  }
  content.set(ids.bytes, end)
  end += ids.bytes.length
  for (const column of [segment.packOf, segment.offsets, segment.lengths]) {
    for (const value of column) end = content.writeUInt32LE(value, end)
  }
  content.set(segmentMac(keys, content), headerPlainBytes)
  return content
}

/** @throws VaultFailure `damaged` when the segment is not exactly what was written for this domain. */
export function parseIndexSegment(keys: DomainKeys, content: Buffer): IndexSegment {
  if (content.length < headerBytes || !content.subarray(0, magic.length).equals(magic)) {
    throw new VaultFailure('damaged', 'the object does not begin as an index segment does')
  }
  if (
    content.readUInt32LE(8) !== layoutVersion ||
    !segmentMac(keys, content).equals(content.subarray(headerPlainBytes, headerBytes))
  ) {
    throw new VaultFailure('damaged', 'the index segment fails its authentication')
  }
  const packCount = Number(content.readBigUInt64LE(16))
  const entryCount = Number(content.readBigUInt64LE(24))
  const packs = Array.from({ length: packCount }, (_, index) =>
    parsePack(content, headerBytes + index * packBytes),
  )
  const idsStart = headerBytes + packCount * packBytes
  const columnsStart = idsStart + entryCount * chunkIdBytes
  const column = (index: number) => parseColumn(content, columnsStart + index * entryCount * 4, entryCount)
  return {
    packs,
    ids: new ChunkList(content.subarray(idsStart, columnsStart)),
    packOf: column(0),
    offsets: column(1),
    lengths: column(2),
  }
}

function parsePack(content: Buffer, start: number): SegmentPack {
  return {
    packId: content.toString('hex', start, start + 16),
    createdMs: Number(content.readBigUInt64LE(start + 16)),
    sizeBytes: Number(content.readBigUInt64LE(start + 24)),
  }
}

function parseColumn(content: Buffer, start: number, count: number): Uint32Array {
  const column = new Uint32Array(count)
  for (let index = 0; index < count; index++) column[index] = content.readUInt32LE(start + index * 4)
  return column
}

function segmentMac(keys: DomainKeys, content: Buffer): Buffer {
  const tag = Buffer.from(keys.tag, 'hex')
  return keyedHash(keys.tables, content.subarray(0, headerPlainBytes), tag, content.subarray(headerBytes))
}
