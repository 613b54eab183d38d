/**
 * Compares the volume on a disk, a VHD, VHDX or raw image, with a revision: reads it as anybody would, names each chunk
 * again, and compares the names with those that the server has. Nothing of the revision is fetched but its names.
 */
import { isAbsolute } from 'node:path'
import type { DiskComparison, ServerMessage } from '@palisade/agent-protocol'
import { isAllZero, nameChunk } from '@palisade/vault'
import { type ByteSource, DiskFailure, openDisk, openFile, sliceSource } from '@palisade/virtual-disk'
import { chunkCountOf, chunkLength } from '../chunk-range.ts'
import { keysForRestore } from '../end-to-end/task-keys.ts'
import { describe } from '../failure.ts'
import { ServerClient } from '../server/exchange.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import { type Disk, readPartitionsIfAny } from '../volumes/find-partition.ts'
import { fetchIds } from './fetch-ids.ts'

export type ComparisonRequest = Extract<ServerMessage, { type: 'compare-disk' }>
export type ComparisonContext = Pick<TaskContext, 'connection' | 'patience' | 'ownKey' | 'signal'>

/** How many ids are asked for at once. */
const idsPerRequest = 4096
const firstDifferencesMax = 10
/** Partitions are made of whole mebibytes, so one may be a little longer than the volume on it. */
const partitionSlackBytes = 2 * 1024 * 1024

/** What comes of a comparison; a disk or a server that cannot be read is an answer too. */
export async function compareDisk(
  request: ComparisonRequest,
  context: ComparisonContext,
): Promise<DiskComparison> {
  const client = new ServerClient(context.connection)
  try {
    if (!isAbsolute(request.path)) throw new Error(`${request.path} is not an absolute path on this computer`)
    const file = await openFile(request.path)
    try {
      const volume = await volumeOn(await diskIn(file), request)
      return await compareVolume(volume, request, { ...context, client })
    } finally {
      await file.close()
    }
  } catch (error) {
    return { failure: describe(error) }
  } finally {
    client.close()
  }
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
async function volumeOn(disk: Disk, { partition, revision }: ComparisonRequest): Promise<ByteSource> {
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
  if (more.length > 0) throw new Error('several partitions of the disk are as long as the volume: name one')
  return sliceSource(disk, { offsetBytes: place.offsetBytes, sizeBytes })
}

async function compareVolume(
  volume: ByteSource,
  { revision }: ComparisonRequest,
  context: ComparisonContext & { readonly client: ServerClient },
): Promise<DiskComparison> {
  const geometry = { volumeSizeBytes: volume.sizeBytes, chunkSizeBytes: revision.chunkSizeBytes }
  const { naming } = (await keysForRestore([revision], context))(revision)
  const chunkCount = chunkCountOf(geometry)
  // What the revision keeps of the disk beside the volume comes first.
  const before = revision.volume.frame?.chunkCount ?? 0
  const buffer = Buffer.allocUnsafeSlow(revision.chunkSizeBytes)
  const different: number[] = []
  for (let from = 0; from < chunkCount; from += idsPerRequest) {
    const to = Math.min(from + idsPerRequest, chunkCount)
    const ids = await fetchIds(context, revision.revisionId, { from: before + from, to: before + to })
    for (let index = from; index < to; index++) {
      context.signal.throwIfAborted()
      const chunk = buffer.subarray(0, chunkLength(geometry, index))
      await volume.read(chunk, index * geometry.chunkSizeBytes)
      const id = isAllZero(chunk) ? Buffer.alloc(32) : nameChunk(chunk, naming)
      if (!id.equals(ids.subarray((index - from) * 32, (index - from + 1) * 32))) different.push(index)
    }
  }
  return {
    chunksCompared: chunkCount,
    chunksDifferent: different.length,
    firstDifferences: different.slice(0, firstDifferencesMax).map((index) => index * geometry.chunkSizeBytes),
  }
}
