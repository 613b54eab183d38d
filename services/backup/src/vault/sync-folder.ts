import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes the names in the folder of a file durable. */
export async function syncFolderOf(file: string): Promise<void> {
  const folder = await open(dirname(file))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
