import { DirectFile } from '@palisade/vault/chunks'
import { CachedFile } from './cached-file.ts'

/** The file of a disk, as a session writes to it and reads back from it. */
export type DiskFile = Pick<
  DirectFile | CachedFile,
  'cachedDescriptor' | 'read' | 'write' | 'writeSync' | 'close'
>

/** The file of a disk, opened twice: for its data and for its holes. */
export interface DiskFiles {
  readonly data: DiskFile
  /** Holes are read past the cache: through it they would fill it with pages of zeros. */
  readonly holes: DiskFile
}

/**
 * Opens the file of a disk. Rejects with the system's error when it cannot be opened; nothing is open then.
 *
 * @param verifiesFromDisk whether what is read back has to come from the disk, and not from the system's cache
 */
export async function openDiskFiles(path: string, verifiesFromDisk: boolean): Promise<DiskFiles> {
  const data = await (verifiesFromDisk ? DirectFile.open(path, 'read-write') : CachedFile.open(path))
  try {
    return { data, holes: await DirectFile.open(path, 'read') }
  } catch (error) {
    await data.close()
    throw error
  }
}
