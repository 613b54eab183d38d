import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { taskFailures } from '@palisade/agent-protocol/wire'
import type { Log } from '@palisade/log'
import { systemCode } from '@palisade/private-files'
import { describe } from '@palisade/start-up'
import { type Extents, wholeExtents } from '../chunks/extents.ts'
import { TaskFailure } from '../failure.ts'
import type { ChunkIdFile } from '../state/chunk-id-file.ts'
import type { Membership } from '../state/credential.ts'
import { syncDirectory } from '../state/write-durably.ts'
import { descriptorPath } from '../system-calls/open-folder.ts'
import type { Volume } from '../volumes/open-volume.ts'
import type { ReadableVolume, Snapshots } from '../volumes/snapshots/snapshots.ts'
import { differenceOf, type FileIdentity, identifyFile } from './file-identity.ts'
import type { KeptCopies } from './kept-copies.ts'
import { digestOf, writeExtents } from './kept-files.ts'
import {
  type BackupBinding,
  isFullReadDue,
  type KeptFile,
  type KeptRecord,
  namingCheckOf,
  recordNameOf,
  type TrackingSettings,
} from './kept-record.ts'
import { PatchedChunks } from './patched-chunks.ts'
import { type AskMissing, ReusedChunks } from './reused-chunks.ts'
import { findUnchangedChunks } from './unchanged-chunks.ts'
import { findWrongSample } from './wrong-sample.ts'

/** With less of the file system free, a copy is not kept: the blocks that it holds might be needed by writers to the image. */
const freeShareMin = 0.1

/** The revision that a backup is about to make. */
export interface NewRevision {
  readonly chunkSizeBytes: number
  readonly namingKey: Uint8Array
  /** Which id of the revision is that of the volume's first chunk. */
  readonly firstChunk: number
  /** What of the volume its file system has in use; undefined when that is all of it. */
  readonly inUse: Extents | undefined
  /** How many of the chunks may be patched. */
  readonly patchedChunksMax: number
}

/** What a backup can take over from the one before. */
export interface Reuse {
  readonly chunks: ReusedChunks
  /** Whether everything is read all the same, to be compared with it. */
  readonly isToBeChecked: boolean
  /** A chunk that was taken for unchanged and has changed, by its number; undefined when there is none. */
  readonly wrong: number | undefined
}

/** What a tracked backup works with. */
export interface TrackedBackupDependencies {
  readonly volume: Volume
  /** The copy that it is read from. */
  readonly frozen: ReadableVolume
  /** A path that leads to that copy, which is open: also when another file takes its name. */
  readonly openPath: string
  /** That copy as it was right after it was made. */
  readonly copy: FileIdentity & { readonly path: string }
  readonly settings: TrackingSettings
  readonly membership: Membership
  readonly snapshots: Snapshots
  readonly copies: KeptCopies
  readonly log: Log
}

/** A backup of a volume whose changes are tracked. */
export class TrackedBackup {
  readonly #deps: TrackedBackupDependencies
  readonly #findUnchangedIn: typeof findUnchangedChunks

  /** @param findUnchanged asks the system what is unchanged */
  constructor(deps: TrackedBackupDependencies, findUnchanged = findUnchangedChunks) {
    this.#deps = deps
    this.#findUnchangedIn = findUnchanged
  }

  /**
   * Finds what can be taken over from the backup before; the log says how much, or why nothing can. To be closed by the caller.
   *
   * @throws what asking the server throws
   */
  async findReusable(revision: NewRevision, ask: AskMissing): Promise<Reuse | undefined> {
    const { settings, copies, volume, log } = this.#deps
    const unchanged = await this.#findUnchanged(revision)
    if ('why' in unchanged) {
      log.info(`change tracking is not used: ${unchanged.why}`)
      return undefined
    }
    const { chunks, record, wrong } = unchanged
    try {
      // At once: this backup may fail, and the next one may sample other chunks.
      if (wrong !== undefined) {
        const place = `byte ${wrong * revision.chunkSizeBytes} of ${volume.description.sourcePath}`
        await copies.refuse(`what was taken for unchanged at ${place} was changed`)
      }
      const unchanged = chunks.count
      await chunks.forgetMissing(ask)
      const isToBeChecked = wrong !== undefined || isFullReadDue(record, settings)
      const { revisionId } = record
      log.info(
        {
          revisionId,
          unchanged,
          unchangedAndStored: chunks.count,
          partlyChanged: chunks.partlyChangedCount,
          isToBeChecked,
        },
        isToBeChecked
          ? 'reading the whole volume, to check what was tracked'
          : 'reading only what has changed since the kept copy',
      )
      return { chunks, isToBeChecked, wrong }
    } catch (error) {
      await chunks.close()
      throw error
    }
  }

  /**
   * Compares what was to be taken over with what was read.
   *
   * @throws TaskFailure VerificationFailed when they differ; changes are not tracked any more from then on
   */
  async check(
    { chunks, wrong }: Reuse,
    ids: ChunkIdFile,
    { firstChunk, chunkSizeBytes }: NewRevision,
    revisionId: number,
  ): Promise<void> {
    const different = await chunks.differencesFrom(ids, firstChunk)
    const [first = wrong] = different
    if (first === undefined) return
    const { copies, volume } = this.#deps
    const { label, sourcePath } = volume.description
    const why =
      `revision ${revisionId} of ${sourcePath}${label && ` (${label})`} was read as a whole and differs in ${Math.max(different.length, 1)} chunks ` +
      `from what was taken for unchanged, the first at byte ${first * chunkSizeBytes}`
    await copies.refuse(why)
    throw new TaskFailure(
      taskFailures.verificationFailed,
      `${why}. That revision is as it should be; those since the last one that was read as a whole may not be. Changes are not tracked any more`,
    )
  }

  /**
   * Keeps the copy for the next backup, in the place of the one before. Never rejects: when it cannot be kept, neither is the one before.
   *
   * @param ids of the revision, which are taken over
   * @param patches its patched chunks
   * @param wasReadWhole whether nothing was taken from the revision before
   */
  async keep(
    revisionId: number,
    ids: ChunkIdFile,
    patches: PatchedChunks,
    revision: NewRevision,
    wasReadWhole: boolean,
  ): Promise<void> {
    const { copies, volume, log } = this.#deps
    let before: KeptRecord | undefined
    try {
      before = await copies.find(volume.description.deviceId)
      await this.#requireUntouched()
      await this.#requireRoom()
      const goneOnFrom = wasReadWhole ? undefined : before
      await this.#replace(before, await this.#recordOf(revisionId, ids, patches, revision, goneOnFrom))
    } catch (error) {
      log.warn(`the copy is not kept, and the next backup reads the whole volume: ${describe(error)}`)
      if (before !== undefined) await copies.drop(before, 'there is no newer one to take its place')
      await copies.removeStrays()
    }
  }

  /** Removes the kept copy of the volume, so that everything is read. Never rejects. */
  async forget(why: string): Promise<void> {
    const { copies, volume, log } = this.#deps
    try {
      const record = await copies.find(volume.description.deviceId)
      if (record !== undefined) await copies.drop(record, why)
    } catch (error) {
      log.error(`the kept copy cannot be removed now: ${describe(error)}`)
    }
  }

  /** What the kept copy says about the volume, or why it cannot be used. */
  async #findUnchanged(
    revision: NewRevision,
  ): Promise<(Pick<Reuse, 'chunks' | 'wrong'> & { readonly record: KeptRecord }) | { readonly why: string }> {
    const { copies, openPath, volume } = this.#deps
    const geometry = { volumeSizeBytes: volume.sizeBytes, chunkSizeBytes: revision.chunkSizeBytes }
    const binding = this.#bindingOf(revision)
    const openCopies: FileHandle[] = []
    try {
      const record = await copies.find(volume.description.deviceId)
      if (record === undefined) return { why: 'no copy of the volume was kept before' }
      const before = await openKeptCopy(record.copy.path)
      if (before === undefined) return { why: 'the kept copy cannot be used: it is gone' }
      openCopies.push(before)
      const beforePath = descriptorPath(before.fd, record.copy.path)
      const present = { binding, beforePath, path: openPath, geometry, inUse: this.#inUse(revision) }
      const unchanged = await this.#findUnchangedIn(record, present, copies.directory)
      if ('why' in unchanged) return { why: `the kept copy cannot be used: ${unchanged.why}` }
      const path = join(copies.directory, record.ids.name)
      const { firstChunk, patches } = record
      const patched =
        patches === undefined
          ? new PatchedChunks()
          : await PatchedChunks.readFrom(join(copies.directory, patches.name))
      const { patchedChunksMax } = revision
      if (patched.count > patchedChunksMax)
        return { why: `the server takes ${patchedChunksMax} patched chunks, and there are ${patched.count}` }
      const { offsetBytes } = binding
      const wrong = await findWrongSample(unchanged, { before: beforePath, now: openPath, offsetBytes })
      const chunks = await ReusedChunks.open(unchanged, path, {
        firstId: firstChunk,
        patched,
        patchedChunksMax,
      })
      return { chunks, record, wrong }
    } catch (error) {
      return { why: `the kept copy cannot be compared: ${describe(error)}` }
    } finally {
      for (const file of openCopies) await file.close()
    }
  }

  async #requireUntouched(): Promise<void> {
    const { copy } = this.#deps
    const difference = differenceOf(copy, await identifyFile(copy.path))
    if (difference !== undefined) throw new Error(`while it was read, ${difference}`)
  }

  async #requireRoom(): Promise<void> {
    const { bavail, blocks } = await statfs(this.#deps.copy.path)
    if (bavail < blocks * freeShareMin) throw new Error('less than a tenth of its file system is free')
  }

  /** Writes the files of a new record. All that it names is durable when this resolves. */
  async #recordOf(
    revisionId: number,
    ids: ChunkIdFile,
    patches: PatchedChunks,
    revision: NewRevision,
    goneOnFrom: KeptRecord | undefined,
  ): Promise<KeptRecord> {
    const { copies, copy, openPath, volume } = this.#deps
    await makeDurable(openPath, copy.path)
    const name = `${recordNameOf(volume.description.deviceId)}-${randomBytes(6).toString('hex')}`
    const file = (kind: string) => ({
      name: `${name}.${kind}`,
      path: join(copies.directory, `${name}.${kind}`),
    })
    const [idsFile, inUseFile, patchesFile] = [file('ids'), file('in-use'), file('patches')]
    await ids.moveTo(idsFile.path)
    await writeExtents(inUseFile.path, this.#inUse(revision))
    if (patches.count > 0) await patches.writeTo(patchesFile.path)
    return {
      binding: this.#bindingOf(revision),
      revisionId,
      copy,
      ids: await keptFile(idsFile),
      firstChunk: revision.firstChunk,
      inUse: await keptFile(inUseFile),
      patches: patches.count > 0 ? await keptFile(patchesFile) : undefined,
      backupsSinceFullRead: goneOnFrom === undefined ? 0 : goneOnFrom.backupsSinceFullRead + 1,
      keptAtMs: Date.now(),
    }
  }

  async #replace(before: KeptRecord | undefined, record: KeptRecord): Promise<void> {
    const { copies, snapshots, frozen } = this.#deps
    const removeBefore = before && (await snapshots.announceRemoval(before.copy.path))
    await copies.write(record)
    await frozen.leave()
    if (before === undefined) return
    await removeBefore?.()
    await copies.removeFiles(before)
  }

  #inUse({ inUse }: NewRevision): Extents {
    return inUse ?? wholeExtents(this.#deps.volume.sizeBytes)
  }

  #bindingOf({ chunkSizeBytes, namingKey }: NewRevision): BackupBinding {
    const { membership, volume } = this.#deps
    const { serverUrl, account, computer } = membership
    const { offsetBytes, sizeBytes, description } = volume
    return {
      serverUrl,
      account,
      computer,
      deviceId: description.deviceId,
      offsetBytes,
      sizeBytes,
      chunkSizeBytes,
      namingCheck: namingCheckOf(namingKey),
    }
  }
}

async function keptFile({ name, path }: { readonly name: string; readonly path: string }): Promise<KeptFile> {
  return { name, sha256: await digestOf(path) }
}

/** Undefined when there is no such file. Somebody else may own a folder above, and put a link or a pipe in its place. */
async function openKeptCopy(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Makes a file and its name outlast a power failure. */
async function makeDurable(openPath: string, path: string): Promise<void> {
  const file = await open(openPath, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await syncDirectory(dirname(path))
}
