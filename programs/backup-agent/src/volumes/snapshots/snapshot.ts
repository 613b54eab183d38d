import type { Volume } from '../open-volume.ts'

/**
 * What is to be removed when a snapshot is no longer needed. It is written down before the snapshot is made, so that
 * the next run of the agent can remove what a killed one left.
 */
export type SnapshotRecord =
  /** A logical volume, as `group/name`. */
  | { readonly kind: 'lvm'; readonly volume: string }
  /** A file, absolute, and the image that it was copied from: where neither is, their file system may be away. */
  | { readonly kind: 'reflink'; readonly path: string; readonly image?: string }

/** A way to keep a volume as it is at one moment. */
export interface SnapshotKind {
  /**
   * What making a snapshot of this volume would leave, or why there can be none.
   *
   * @param name unlike that of any other snapshot; letters, digits and hyphens
   * @param folder where a file is to lie, on the file system of the image; beside the image when it is left out
   */
  plan(volume: Volume, name: string, folder?: string): Promise<SnapshotRecord | { readonly why: string }>
  /**
   * Makes what was planned.
   *
   * @returns where the volume can be read from now on, at the offset that it had
   */
  make(volume: Volume, record: SnapshotRecord): Promise<string>
  /** Removes it. Nothing to remove is no failure; what may be somewhere out of reach is one. */
  remove(record: SnapshotRecord): Promise<void>
}
