import { readFile, readlink, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { taskFailures } from '@palisade/agent-protocol/wire'
import { type FileSource, openFile, type SectorSizeBytes } from '@palisade/virtual-disk'
import { TaskFailure } from '../failure.ts'

const sysfsSectorSizeBytes = 512

/** An open file or block device. */
export interface OpenSource extends FileSource {
  /** As the kernel has it; undefined of images and mappings, which hold disks of other machines, and of unusual sectors. */
  readonly logicalSectorSizeBytes: SectorSizeBytes | undefined
}

/**
 * Opens a file or block device for reading.
 *
 * @param links in the path of a file; those of the owner of the computer and of the system are followed

 * @throws TaskFailure SourceUnreadable when it is neither; else the system's error
 */
export async function openSource(
  path: string,
  links: 'refused' | 'followed' = 'refused',
): Promise<OpenSource> {
  const kind = await stat(path)
  if (kind.isFile()) return openImage(path, links === 'followed' ? await realpath(path) : path)
  if (kind.isBlockDevice()) return openBlockDevice(path)
  throw unreadable(path, 'it is neither a file nor a block device')
}

/**
 * Whoever may write in the folder of a file, or in one above, can have put another one there since its path was looked at. Linux
 * tells where an open file is.
 */
async function openImage(path: string, real: string): Promise<OpenSource> {
  const file = await openFile(path)
  try {
    const place = process.platform === 'linux' ? await readlink(`/proc/self/fd/${file.descriptor}`) : real
    if (place !== real) throw unreadable(path, 'another file was put in its place while it was opened')
    return { ...file, logicalSectorSizeBytes: undefined }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Linux tells the size of a block device in sysfs, in units of 512 bytes whatever its sectors are. */
async function openBlockDevice(path: string): Promise<OpenSource> {
  const facts = join('/sys/class/block', (await realpath(path)).split('/').at(-1) ?? '')
  const sectors = Number(await readFile(join(facts, 'size'), 'utf8'))
  if (!Number.isSafeInteger(sectors)) throw unreadable(path, 'the system does not say how large it is')
  const logicalSectorSizeBytes = await sectorSizeOf(facts)
  return { ...(await openFile(path, sectors * sysfsSectorSizeBytes)), logicalSectorSizeBytes }
}

async function sectorSizeOf(facts: string): Promise<SectorSizeBytes | undefined> {
  const isThere = () => true
  const isMapping = await stat(join(facts, 'dm')).then(isThere, () => false)
  // A partition has no such file.
  const text = await readFile(join(facts, 'queue/logical_block_size'), 'utf8').catch(() => '')
  const sizes: readonly SectorSizeBytes[] = [512, 4096]
  return isMapping ? undefined : sizes.find((sizeBytes) => sizeBytes === Number(text))
}

/** The failure of a backup whose source is no good, with the reason. */
export function unreadable(path: string, why: string, cause?: unknown): TaskFailure {
  return new TaskFailure(taskFailures.sourceUnreadable, `${path} cannot be backed up: ${why}`, { cause })
}
