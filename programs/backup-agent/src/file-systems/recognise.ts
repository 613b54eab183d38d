import { type ByteSource, DiskFailure } from '@palisade/virtual-disk'
import { recogniseBtrfs } from './btrfs.ts'
import { recogniseExfat } from './exfat.ts'
import { recogniseExt } from './ext/ext.ts'
import type { FileSystemFacts } from './facts.ts'
import { recogniseFat } from './fat.ts'
import { recogniseLuks } from './luks.ts'
import { recogniseLvm2 } from './lvm2.ts'
import { recogniseMdraid } from './mdraid.ts'
import { recogniseNtfs } from './ntfs/ntfs.ts'
import { recogniseSwap } from './swap.ts'
import { recogniseXfs } from './xfs.ts'

/**
 * Each looks for the marks of one family of file systems. What it finds may be damaged or made to mislead: every
 * offset and count is checked before it is used, and what cannot be right is left out of the answer.
 */
const recognisers = [
  recogniseLuks,
  recogniseLvm2,
  recogniseMdraid,
  recogniseXfs,
  recogniseNtfs,
  recogniseExfat,
  recogniseFat,
  recogniseExt,
  recogniseBtrfs,
  recogniseSwap,
] as const

/** What file system a volume holds; undefined when it is none that is known here. */
export async function recogniseFileSystem(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  for (const recognise of recognisers) {
    try {
      const facts = await recognise(volume)
      if (facts !== undefined) return facts
    } catch (error) {
      // A structure that reaches beyond the volume: not a file system of this kind, or not one to believe.
      if (!(error instanceof DiskFailure)) throw error
    }
  }
  return undefined
}
