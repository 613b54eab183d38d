/**
 * A copy of an image that shares its blocks, on file systems that know such copies (XFS, btrfs). It is made in one
 * step, takes no room but for what is written to the image meanwhile, and lies beside the image under a hidden name. The folder of
 * images may belong to somebody else, who swaps what is in it, so the copy is made in a folder that is held open.
 */
import { constants as accessConstants, existsSync } from 'node:fs'
import { constants, copyFile, open, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { descriptorPath, openFolderAt } from '../../system-calls/open-folder.ts'
import { openSource } from '../open-source.ts'
import type { SnapshotKind, SnapshotRecord } from './snapshot.ts'

const { O_NOFOLLOW: noLink = 0, O_NONBLOCK: withoutWaiting = 0 } = accessConstants

/** Copies of image files that share their blocks (XFS, btrfs). */
export const reflinkSnapshots: SnapshotKind = {
  async plan({ place, sourcePath }, name, folder) {
    if (place.device !== undefined) return { why: 'it is no image' }
    const path =
      folder === undefined
        ? join(dirname(sourcePath), `.${basename(sourcePath)}.${name}`)
        : join(folder, name)
    return { kind: 'reflink', path, image: sourcePath }
  },
  async make({ sourcePath }, record) {
    const { path } = requireReflink(record)
    const image = await openSource(sourcePath)
    try {
      await copyInto(dirname(path), basename(path), descriptorPath(image.descriptor, sourcePath))
      return path
    } finally {
      await image.close()
    }
  },
  async remove(record) {
    const { path, image } = requireReflink(record)
    if (image !== undefined && !existsSync(path) && !existsSync(image)) {
      throw new Error('neither it nor its image is there, as when their file system is not mounted')
    }
    await rm(path, { force: true })
  },
}

async function copyInto(folderPath: string, name: string, from: string): Promise<void> {
  const folder = await openFolderAt(folderPath)
  try {
    const path = join(folder.path, name)
    await copyFile(from, path, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
    await closeToOthers(path)
  } catch (error) {
    throw new Error('its file system makes no copies that share blocks', { cause: error })
  } finally {
    await folder.close()
  }
}

/** By its descriptor: whoever may write in the folder can have put a link or a pipe in the place of the copy. */
async function closeToOthers(path: string): Promise<void> {
  const copy = await open(path, accessConstants.O_RDONLY | noLink | withoutWaiting)
  try {
    await copy.chmod(0o400)
  } finally {
    await copy.close()
  }
}

function requireReflink(record: SnapshotRecord): Extract<SnapshotRecord, { kind: 'reflink' }> {
  if (record.kind === 'reflink') return record
  throw new Error('this is no copy of an image')
}
