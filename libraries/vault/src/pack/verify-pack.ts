import { breathe } from '../breathe.ts'
import { chunkIdBytes } from '../chunk/chunk-id.ts'
import type { ChunkList } from '../chunk/chunk-list.ts'
import { verifyChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure } from '../failure.ts'
import type { VerificationKeys } from '../keys/derive.ts'
import { planRuns, type Run } from '../revision/run.ts'
import type { StorageBackend } from '../storage/backend.ts'
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
  const header = Buffer.allocUnsafe(packHeaderBytes)
  await backend.read(name, 0, header)
  if (!header.equals(encodePackHeader(identity))) return 'the header is not the one that was written'
  let end = packHeaderBytes
  for (let chunk = 0; chunk < table.ids.length; chunk++) {
    if (table.offsets[chunk] !== end + recordHeaderBytes) return `chunk ${chunk} is not where the records say`
    end += recordHeaderBytes + (table.lengths[chunk] ?? 0)
  }
  return undefined
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
  backend: StorageBackend,
  name: string,
  table: PackTable,
  keys: VerificationKeys,
  chunkSizeBytes: number,
  { isChosen = () => true, signal }: ReadChoice,
): Promise<Set<number>> {
  const chosen = Array.from({ length: table.ids.length }, (_, position) => position)
  const wanted = chosen
    .filter((position) => isChosen(table.ids, position))
    .map((position) => ({
      position,
      pack: 0,
      // With the header of its record, which is verified too.
      offset: (table.offsets[position] ?? 0) - recordHeaderBytes,
      lengthBytes: (table.lengths[position] ?? 0) + recordHeaderBytes,
    }))
  const into = Buffer.allocUnsafe(chunkSizeBytes)
  const damaged = new Set<number>()
  for (const run of planRuns(wanted, () => name, runMaxBytes)) {
    signal?.throwIfAborted()
    const bytes = await readRun(backend, run)
    for (const chunk of run.chunks) {
      const record = bytes?.subarray(chunk.offset, chunk.offset + chunk.lengthBytes)
      if (!record || !isIntact(record, table.ids.id(chunk.position), keys, into)) damaged.add(chunk.position)
      await breathe()
    }
  }
  return damaged
}

/** Nothing when the pack ends before the run does. */
async function readRun(backend: StorageBackend, run: Run): Promise<Buffer | undefined> {
  const bytes = Buffer.allocUnsafe(run.lengthBytes)
  try {
    await backend.read(run.object, run.offset, bytes)
    return bytes
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return undefined
    throw error
  }
}

function isIntact(record: Buffer, id: Buffer, keys: VerificationKeys, into: Buffer): boolean {
  const lengthBytes = record.length - recordHeaderBytes
  if (!record.subarray(0, chunkIdBytes).equals(id) || record.readUInt32LE(chunkIdBytes) !== lengthBytes)
    return false
  try {
    verifyChunk(id, record.subarray(recordHeaderBytes), keys, { into })
    return true
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return false
    throw error
  }
}
