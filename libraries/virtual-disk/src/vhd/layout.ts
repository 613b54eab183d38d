/**
 * VHD (Microsoft, Virtual Hard Disk Image Format Specification 1.0). Big-endian; GUIDs as printed.
 *
 *     fixed:    data | footer, 512 bytes
 *
 *     dynamic:  0      512    copy of the footer
 *               512    1024   dynamic header
 *               1536          block allocation table: u32 for each block, padded to 512 bytes with FF
 *                             blocks: a bitmap of their sectors, padded to 512 bytes, and the data
 *               end    512    footer
 *
 * A table entry is the sector at which the block's bitmap starts; FFFFFFFF is an absent block, which reads as
 * zeros. The last block is stored whole, even when the disk ends inside it.
 *
 * What this library writes: all bits of every bitmap set, blocks ascending, each bitmap ending at a multiple of 4096
 * so that the data starts on one (the table allows the gaps, and drives of 4096-byte sectors need them).
 */
import { MIB } from '../extent.ts'

/** The only one that the format has. */
export const VHD_SECTOR_SIZE_BYTES = 512 as const
/** At the end of every VHD; dynamic ones have a copy at the start. */
export const FOOTER_SIZE_BYTES = 512
/** Before 2004 the footer had 511 bytes: the same without its last zero. */
export const FOOTER_OFFSETS_FROM_END = [FOOTER_SIZE_BYTES, FOOTER_SIZE_BYTES - 1] as const
/** Behind the copy of the footer. */
export const DYNAMIC_HEADER_OFFSET = 512
/** Of dynamic and differencing disks alike (VHD specification, "Dynamic Disk Header Format"). */
export const DYNAMIC_HEADER_SIZE_BYTES = 1024
/** Where we put the table; readers go by the header. */
export const BAT_OFFSET = DYNAMIC_HEADER_OFFSET + DYNAMIC_HEADER_SIZE_BYTES
/** A sector number, big-endian. */
export const BAT_ENTRY_SIZE_BYTES = 4
/** The entry of a block that the file does not have. */
export const ABSENT_BLOCK = 0xffff_ffff
/** Where the data of blocks begins in files that we write. */
export const DATA_ALIGNMENT_BYTES = 4096

/** 2040 GiB: what Windows and QEMU accept at most. */
export const VIRTUAL_SIZE_BYTES_MAX = 2040 * 1024 * MIB

/** One bit for each sector of a block, padded to whole sectors. */
export function bitmapSizeBytes(blockSizeBytes: number): number {
  const bytes = Math.ceil(blockSizeBytes / VHD_SECTOR_SIZE_BYTES / 8)
  return Math.ceil(bytes / VHD_SECTOR_SIZE_BYTES) * VHD_SECTOR_SIZE_BYTES
}
