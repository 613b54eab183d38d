import { fstat } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { BackupSource } from '@palisade/agent-protocol'
import type { RestoredFiles } from '../state/restored-files.ts'
import { locateChosen, type VolumeChoice } from '../volumes/choice.ts'
import { thisMachine } from '../volumes/machine.ts'
import { type OpenSource, openSource } from '../volumes/open-source.ts'
import { linksOf } from '../volumes/open-volume.ts'

const factsOf = promisify(fstat)

/** What may be compared with a revision. */
export interface Comparable {
  readonly volumes: VolumeChoice
  readonly restored: RestoredFiles
}

/** A disk that is open, and which partition of it is meant. */
export interface OpenComparable {
  readonly file: OpenSource
  readonly partition: number | undefined
}

/**
 * Opens a disk that may be compared with a revision: one that may be backed up, or that this agent has restored.
 *
 * @throws Error of one sentence, the same for what is not there and for what may not be compared
 */
export async function openComparable(
  source: BackupSource,
  { volumes, restored }: Comparable,
): Promise<OpenComparable> {
  const place = await locateChosen(volumes, source, thisMachine)
  if (place !== undefined) {
    const { path, partition } = place.source
    return { file: await openSource(path, linksOf(place)), partition }
  }
  const file = await openRestored(source.path, restored)
  if (file !== undefined) return { file, partition: source.partition }
  throw new Error(
    `${source.path} is not there, or is neither what the owner of this computer lets its agent read (its own disks, --image, ` +
      '--include) nor a disk that this agent has restored',
  )
}

/** Nothing is opened that has not the name of such a disk. */
async function openRestored(path: string, restored: RestoredFiles): Promise<OpenSource | undefined> {
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined || !(await restored.isNamed(real))) return undefined
  const file = await openSource(real).catch(() => undefined)
  if (file === undefined || (await restored.has(real, await factsOf(file.descriptor, { bigint: true }))))
    return file
  await file.close()
  return undefined
}
