import { DirectFile } from '@palisade/vault/chunks'
import { CachedFile } from './cached-file.ts'

/** The file of a disk, as a session writes to it and reads back from it. */
export type DiskFile = Pick<DirectFile, 'cachedDescriptor' | 'read' | 'write' | 'writeSync' | 'close'>

/**
 * Opens the file of a disk.
 *
 * @param verifiesFromDisk whether what is read back has to come from the disk, and not from the system's cache
 */
export function openDiskFile(path: string, verifiesFromDisk: boolean): Promise<DiskFile> {
  return verifiesFromDisk ? DirectFile.open(path, 'read-write') : CachedFile.open(path)
}
