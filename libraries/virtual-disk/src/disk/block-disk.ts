import { type ByteSource, requireWithin } from '../byte-source.ts'
import type { Extent } from '../extent.ts'
import { settleAll } from '../settle-all.ts'
import type { DiskExtent, VirtualDisk } from './virtual-disk.ts'

/** For each sector of one block, whether the file has it (true) or the parent (false). */
export type SectorBitmap = (sectorInBlock: number) => boolean

/** Where the bytes of a block are. `mixed` blocks are decided sector by sector. */
export type BlockContent =
  | { readonly kind: 'data'; readonly fileOffsetBytes: number }
  | { readonly kind: 'mixed'; readonly fileOffsetBytes: number; readonly isOwn: SectorBitmap }
  | { readonly kind: 'zero' | 'parent' }

/** A disk in terms of its blocks; what remains is the same for all formats. */
export interface BlockDisk extends Omit<VirtualDisk, 'read' | 'extents'> {
  readonly file: ByteSource
  locate(block: number): Promise<BlockContent>
}

/** Gives a disk of blocks its bytes and its extents. */
export function readThroughBlocks(disk: BlockDisk): VirtualDisk {
  const { file: _, locate: __, ...description } = disk
  return {
    ...description,
    async read(target, position) {
      requireWithin(disk, position, target.byteLength)
      const reads: Promise<void>[] = []
      let done = 0
      while (done < target.byteLength) {
        const piece = pieceWithinBlock(disk, position + done, target.byteLength - done)
        reads.push(readPiece(disk, piece, target.subarray(done, done + piece.sizeBytes)))
        done += piece.sizeBytes
      }
      await settleAll(reads)
    },
    extents: (range = { offsetBytes: 0, sizeBytes: disk.sizeBytes }) => merged(blockExtents(disk, range)),
  }
}

/** A part of one block. */
interface Piece extends Extent {
  readonly block: number
  readonly offsetInBlock: number
}

function pieceWithinBlock(disk: BlockDisk, offsetBytes: number, sizeBytesMax: number): Piece {
  const block = Math.floor(offsetBytes / disk.blockSizeBytes)
  const offsetInBlock = offsetBytes - block * disk.blockSizeBytes
  return {
    block,
    offsetInBlock,
    offsetBytes,
    sizeBytes: Math.min(disk.blockSizeBytes - offsetInBlock, sizeBytesMax),
  }
}

async function readPiece(disk: BlockDisk, piece: Piece, target: Uint8Array): Promise<void> {
  const content = await disk.locate(piece.block)
  switch (content.kind) {
    case 'data':
      return disk.file.read(target, content.fileOffsetBytes + piece.offsetInBlock)
    case 'zero':
      target.fill(0)
      return
    case 'parent':
      return readParent(disk, target, piece.offsetBytes)
    case 'mixed':
      for (const run of sectorRuns(disk, piece, content.isOwn)) {
        const start = run.offsetBytes - piece.offsetBytes
        const part = target.subarray(start, start + run.sizeBytes)
        if (run.kind === 'data')
          await disk.file.read(part, content.fileOffsetBytes + piece.offsetInBlock + start)
        else await readParent(disk, part, run.offsetBytes)
      }
  }
}

/** A parent may be smaller than its child; behind its end the child reads zeros. */
async function readParent(disk: BlockDisk, target: Uint8Array, position: number): Promise<void> {
  const available = Math.max(0, Math.min(target.byteLength, (disk.parent?.sizeBytes ?? 0) - position))
  target.fill(0, available)
  if (available > 0) await disk.parent?.read(target.subarray(0, available), position)
}

/** Splits a piece of a mixed block where the owner of its sectors changes. */
function* sectorRuns(disk: BlockDisk, piece: Piece, isOwn: SectorBitmap): Generator<DiskExtent> {
  const sectorSize = disk.logicalSectorSizeBytes
  const end = piece.offsetInBlock + piece.sizeBytes
  let start = piece.offsetInBlock
  while (start < end) {
    const own = isOwn(Math.floor(start / sectorSize))
    let runEnd = (Math.floor(start / sectorSize) + 1) * sectorSize
    while (runEnd < end && isOwn(runEnd / sectorSize) === own) runEnd += sectorSize
    const sizeBytes = Math.min(runEnd, end) - start
    const offsetBytes = piece.offsetBytes + start - piece.offsetInBlock
    yield { offsetBytes, sizeBytes, kind: own ? 'data' : 'parent' }
    start += sizeBytes
  }
}

async function* blockExtents(disk: BlockDisk, range: Extent): AsyncGenerator<DiskExtent> {
  requireWithin(disk, range.offsetBytes, range.sizeBytes)
  const end = range.offsetBytes + range.sizeBytes
  for (let offsetBytes = range.offsetBytes; offsetBytes < end; ) {
    const piece = pieceWithinBlock(disk, offsetBytes, end - offsetBytes)
    const content = await disk.locate(piece.block)
    if (content.kind === 'mixed') yield* sectorRuns(disk, piece, content.isOwn)
    else yield { offsetBytes, sizeBytes: piece.sizeBytes, kind: content.kind }
    offsetBytes += piece.sizeBytes
  }
}

async function* merged(extents: AsyncIterable<DiskExtent>): AsyncGenerator<DiskExtent> {
  let last: DiskExtent | undefined
  for await (const extent of extents) {
    if (last === undefined) last = extent
    else if (last.kind === extent.kind) last = { ...last, sizeBytes: last.sizeBytes + extent.sizeBytes }
    else {
      yield last
      last = extent
    }
  }
  if (last !== undefined) yield last
}
