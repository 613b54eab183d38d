import type { VirtualDisk } from '../disk/virtual-disk.ts'
import { type Extent, KIB, MIB } from '../extent.ts'
import { allocatedExtents, mergeAdjacent } from '../read/allocated-extents.ts'

const PIECE_SIZE_BYTES = 2 * MIB
/** How exactly a difference is said. */
const UNIT_SIZE_BYTES = 4 * KIB

/**
 * Where two disks differ for their guests, in units of 4 KiB, from the first to the last; nothing when they hold
 * the same. A disk that is shorter counts as if zeros followed it: compare the sizes as well where they matter.
 * What neither disk stores is not read.
 */
export async function* compareDisks(one: VirtualDisk, other: VirtualDisk): AsyncGenerator<Extent> {
  yield* mergeAdjacent(differences(one, other))
}

async function* differences(one: VirtualDisk, other: VirtualDisk): AsyncGenerator<Extent> {
  const buffers = [Buffer.allocUnsafe(PIECE_SIZE_BYTES), Buffer.allocUnsafe(PIECE_SIZE_BYTES)] as const
  for await (const { offsetBytes, sizeBytes } of eitherOf(allocatedExtents(one), allocatedExtents(other))) {
    for (let at = offsetBytes; at < offsetBytes + sizeBytes; at += PIECE_SIZE_BYTES) {
      const pieceSize = Math.min(PIECE_SIZE_BYTES, offsetBytes + sizeBytes - at)
      const [ours, theirs] = buffers.map((buffer) => buffer.subarray(0, pieceSize))
      if (ours === undefined || theirs === undefined) return
      await Promise.all([readPadded(one, ours, at), readPadded(other, theirs, at)])
      if (!ours.equals(theirs)) yield* unitsThatDiffer(ours, theirs, at)
    }
  }
}

async function readPadded(disk: VirtualDisk, target: Buffer, position: number): Promise<void> {
  const available = Math.max(0, Math.min(target.byteLength, disk.sizeBytes - position))
  target.fill(0, available)
  if (available > 0) await disk.read(target.subarray(0, available), position)
}

function* unitsThatDiffer(ours: Buffer, theirs: Buffer, offsetBytes: number): Generator<Extent> {
  for (let at = 0; at < ours.byteLength; at += UNIT_SIZE_BYTES) {
    const unit = ours.subarray(at, at + UNIT_SIZE_BYTES)
    if (unit.equals(theirs.subarray(at, at + UNIT_SIZE_BYTES))) continue
    yield { offsetBytes: offsetBytes + at, sizeBytes: unit.byteLength }
  }
}

/** What at least one of two ordered lists covers, in order. */
async function* eitherOf(one: AsyncGenerator<Extent>, other: AsyncGenerator<Extent>): AsyncGenerator<Extent> {
  let covered = 0
  let firstRun = await one.next()
  let right = await other.next()
  while (firstRun.done !== true || right.done !== true) {
    const takeLeft =
      right.done === true || (firstRun.done !== true && firstRun.value.offsetBytes <= right.value.offsetBytes)
    const source = takeLeft ? firstRun : right
    if (source.done === true) return
    const end = source.value.offsetBytes + source.value.sizeBytes
    const from = Math.max(covered, source.value.offsetBytes)
    if (from < end) yield { offsetBytes: from, sizeBytes: end - from }
    covered = Math.max(covered, end)
    if (takeLeft) firstRun = await one.next()
    else right = await other.next()
  }
}
