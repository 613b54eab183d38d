import { MIB } from '../extent.ts'
import { randomGuid } from '../guid.ts'
import { encodePartitionTable } from '../partitions/encode.ts'
import { type Partition, type PartitionTable, partitionTypes } from '../partitions/partition-table.ts'
import { diskBytes } from './disk-bytes.ts'

/** Of all disks here. */
export const DISK_SIZE_BYTES = 16 * MIB

export function gptPartition(number: number, offsetBytes: number, sizeBytes: number): Partition {
  return {
    number,
    offsetBytes,
    sizeBytes,
    type: partitionTypes.gpt.basicData,
    uniqueId: randomGuid(),
    name: `partition ${number}`,
    attributes: 0n,
    active: false,
  }
}

export function mbrPartition(number: number, offsetBytes: number, sizeBytes: number): Partition {
  return {
    number,
    offsetBytes,
    sizeBytes,
    type: partitionTypes.mbr.ntfs,
    uniqueId: `1A2B3C4D-0${number}`,
    name: '',
    attributes: 0n,
    active: number === 1,
  }
}

/** Three partitions, the last slot among them. */
export const gptTable: PartitionTable = {
  scheme: 'gpt',
  diskId: randomGuid(),
  diskSizeBytes: DISK_SIZE_BYTES,
  sectorSizeBytes: 512,
  partitions: [gptPartition(1, MIB, 2 * MIB), gptPartition(2, 4 * MIB, MIB), gptPartition(128, 6 * MIB, 512)],
}

/** Two primary partitions and three logical drives. */
export const mbrTable: PartitionTable = {
  scheme: 'mbr',
  diskId: '1A2B3C4D',
  diskSizeBytes: DISK_SIZE_BYTES,
  sectorSizeBytes: 512,
  partitions: [
    mbrPartition(1, MIB, MIB),
    mbrPartition(3, 2 * MIB, MIB),
    { ...mbrPartition(5, 5 * MIB, MIB), recordOffsetBytes: 4 * MIB },
    { ...mbrPartition(6, 7 * MIB, MIB), recordOffsetBytes: 7 * MIB - 512 },
    { ...mbrPartition(7, 9 * MIB, MIB), recordOffsetBytes: 8 * MIB },
  ],
  extended: { number: 2, type: '0F', offsetBytes: 4 * MIB, sizeBytes: 8 * MIB },
}

/** The disk with nothing but its table on it. */
export function diskWith(table: PartitionTable): Buffer {
  return diskBytes(table.diskSizeBytes, encodePartitionTable(table))
}
