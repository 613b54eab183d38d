import { chmodSync, existsSync, mkdirSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../exit-status.ts'
import { cell, type OutputOptions, printList } from '../../output.ts'
import { type AttachedDisk, attachDisks, exportName, type ServedRevision } from './attach-disks.ts'
import { CleanUp, type MountPlaces } from './clean-up.ts'
import { contentOf, mountVolume } from './mount-volume.ts'
import type { Restore, Show } from './serving.ts'

/** Mounts everything that can be mounted, each volume in a folder of its own. */
export function showFiles(target: string): Show {
  return async ({ restore, socketPath }, options) => {
    const places = makePlaces(target)
    const cleanUp = new CleanUp(places)
    try {
      const shown: Shown[] = []
      for (const disk of await attachDisks(restore.volumes.map(servedRevision), socketPath, places.work)) {
        shown.push(await showVolume(disk, target))
      }
      printShown(shown, options)
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

/** What became of a revision. */
interface Shown {
  readonly revision: number
  readonly fileSystem: string | undefined
  readonly label: string
  /** Undefined when it cannot be shown. */
  readonly folder: string | undefined
  /** What is to be said of it. */
  readonly note: string | undefined
}

async function showVolume({ id, device }: AttachedDisk, target: string): Promise<Shown> {
  const content = await contentOf(device)
  const what = { revision: id, fileSystem: content.type, label: content.label }
  const folder = join(target, exportName(id))
  mkdirSync(folder, { mode: 0o700 })
  try {
    return { ...what, folder, note: await mountVolume(device, content, folder) }
  } catch (error) {
    return { ...what, folder: undefined, note: error instanceof Error ? error.message : String(error) }
  }
}

/** @throws UsageError when nothing can be shown */
function printShown(shown: readonly Shown[], options: OutputOptions): void {
  for (const { revision, folder, note } of shown) {
    if (note === undefined) continue
    console.error(cell(`revision ${revision}${folder === undefined ? ' is not shown' : ''}: ${note}`))
  }
  const mounted = shown.filter(({ folder }) => folder !== undefined)
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

/** Others of this machine see neither the files nor the disks: what is in them may be theirs by its number, and is not meant for them. */
function makePlaces(target: string): MountPlaces {
  const targetMode = existsSync(target) ? statSync(target).mode & 0o7777 : undefined
  if (targetMode === undefined) mkdirSync(target, { mode: 0o700, recursive: true })
  else chmodSync(target, 0o700)
  return { target, targetMode, work: mkdtempSync(join(tmpdir(), 'palisade-mount-')) }
}
