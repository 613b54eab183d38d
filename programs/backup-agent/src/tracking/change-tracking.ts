/**
 * Lets a backup of an image read only what was changed since the one before. The copy that the volume was read from is kept, and compared
 * with the next one by where their blocks lie:
 *
 *     backup 1     image ──> copy 1 ──> read whole ──────────────────────────────────────────> revision 1
 *                               │ kept, with the ids of revision 1
 *     backup 2     image ──> copy 2 ──> same blocks as copy 1: ids of revision 1 ──┐
 *                               │       all others: read ──────────────────────────┴─────────> revision 2
 *                               └ kept, with the ids of revision 2; copy 1 is removed
 *
 * The ids are those of what the copy holds, whatever becomes of the revision: the server is asked whether it still has their chunks, and
 * what it lacks is read and sent. When anything about the copy is not as it was left, everything is read.
 */

import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Log } from '@palisade/log'
import { describe } from '@palisade/start-up'
import type { Membership } from '../state/credential.ts'
import { knowsPlaces } from '../system-calls/extent-map.ts'
import type { Volume } from '../volumes/open-volume.ts'
import type { CopyPlace, ReadableVolume, Snapshots } from '../volumes/snapshots/snapshots.ts'
import { identifyFile } from './file-identity.ts'
import { KeptCopies } from './kept-copies.ts'
import {
  copyPrefixOf,
  isFullReadDue,
  isOfMembership,
  type KeptRecord,
  type TrackingSettings,
} from './kept-record.ts'
import { makePrivateFolder, privateFolderName, removeIfEmpty } from './private-folder.ts'
import { TrackedBackup } from './tracked-backup.ts'

/** A volume that is backed up once a month is tracked; the copy of one that is not backed up any more is removed after this time. */
const forgottenAfterMs = 40 * 24 * 3600 * 1000

/** What change tracking needs of the rest of the agent. */
export interface ChangeTrackingDependencies {
  /** Where records are kept. */
  readonly directory: string
  /** Undefined when changes are not to be tracked. */
  readonly settings: TrackingSettings | undefined
  readonly membership: Membership
  readonly snapshots: Snapshots
  readonly log: Log
}

/** The copies of images that this agent keeps for its computer, and what becomes of them before, in and between backups. */
export class ChangeTracking {
  readonly #deps: ChangeTrackingDependencies
  readonly #copies: KeptCopies

  constructor(deps: ChangeTrackingDependencies) {
    this.#deps = deps
    this.#copies = new KeptCopies(deps.directory, deps.log)
  }

  /** Removes what a killed agent left: its snapshots, and copies that no backup will use any more. */
  async recover(): Promise<void> {
    const { snapshots, log } = this.#deps
    const paths = new Set((await this.#copies.all()).map(({ copy }) => copy.path))
    await snapshots.recover((path) => paths.has(path))
    await this.#copies.removeStrays()
    await this.#tidy()
    const refusal = this.#deps.settings && (await this.#copies.refusal())
    if (refusal === undefined) return
    log.error(
      { file: this.#copies.refusalPath },
      `changes are not tracked, although --track-changes says so: ${refusal}. Remove the file to have them tracked again`,
    )
  }

  /**
   * Where the copy of an image is to lie that may be kept.
   *
   * @returns undefined when the volume's changes are not tracked
   */
  async placeFor({ sourcePath, place, description }: Volume): Promise<CopyPlace | undefined> {
    const { settings, log } = this.#deps
    if (settings === undefined || place.device !== undefined) return undefined
    try {
      if ((await this.#copies.refusal()) !== undefined) return undefined
      const folderOfImage = dirname(await realpath(sourcePath))
      if (!(await knowsPlaces(folderOfImage))) {
        log.info('changes of the volume are not tracked: its image is neither on XFS nor on btrfs')
        return undefined
      }
      const folder = join(folderOfImage, privateFolderName)
      await makePrivateFolder(folder)
      const prefix = copyPrefixOf(this.#deps.membership, description.deviceId)
      return { folder, name: `${prefix}${randomBytes(6).toString('hex')}` }
    } catch (error) {
      log.warn(`changes of the volume are not tracked: ${describe(error)}`)
      return undefined
    }
  }

  /** Whether the next backup of a volume is going to read all of it, as far as can be said. Never rejects. */
  async readsEverything({ description }: Volume): Promise<boolean> {
    const { settings } = this.#deps
    try {
      const record = await this.#copies.find(description.deviceId)
      return record === undefined || settings === undefined || isFullReadDue(record, settings)
    } catch {
      // The next reader of the record reports the failure.
      return false
    }
  }

  /**
   * Follows a backup whose volume was frozen; undefined when it was not by a copy in the place that was asked for.
   *
   * @param openPath leads to the copy, which is open: also when another file takes its name
   */
  async follow(
    volume: Volume,
    frozen: ReadableVolume,
    openPath: string,
    place: CopyPlace | undefined,
    log: Log,
  ): Promise<TrackedBackup | undefined> {
    const { settings, membership, snapshots } = this.#deps
    if (settings === undefined || place === undefined) return undefined
    try {
      if (frozen.kind !== 'reflink') {
        await removeIfEmpty(place.folder)
        return undefined
      }
      const copy = { ...(await identifyFile(openPath)), path: frozen.path }
      const copies = this.#copies
      const { deviceId } = volume.description
      await this.#tidy()
      await copies.removeStrayCopies(place.folder, copyPrefixOf(membership, deviceId), frozen.path)
      return new TrackedBackup({
        volume,
        frozen,
        openPath,
        copy,
        settings,
        membership,
        snapshots,
        copies,
        log,
      })
    } catch (error) {
      log.warn(`changes of the volume are not tracked: ${describe(error)}`)
      return undefined
    }
  }

  /** Removes copies that no backup will use any more. */
  async #tidy(): Promise<void> {
    for (const record of await this.#copies.all()) {
      const why = this.#reasonToForget(record)
      if (why !== undefined) await this.#copies.drop(record, why)
    }
  }

  #reasonToForget(record: KeptRecord): string | undefined {
    const { settings, membership } = this.#deps
    if (settings === undefined) return 'changes are not tracked any more'
    if (!isOfMembership(record, membership)) return 'it was taken for another server or computer'
    return Date.now() - record.keptAtMs > forgottenAfterMs
      ? 'its volume was not backed up for long'
      : undefined
  }
}
