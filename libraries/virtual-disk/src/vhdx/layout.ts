/**
 * VHDX ([MS-VHDX]: Virtual Hard Disk v2 File Format). Little-endian; GUIDs mixed.
 *
 *     0        64 KiB   file identifier: "vhdxfile", creator
 *     64 KiB   4 KiB    header 1
 *     128 KiB  4 KiB    header 2; of two valid headers the larger sequence number counts
 *     192 KiB  64 KiB   region table 1
 *     256 KiB  64 KiB   region table 2, the same
 *     1 MiB             regions and blocks in any order, each at a multiple of 1 MiB
 *
 * What this library writes continues:
 *
 *     1 MiB    1 MiB    log, empty: a file written once, front to back, has nothing to replay
 *     2 MiB    1 MiB    metadata
 *     3 MiB             block allocation table (BAT), a multiple of 1 MiB
 *     then              the present blocks in ascending order, nothing between them
 */
import { KIB, MIB } from '../extent.ts'

/** The first eight bytes of a VHDX. */
export const FILE_IDENTIFIER = 'vhdxfile'
/** Behind the identifier: who made the file, in UTF-16. */
export const CREATOR_SIZE_BYTES = 512
/** All of it is under the header's CRC-32C, though fields fill its first 80 bytes only; the rest is zero. */
export const HEADER_SIZE_BYTES = 4 * KIB
/** Two headers, of which one is whole at any moment. */
export const HEADER_OFFSETS = [64 * KIB, 128 * KIB] as const
/** Of each copy, all of it under the table's CRC-32C. */
export const REGION_TABLE_SIZE_BYTES = 64 * KIB
/** Two copies with the same content. */
export const REGION_TABLE_OFFSETS = [192 * KIB, 256 * KIB] as const
/** Everything in front of the log. */
export const HEADER_SECTION_SIZE_BYTES = MIB

/** Where we put the log; readers go by the header. */
export const LOG_OFFSET = MIB
/** The least that the specification allows; it asks for a multiple of 1 MiB. */
export const LOG_SIZE_BYTES = MIB
/** Where we put the metadata; readers go by the region table. */
export const METADATA_OFFSET = 2 * MIB
/** The least that the specification allows for a region; table and items of a disk fit in. */
export const METADATA_SIZE_BYTES = MIB
/** Where we put the table; readers go by the region table. */
export const BAT_OFFSET = 3 * MIB

/** 64 TiB, the limit of the specification. */
export const VIRTUAL_SIZE_BYTES_MAX = 64 * 1024 ** 4
/** The least that the specification allows for a block; sizes are powers of two. */
export const BLOCK_SIZE_BYTES_MIN = MIB
/** The most that the specification allows for a block. */
export const BLOCK_SIZE_BYTES_MAX = 256 * MIB
