/**
 * Writes a planned disk into a local file, out of order and by as many threads as one likes:
 *
 *     1. beginDiskFile    gives the file its length and writes its tables
 *     2. writeDiskData    puts data where the plan says; any order, any thread, any number of times
 *     3. finishDiskFile   makes all of that durable, then writes headers or footers, and makes them durable
 *
 * A file whose writing stopped before step 3 is not a valid disk. What was not written reads as zeros.
 */
import { writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { ByteSource } from '../byte-source.ts'
import type { DiskPlan } from '../disk/disk-plan.ts'
import { placesOf } from '../disk/place.ts'
import type { Region } from '../extent.ts'
import { DiskFailure } from '../failure.ts'
import { preambleOf, sealsOf, tablesOf } from '../plan/structures.ts'
import { isZero } from '../zero.ts'
import { readDataPieces } from './data-pieces.ts'

/** Empties the file, gives it the plan's length and writes its tables. */
export async function beginDiskFile(handle: FileHandle, plan: DiskPlan): Promise<void> {
  await handle.truncate(0)
  await handle.truncate(plan.fileSizeBytes)
  await writeRegions(handle.fd, tablesOf(plan))
}

/**
 * Writes bytes of the virtual disk to their places. Synchronous, for worker threads: threads of one process
 * share the descriptor, and no two calls disturb each other unless they write the same bytes.
 *
 * Throws `block-not-planned` for data in a block the plan left out, unless the data is zero; then there is
 * nothing to do.
 */
export function writeDiskData(
  fd: number,
  plan: DiskPlan,
  virtualOffsetBytes: number,
  bytes: Uint8Array,
): void {
  const extent = { offsetBytes: virtualOffsetBytes, sizeBytes: bytes.byteLength }
  if (!(virtualOffsetBytes >= 0 && virtualOffsetBytes + bytes.byteLength <= plan.virtualSizeBytes)) {
    throw new DiskFailure('invalid-argument', 'the data leaves the disk', virtualOffsetBytes)
  }
  const preamble = preambleOf(plan)
  for (const place of placesOf(plan, extent)) {
    const start = place.offsetBytes - virtualOffsetBytes
    const piece = bytes.subarray(start, start + place.sizeBytes)
    if (place.fileOffsetBytes !== undefined) {
      // Here rather than at the beginning, so that it shares the page with data, and its way to the disk.
      const blockPlace = place.fileOffsetBytes - (place.offsetBytes % plan.blockSizeBytes)
      writeFully(fd, preamble, blockPlace - preamble.byteLength)
      writeFully(fd, piece, place.fileOffsetBytes)
    } else if (!isZero(piece)) {
      throw new DiskFailure('block-not-planned', 'data for a block the plan left out', place.offsetBytes)
    }
  }
}

/** Waits until all data is on the disk, then writes the seals and waits for them. */
export async function finishDiskFile(handle: FileHandle, plan: DiskPlan): Promise<void> {
  await handle.sync()
  await writeRegions(handle.fd, sealsOf(plan))
  await handle.sync()
}

/**
 * All three steps in one thread, with the disk's content read `piecesAhead` pieces of up to 2 MiB ahead.
 * Zeros are not written, so the file stays sparse where the file system can.
 */
export async function writeDiskFile(
  handle: FileHandle,
  plan: DiskPlan,
  content: ByteSource,
  options: { readonly piecesAhead?: number; readonly signal?: AbortSignal } = {},
): Promise<void> {
  await beginDiskFile(handle, plan)
  const preamble = preambleOf(plan)
  for await (const piece of readDataPieces(plan, content, options.piecesAhead ?? 2)) {
    const { fileOffsetBytes, isBlockStart, bytes } = piece
    options.signal?.throwIfAborted()
    if (isBlockStart) writeFully(handle.fd, preamble, fileOffsetBytes - preamble.byteLength)
    if (!isZero(bytes)) await writeFullyLater(handle, bytes, fileOffsetBytes)
  }
  await finishDiskFile(handle, plan)
}

/** Other work of the process gets its turn between the pieces of a long table. */
async function writeRegions(fd: number, regions: Iterable<Region>): Promise<void> {
  for (const { offsetBytes, bytes } of regions) {
    writeFully(fd, bytes, offsetBytes)
    await setImmediate()
  }
}

function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  let done = 0
  while (done < bytes.byteLength) {
    done += writeSync(fd, bytes, done, bytes.byteLength - done, position + done)
  }
}

async function writeFullyLater(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0
  while (done < bytes.byteLength) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, position + done)
    done += bytesWritten
  }
}
