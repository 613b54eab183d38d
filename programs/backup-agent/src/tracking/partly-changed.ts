import type { FileHandle } from 'node:fs/promises'
import { idSizeBytes } from '@palisade/agent-protocol/wire'
import { countPieces, isAllZero, patchPieces } from '@palisade/vault/chunks'
import { chunkCountOf } from '../chunks/chunk-range.ts'
import { readExactly } from './kept-files.ts'
import type { PatchedChunks } from './patched-chunks.ts'
import type { UnchangedPieces } from './unchanged-pieces.ts'

/** A patch of more pieces than these would be no small one. */
const piecesMax = patchPieces / 2

/** How many ids are read at once. */
const idsPerPortion = 8192

/** A chunk of which little was changed. */
export interface PartlyChanged {
  /** The id of the chunk that a patch of it is to be laid over; the server has to have it. */
  readonly base: Uint8Array
  /** Which pieces the patch needs: those that may be different from the base. */
  readonly map: Uint8Array
}

/** Where the chunks of a revision are known from. */
export interface PreviousIds {
  /** The names of all its chunks. */
  readonly ids: FileHandle
  /** Which of them is that of the volume's first chunk. */
  readonly firstId: number
  /** Those of its chunks that are patched. */
  readonly patched: PatchedChunks
}

/**
 * The chunks of a volume that can be patched, by their numbers: little of them was changed since the earlier revision, and since the
 * base, where they are patched there. No more than can be patched in one revision beside the unchanged ones that are patched already.
 *
 * @param patchedChunksMax how many chunks of the new revision may be patched
 */
export async function findPartlyChanged(
  unchanged: UnchangedPieces,
  { ids, firstId, patched }: PreviousIds,
  patchedChunksMax: number,
): Promise<Map<number, PartlyChanged>> {
  const partlyChanged = new Map<number, PartlyChanged>()
  const { chunks } = unchanged
  let countMax = patchedChunksMax
  for (const { position } of patched) if (chunks.has(position - firstId)) countMax--
  const chunkCount = chunkCountOf(chunks.geometry)
  let portion: { readonly from: number; readonly to: number; readonly bytes: Buffer } | undefined
  for (const { index, dirty } of unchanged.partial()) {
    if (partlyChanged.size >= countMax) break
    if (portion === undefined || index >= portion.to) {
      const to = Math.min(index + idsPerPortion, chunkCount)
      const bytes = Buffer.alloc((to - index) * idSizeBytes)
      portion = { from: index, to, bytes: await readExactly(ids, bytes, (firstId + index) * idSizeBytes) }
    }
    const before = patched.find(firstId + index)
    const at = (index - portion.from) * idSizeBytes
    const base = before?.base ?? portion.bytes.subarray(at, at + idSizeBytes)
    const map = dirty.map((bits, byte) => bits | (before?.map[byte] ?? 0))
    if (countPieces(map) <= piecesMax && !isAllZero(base))
      partlyChanged.set(index, { base: new Uint8Array(base), map })
  }
  return partlyChanged
}
