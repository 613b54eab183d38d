import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import {
  encodePartitionTable,
  type Partition,
  type PartitionTable,
  type SectorSizeBytes,
} from '@palisade/virtual-disk'

const mebibyte = 1024 * 1024
const diskSizeBytes = 64 * mebibyte
const partitionSizeBytes = 8 * mebibyte

/** Writes a disk of 64 MiB with empty partitions of 8 MiB, one after another; the first one begins at 1 MiB. */
export function writePartitionedDisk(
  path: string,
  scheme: 'gpt' | 'mbr',
  partitions: readonly { readonly type: string; readonly active?: boolean }[],
  sectorSizeBytes: SectorSizeBytes = 512,
): void {
  const table: PartitionTable = {
    scheme,
    diskId: scheme === 'gpt' ? '11111111-2222-4333-8444-555555555555' : '1A2B3C4D',
    diskSizeBytes,
    sectorSizeBytes,
    partitions: partitions.map(({ type, active = false }, index): Partition => {
      const number = index + 1
      return {
        number,
        type,
        uniqueId: scheme === 'gpt' ? `00000000-0000-4000-8000-00000000000${number}` : `1A2B3C4D-0${number}`,
        name: '',
        attributes: 0n,
        active,
        offsetBytes: mebibyte + index * partitionSizeBytes,
        sizeBytes: partitionSizeBytes,
      }
    }),
  }
  const disk = openSync(path, 'w')
  ftruncateSync(disk, diskSizeBytes)
  for (const { offsetBytes, bytes } of encodePartitionTable(table))
    writeSync(disk, bytes, 0, bytes.length, offsetBytes)
  closeSync(disk)
}
