import { writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { DiskFrame } from '@palisade/agent-protocol'
import { extentOf, type Region, readDiskFrame, readFrameTable } from '@palisade/virtual-disk'
import { type Disk, readTable } from '../volumes/find-partition.ts'

/** How many parts of a disk a revision can name; a disk with more logical drives than that is restored without their boot records. */
const extentsMax = 512

/**
 * Reads what the disk of a partition needs beside its volumes to start again.
 *
 * @returns undefined when a disk that is made of it would not have the partitions that this one has
 */
export async function readFrame(disk: Disk): Promise<readonly Region[] | undefined> {
  const table = await readTable(disk)
  const frame = await readDiskFrame(disk, table)
  const again = await readFrameTable(frame, table)
  const isWhole = again !== undefined && isDeepStrictEqual(again.partitions, table.partitions)
  return isWhole && frame.length <= extentsMax ? frame : undefined
}

/** How a revision with chunks of this size says where the parts of a frame are. */
export function describeFrame(frame: readonly Region[], chunkSizeBytes: number): DiskFrame {
  const extents = frame.map(extentOf)
  const sizeBytes = extents.reduce((sum, extent) => sum + extent.sizeBytes, 0)
  return { chunkCount: Math.ceil(sizeBytes / chunkSizeBytes), extents }
}

/** Writes the parts of a frame one behind another into a new file, and zeros up to the end of its last chunk. */
export async function writeFrameFile(
  path: string,
  frame: readonly Region[],
  chunkSizeBytes: number,
): Promise<void> {
  const content = Buffer.alloc(describeFrame(frame, chunkSizeBytes).chunkCount * chunkSizeBytes)
  let at = 0
  for (const { bytes } of frame) {
    content.set(bytes, at)
    at += bytes.byteLength
  }
  await writeFile(path, content, { mode: 0o600 })
}
