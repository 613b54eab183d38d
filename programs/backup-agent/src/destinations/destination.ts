import type { RestorePlace } from '../state/journal.ts'

/**
 * Where finished disks go. A disk lies under a partial name, next to where it will be, until it is complete and
 * verified. Implementations reject with a TaskFailure whose code says what the trouble with the destination is.
 * All methods may be called again after a crash.
 */
export interface Destination {
  /** Absolute. */
  readonly folder: string
  /** What a restart needs, beside the folder, to get at it again: sealed, for the journal. */
  readonly sealedCredentials?: string
  /** Makes sure that the folder is there, with all its parents. */
  prepare(): Promise<void>
  /**
   * Tries whether files can be written there: makes an empty one, and removes it when `use` is done with it. The folder
   * has to be there.
   *
   * @param use is given the path of the file, absolute
   */
  probe<Result>(use: (path: string) => Promise<Result>): Promise<Result>
  /** How many bytes this agent may still write there. */
  freeBytes(): Promise<number>
  /** The absolute path of a file of this name in the folder. */
  pathOf(fileName: string): string
  /** Where disks lie until they are finished, one path for each base name. */
  partialPaths(restoreId: string, baseNames: readonly string[]): readonly string[]
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

/** What the journal says of a destination. */
export function placeOf({ folder, sealedCredentials }: Destination): RestorePlace {
  return sealedCredentials === undefined ? { folder } : { folder, sealedCredentials }
}
