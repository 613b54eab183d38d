import type { Extent } from '@palisade/virtual-disk'
import type { StoredVolume } from './stored-volume.ts'

/** A few bytes of a volume that are to be others on the disk that it comes back on. */
export interface VolumePatch {
  /** In the volume. */
  readonly offsetBytes: number
  /** What was backed up, and so what the names of chunks are made from. */
  readonly original: Uint8Array
  /** As many. */
  readonly replacement: Uint8Array
}

/** A volume on the disk that a restore writes. */
export interface PlacedVolume extends StoredVolume {
  /** Where it begins on the disk. */
  readonly partitionOffsetBytes: number
  /** How many bytes behind its last one belong to nobody else and are zeros. */
  readonly roomBehindBytes: number
  readonly patches: readonly VolumePatch[]
}

/** Where on the disk a volume is. */
export function extentOfVolume({ partitionOffsetBytes, geometry }: PlacedVolume): Extent {
  return { offsetBytes: partitionOffsetBytes, sizeBytes: geometry.volumeSizeBytes }
}

/**
 * Puts the patches that fall into some bytes of a volume into them.
 *
 * @param position in the volume, of the first of the bytes
 * @param state which of the two states the bytes are to have
 */
export function layPatches(
  patches: readonly VolumePatch[],
  target: Uint8Array,
  position: number,
  state: 'original' | 'replacement',
): void {
  for (const patch of patches) {
    const at = patch.offsetBytes - position
    const cut = patch[state].subarray(Math.max(0, -at), Math.max(0, target.byteLength - at))
    if (cut.byteLength > 0) target.set(cut, Math.max(0, at))
  }
}
