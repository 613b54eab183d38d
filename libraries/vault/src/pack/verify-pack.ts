import { chunkIdBytes } from '../chunk/chunk-id.ts'
import type { ChunkList } from '../chunk/chunk-list.ts'
import type { VerificationKeys } from '../keys/derive.ts'
import { planRuns, type RunChunk, readRun } from '../revision/run.ts'
import { readUnlessDamaged, type StorageBackend } from '../storage/backend.ts'
import type { ChunkVerifier } from '../verify/chunk-verifier.ts'
import {
  encodePackHeader,
  type PackIdentity,
  type PackTable,
  packHeaderBytes,
  recordHeaderBytes,
} from './pack-format.ts'

const runMaxBytes = 4 * 1024 * 1024

/** Whether the header is this pack's, and the table describes records that fill the pack without gaps. */
export async function verifyPackStructure(
  backend: StorageBackend,
  name: string,
  identity: PackIdentity,
  table: PackTable,
): Promise<string | undefined> {
  const header = await readUnlessDamaged(backend, name, 0, packHeaderBytes)
  if (!header?.equals(encodePackHeader(identity))) return 'the header is not the one that was written'
  let end = packHeaderBytes
  for (let chunk = 0; chunk < table.ids.length; chunk++) {
    if (table.offsets[chunk] !== end + recordHeaderBytes) return `chunk ${chunk} is not where the records say`
    end += recordHeaderBytes + (table.lengths[chunk] ?? 0)
  }
  return undefined
}

/** What the chunks of a pack are read from and verified with. */
export interface PackReading {
  readonly backend: StorageBackend
  readonly verifier: ChunkVerifier
  readonly keys: VerificationKeys
  readonly chunkSizeBytes: number
}

/** Which chunks to read, and when to stop. */
export interface ReadChoice {
  /** Every chunk when absent. */
  readonly isChosen?: (ids: ChunkList, position: number) => boolean
  readonly signal: AbortSignal | undefined
}

/**
 * Reads the chunks of a pack and verifies them as far as the keys allow. Gives the numbers in the table of those that are not what
 * they should be.
 */
export async function findDamagedChunks(
  { backend, verifier, keys, chunkSizeBytes }: PackReading,
  name: string,
  table: PackTable,
  { isChosen = () => true, signal }: ReadChoice,
): Promise<Set<number>> {
  const chosen = Array.from({ length: table.ids.length }, (_, position) => position)
  const chunks = chosen
    .filter((position) => isChosen(table.ids, position))
    .map((position) => ({
      position,
      pack: 0,
      // With the header of its record, which is verified too.
      offset: (table.offsets[position] ?? 0) - recordHeaderBytes,
      lengthBytes: (table.lengths[position] ?? 0) + recordHeaderBytes,
    }))
  const damaged = new Set<number>()
  for (const planned of planRuns(chunks, () => name, runMaxBytes)) {
    signal?.throwIfAborted()
    for await (const { run, bytes } of readRun(backend, planned)) {
      const sound = run.chunks.filter((chunk) => bytes && hasRightHeader(bytes, chunk, table))
      for (const chunk of run.chunks) if (!sound.includes(chunk)) damaged.add(chunk.position)
      const places = sound.map(({ position, offset, lengthBytes }) => ({
        id: table.ids.id(position),
        offset: offset + recordHeaderBytes,
        lengthBytes: lengthBytes - recordHeaderBytes,
      }))
      for (const index of bytes ? await verifier.damaged(bytes, places, keys, chunkSizeBytes) : []) {
        damaged.add(sound[index]?.position ?? -1)
      }
    }
  }
  return damaged
}

/** Whether the record of a chunk begins with its id and its length. */
function hasRightHeader(
  bytes: Buffer,
  { position, offset, lengthBytes }: RunChunk,
  { ids }: PackTable,
): boolean {
  const id = bytes.subarray(offset, offset + chunkIdBytes)
  return (
    id.equals(ids.id(position)) &&
    bytes.readUInt32LE(offset + chunkIdBytes) === lengthBytes - recordHeaderBytes
  )
}
