import type { ByteSource } from '../byte-source.ts'
import { presentBlocks } from '../disk/block-set.ts'
import type { DiskPlan } from '../disk/disk-plan.ts'
import { placeOfBlock } from '../disk/place.ts'
import { MIB } from '../extent.ts'

/** Blocks may have 256 MiB; they are moved in pieces so that memory stays flat. */
const PIECE_SIZE_BYTES_MAX = 2 * MIB

/** A part of a present block with its place inside the disk and in the file. */
interface PiecePlace {
  readonly virtualOffsetBytes: number
  readonly fileOffsetBytes: number
  readonly sizeBytes: number
  readonly isBlockStart: boolean
}

/** A piece of a block's data and its place in the file. */
export interface DataPiece {
  readonly fileOffsetBytes: number
  /** Whether the block's preamble comes right before this piece. */
  readonly isBlockStart: boolean
  /** Valid until the next piece is asked for; the buffer is then used again. */
  readonly bytes: Buffer
}

/**
 * The data of all present blocks in the order of the file, read from the disk's content. While one piece is
 * with the consumer, `piecesAhead` others are being read.
 */
export async function* readDataPieces(
  plan: DiskPlan,
  content: ByteSource,
  piecesAhead: number,
): AsyncGenerator<DataPiece> {
  const places = piecePlaces(plan)
  const underway: { readonly piece: DataPiece; readonly done: Promise<void> }[] = []
  const start = (buffer: Buffer): void => {
    const next = places.next()
    if (next.done === true) return
    const { virtualOffsetBytes, fileOffsetBytes, sizeBytes, isBlockStart } = next.value
    const bytes = buffer.subarray(0, sizeBytes)
    const done = content.read(bytes, virtualOffsetBytes)
    // A read that fails while an earlier piece is with the consumer is reported when its turn comes.
    done.catch(() => {})
    underway.push({ piece: { fileOffsetBytes, isBlockStart, bytes }, done })
  }
  const bufferSizeBytes = Math.min(plan.blockSizeBytes, PIECE_SIZE_BYTES_MAX)
  try {
    for (let count = 0; count <= piecesAhead; count++) start(Buffer.allocUnsafeSlow(bufferSizeBytes))
    for (let first = underway.shift(); first !== undefined; first = underway.shift()) {
      await first.done
      yield first.piece
      start(Buffer.from(first.piece.bytes.buffer))
    }
  } finally {
    await Promise.allSettled(underway.map((read) => read.done))
  }
}

/** The bytes behind the disk's end in its last block are not here: they are zero. */
function* piecePlaces(plan: DiskPlan): Generator<PiecePlace> {
  let rank = 0
  for (const block of presentBlocks(plan.blocks)) {
    const blockOffset = block * plan.blockSizeBytes
    const blockEnd = Math.min(blockOffset + plan.blockSizeBytes, plan.virtualSizeBytes)
    const place = placeOfBlock(plan, rank)
    for (let at = blockOffset; at < blockEnd; at += PIECE_SIZE_BYTES_MAX) {
      const sizeBytes = Math.min(PIECE_SIZE_BYTES_MAX, blockEnd - at)
      const fileOffsetBytes = place + at - blockOffset
      yield { virtualOffsetBytes: at, fileOffsetBytes, sizeBytes, isBlockStart: at === blockOffset }
    }
    rank++
  }
}
