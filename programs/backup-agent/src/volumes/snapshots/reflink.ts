/**
 * A copy of an image that shares its blocks, on file systems that know such copies (XFS, btrfs). It is made in one
 * step, takes no room but for what is written to the image meanwhile, and lies beside the image under a hidden name.
 */
import { existsSync } from 'node:fs'
import { chmod, constants, copyFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { SnapshotKind, SnapshotRecord } from './snapshot.ts'

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
    try {
      await copyFile(sourcePath, path, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
      await chmod(path, 0o400)
      return path
    } catch (error) {
      throw new Error('its file system makes no copies that share blocks', { cause: error })
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

function requireReflink(record: SnapshotRecord): Extract<SnapshotRecord, { kind: 'reflink' }> {
  if (record.kind === 'reflink') return record
  throw new Error('this is no copy of an image')
}
