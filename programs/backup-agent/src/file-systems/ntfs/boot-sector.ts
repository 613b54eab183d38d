/**
 * The boot sector of NTFS (libyal, "New Technologies File System", and the Linux-NTFS documentation). Little-endian.
 *
 *     3 "NTFS    "   11 bytes per sector u16   13 sectors per cluster u8 (above 128: 2^(256 - n))
 *     40 sectors u64   48 cluster of the MFT u64   64 clusters per MFT record i8 (negative: 2^-n bytes)
 *     72 serial number u64
 */
const recordSizesBytes = [512, 1024, 2048, 4096]
const clusterSizeMaxBytes = 2 * 1024 * 1024

/** Sizes and places by the boot sector. The size leaves out the last sector, which is a copy of the boot sector. */
export interface NtfsGeometry {
  readonly sizeBytes: number
  readonly clusterSizeBytes: number
  readonly clusterCount: number
  readonly recordSizeBytes: number
  readonly mftOffsetBytes: number
  /** Sixteen hexadecimal digits. */
  readonly serial: string
}

/** Decodes the first 512 bytes of a volume; undefined when they are not those of an NTFS that can be. */
export function decodeBootSector(sector: Buffer): NtfsGeometry | undefined {
  if (sector.toString('latin1', 3, 11) !== 'NTFS    ') return undefined
  const sectorSizeBytes = sector.readUInt16LE(11)
  const sectorsPerCluster = sector.readUInt8(13)
  const clusterSizeBytes =
    sectorSizeBytes * (sectorsPerCluster > 128 ? 2 ** (256 - sectorsPerCluster) : sectorsPerCluster)
  const recordSize = sector.readInt8(64)
  const recordSizeBytes = recordSize < 0 ? 2 ** -recordSize : recordSize * clusterSizeBytes
  const sizeBytes = Number(sector.readBigUInt64LE(40)) * sectorSizeBytes
  const isPossible =
    clusterSizeBytes >= 512 &&
    clusterSizeBytes <= clusterSizeMaxBytes &&
    recordSizesBytes.includes(recordSizeBytes) &&
    Number.isSafeInteger(sizeBytes)
  if (!isPossible) return undefined
  return {
    sizeBytes,
    clusterSizeBytes,
    clusterCount: Math.floor(sizeBytes / clusterSizeBytes),
    recordSizeBytes,
    mftOffsetBytes: Number(sector.readBigUInt64LE(48)) * clusterSizeBytes,
    serial: sector.readBigUInt64LE(72).toString(16).toUpperCase().padStart(16, '0'),
  }
}
