import type { Measurement } from '../measure.ts'

/** A program that keeps revisions of an image, with a repository of its own. */
export interface Archiver {
  readonly name: string
  backUp(image: string): Promise<Measurement>
  /** Ways to get the newest revision out; each leaves one file in a folder that it is given empty. */
  readonly restores: readonly Restore[]
  /** What takes the space. */
  readonly repository: string
  close(): Promise<void>
}

export interface Restore {
  readonly name: string
  into(folder: string): Promise<Measurement>
}

/** Makes an archiver with an empty repository in an empty folder. */
export type OpenArchiver = (folder: string) => Promise<Archiver>
