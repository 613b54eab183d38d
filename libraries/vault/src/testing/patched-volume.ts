import { nameChunk } from '../chunk/chunk-id.ts'
import { makePatch, patchMapBytes, patchPieces } from '../chunk/patch.ts'
import { type SealingKeys, sealChunk } from '../chunk/sealed-chunk.ts'
import { isAllZero } from '../chunk/zero.ts'
import { patchedEntryBytes, RevisionChunks } from '../revision/revision-chunks.ts'
import type { Vault } from '../vault/vault.ts'
import { noise } from './noise.ts'
import { addVolume } from './volume.ts'

/** The table's entry of a patched chunk. */
export function patchedEntry(position: number, base: Uint8Array, patch: Uint8Array): Buffer {
  const entry = Buffer.alloc(patchedEntryBytes)
  entry.writeUInt32LE(position)
  entry.set(base, 4)
  entry.set(patch, 4 + base.length)
  return entry
}

/** The volume with other bytes in so many pieces of each whole chunk, the last piece first, and the first among the last. */
export function changePieces(
  volume: Buffer,
  chunkSizeBytes: number,
  seed: string,
  piecesOf: (position: number) => number,
): Buffer {
  const changed = Buffer.from(volume)
  const pieceBytes = chunkSizeBytes / patchPieces
  for (let start = 0; start + chunkSizeBytes <= volume.length; start += chunkSizeBytes) {
    const pieces = piecesOf(start / chunkSizeBytes)
    for (let count = 0; count < pieces; count++) {
      const piece = (patchPieces - 1 + count * 37) % patchPieces
      noise(`${seed} ${start} ${piece}`, pieceBytes).copy(changed, start + piece * pieceBytes)
    }
  }
  return changed
}

/** The pieces in which a chunk differs from its base. */
export function mapOf(base: Buffer, chunk: Buffer): Buffer {
  const map = Buffer.alloc(patchMapBytes)
  const pieceBytes = chunk.length / patchPieces
  for (let piece = 0; piece < patchPieces; piece++) {
    const [from, to] = [piece * pieceBytes, (piece + 1) * pieceBytes]
    if (base.subarray(from, to).equals(chunk.subarray(from, to))) continue
    map[piece >> 3] = (map[piece >> 3] ?? 0) | (1 << (piece & 7))
  }
  return map
}

/** The volume with some pieces of its chunks changed, of every fourth that is whole and not all zeros; as {@link backUpPatched} takes it. */
export function changeForPatches(
  earlier: Buffer,
  chunkSizeBytes: number,
  seed: string,
): { earlier: Buffer; volume: Buffer; positions: readonly number[] } {
  const positions: number[] = []
  for (let position = 0; (position + 1) * chunkSizeBytes <= earlier.length; position += 4) {
    const start = position * chunkSizeBytes
    if (!isAllZero(earlier.subarray(start, start + chunkSizeBytes))) positions.push(position)
  }
  const isChanged = new Set(positions)
  const volume = changePieces(earlier, chunkSizeBytes, seed, (position) =>
    isChanged.has(position) ? 1 + (position % 7) : 0,
  )
  return { earlier, volume, positions }
}

/**
 * Backs a volume up as one revision in which the chunks at some positions are patched, over those of an earlier volume of the same size.
 *
 * @param positions ascending; of whole chunks that are zeros in neither
 */
export async function backUpPatched(
  vault: Vault,
  domain: string,
  revision: string,
  { earlier, volume, positions }: { earlier: Buffer; volume: Buffer; positions: readonly number[] },
  keys: SealingKeys = vault.chunkKeys(domain),
): Promise<void> {
  const size = vault.chunkSizeBytes
  const chunkOf = (content: Buffer, position: number) =>
    content.subarray(position * size, (position + 1) * size)
  const session = await vault.beginBackup(domain)
  // What is patched is not stored as it is: the earlier content stands in its place until the names are known.
  const stored = Buffer.from(volume)
  for (const position of positions) chunkOf(earlier, position).copy(stored, position * size)
  const names = await addVolume(vault, session, domain, stored, keys)
  const table: Buffer[] = []
  for (const position of positions) {
    const chunk = chunkOf(volume, position)
    const patch = makePatch(chunk, mapOf(chunkOf(earlier, position), chunk))
    const patchId = nameChunk(patch, keys.naming)
    await session.add(patchId, sealChunk(patchId, patch, keys))
    table.push(patchedEntry(position, names.id(position), patchId))
    names.set(position, nameChunk(chunk, keys.naming))
  }
  await session.commitRevision({
    revision,
    volume: 'disk',
    capacityBytes: volume.length,
    metadata: null,
    chunks: RevisionChunks.patched(names, Buffer.concat(table)),
  })
}
