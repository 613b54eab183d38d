/**
 * What a disk needs beside the contents of its partitions to start again, and where it is:
 *
 *     MBR   boot code and entries, and the gap up to the first partition, where GRUB keeps its core; the boot record
 *           of each logical drive
 *     GPT   protective MBR with boot code, header and entries, the gap; the copy of header and entries at the end;
 *           BIOS boot partitions, which hold a boot loader and no file system
 */
import { type ByteSource, readBytes } from '../byte-source.ts'
import { composeSource } from '../compose-source.ts'
import { type Extent, MIB, type Region } from '../extent.ts'
import { DiskFailure } from '../failure.ts'
import { isZero } from '../zero.ts'
import { MBR_SIZE_BYTES } from './mbr.ts'
import type { ReadPartitionTable } from './partition-table.ts'
import { type Partition, type PartitionTable, partitionTypes } from './partition-table.ts'
import { readPartitionTable } from './read.ts'

/** Boot loaders know no larger gap: partitions have begun at 1 MiB since disks are larger than cylinders can say. */
const GAP_SIZE_BYTES_MAX = MIB
/** A boot loader in a partition of its own has some hundred KiB. What is larger is something else. */
const LOADER_SIZE_BYTES_MAX = 8 * MIB
/** Zeros at the ends of a part are left out in steps of this. */
const TRIM_BYTES = 4096

/** Whether a partition holds nothing but a boot loader, which goes with the frame. */
function isBootLoaderPartition({ type, sizeBytes }: Pick<Partition, 'type' | 'sizeBytes'>): boolean {
  return type === partitionTypes.gpt.biosBoot && sizeBytes <= LOADER_SIZE_BYTES_MAX
}

/**
 * Reads the frame of a disk: the bytes that are needed beside its partitions, in ascending order, without the zeros
 * at the ends of each part. At most some MiB.
 *
 * Rejects when the source cannot be read.
 */
export async function readDiskFrame(source: ByteSource, table: PartitionTable): Promise<Region[]> {
  const regions: Region[] = []
  for (const { offsetBytes, sizeBytes } of frameExtents(table)) {
    const region = trimmed({ offsetBytes, bytes: await readBytes(source, offsetBytes, sizeBytes) })
    if (region !== undefined) regions.push(region)
  }
  return regions
}

/**
 * Reads the partition table that a frame holds. Undefined when it holds none that is whole: then the disk cannot be made
 * of the frame as it is.
 *
 * @param diskSizeBytes of the disk that the frame was read from
 */
export async function readFrameTable(
  frame: readonly Region[],
  { diskSizeBytes, sectorSizeBytes }: Pick<PartitionTable, 'diskSizeBytes' | 'sectorSizeBytes'>,
): Promise<ReadPartitionTable | undefined> {
  try {
    return await readPartitionTable(composeSource(diskSizeBytes, frame), { sectorSizeBytes })
  } catch (error) {
    if (error instanceof DiskFailure) return undefined
    throw error
  }
}

function frameExtents(table: PartitionTable): readonly Extent[] {
  const { partitions, extended, diskSizeBytes } = table
  const used = [...partitions, ...(extended === undefined ? [] : [extended])]
  const firstBytes = Math.min(diskSizeBytes, ...used.map(({ offsetBytes }) => offsetBytes))
  const endBytes = Math.max(firstBytes, ...used.map(({ offsetBytes, sizeBytes }) => offsetBytes + sizeBytes))
  const front = { offsetBytes: 0, sizeBytes: Math.min(firstBytes, GAP_SIZE_BYTES_MAX) }
  const inside =
    table.scheme === 'gpt'
      ? [
          ...partitions.filter(isBootLoaderPartition),
          tail(Math.max(endBytes, diskSizeBytes - GAP_SIZE_BYTES_MAX), diskSizeBytes),
        ]
      : recordOffsets(table).map((offsetBytes) => ({
          offsetBytes,
          sizeBytes: Math.max(MBR_SIZE_BYTES, table.sectorSizeBytes),
        }))
  return [front, ...inside]
    .filter(({ sizeBytes }) => sizeBytes > 0)
    .toSorted((a, b) => a.offsetBytes - b.offsetBytes)
}

function tail(offsetBytes: number, endBytes: number): Extent {
  return { offsetBytes, sizeBytes: endBytes - offsetBytes }
}

/** Where the boot records of logical drives are; the first of them may have no drive of its own. */
function recordOffsets({ partitions, extended }: PartitionTable): readonly number[] {
  if (extended === undefined) return []
  const records = partitions.flatMap(({ recordOffsetBytes }) => recordOffsetBytes ?? [])
  return [...new Set([extended.offsetBytes, ...records])]
}

/** Undefined when there are only zeros. */
function trimmed({ offsetBytes, bytes }: Region): Region | undefined {
  let from = 0
  let to = bytes.byteLength
  while (from < to && isZero(bytes.subarray(from, Math.min(from + TRIM_BYTES, to)))) from += TRIM_BYTES
  if (from >= to) return undefined
  while (isZero(bytes.subarray(Math.max(from, to - TRIM_BYTES), to))) to -= TRIM_BYTES
  return { offsetBytes: offsetBytes + from, bytes: bytes.subarray(from, to) }
}
