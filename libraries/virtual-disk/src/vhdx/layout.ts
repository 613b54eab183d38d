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

export const FILE_IDENTIFIER = 'vhdxfile'
/** Behind the identifier: who made the file, in UTF-16. */
export const CREATOR_SIZE_BYTES = 512
export const HEADER_SIZE_BYTES = 4 * KIB
export const HEADER_OFFSETS = [64 * KIB, 128 * KIB] as const
export const REGION_TABLE_SIZE_BYTES = 64 * KIB
export const REGION_TABLE_OFFSETS = [192 * KIB, 256 * KIB] as const
export const HEADER_SECTION_SIZE_BYTES = MIB

export const LOG_OFFSET = MIB
export const LOG_SIZE_BYTES = MIB
export const METADATA_OFFSET = 2 * MIB
export const METADATA_SIZE_BYTES = MIB
export const BAT_OFFSET = 3 * MIB

export const VIRTUAL_SIZE_BYTES_MAX = 64 * 1024 ** 4
export const BLOCK_SIZE_BYTES_MIN = MIB
export const BLOCK_SIZE_BYTES_MAX = 256 * MIB
