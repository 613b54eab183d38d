import { open } from 'node:fs/promises'

/**
 * Makes names that were just created, renamed or removed in a directory survive a power cut. Windows cannot open
 * a directory for this and journals names by itself.
 */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
