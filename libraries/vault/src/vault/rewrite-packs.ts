import { ChunkList } from '../chunk/chunk-list.ts'
import { authenticateChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure } from '../failure.ts'
import type { PackWriter } from '../pack/pack-writer.ts'
import { type ChunkToRead, planRuns, type RunChunk } from '../revision/run.ts'
import type { Domain } from './domain.ts'
import type { Live } from './mark-live.ts'

/** A new, durable pack with copies of chunks that the index still finds in their old packs. */
export interface Copy {
  readonly pack: number
  /** For each old pack that was copied completely: index entries of its living chunks, and where the copies are. */
  readonly chunksOf: Map<number, MovedChunk[]>
  readonly packsDamaged: number
}

interface MovedChunk {
  readonly entry: number
  readonly offset: number
}

const runMaxBytes = 4 * 1024 * 1024

/**
 * Copies what lives in some packs into a new one. Each chunk is authenticated on the way; a pack with a damaged one is
 * left as it is, so that a copy never hides what the original could still tell.
 */
export async function copyLivingChunks(
  domain: Domain,
  packs: readonly number[],
  live: Live,
  signal: AbortSignal | undefined,
): Promise<Copy> {
  const { store } = domain
  const entriesOf = livingEntries(domain, packs, live)
  const { number, writer } = store.newWriter()
  const chunksOf = new Map<number, MovedChunk[]>()
  let packsDamaged = 0
  try {
    for (const pack of packs) {
      signal?.throwIfAborted()
      const moved = await copyPack(domain, pack, entriesOf.get(pack) ?? [], writer)
      if (moved) chunksOf.set(pack, moved)
      else packsDamaged++
    }
  } catch (error) {
    await store.giveUp(number, writer)
    throw error
  }
  await store.finishAndReadBack(number, writer)
  return { pack: number, chunksOf, packsDamaged }
}

function livingEntries(domain: Domain, packs: readonly number[], live: Live): Map<number, number[]> {
  const { index } = domain.store
  const entriesOf = new Map<number, number[]>(packs.map((pack) => [pack, []]))
  for (let entry = 0; entry < live.entries.length; entry++) {
    if (live.entries[entry] !== 0) entriesOf.get(index.packOf(entry))?.push(entry)
  }
  return entriesOf
}

/** Nothing when the pack is damaged. */
async function copyPack(
  domain: Domain,
  pack: number,
  entries: readonly number[],
  writer: PackWriter,
): Promise<MovedChunk[] | undefined> {
  const { index, settings } = domain.store
  const id = ChunkList.ofZeros(1)
  const moved: MovedChunk[] = []
  const toRead: ChunkToRead[] = entries.map((entry) => ({
    position: entry,
    pack,
    offset: index.offsetOf(entry),
    lengthBytes: index.lengthOf(entry),
  }))
  try {
    for (const run of planRuns(toRead, (number) => domain.store.objectOf(number), runMaxBytes)) {
      const bytes = Buffer.allocUnsafe(run.lengthBytes)
      await settings.backend.read(run.object, run.offset, bytes)
      const sealedOf = (chunk: RunChunk) => bytes.subarray(chunk.offset, chunk.offset + chunk.lengthBytes)
      for (const chunk of run.chunks) {
        index.copyId(chunk.position, id, 0)
        authenticateChunk(id.bytes, sealedOf(chunk), domain.keys)
      }
      const written = run.chunks.map((chunk) => {
        index.copyId(chunk.position, id, 0)
        const place = writer.append(id.bytes, sealedOf(chunk))
        moved.push({ entry: chunk.position, offset: place.offset })
        return place.written
      })
      await Promise.all(written)
    }
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return undefined
    throw error
  }
  return moved
}
