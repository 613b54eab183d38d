import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Extent } from './extent.ts'
import { askPython } from './python.ts'

/**
 * Writes files, or all files below folders, to the disk and takes them out of the system's cache. Volumes and
 * repositories are larger than memory where backups matter, so each round finds them on the disk.
 */
export async function dropFromCache(...paths: readonly string[]): Promise<void> {
  await askPython({ do: 'drop', paths: paths.flatMap(filesAt) })
}

/**
 * Writes everything to the disk, so that the work that is measured next does not wait for what others have left in the cache.
 * Nothing where the extent does not ask for it, since it waits for all that other programs write.
 */
export function quietenDisk({ quietensDisk }: Pick<Extent, 'quietensDisk'>): void {
  if (quietensDisk) execFileSync('sync')
}

/** The bytes of all files below a folder. */
export function folderBytes(folder: string): number {
  return filesAt(folder).reduce((sum, path) => sum + statSync(path).size, 0)
}

function filesAt(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
