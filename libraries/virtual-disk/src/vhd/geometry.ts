import { VHD_SECTOR_SIZE_BYTES } from './layout.ts'

/** Cylinders, heads and sectors per track, as an ATA drive would report them. */
export interface Geometry {
  readonly cylinders: number
  readonly heads: number
  readonly sectorsPerTrack: number
}

const SECTORS_MAX = 65_535 * 16 * 255

/**
 * The geometry of a disk (VHD specification, appendix "CHS Calculation"). It rounds down, so it usually
 * describes a little less than the disk; sizes of more than about 127.5 GiB get the largest there is.
 */
export function geometryOf(virtualSizeBytes: number): Geometry {
  const sectors = Math.min(virtualSizeBytes / VHD_SECTOR_SIZE_BYTES, SECTORS_MAX)
  const { heads, sectorsPerTrack } = chooseTracks(sectors)
  return { cylinders: Math.floor(Math.floor(sectors / sectorsPerTrack) / heads), heads, sectorsPerTrack }
}

function chooseTracks(sectors: number): Omit<Geometry, 'cylinders'> {
  if (sectors >= 65_535 * 16 * 63) return { heads: 16, sectorsPerTrack: 255 }
  const tracks = Math.floor(sectors / 17)
  const heads = Math.max(4, Math.floor((tracks + 1023) / 1024))
  if (heads <= 16 && tracks < heads * 1024) return { heads, sectorsPerTrack: 17 }
  return Math.floor(sectors / 31) < 16 * 1024
    ? { heads: 16, sectorsPerTrack: 31 }
    : { heads: 16, sectorsPerTrack: 63 }
}

/** What the geometry describes, in bytes. */
export function geometrySizeBytes({ cylinders, heads, sectorsPerTrack }: Geometry): number {
  return cylinders * heads * sectorsPerTrack * VHD_SECTOR_SIZE_BYTES
}
