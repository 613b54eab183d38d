import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { streamDisk } from '@palisade/virtual-disk'
import { chunkCountOf, chunksWithin } from '../../chunks/chunk-range.ts'
import { placedRanges } from '../../disk-layout/placed-ranges.ts'
import type { PlacedVolume } from '../../disk-layout/placed-volume.ts'
import type { PlannedDisk } from '../../disk-layout/planned-disk.ts'
import type { RestoreKeys } from '../../end-to-end/task-keys.ts'
import type { Transfer } from '../../shares/smb-client.ts'
import { ChunkIdFile } from '../../state/chunk-id-file.ts'
import type { RestoreContext } from '../restore-context.ts'
import { DiskContent } from './disk-content.ts'
import { VolumeContent } from './volume-content.ts'

/** How much one request fetches, unless a chunk is larger. Memory holds that much for each range and each disk under way. */
const rangeSizeBytes = 2 * 1024 * 1024

/** What the workers need to fetch the chunks of a disk. */
export interface DiskFetch {
  readonly restoreId: string
  readonly keys: RestoreKeys
  readonly bytesDone: BigInt64Array
}

/** A volume of the disk, as it arrives and as it is checked. */
interface ArrivingVolume {
  readonly placed: PlacedVolume
  readonly content: VolumeContent
  readonly ids: ChunkIdFile
}

/**
 * Sends a disk into a transfer, from its first byte to its last. The workers fetch and open chunks ahead of the stream;
 * when the share is slow, they wait.
 *
 * @returns the ids of each volume's chunks, to compare them with what is read back; the caller removes the files
 */
export async function sendDisk(
  disk: PlannedDisk,
  fetch: DiskFetch,
  openTransfer: (signal: AbortSignal) => Transfer,
  context: RestoreContext,
): Promise<readonly ChunkIdFile[]> {
  const { plan, regions, volumes } = disk
  const slots = slotsFor(volumes, context)
  const failed = new AbortController()
  const signal = AbortSignal.any([context.signal, failed.signal])
  const arriving: ArrivingVolume[] = []
  const endAll = (because: unknown) => {
    for (const { content } of arriving) content.end(because)
  }
  try {
    for (const placed of volumes) {
      const path = join(context.workDirectory, `${randomUUID()}.ids`)
      const ids = await ChunkIdFile.create(path, chunkCountOf(placed.geometry))
      arriving.push({ placed, ids, content: new VolumeContent(placed, slots) })
    }
    const content = new DiskContent(
      plan.virtualSizeBytes,
      regions,
      arriving.map((volume) => volume.content),
    )
    const transfer = openTransfer(signal)
    const fetching = fetchInTurn(arriving, slots, disk, fetch, { ...context, signal }).catch(endAll)
    try {
      await streamDisk(plan, content, (bytes) => writeTo(transfer, bytes), { piecesAhead: 0, signal })
      transfer.input.end()
      await transfer.done
    } catch (error) {
      failed.abort(error)
      throw error
    } finally {
      endAll(new Error('the stream has ended'))
      await fetching
    }
    return arriving.map(({ ids }) => ids)
  } catch (error) {
    for (const { ids } of arriving) await ids.remove()
    throw error
  }
}

/** Room for the chunks of the ranges that are under way; volumes come one after another, so they share it. */
function slotsFor(
  volumes: readonly PlacedVolume[],
  { workers }: Pick<RestoreContext, 'workers'>,
): readonly Uint8Array[] {
  const sizeBytes = Math.max(
    ...volumes.map(({ geometry }) => chunksWithin(geometry, rangeSizeBytes) * geometry.chunkSizeBytes),
  )
  const rangesMax = Math.max(...volumes.map(({ geometry }) => workers.rangesMax(geometry.chunkSizeBytes)))
  return Array.from({ length: rangesMax }, () => new Uint8Array(new SharedArrayBuffer(sizeBytes)))
}

/** Fetches the volumes in the order of the stream: the next one begins when the stream has passed the one before. */
async function fetchInTurn(
  arriving: readonly ArrivingVolume[],
  slots: readonly Uint8Array[],
  { plan }: PlannedDisk,
  { restoreId, keys, bytesDone }: DiskFetch,
  { connection, retryPolicy, workers, signal }: RestoreContext,
): Promise<void> {
  for (const { placed, content, ids } of arriving) {
    const { geometry, presence, firstChunk, partitionOffsetBytes, revision } = placed
    const ranges = placedRanges(plan, partitionOffsetBytes, geometry, chunksWithin(geometry, rangeSizeBytes))
    await workers.each(
      {
        kind: 'stream',
        geometry,
        keys: keys(revision),
        connection,
        retryPolicy,
        restoreId,
        revisionId: revision.revisionId,
        firstChunk,
        presence,
        slots,
        bytesDone,
      },
      content.withSlots(ranges),
      {
        signal,
        onDone: async (range, rangeIds) => {
          await ids.write(range.from, rangeIds)
          await content.take(range)
        },
        // Ranges that have arrived wait for the stream, and the stream for one before them that now never comes.
        onFailure: (error) => content.end(error),
      },
    )
  }
}

/** Resolves when the bytes are with the client; rejects with what became of the client when they cannot be. */
async function writeTo({ input, done }: Transfer, bytes: Uint8Array): Promise<void> {
  const failure = await new Promise<Error | null | undefined>((resolve) => input.write(bytes, resolve))
  if (failure === null || failure === undefined) return
  await done
  throw failure
}
