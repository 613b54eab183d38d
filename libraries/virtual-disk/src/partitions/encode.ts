import type { Region } from '../extent.ts'
import { requireArgument } from '../failure.ts'
import { encodeGpt } from './encode-gpt.ts'
import { encodeMbr } from './encode-mbr.ts'
import { BOOT_CODE_SIZE_BYTES } from './mbr.ts'
import type { PartitionTable } from './partition-table.ts'

/**
 * The bytes that put a partition table on a disk, in ascending order; all other bytes between partitions
 * are zero. What `readPartitionTable` returned can be handed back here, to put partitions where they were.
 *
 * `bootCode` is at most 440 bytes for sector 0. Throws `invalid-argument` for a table the scheme cannot
 * say, and `disk-too-large` for an MBR partition that ends beyond 2^32 sectors.
 */
export function encodePartitionTable(
  table: PartitionTable,
  options: { bootCode?: Uint8Array } = {},
): Region[] {
  const { bootCode } = options
  requireArgument((bootCode?.byteLength ?? 0) <= BOOT_CODE_SIZE_BYTES, 'boot code has at most 440 bytes')
  return table.scheme === 'gpt' ? encodeGpt(table, bootCode) : encodeMbr(table, bootCode)
}
