/**
 * A pack: many sealed chunks of one domain in one object. Integers are little-endian.
 *
 *     header   48 bytes   8  "PLSDPACK"
 *                         4  version of this layout: 1
 *                         4  zero
 *                        16  pack id, random; also its name
 *                        16  domain tag
 *     records             per chunk: 32 chunk id, 4 length n, n sealed chunk
 *     table               per chunk, in the order of the records:
 *                         32 chunk id, 4 offset of the sealed chunk in the pack, 4 length
 *     footer   64 bytes   8  time of creation, milliseconds since 1970
 *                         8  offset of the table
 *                         4  number of chunks
 *                         4  CRC-32 of the table
 *                        32  MAC: keyed BLAKE3 under the domain's `tables` key, over the header, the table and the
 *                            first 24 bytes of the footer
 *                         8  "PLSDPEND"
 *
 * The records repeat what the table says, so the chunks of a pack whose end is lost can still be found; what a chunk
 * is worth, its own authentication tag tells.
 */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { chunkIdBytes, keyedHash } from '../chunk/chunk-id.ts'
import { ChunkList } from '../chunk/chunk-list.ts'
import { VaultFailure } from '../failure.ts'

const magic = Buffer.from('PLSDPACK')
const endMagic = Buffer.from('PLSDPEND')
const layoutVersion = 1
/** At the start of a pack. */
export const packHeaderBytes = 48
/** At the end of a pack, behind its table. */
export const packFooterBytes = 64
/** In front of each sealed chunk: its id and length. */
export const recordHeaderBytes = chunkIdBytes + 4
/** For each chunk in the table of a pack: its id, offset and length. */
export const tableEntryBytes = chunkIdBytes + 8
const footerPlainBytes = 24
/** What a pack has around its chunks, and what it holds for each beside the sealed bytes. */
export const packFrameBytes = packHeaderBytes + packFooterBytes
/** What a pack holds for each chunk beside its sealed bytes. */
export const packedChunkOverheadBytes = recordHeaderBytes + tableEntryBytes

/** Offsets are 32 bits wide; packs are far smaller in practice. */
export const packSizeMaxBytes = 2 ** 32 - 1

/** Whom a pack belongs to: all that its header says, and what its MAC is made with. */
export interface PackIdentity {
  /** 16 bytes as hexadecimal. */
  readonly packId: string
  readonly domainTag: string
  readonly tablesKey: Uint8Array
}

/** What the end of a pack says about it. */
export interface PackTable {
  readonly createdMs: number
  readonly sizeBytes: number
  readonly ids: ChunkList
  /** Of the sealed chunk, from the start of the pack. */
  readonly offsets: Uint32Array
  readonly lengths: Uint32Array
}

/** An id that no other pack has. */
export function newPackId(): string {
  return randomBytes(16).toString('hex')
}

/** @throws VaultFailure `invalid-argument` */
export function assertPackId(packId: string): void {
  if (!/^[0-9a-f]{32}$/.test(packId)) {
    throw new VaultFailure('invalid-argument', 'the id of a pack is 32 hexadecimal digits')
  }
}

/** The first 48 bytes of a pack. */
export function encodePackHeader(identity: PackIdentity): Buffer {
  const header = Buffer.alloc(packHeaderBytes)
  header.set(magic)
  header.writeUInt32LE(layoutVersion, 8)
  header.write(identity.packId, 16, 'hex')
  header.write(identity.domainTag, 32, 'hex')
  return header
}

/** The 36 bytes in front of a sealed chunk of this length. */
export function encodeRecordHeader(id: Uint8Array, lengthBytes: number): Buffer {
  const header = Buffer.allocUnsafe(recordHeaderBytes)
  header.set(id)
  header.writeUInt32LE(lengthBytes, chunkIdBytes)
  return header
}

/** Table and footer for the given chunks, which fill the pack from the header to `tableOffset` without gaps. */
export function encodePackEnd(
  identity: PackIdentity,
  createdMs: number,
  tableOffset: number,
  chunks: readonly { readonly id: Uint8Array; readonly offset: number; readonly lengthBytes: number }[],
): Buffer {
  const table = Buffer.allocUnsafe(chunks.length * tableEntryBytes)
  for (const [index, chunk] of chunks.entries()) {
    const start = index * tableEntryBytes
    table.set(chunk.id, start)
    table.writeUInt32LE(chunk.offset, start + chunkIdBytes)
    table.writeUInt32LE(chunk.lengthBytes, start + chunkIdBytes + 4)
  }
  const footer = Buffer.alloc(packFooterBytes)
  footer.writeBigUInt64LE(BigInt(createdMs), 0)
  footer.writeBigUInt64LE(BigInt(tableOffset), 8)
  footer.writeUInt32LE(chunks.length, 16)
  footer.writeUInt32LE(crc32(table), 20)
  footer.set(packMac(identity, table, footer), footerPlainBytes)
  footer.set(endMagic, footerPlainBytes + 32)
  return Buffer.concat([table, footer])
}

/** Where the table of a pack of `sizeBytes` begins, read from its last 64 bytes. */
export function tableOffsetOf(footer: Uint8Array, sizeBytes: number): number {
  const view = Buffer.from(footer)
  if (view.length !== packFooterBytes || !view.subarray(-endMagic.length).equals(endMagic)) {
    throw new VaultFailure('damaged', 'the pack does not end as a pack does')
  }
  const offset = Number(view.readBigUInt64LE(8))
  const count = view.readUInt32LE(16)
  if (offset < packHeaderBytes || offset + count * tableEntryBytes + packFooterBytes !== sizeBytes) {
    throw new VaultFailure('damaged', "the pack's table is not where it should be")
  }
  return offset
}

/**
 * Reads table and footer, which `end` holds from the table's offset to the end of the pack.
 *
 * @throws VaultFailure `damaged` when they are not exactly what was written for this pack of this domain.
 */
export function parsePackEnd(identity: PackIdentity, end: Buffer, sizeBytes: number): PackTable {
  const footer = end.subarray(-packFooterBytes)
  const tableOffset = tableOffsetOf(footer, sizeBytes)
  const table = end.subarray(0, -packFooterBytes)
  if (table.length !== sizeBytes - tableOffset - packFooterBytes) {
    throw new VaultFailure('damaged', "the pack's table is incomplete")
  }
  if (crc32(table) !== footer.readUInt32LE(20))
    throw new VaultFailure('damaged', "the pack's table has bad bytes")
  if (!packMac(identity, table, footer).equals(footer.subarray(footerPlainBytes, footerPlainBytes + 32))) {
    throw new VaultFailure('damaged', "the pack's table was not written with this vault's key")
  }
  const count = table.length / tableEntryBytes
  const ids = ChunkList.ofZeros(count)
  const offsets = new Uint32Array(count)
  const lengths = new Uint32Array(count)
  for (let index = 0; index < count; index++) {
    const start = index * tableEntryBytes
    ids.set(index, table.subarray(start, start + chunkIdBytes))
    offsets[index] = table.readUInt32LE(start + chunkIdBytes)
    lengths[index] = table.readUInt32LE(start + chunkIdBytes + 4)
  }
  return { createdMs: Number(footer.readBigUInt64LE(0)), sizeBytes, ids, offsets, lengths }
}

function packMac(identity: PackIdentity, table: Uint8Array, footer: Uint8Array): Buffer {
  return keyedHash(
    identity.tablesKey,
    encodePackHeader(identity),
    table,
    footer.subarray(0, footerPlainBytes),
  )
}
