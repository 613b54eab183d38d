import { readFile, realpath, stat } from 'node:fs/promises'
import { taskFailures } from '@palisade/agent-protocol/wire'
import { type FileSource, openFile } from '@palisade/virtual-disk'
import { TaskFailure } from '../failure.ts'

const sysfsSectorSizeBytes = 512

/**
 * Opens a file or block device for reading.
 *
 * @throws TaskFailure SourceUnreadable when it is neither; else the system's error
 */
export async function openSource(path: string): Promise<FileSource> {
  const kind = await stat(path)
  if (kind.isFile()) return openFile(path)
  if (kind.isBlockDevice()) return openFile(path, await blockDeviceSize(path))
  throw unreadable(path, 'it is neither a file nor a block device')
}

/** Linux tells the size of a block device in sysfs, in units of 512 bytes whatever its sectors are. */
async function blockDeviceSize(path: string): Promise<number> {
  const name = (await realpath(path)).split('/').at(-1) ?? ''
  const sectors = Number(await readFile(`/sys/class/block/${name}/size`, 'utf8'))
  if (!Number.isSafeInteger(sectors)) throw unreadable(path, 'the system does not say how large it is')
  return sectors * sysfsSectorSizeBytes
}

/** The failure of a backup whose source is no good, with the reason. */
export function unreadable(path: string, why: string, cause?: unknown): TaskFailure {
  return new TaskFailure(taskFailures.sourceUnreadable, `${path} cannot be backed up: ${why}`, { cause })
}
