import { type ByteSource, DiskFailure } from '@palisade/virtual-disk'
import { findSystemOnExt } from './ext/system.ts'
import type { SystemFacts } from './facts.ts'
import { findSystemOnNtfs } from './ntfs/system.ts'

const finders = [findSystemOnNtfs, findSystemOnExt] as const

/** Looks for an operating system on a volume; undefined when its file system cannot be looked into. */
export async function findSystem(volume: ByteSource): Promise<SystemFacts | undefined> {
  for (const find of finders) {
    try {
      const facts = await find(volume)
      if (facts !== undefined) return facts
    } catch (error) {
      // A structure that reaches beyond the volume: another file system, or one too damaged to start anything.
      if (!(error instanceof DiskFailure)) throw error
    }
  }
  return undefined
}
