import type { FileHandle } from 'node:fs/promises'
import { destinationFailures, TaskFailure } from '../failure.ts'
import { LocalFolder } from './local-folder.ts'

/**
 * Where finished disks go. A disk lies under a partial name, next to where it will be, until it is complete and
 * verified. Implementations reject with a TaskFailure whose code says what the trouble with the destination is.
 * All methods may be called again after a crash.
 */
export interface Destination {
  /** Absolute. */
  readonly folder: string
  /** Makes sure that the folder is there, with all its parents. */
  prepare(): Promise<void>
  /** How many bytes this agent may still write there. */
  freeBytes(): Promise<number>
  /**
   * Creates an empty file under a partial name, instead of one that an earlier run left. The agent's threads
   * write to it by its path, at any position and in any order; only the agent's user can read it.
   */
  createPartial(partialPath: string): Promise<FileHandle>
  /** Removes a partial file; none being there is fine. */
  removePartial(partialPath: string): Promise<void>
  /**
   * Gives a partial file its name, durably, unless the name is taken: what is there is never replaced.
   *
   * @param wasAttempted an earlier run may have given this name already, and ended before it could say so
   * @returns whether the file has the name now
   */
  giveName(partialPath: string, finalPath: string, wasAttempted: boolean): Promise<boolean>
}

/**
 * The destination with this path.
 *
 * @throws TaskFailure for network shares, which this agent does not write to, and for paths that are not
 *   absolute on this computer
 */
export function destinationAt(path: string): Destination {
  if (/^(\\\\|\/\/|smb:)/i.test(path)) {
    throw new TaskFailure(
      destinationFailures.networkShareInaccessible,
      `this agent does not write to network shares yet: ${path}`,
    )
  }
  return new LocalFolder(path)
}
