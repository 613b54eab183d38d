import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What the new file is called until it takes the place of the old one; a crash may leave it. */
export const unfinishedSuffix = '.new'

/**
 * Replaces the contents of a small file as a whole: after a crash there is the old file or the new one, never
 * half of one. Only the owner can read it. When it fails there is the old one alone.
 */
export async function writeDurably(path: string, contents: string): Promise<void> {
  const temporary = `${path}${unfinishedSuffix}`
  const file = await open(temporary, 'w', 0o600)
  try {
    await fillAndClose(file, contents)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncDirectory(dirname(path))
}

async function fillAndClose(file: FileHandle, contents: string): Promise<void> {
  try {
    await file.writeFile(contents)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
