/** Has the workers send what is in a volume, and puts the ids of its chunks where the commit finds them. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { idSizeBytes } from '@palisade/agent-protocol/wire'
import { isAllZero } from '@palisade/vault/chunks'
import type { Region } from '@palisade/virtual-disk'
import { type Extents, intersect, wholeExtents } from '../chunks/extents.ts'
import type { BackupKeys } from '../end-to-end/task-keys.ts'
import { bandwidthLimit } from '../sessions/bandwidth.ts'
import type { JobRange, SendSpec } from '../sessions/session.ts'
import type { ChunkIdFile } from '../state/chunk-id-file.ts'
import type { PatchedChunks } from '../tracking/patched-chunks.ts'
import type { ReusedChunks } from '../tracking/reused-chunks.ts'
import type { Volume } from '../volumes/open-volume.ts'
import type { BackupContext } from './backup-context.ts'
import { writeFrameFile } from './disk-frame.ts'
import { mergeShortRanges, usedRanges, wholeRanges } from './ranges.ts'

/**
 * What is done in the main thread, instead of in threads that take a third of a second of processor time to start: as much as takes about as
 * long, where what is read is only named.
 */
const littleWork = { readBytes: 256 * 1024 * 1024, sentBytes: 32 * 1024 * 1024 }

/** What of a volume is backed up. */
export interface VolumeContent {
  readonly volume: Volume
  /** What its file system has in use; undefined when that is all of it. */
  readonly inUse: Extents | undefined
  /** The parts of the image that are no holes; undefined when the system does not say. */
  readonly data: Extents | undefined
  /** What the disk of a partition needs beside its volumes to start again; undefined when that is not kept. */
  readonly frame: readonly Region[] | undefined
}

/** The revision that a backup is making. */
export interface RevisionInProgress {
  /** The place of the volume's first chunk among them. */
  readonly firstChunk: number
  readonly ids: ChunkIdFile
  /** Chunks that are not read, whose ids are there already. */
  readonly reused: ReusedChunks | undefined
  /** The patched chunks of the revision, those that are not read among them; the others are added. */
  readonly patches: PatchedChunks
}

/** Whether what is left to be read and sent is done in the main thread. */
function isLittle({ reused }: RevisionInProgress): boolean {
  if (reused === undefined) return false
  const { read, sent } = reused.leftBytes
  return read <= littleWork.readBytes && sent <= littleWork.sentBytes
}

/** What all jobs of a backup have in common, wherever they read. */
type Sending = Pick<SendSpec, 'kind' | 'keys' | 'connection' | 'retryPolicy' | 'backupId' | 'limit'>

/** Has the workers send the frame of the disk, if there is one, and then the volume. */
export async function sendContent(
  id: string,
  content: VolumeContent,
  { sealing, chunkSizeBytes }: BackupKeys,
  target: RevisionInProgress,
  context: BackupContext,
): Promise<void> {
  const { connection, retryPolicy, backup, progress } = context
  const bytesDone = progress.begin('reading', content.volume.sizeBytes)
  const limit = backup.bytesPerSecondMax === undefined ? undefined : bandwidthLimit(backup.bytesPerSecondMax)
  const sending: Sending = { kind: 'send', keys: sealing, connection, retryPolicy, backupId: id, limit }
  if (content.frame !== undefined) {
    await sendFrame(content.frame, chunkSizeBytes, sending, target, context)
  }
  await sendVolume(content, { ...sending, bytesDone }, chunkSizeBytes, target, context)
}

/** The chunks of the frame come before those of the volume; progress does not count them. */
async function sendFrame(
  frame: readonly Region[],
  chunkSizeBytes: number,
  sending: Sending,
  target: RevisionInProgress,
  { workers, workDirectory, signal }: BackupContext,
): Promise<void> {
  const sourcePath = join(workDirectory, `backup-${sending.backupId}.frame`)
  const geometry = { volumeSizeBytes: target.firstChunk * chunkSizeBytes, chunkSizeBytes }
  const bytesDone = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT))
  const spec = { ...sending, sourcePath, sourceOffsetBytes: 0, bytesDone, geometry }
  try {
    await writeFrameFile(sourcePath, frame, chunkSizeBytes)
    await workers.each(spec, wholeRanges(geometry), {
      signal,
      inThisThread: isLittle(target),
      onDone: ({ from }, idsOfRange) => target.ids.write(from, idsOfRange),
    })
  } finally {
    await rm(sourcePath, { force: true })
  }
}

async function sendVolume(
  { volume, inUse, data }: VolumeContent,
  sending: Sending & Pick<SendSpec, 'bytesDone'>,
  chunkSizeBytes: number,
  target: RevisionInProgress,
  { workers, signal }: BackupContext,
): Promise<void> {
  const { sourcePath, offsetBytes: sourceOffsetBytes, sizeBytes: volumeSizeBytes } = volume
  const geometry = { volumeSizeBytes, chunkSizeBytes }
  const countDone = (sizeBytes: number) => Atomics.add(sending.bytesDone, 0, BigInt(sizeBytes))
  const toRead = extentsToRead(inUse, data, volumeSizeBytes, target.reused)
  const ranges =
    toRead === undefined
      ? wholeRanges(geometry)
      : mergeShortRanges(geometry, usedRanges(geometry, toRead(), countDone))
  const jobs = target.reused === undefined ? ranges : withPatchMaps(ranges, target.reused)
  await workers.each({ ...sending, geometry, sourcePath, sourceOffsetBytes }, jobs, {
    signal,
    inThisThread: isLittle(target),
    onDone: (job, idsOfJob) => writeIds(target, job, idsOfJob),
  })
}

/** Adds to jobs the maps of chunks that may be sent as patches. */
async function* withPatchMaps(
  jobs: Iterable<JobRange> | AsyncIterable<JobRange>,
  reused: ReusedChunks,
): AsyncGenerator<JobRange> {
  for await (const job of jobs) {
    const patchMaps = new Map<number, Uint8Array>()
    for (const { from, to } of job.parts ?? [job]) {
      for (let index = from; index < to; index++) {
        const patch = reused.patchOf(index)
        if (patch !== undefined) patchMaps.set(index, patch.map)
      }
    }
    yield patchMaps.size > 0 ? { ...job, patchMaps } : job
  }
}

/** Puts the ids of a job's chunks to their places; those of reused chunks stay. */
async function writeIds(target: RevisionInProgress, job: JobRange, idsOfJob: Uint8Array): Promise<void> {
  const { firstChunk, ids, reused } = target
  let at = 0
  for (const range of job.parts ?? [job]) {
    for (const { from, to } of reused?.othersIn(range) ?? [range]) {
      const start = at + (from - range.from) * idSizeBytes
      await ids.write(firstChunk + from, idsOfJob.subarray(start, start + (to - from) * idSizeBytes))
    }
    at += (range.to - range.from) * idSizeBytes
  }
  if (job.patchMaps !== undefined) addPatches(target, job, idsOfJob.subarray(at))
}

/** Adds the chunks of a job that were sent as patches. */
function addPatches(
  { firstChunk, reused, patches }: RevisionInProgress,
  { parts, ...job }: JobRange,
  patchIds: Uint8Array,
): void {
  let at = 0
  for (const { from, to } of parts ?? [job]) {
    for (let index = from; index < to; index++) {
      const patch = patchIds.subarray(at, at + idSizeBytes)
      at += idSizeBytes
      const patchable = reused?.patchOf(index)
      if (patchable === undefined || isAllZero(patch)) continue
      patches.add({ position: firstChunk + index, ...patchable, patch })
    }
  }
}

/** The parts of a volume that must be read; undefined for all of it. */
function extentsToRead(
  inUse: Extents | undefined,
  data: Extents | undefined,
  sizeBytes: number,
  reused: ReusedChunks | undefined,
): Extents | undefined {
  const content = inUse !== undefined && data !== undefined ? intersect(inUse, data) : (inUse ?? data)
  return reused === undefined ? content : reused.leftOutOf(content ?? wholeExtents(sizeBytes))
}
