import { stat } from 'node:fs/promises'

/**
 * Which file one is, and whether anybody touched it: every change of a file's content, by whatever way, sets the time of its last change,
 * which no program can choose.
 */
export interface FileIdentity {
  readonly sizeBytes: number
  /** Numbers of 64 bits, as texts; times in nanoseconds. */
  readonly inode: string
  readonly bornNs: string
  readonly changedNs: string
  readonly modifiedNs: string
}

/** Rejects with the system's error. */
export async function identifyFile(path: string): Promise<FileIdentity> {
  const { size, ino, birthtimeNs, ctimeNs, mtimeNs } = await stat(path, { bigint: true })
  return {
    sizeBytes: Number(size),
    inode: String(ino),
    bornNs: String(birthtimeNs),
    changedNs: String(ctimeNs),
    modifiedNs: String(mtimeNs),
  }
}

/** Why one is not the other, untouched; undefined when it is. */
export function differenceOf(before: FileIdentity, now: FileIdentity): string | undefined {
  if (before.inode !== now.inode || before.bornNs !== now.bornNs) return 'it is another file'
  if (before.sizeBytes !== now.sizeBytes) return 'it has another size'
  const isUntouched = before.changedNs === now.changedNs && before.modifiedNs === now.modifiedNs
  return isUntouched ? undefined : 'somebody has touched it'
}
