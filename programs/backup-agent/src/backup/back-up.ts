/**
 * A backup, step by step. Only the last one makes a revision; whatever happens before it leaves nothing behind
 * but chunks that the next backup need not send.
 *
 *     open      find the volume, take a snapshot if there can be one, and ask its file system what is in use, and that of
 *               the image where its holes are
 *     reading   the workers read, name and send chunks, first those of the disk's frame; their ids are collected in a file
 *     commit    the ids and the description of the volume become a revision
 *
 * Of an image whose changes are tracked only what was changed is read (tracking/).
 *
 * A server that was restarted in between has forgotten the backup and says so (409): then it is read again, with the keys that
 * the server has now, since its vault may be another one. One that does not take the patches of a tracked backup gets everything.
 */
import { join } from 'node:path'
import type { BackupSource, Hardware, Outcome } from '@palisade/agent-protocol'
import { type ByteSource, sliceSource } from '@palisade/virtual-disk'
import { Backoff } from '../backoff.ts'
import { chunkCountOf } from '../chunks/chunk-range.ts'
import { keysForBackup } from '../end-to-end/task-keys.ts'
import type { Allocation } from '../file-systems/allocation.ts'
import { readAllocation } from '../file-systems/read-allocation.ts'
import { askMissing } from '../server/missing.ts'
import { isRefusedWith } from '../server/request-failure.ts'
import { retryRequest } from '../server/retry-request.ts'
import { BackupRestartNeeded } from '../sessions/backup-restart-needed.ts'
import { ChunkIdFile } from '../state/chunk-id-file.ts'
import { findDataRegions } from '../system-calls/data-regions.ts'
import { descriptorPath } from '../system-calls/open-folder.ts'
import { PatchedChunks } from '../tracking/patched-chunks.ts'
import type { Reuse, TrackedBackup } from '../tracking/tracked-backup.ts'
import type { Disk } from '../volumes/find-partition.ts'
import { thisMachine } from '../volumes/machine.ts'
import { openSource } from '../volumes/open-source.ts'
import { linksOf, openVolume, type Volume } from '../volumes/open-volume.ts'
import { type ReadableVolume, unfrozen } from '../volumes/snapshots/snapshots.ts'
import type { BackupContext } from './backup-context.ts'
import { commit, PatchesRefused } from './commit.ts'
import { describeFrame, readFrame } from './disk-frame.ts'
import { ownHardware } from './hardware.ts'
import { sendContent, type VolumeContent } from './send-content.ts'

/** A server that forgets a backup more often than this has another fault than a restart. */
const attemptsMax = 5

/** What a backup reads. */
interface Reading extends VolumeContent {
  /** Follows a volume whose changes are tracked; undefined when they are not. */
  readonly tracked: TrackedBackup | undefined
}

/** Backs up one volume. Resolves with the new revision; rejects with a TaskFailure or the signal's reason. */
export async function backUp(id: string, source: BackupSource, context: BackupContext): Promise<Outcome> {
  const { snapshots, tracking, backup, workers, log } = context
  const volume = await openVolume(source, thisMachine, backup.volumes)
  logVolume(volume, context)
  const place = await tracking.placeFor(volume)
  // The threads start while the volume is frozen and examined.
  if (place === undefined || (await tracking.readsEverything(volume))) workers.prepare('send')
  const frozen = backup.takesSnapshots ? await snapshots.freeze(volume, id, place) : unfrozen(volume)
  try {
    const disk = await openSource(frozen.path, linksOf(volume.place))
    try {
      // This path leads to the file that was checked, also when another one takes its name.
      const sourcePath = descriptorPath(disk.descriptor, frozen.path)
      const tracked = await tracking.follow(volume, frozen, sourcePath, place, log)
      const inUse = await findUsed(volume, disk, frozen, context)
      const description = {
        ...volume.description,
        unusedLeftOut: inUse !== undefined,
        snapshot: frozen.kind,
      }
      const frame = await findFrame(volume, disk, context)
      const regions = await findDataRegions(sourcePath, volume)
      try {
        const frozenVolume = { ...volume, sourcePath, description }
        const reading = { volume: frozenVolume, inUse, data: regions?.extents, tracked, frame }
        return await backUpReading(id, reading, context)
      } finally {
        await regions?.close()
      }
    } finally {
      await disk.close()
    }
  } finally {
    await frozen.release()
  }
}

function logVolume({ description, fileSystemId, osVersion }: Volume, { log }: BackupContext): void {
  const { deviceId, label, fileSystem, isBoot } = description
  log.info({ deviceId, label, fileSystem, fileSystemId, isBoot, osVersion }, 'the volume')
}

/** Asks the file system what of a volume must be read; a volume that cannot be asked is read whole. */
async function findUsed(
  volume: Volume,
  disk: ByteSource,
  frozen: ReadableVolume,
  { log, backup }: BackupContext,
): Promise<Reading['inUse']> {
  if (backup.wholeVolumes) return undefined
  const isInUse = frozen.kind === 'none' && volume.place.mountPoints.length > 0
  const allocation: Allocation = isInUse
    ? {
        kind: 'whole',
        why: 'it is mounted, and what is on the disk may be older than what its file system knows',
      }
    : await readAllocation(sliceSource(disk, volume))
  if (allocation.kind === 'extents') return allocation.extents
  log.info(`reading the whole volume: ${allocation.why}`)
  return undefined
}

async function findFrame(
  { partition }: Volume,
  disk: Disk,
  { log }: BackupContext,
): Promise<Reading['frame']> {
  if (partition.placement === undefined) return undefined
  const frame = await readFrame(disk)
  if (frame === undefined)
    log.warn('not backing up the boot code of the disk: its partition table is damaged')
  return frame
}

async function backUpReading(id: string, reading: Reading, context: BackupContext): Promise<Outcome> {
  const { signal, retryPolicy, log } = context
  const backoff = new Backoff(retryPolicy)
  for (let attempt = 1; ; attempt++) {
    try {
      return { state: 'SUCCESS', revisionId: await backUpOnce(id, reading, context) }
    } catch (error) {
      if (!(error instanceof BackupRestartNeeded) || attempt === attemptsMax) throw error
      log.warn(`${error.message}; reading the volume again`)
      await backoff.wait(signal)
    }
  }
}

async function backUpOnce(id: string, reading: Reading, context: BackupContext): Promise<number> {
  const keys = await keysForBackup(context)
  const { chunkSizeBytes, patchedChunksMax } = keys
  const { volume, frame, inUse, tracked } = reading
  const createdAtMs = Date.now()
  const described = frame && describeFrame(frame, chunkSizeBytes)
  const firstChunk = described?.chunkCount ?? 0
  const newRevision = { chunkSizeBytes, namingKey: keys.sealing.naming, firstChunk, inUse, patchedChunksMax }
  const chunkCount = firstChunk + chunkCountOf({ volumeSizeBytes: volume.sizeBytes, chunkSizeBytes })
  const ids = await ChunkIdFile.create(join(context.workDirectory, `backup-${id}.ids`), chunkCount)
  let reuse: Reuse | undefined
  try {
    reuse = await tracked?.findReusable(newRevision, (asked, count) =>
      askWhatIsMissing(id, asked, count, context),
    )
    const reused = reuse?.isToBeChecked === false ? reuse.chunks : undefined
    await reused?.copyTo(ids, firstChunk)
    const patches = reused?.carried(firstChunk) ?? new PatchedChunks()
    await sendContent(id, reading, keys, { firstChunk, ids, reused, patches }, context)
    context.progress.beginDone('commit', volume.sizeBytes)
    const metadata = {
      volume: described === undefined ? volume.description : { ...volume.description, frame: described },
      chunkSizeBytes,
      chunkCount,
      createdAtMs,
      ...(volume.description.isBoot ? { hardware: hardwareOf(volume) } : {}),
      ...keys.metadata,
    }
    const revisionId = await commit(id, metadata, ids, patches, context)
    if (reuse?.isToBeChecked === true) await tracked?.check(reuse, ids, newRevision, revisionId)
    await tracked?.keep(revisionId, ids, patches, newRevision, reused === undefined)
    return revisionId
  } catch (error) {
    if (isRefusedWith(error, 409)) throw new BackupRestartNeeded('the server no longer knows of this backup')
    if (!(error instanceof PatchesRefused)) throw error
    const why = `the server takes no patches: ${error.message}`
    await tracked?.forget(why)
    throw new BackupRestartNeeded(why)
  } finally {
    await ids.remove()
    await reuse?.chunks.close()
  }
}

function askWhatIsMissing(
  id: string,
  ids: Buffer,
  count: number,
  { client, signal, retryPolicy }: BackupContext,
): Promise<Uint8Array> {
  return retryRequest(() => askMissing(client, id, { ids, count }, signal), {
    signal,
    retryPolicy,
    addresses: client.addresses,
    expectedStatuses: [409],
  })
}

/** The machine, with the version of the Windows that is on the volume; a Linux is told by its kernel, which runs here. */
function hardwareOf({ description, osVersion }: Volume): Hardware {
  const own = ownHardware()
  return description.fileSystem === 'ntfs' && osVersion !== undefined ? { ...own, osVersion } : own
}
