import { chmodSync, existsSync, mkdirSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../exit-status.ts'
import { cell, type OutputOptions, printList } from '../../output.ts'
import { type AttachedDisk, attachDisks, exportName, type ServedRevision } from './attach-disks.ts'
import { CleanUp, type MountPlaces } from './clean-up.ts'
import { mountVolume, probeDevice } from './mount-volume.ts'
import type { Restore, Show } from './serving.ts'

/** Mounts everything that can be mounted, each volume in a folder of its own. */
export function showFiles(target: string): Show {
  return async ({ restore, socketPath }, options) => {
    const places = makePlaces(target)
    const cleanUp = new CleanUp(places)
    try {
      const results: MountResult[] = []
      for (const disk of await attachDisks(restore.volumes.map(servedRevision), socketPath, places.work)) {
        results.push(await showVolume(disk, target))
      }
      printResults(results, options)
      return () => cleanUp.run()
    } catch (error) {
      await cleanUp.run()
      throw error
    }
  }
}

/** What a server says becomes a part of paths. @throws UsageError when it is no number */
function servedRevision({
  revisionId: id,
  capacity: capacityBytes,
}: Restore['volumes'][number]): ServedRevision {
  if (Number.isSafeInteger(id) && Number.isSafeInteger(capacityBytes)) return { id, capacityBytes }
  throw new UsageError('The server says of a revision neither its id nor its size as a number.')
}

/** Where a revision was mounted, or why it was not. */
interface MountResult {
  readonly revision: number
  readonly fileSystem: string | undefined
  readonly label: string
  /** Undefined when it cannot be shown. */
  readonly folder: string | undefined
  /** A warning, or why it cannot be shown. */
  readonly note: string | undefined
}

async function showVolume({ id, device }: AttachedDisk, target: string): Promise<MountResult> {
  const content = await probeDevice(device)
  const common = { revision: id, fileSystem: content.type, label: content.label }
  const folder = join(target, exportName(id))
  mkdirSync(folder, { mode: 0o700 })
  try {
    return { ...common, folder, note: await mountVolume(device, content, folder) }
  } catch (error) {
    return { ...common, folder: undefined, note: error instanceof Error ? error.message : String(error) }
  }
}

/** @throws UsageError when nothing can be shown */
function printResults(results: readonly MountResult[], options: OutputOptions): void {
  for (const { revision, folder, note } of results) {
    if (note === undefined) continue
    console.error(cell(`revision ${revision}${folder === undefined ? ' is not shown' : ''}: ${note}`))
  }
  const mounted = results.filter(({ folder }) => folder !== undefined)
  if (mounted.length === 0) throw new UsageError('There is no file system that can be shown; see --nbd.')
  printList(
    mounted,
    [
      ['folder', ({ folder }) => folder],
      ['revision', ({ revision }) => revision],
      ['file system', ({ fileSystem }) => fileSystem],
      ['label', ({ label }) => label],
    ],
    options,
  )
}

/** Makes the folders, for root alone: owners in a backup are numbers, which may be other users on this machine. */
function makePlaces(target: string): MountPlaces {
  const targetMode = existsSync(target) ? statSync(target).mode & 0o7777 : undefined
  if (targetMode === undefined) mkdirSync(target, { mode: 0o700, recursive: true })
  else chmodSync(target, 0o700)
  return { target, targetMode, work: mkdtempSync(join(tmpdir(), 'palisade-mount-')) }
}
