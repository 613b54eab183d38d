import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { taskFailures } from '@palisade/agent-protocol/wire'
import type { Log } from '@palisade/log'
import { type Extents, wholeExtents } from '../chunks/extents.ts'
import { describe, systemCode, TaskFailure } from '../failure.ts'
import type { ChunkIdFile } from '../state/chunk-id-file.ts'
import type { Membership } from '../state/credential.ts'
import { syncDirectory } from '../state/write-durably.ts'
import { descriptorPath } from '../system-calls/open-folder.ts'
import type { Volume } from '../volumes/open-volume.ts'
import type { Frozen, Snapshots } from '../volumes/snapshots/snapshots.ts'
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
import { type AskMissing, KnownChunks } from './known-chunks.ts'
import { PatchedChunks } from './patched-chunks.ts'
import { findUnchangedChunks } from './unchanged-chunks.ts'
import { findWrongSample } from './wrong-sample.ts'

/** With less of the file system free, a copy is not kept: what it holds on to might be needed by who writes to the image. */
const freeShareMin = 0.1

/** How the chunks of a revision are made. */
export interface RevisionMaking {
  readonly chunkSizeBytes: number
  readonly namingKey: Uint8Array
  /** Which id of the revision is that of the volume's first chunk. */
  readonly firstChunk: number
  /** What of the volume its file system has in use; undefined when that is all of it. */
  readonly inUse: Extents | undefined
  /** How many of the chunks may be patched. */
  readonly patchedChunksMax: number
}

/** What is known of a volume before it is read. */
export interface Known {
  readonly chunks: KnownChunks
  /** Whether it is only to be held against what is read, which is everything. */
  readonly isToBeChecked: boolean
  /** The number of a chunk of which something was taken for unchanged and is not; undefined when none is known of. */
  readonly wrong: number | undefined
}

/** What a tracked backup works with. */
export interface TrackedBackupDependencies {
  readonly volume: Volume
  /** The copy that it is read from. */
  readonly frozen: Frozen
  /** A path that leads to that copy, which is open, whatever has its name meanwhile. */
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
   * What is known of the volume from the backup before; the log says how much, or why nothing is. To be closed by the caller.
   *
   * @throws what asking the server throws
   */
  async recall(making: RevisionMaking, ask: AskMissing): Promise<Known | undefined> {
    const { settings, copies, volume, log } = this.#deps
    const found = await this.#findUnchanged(making)
    if ('why' in found) {
      log.info(`everything is read: ${found.why}`)
      return undefined
    }
    const { chunks, record, wrong } = found
    try {
      // Now, since this backup may come to nothing, and the next one may look at other chunks.
      if (wrong !== undefined) {
        const place = `byte ${wrong * making.chunkSizeBytes} of ${volume.description.sourcePath}`
        await copies.refuse(`what was taken for unchanged at ${place} was changed`)
      }
      const unchanged = chunks.count
      await chunks.forgetMissing(ask)
      const isToBeChecked = wrong !== undefined || isFullReadDue(record, settings)
      const { revisionId } = record
      log.info(
        {
          ...{ revisionId, unchanged, unchangedAndStored: chunks.count },
          ...{ partlyChanged: chunks.partlyChangedCount, isToBeChecked },
        },
        isToBeChecked
          ? 'everything is read, to check what is known of changes'
          : 'only what was changed since the kept copy is read',
      )
      return { chunks, isToBeChecked, wrong }
    } catch (error) {
      await chunks.close()
      throw error
    }
  }

  /**
   * Holds what was known against what was read.
   *
   * @throws TaskFailure VerificationFailed when they differ. Changes are not tracked any more then
   */
  async check(
    { chunks, wrong }: Known,
    ids: ChunkIdFile,
    { firstChunk, chunkSizeBytes }: RevisionMaking,
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
    making: RevisionMaking,
    wasReadWhole: boolean,
  ): Promise<void> {
    const { copies, volume, log } = this.#deps
    let before: KeptRecord | undefined
    try {
      before = await copies.find(volume.description.deviceId)
      await this.#requireUntouched()
      await this.#requireRoom()
      const goneOnFrom = wasReadWhole ? undefined : before
      await this.#replace(before, await this.#recordOf(revisionId, ids, patches, making, goneOnFrom))
    } catch (error) {
      log.warn(`the copy is not kept, and the next backup reads everything: ${describe(error)}`)
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

  /** What the kept copy of the volume tells, or why it tells nothing. */
  async #findUnchanged(
    making: RevisionMaking,
  ): Promise<(Pick<Known, 'chunks' | 'wrong'> & { readonly record: KeptRecord }) | { readonly why: string }> {
    const { copies, openPath, volume } = this.#deps
    const geometry = { volumeSizeBytes: volume.sizeBytes, chunkSizeBytes: making.chunkSizeBytes }
    const binding = this.#bindingOf(making)
    const kept: FileHandle[] = []
    try {
      const record = await copies.find(volume.description.deviceId)
      if (record === undefined) return { why: 'no copy of the volume was kept before' }
      const before = await openKeptCopy(record.copy.path)
      if (before === undefined) return { why: 'the kept copy cannot be gone on from: it is gone' }
      kept.push(before)
      const beforePath = descriptorPath(before.fd, record.copy.path)
      const present = { binding, beforePath, path: openPath, geometry, inUse: this.#inUse(making) }
      const found = await this.#findUnchangedIn(record, present, copies.directory)
      if ('why' in found) return { why: `the kept copy cannot be gone on from: ${found.why}` }
      const path = join(copies.directory, record.ids.name)
      const { firstChunk, patches } = record
      const patched =
        patches === undefined
          ? new PatchedChunks()
          : await PatchedChunks.readFrom(join(copies.directory, patches.name))
      const { patchedChunksMax } = making
      if (patched.count > patchedChunksMax)
        return { why: `the server takes ${patchedChunksMax} patched chunks, and there are ${patched.count}` }
      const { offsetBytes } = binding
      const wrong = await findWrongSample(found, { before: beforePath, now: openPath, offsetBytes })
      const chunks = await KnownChunks.open(found, path, { firstId: firstChunk, patched, patchedChunksMax })
      return { chunks, record, wrong }
    } catch (error) {
      return { why: `the kept copy cannot be compared: ${describe(error)}` }
    } finally {
      for (const file of kept) await file.close()
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
    making: RevisionMaking,
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
    await writeExtents(inUseFile.path, this.#inUse(making))
    if (patches.count > 0) await patches.writeTo(patchesFile.path)
    return {
      binding: this.#bindingOf(making),
      revisionId,
      copy,
      ids: await keptFile(idsFile),
      firstChunk: making.firstChunk,
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

  #inUse({ inUse }: RevisionMaking): Extents {
    return inUse ?? wholeExtents(this.#deps.volume.sizeBytes)
  }

  #bindingOf({ chunkSizeBytes, namingKey }: RevisionMaking): BackupBinding {
    const { membership, volume } = this.#deps
    const { serverUrl, account, computer } = membership
    const { offsetBytes, sizeBytes, description } = volume
    return {
      ...{ serverUrl, account, computer, deviceId: description.deviceId },
      ...{ offsetBytes, sizeBytes, chunkSizeBytes, namingCheck: namingCheckOf(namingKey) },
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
