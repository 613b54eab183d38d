import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { ChunkKeys } from '@palisade/vault'
import { streamDisk } from '@palisade/virtual-disk'
import { placedRanges } from '../restore/placed-ranges.ts'
import type { PlannedDisk } from '../restore/planned-disk.ts'
import { ChunkIdFile } from '../state/chunk-id-file.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import { rangesMax } from '../workers/chunk-workers.ts'
import type { Transfer } from './smb-client.ts'
import { VolumeContent } from './volume-content.ts'

/** What one request fetches, unless a chunk is larger: times the ranges under way and the disks, it is in memory. */
const rangeSizeBytes = 2 * 1024 * 1024

/** What the workers need to fetch the chunks of a disk. */
export interface DiskFetch {
  readonly restoreId: string
  readonly keys: ChunkKeys
  readonly bytesDone: BigInt64Array
}

/**
 * Sends a disk into a transfer, from its first byte to its last. The workers fetch and open chunks ahead of the stream;
 * when the share is slow, they wait.
 *
 * @returns the ids of the volume's chunks, to compare them with what is read back; the caller removes the file
 */
export async function sendDisk(
  disk: PlannedDisk,
  { restoreId, keys, bytesDone }: DiskFetch,
  openTransfer: (signal: AbortSignal) => Transfer,
  { connection, patience, workers, workDirectory, signal: outer }: TaskContext,
): Promise<ChunkIdFile> {
  const { geometry, presence, plan, partitionOffsetBytes, revision } = disk
  const chunksPerRange = Math.max(1, Math.floor(rangeSizeBytes / geometry.chunkSizeBytes))
  const slots = Array.from(
    { length: rangesMax },
    () => new Uint8Array(new SharedArrayBuffer(chunksPerRange * geometry.chunkSizeBytes)),
  )
  const content = new VolumeContent(disk, slots)
  const failed = new AbortController()
  const signal = AbortSignal.any([outer, failed.signal])
  const { revisionId, chunkCount } = revision
  const ids = await ChunkIdFile.create(join(workDirectory, `${randomUUID()}.ids`), chunkCount)
  try {
    const transfer = openTransfer(signal)
    const fetching = workers
      .each(
        {
          kind: 'stream',
          geometry,
          keys,
          connection,
          patience,
          restoreId,
          revisionId,
          presence,
          slots,
          bytesDone,
        },
        content.withSlots(placedRanges(plan, partitionOffsetBytes, geometry, chunksPerRange)),
        {
          signal,
          onDone: async (range, rangeIds) => {
            await ids.write(range.from, rangeIds)
            await content.take(range)
          },
        },
      )
      .catch((error) => content.end(error))
    try {
      await streamDisk(plan, content, (bytes) => writeTo(transfer, bytes), { piecesAhead: 0, signal })
      transfer.input.end()
      await transfer.done
    } catch (error) {
      failed.abort(error)
      throw error
    } finally {
      content.end(new Error('the stream has ended'))
      await fetching
    }
    return ids
  } catch (error) {
    await ids.remove()
    throw error
  }
}

/** Resolves when the bytes are with the client; rejects with what became of the client when they cannot be. */
async function writeTo({ input, done }: Transfer, bytes: Uint8Array): Promise<void> {
  const failure = await new Promise<Error | null | undefined>((resolve) => input.write(bytes, resolve))
  if (failure === null || failure === undefined) return
  await done
  throw failure
}
