import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Node has no call for it. */
const dropper = `
import os, sys
for path in sys.stdin.read().split('\\0'):
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)
`

/**
 * Writes files, or all files below folders, to the disk and takes them out of the system's cache. Volumes and
 * repositories are larger than memory where backups matter, so each round finds them on the disk.
 */
export function dropFromCache(...paths: readonly string[]): void {
  execFileSync('python3', ['-c', dropper], { input: paths.flatMap(filesAt).join('\0') })
}

/** Writes everything to the disk, so that the work that is measured next does not wait for what others have left in the cache. */
export function quietenDisk(): void {
  execFileSync('sync')
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
