/**
 * Compares the volume on a disk, a VHD, VHDX or raw image, with a revision: reads it as anybody would, names each chunk
 * again, and compares the names with those that the server has. Nothing of the revision is fetched but its names.
 */

import { isAbsolute } from 'node:path'
import type { DiskComparison, ServerMessage } from '@palisade/agent-protocol'
import { withPartition } from '@palisade/agent-protocol/wire'
import type { Log } from '@palisade/log'
import { describe } from '@palisade/start-up'
import { isAllZero, nameChunk } from '@palisade/vault'
import { type ByteSource, DiskFailure, openDisk, sliceSource } from '@palisade/virtual-disk'
import { chunkCountOf, chunkLength } from '../chunks/chunk-range.ts'
import { namingForComparison } from '../end-to-end/task-keys.ts'
import { ServerClient } from '../server/exchange.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import { type Disk, readPartitionsIfAny } from '../volumes/find-partition.ts'
import { fetchIds } from './fetch-ids.ts'
import { type Comparable, openComparable } from './open-comparable.ts'
import { withinTimeout } from './within-timeout.ts'

/** The server's wish: the path of a disk or image on this computer, absolute, and the revision that it is compared with. */
export type ComparisonRequest = Extract<ServerMessage, { type: 'compare-disk' }>
/** What a comparison needs: the server for the names of the chunks, the keys to name chunks with, access to the disk. */
export type ComparisonContext = Pick<TaskContext, 'connection' | 'retryPolicy' | 'ownKey' | 'signal'> &
  Comparable & { readonly log: Log }

/** How many ids are asked for at once. */
const idsPerRequest = 4096
/** How many places of differences the log of this computer has. */
const placesMax = 10
/** Partitions are made of whole mebibytes, so one may be a little longer than the volume on it. */
const partitionSlackBytes = 2 * 1024 * 1024

/** A comparison that has been answered. */
export interface EndedComparison {
  readonly comparison: DiskComparison
  /** Resolves when nothing is under way in the file of the disk: the system may go on with a read that nobody waits for. */
  readonly closed: Promise<void>
}

/**
 * What comes of a comparison; a disk or a server that cannot be read is an answer too. The server is told how many chunks differ,
 * and the log of this computer where. Never rejects.
 */
export async function compareDisk(
  request: ComparisonRequest,
  context: ComparisonContext,
): Promise<EndedComparison> {
  const client = new ServerClient(context.connection)
  let closed: Promise<void> = Promise.resolve()
  try {
    const naming = await namingForComparison(request.revision, { ...context, client })
    const { path, partition: asked } = request
    if (!isAbsolute(path)) throw new Error(`${path} is not an absolute path on this computer`)
    const source = withPartition(asked === undefined ? { path } : { path, partition: asked })
    const opening = openComparable(source, context)
    try {
      const { file, partition } = await withinTimeout(opening, context.signal)
      const disk = patientSource(await diskIn(patientSource(file, context.signal)), context.signal)
      const volume = await volumeOn(disk, partition, request)
      const comparison = await compareVolume(volume, naming, request, { ...context, client })
      closed = file.close()
      return { comparison, closed }
    } catch (error) {
      closed = opening.then(({ file }) => file.close()).catch(() => undefined)
      throw error
    }
  } catch (error) {
    return { comparison: { failure: describe(error) }, closed }
  } finally {
    client.close()
  }
}

/** A source whose reads end in time. */
function patientSource<Source extends Disk>(source: Source, signal: AbortSignal): Disk {
  const { sizeBytes, logicalSectorSizeBytes } = source
  const read = (target: Uint8Array, position: number) => withinTimeout(source.read(target, position), signal)
  return { sizeBytes, read, logicalSectorSizeBytes }
}

/** The disk in a file; the file itself when it is a raw image. */
async function diskIn(file: ByteSource): Promise<Disk> {
  try {
    return await openDisk(file)
  } catch (error) {
    if (error instanceof DiskFailure && error.code === 'unrecognised-format') return file
    throw error
  }
}

/** The part of a disk that holds the volume: the partition that is asked for, or the only one of its size. */
async function volumeOn(
  disk: Disk,
  partition: number | undefined,
  { revision }: ComparisonRequest,
): Promise<ByteSource> {
  const sizeBytes = revision.volume.capacityBytes
  const partitions = await readPartitionsIfAny(disk)
  const bare =
    partition === undefined && partitions.length === 0 ? [{ offsetBytes: 0, sizeBytes: disk.sizeBytes }] : []
  const fitting = [
    ...bare,
    ...partitions.filter(({ number }) => partition === undefined || number === partition),
  ].filter((place) => place.sizeBytes >= sizeBytes && place.sizeBytes - sizeBytes < partitionSlackBytes)
  const [place, ...more] = fitting
  if (place === undefined) throw new Error('there is no partition of the size of the volume on the disk')
  if (more.length > 0)
    throw new Error(
      'several partitions of the disk are as long as the volume: name one, by # and its number behind the path or apart from it',
    )
  return sliceSource(disk, { offsetBytes: place.offsetBytes, sizeBytes })
}

async function compareVolume(
  volume: ByteSource,
  naming: Uint8Array,
  { path, revision }: ComparisonRequest,
  context: ComparisonContext & { readonly client: ServerClient },
): Promise<DiskComparison> {
  const geometry = { volumeSizeBytes: volume.sizeBytes, chunkSizeBytes: revision.chunkSizeBytes }
  const chunkCount = chunkCountOf(geometry)
  // What the revision keeps of the disk beside the volume comes first.
  const before = revision.volume.frame?.chunkCount ?? 0
  const buffer = Buffer.allocUnsafeSlow(revision.chunkSizeBytes)
  const places: number[] = []
  let chunksDifferent = 0
  for (let from = 0; from < chunkCount; from += idsPerRequest) {
    const to = Math.min(from + idsPerRequest, chunkCount)
    const ids = await fetchIds(context, revision.revisionId, { from: before + from, to: before + to })
    for (let index = from; index < to; index++) {
      context.signal.throwIfAborted()
      const chunk = buffer.subarray(0, chunkLength(geometry, index))
      await volume.read(chunk, index * geometry.chunkSizeBytes)
      const id = isAllZero(chunk) ? Buffer.alloc(32) : nameChunk(chunk, naming)
      if (id.equals(ids.subarray((index - from) * 32, (index - from + 1) * 32))) continue
      chunksDifferent++
      if (places.length < placesMax) places.push(index * geometry.chunkSizeBytes)
    }
  }
  if (chunksDifferent > 0) {
    context.log.warn({ path, revision: revision.revisionId, places }, 'the disk differs from its revision')
  }
  return { chunksCompared: chunkCount, chunksDifferent, firstDifferences: [] }
}
