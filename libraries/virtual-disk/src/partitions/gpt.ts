/**
 * The GUID partition table (UEFI 2.10, chapter 5), with the 128 entries everybody writes. For a disk of
 * `total` sectors of 512 bytes:
 *
 *     0                         protective MBR: one entry of type EE over the whole disk
 *     1                         primary header
 *     2 .. 33                   entries, 128 of 128 bytes
 *     34 .. total-34            usable
 *     total-33 .. total-2       the same entries again
 *     total-1                   backup header
 *
 * With sectors of 4096 bytes the entries take 4 sectors instead of 32.
 *
 *     header: "EFI PART" | revision u32 | header size u32 | header CRC-32 u32 | 0 u32 | own sector u64
 *             | other header's sector u64 | first usable u64 | last usable u64 | disk GUID
 *             | entries' sector u64 | entry count u32 | entry size u32 | entries' CRC-32 u32
 *     entry:  type GUID | partition GUID | first sector u64 | last sector u64 | attributes u64
 *             | name, 36 UTF-16 units
 *
 * Numbers are little-endian, GUIDs mixed. The header's CRC is taken with its own field zero, over the
 * header size; the entries' CRC over all entries.
 */
import { crc32 } from 'node:zlib'

/** The first eight bytes of a header. */
export const GPT_MAGIC = 'EFI PART'
/** 1.0, the only one there is. */
export const GPT_REVISION = 0x0001_0000
/** What we write; readers go by the size in the header. */
export const HEADER_SIZE_BYTES = 92
/** What we write; the least that the UEFI specification allows with entries of 128 bytes. */
export const ENTRY_COUNT = 128
/** What we write; readers go by the size in the header (UEFI allows 128 times a power of two). */
export const ENTRY_SIZE_BYTES = 128
/** 16 KiB: all entries of a table that we write, used or not; each table has them twice. */
export const ENTRIES_SIZE_BYTES = ENTRY_COUNT * ENTRY_SIZE_BYTES
/** UTF-16 code units. */
export const NAME_UNITS_MAX = 36

/** Where each field of a header is. */
export const headerField = {
  magic: 0,
  revision: 8,
  headerSize: 12,
  headerCrc: 16,
  ownSector: 24,
  otherSector: 32,
  firstUsable: 40,
  lastUsable: 48,
  diskId: 56,
  entriesSector: 72,
  entryCount: 80,
  entrySize: 84,
  entriesCrc: 88,
} as const

/** Where each field of an entry is. */
export const entryField = {
  type: 0,
  uniqueId: 16,
  firstSector: 32,
  lastSector: 40,
  attributes: 48,
  name: 56,
} as const

/** CRC-32 of a header of `headerSizeBytes`, its own field counted as zero. */
export function headerChecksum(header: Buffer, headerSizeBytes: number): number {
  const copy = Buffer.from(header.subarray(0, headerSizeBytes))
  copy.writeUInt32LE(0, headerField.headerCrc)
  return crc32(copy)
}

/** Sectors the entries take. */
export function entriesSectors(sectorSizeBytes: number): number {
  return ENTRIES_SIZE_BYTES / sectorSizeBytes
}
