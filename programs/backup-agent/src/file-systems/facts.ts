import { DiskFailure } from '@palisade/virtual-disk'

/** What a file system says about itself. */
export interface FileSystemFacts {
  /** ntfs, ext4, fat32 … */
  readonly name: string
  readonly label: string
  /** UUID or serial number, in the spelling of blkid; empty when it has none. */
  readonly id: string
  /** Undefined when it cannot be told. */
  readonly usedBytes: number | undefined
}

/** What a structure says, or the substitute when the structure cannot be where the file system says it is. */
export async function unlessDamaged<Value>(read: () => Promise<Value>, substitute: Value): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DiskFailure) return substitute
    throw error
  }
}

/** What a volume is for, by the files on it. */
export interface SystemFacts {
  /**
   * - `system`      an operating system starts from it
   * - `boot-files`  it holds what starts a system that is elsewhere
   * - `data`        neither
   */
  readonly holds: 'system' | 'boot-files' | 'data'
  /** "10.0.17763" of Windows, "Debian GNU/Linux 12 (bookworm)" of Linux; undefined when it cannot be told. */
  readonly osVersion: string | undefined
}
