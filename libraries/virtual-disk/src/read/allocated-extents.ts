import type { VirtualDisk } from '../disk/virtual-disk.ts'
import { type Extent, MIB } from '../extent.ts'
import { isZero } from '../zero.ts'

/** Memory that a look for zeros takes. */
const PIECE_SIZE_BYTES = 2 * MIB

/**
 * The parts of a disk that are stored in its file or in that of a parent, from the first to the last; neighbours do
 * not touch. All else reads as zeros. Reads tables only, no data.
 */
export async function* allocatedExtents(disk: VirtualDisk): AsyncGenerator<Extent> {
  yield* mergeAdjacent(storedExtents(disk, { offsetBytes: 0, sizeBytes: disk.sizeBytes }))
}

/**
 * The parts of a disk that hold anything but zeros, in units of `unitSizeBytes` (64 KiB unless given), from the
 * first to the last. Reads all that is allocated.
 */
export async function* dataExtents(disk: VirtualDisk, unitSizeBytes = 64 * 1024): AsyncGenerator<Extent> {
  yield* mergeAdjacent(unitsWithData(disk, unitSizeBytes))
}

async function* unitsWithData(disk: VirtualDisk, unitSizeBytes: number): AsyncGenerator<Extent> {
  const buffer = Buffer.allocUnsafe(Math.max(PIECE_SIZE_BYTES, unitSizeBytes))
  for await (const { offsetBytes, sizeBytes } of allocatedExtents(disk)) {
    const end = offsetBytes + sizeBytes
    for (let at = offsetBytes; at < end; at += buffer.byteLength) {
      const piece = buffer.subarray(0, Math.min(buffer.byteLength, end - at))
      await disk.read(piece, at)
      for (let within = 0; within < piece.byteLength; within += unitSizeBytes) {
        const unit = piece.subarray(within, within + unitSizeBytes)
        if (!isZero(unit)) yield { offsetBytes: at + within, sizeBytes: unit.byteLength }
      }
    }
  }
}

/** What a disk and its parents store of a range. */
async function* storedExtents(disk: VirtualDisk, range: Extent): AsyncGenerator<Extent> {
  const end = range.offsetBytes + range.sizeBytes
  for await (const extent of disk.extents(range)) {
    if (extent.kind === 'zero') continue
    if (extent.kind === 'data') yield extent
    else if (disk.parent !== undefined && extent.offsetBytes < disk.parent.sizeBytes) {
      const sizeBytes =
        Math.min(extent.offsetBytes + extent.sizeBytes, disk.parent.sizeBytes, end) - extent.offsetBytes
      yield* storedExtents(disk.parent, { offsetBytes: extent.offsetBytes, sizeBytes })
    }
  }
}

/** Extents in order, those that touch made one. */
export async function* mergeAdjacent(extents: AsyncIterable<Extent>): AsyncGenerator<Extent> {
  let last: Extent | undefined
  for await (const { offsetBytes, sizeBytes } of extents) {
    if (last !== undefined && last.offsetBytes + last.sizeBytes === offsetBytes) {
      last = { ...last, sizeBytes: last.sizeBytes + sizeBytes }
      continue
    }
    if (last !== undefined) yield last
    last = { offsetBytes, sizeBytes }
  }
  if (last !== undefined) yield last
}
