/**
 * A restore into disk files, step by step:
 *
 *     plan       ask which chunks are stored, decide where every byte will be, check that there is room
 *     writing    under partial names; the workers fetch, open and write; headers and footers come last
 *     verifying  open the files anew and read everything back
 *     naming     give each its name, the first that is free
 *
 *     plan ──> writing ──> verifying ──> naming ──> done
 *       └─────────┴────────────┘            └─ goes on after a restart
 *        remove the partial files
 *
 * All disks of a restore are verified before the first one gets its name: a failure or a cancellation leaves
 * nothing behind, and a name never stands for anything but a whole disk.
 */
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome, RevisionToRestore, ServerMessage } from '@palisade/agent-protocol'
import { taskFailures } from '@palisade/agent-protocol'
import type { ChunkKeys } from '@palisade/vault'
import { beginDiskFile, finishDiskFile, writeDiskData } from '@palisade/virtual-disk'
import { type ChunkGeometry, chunkCountOf } from '../chunk-range.ts'
import { TaskFailure } from '../failure.ts'
import { fetchKeys } from '../server/keys.ts'
import { persist } from '../server/persist.ts'
import { ChunkIdFile } from '../state/chunk-id-file.ts'
import type { DiskToName, Journal, TaskKey } from '../state/journal.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import { type Destination, destinationAt } from './destination.ts'
import { asDestinationFailure } from './destination-failure.ts'
import { type DiskShape, shapeDisk } from './disk-shape.ts'
import { fetchPresence } from './fetch-presence.ts'
import { partialPaths, safeBaseName } from './file-names.ts'
import { nameDisks } from './name-disks.ts'
import { allRanges, storedRanges, storedSizeBytes } from './stored-ranges.ts'
import { verifyLayout } from './verify-layout.ts'

export type RestoreRequest = Extract<ServerMessage, { type: 'start-restore' }>

/** What one request fetches: large, so that few are made, and small beside a disk, so that threads end together. */
const rangeSizeBytes = 32 * 1024 * 1024

/** One disk of a restore, on its way. */
interface DiskToWrite extends DiskToName, DiskShape {
  readonly revision: RevisionToRestore
  readonly geometry: ChunkGeometry
  readonly presence: Uint8Array
}

/** Restores revisions as disk files. Rejects with a TaskFailure or the signal's reason, having removed its files. */
export async function restore(request: RestoreRequest, context: TaskContext): Promise<Outcome> {
  const key = { task: 'restore', id: request.id } as const
  const destination = destinationAt(request.destination.path)
  const { signal, patience, client, journal, progress } = context
  progress.begin('plan', 0)
  const { chunkKeys } = await persist(() => fetchKeys(client, signal), { signal, patience })
  const disks = await planDisks(request, destination, context)
  await destination.prepare()
  await requireSpace(destination, disks)
  const partials = disks.map(({ partialPath }) => partialPath)
  await journal.record(key, { state: 'writing', folder: destination.folder, partialPaths: partials })
  try {
    await writeAndVerify(request.id, disks, chunkKeys, destination, context)
    signal.throwIfAborted()
  } catch (error) {
    await unwind(disks, destination)
    await journal.forget(key)
    throw error
  }
  progress.begin('naming', 0)
  return finishRestore(key, disks.map(toName), destination, journal)
}

/** The last step, also of a restore that was killed in it. */
export async function finishRestore(
  key: TaskKey,
  disks: readonly DiskToName[],
  destination: Destination,
  journal: Journal,
): Promise<Outcome> {
  try {
    return { state: 'SUCCESS', files: await nameDisks(key, disks, destination, journal) }
  } catch (error) {
    await unwind(disks, destination)
    throw error
  }
}

async function planDisks(
  { id, revisions, diskFormat }: RestoreRequest,
  { folder }: Destination,
  { client, signal, patience }: TaskContext,
): Promise<readonly DiskToWrite[]> {
  const baseNames = revisions.map(({ fileName }) => safeBaseName(fileName))
  const paths = partialPaths(folder, id, baseNames)
  const disks: DiskToWrite[] = []
  for (const [index, revision] of revisions.entries()) {
    const { revisionId, chunkCount, chunkSizeBytes, volume } = revision
    const geometry = { volumeSizeBytes: volume.capacityBytes, chunkSizeBytes }
    requireChunks(revision, geometry)
    const presence = await persist(
      () => fetchPresence(client, { restoreId: id, revisionId, chunkCount }, signal),
      { signal, patience },
    )
    disks.push({
      revision,
      geometry,
      presence,
      ...shapeDisk(revision, presence, diskFormat),
      partialPath: paths[index] ?? '',
      baseName: baseNames[index] ?? '',
      extension: diskFormat.toLowerCase(),
    })
  }
  return disks
}

const chunkSizeBytesMax = 16 * 1024 * 1024

function requireChunks(
  { revisionId, chunkCount, chunkSizeBytes }: RevisionToRestore,
  geometry: ChunkGeometry,
): void {
  if (chunkCount === chunkCountOf(geometry) && chunkSizeBytes <= chunkSizeBytesMax) return
  throw new TaskFailure(
    taskFailures.dataDamaged,
    `revision ${revisionId} has ${chunkCount} chunks of ${chunkSizeBytes} bytes, which is not what its volume has`,
  )
}

async function requireSpace(destination: Destination, disks: readonly DiskToWrite[]): Promise<void> {
  const neededBytes = disks.reduce((sum, { plan }) => sum + plan.fileSizeBytes, 0)
  const freeBytes = await destination.freeBytes()
  if (neededBytes <= freeBytes) return
  throw new TaskFailure(
    taskFailures.notEnoughSpace,
    `${destination.folder} has ${freeBytes} bytes free, and ${neededBytes} are needed`,
  )
}

async function writeAndVerify(
  restoreId: string,
  disks: readonly DiskToWrite[],
  keys: ChunkKeys,
  destination: Destination,
  context: TaskContext,
): Promise<void> {
  const { progress, workDirectory } = context
  const idFiles: ChunkIdFile[] = []
  try {
    const storedBytes = disks.reduce((sum, disk) => sum + storedSizeBytes(disk.presence, disk.geometry), 0)
    const bytesWritten = progress.begin('writing', storedBytes)
    for (const [index, disk] of disks.entries()) {
      const path = join(workDirectory, `restore-${restoreId}-${index}.ids`)
      const ids = await ChunkIdFile.create(path, disk.revision.chunkCount)
      idFiles.push(ids)
      await writeDisk(restoreId, disk, keys, ids, bytesWritten, destination, context)
    }
    const volumeBytes = disks.reduce((sum, { geometry }) => sum + geometry.volumeSizeBytes, 0)
    const bytesVerified = progress.begin('verifying', volumeBytes)
    for (const [index, disk] of disks.entries()) {
      const ids = idFiles[index]
      if (ids !== undefined) await verifyDisk(disk, keys, ids, bytesVerified, context)
    }
  } finally {
    for (const ids of idFiles) await ids.remove()
  }
}

async function writeDisk(
  restoreId: string,
  disk: DiskToWrite,
  keys: ChunkKeys,
  ids: ChunkIdFile,
  bytesDone: BigInt64Array,
  destination: Destination,
  { connection, patience, workers, signal }: TaskContext,
): Promise<void> {
  const { plan, partialPath, partitionOffsetBytes, presence, geometry, revision } = disk
  const file = await destination.createPartial(partialPath)
  try {
    await atDestination(disk, () => beginDisk(file, disk))
    await workers.each(
      {
        kind: 'write',
        geometry,
        keys,
        connection,
        patience,
        restoreId,
        revisionId: revision.revisionId,
        diskPath: partialPath,
        plan,
        partitionOffsetBytes,
        presence,
        bytesDone,
      },
      storedRanges(presence, revision.chunkCount, Math.max(1, rangeSizeBytes / geometry.chunkSizeBytes)),
      { signal, onDone: ({ from }, idsOfRange) => ids.write(from, idsOfRange) },
    )
    await atDestination(disk, () => finishDiskFile(file, plan))
  } finally {
    await file.close()
  }
}

/** Everything but the volume and the seals: length, tables, and the partition table. */
async function beginDisk(file: FileHandle, { plan, regions }: DiskToWrite): Promise<void> {
  await beginDiskFile(file, plan)
  for (const { offsetBytes, bytes } of regions) writeDiskData(file.fd, plan, offsetBytes, bytes)
}

async function atDestination<Result>(
  { partialPath }: DiskToName,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    throw asDestinationFailure(error, partialPath)
  }
}

async function verifyDisk(
  disk: DiskToWrite,
  keys: ChunkKeys,
  ids: ChunkIdFile,
  bytesDone: BigInt64Array,
  { workers, signal }: TaskContext,
): Promise<void> {
  const { plan, partialPath, partitionOffsetBytes, presence, geometry, revision } = disk
  await verifyLayout(partialPath, disk)
  const storedMax = Math.max(1, rangeSizeBytes / geometry.chunkSizeBytes)
  const jobs = (async function* () {
    for (const range of allRanges(presence, revision.chunkCount, storedMax)) {
      yield { ...range, ids: await ids.read(range) }
    }
  })()
  await workers.each(
    {
      kind: 'verify',
      geometry,
      keys,
      diskPath: partialPath,
      plan,
      partitionOffsetBytes,
      presence,
      bytesDone,
    },
    jobs,
    { signal },
  )
}

async function unwind(disks: readonly DiskToName[], destination: Destination): Promise<void> {
  for (const { partialPath } of disks) await destination.removePartial(partialPath)
}

function toName({ partialPath, baseName, extension }: DiskToName): DiskToName {
  return { partialPath, baseName, extension }
}
