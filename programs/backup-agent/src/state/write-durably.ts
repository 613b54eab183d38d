import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces the contents of a small file as a whole: after a crash there is the old file or the new one, never
 * half of one. Only the owner can read it.
 */
export async function writeDurably(path: string, contents: string): Promise<void> {
  const temporary = `${path}.new`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(contents)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncDirectory(dirname(path))
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
