/**
 * exFAT (Microsoft, "exFAT file system specification"). Little-endian.
 *
 *   boot sector   3 "EXFAT   "   88 first sector of the clusters u32   92 clusters u32
 *                 96 first cluster of the root u32   108 sector size 2^n u8   109 sectors per cluster 2^n u8
 *                 100 serial number u32
 *   directory     32 bytes an entry: 0 type
 *                 81: the allocation bitmap: 20 first cluster u32, 24 size u64
 *                 83: the label: 1 length u8, 2 UTF-16
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import { countBits } from './count-bits.ts'
import { type FileSystemFacts, unlessDamaged } from './facts.ts'
import { formatSerial } from './superblock-fields.ts'

const entrySizeBytes = 32
const bitmapEntry = 0x81
const labelEntry = 0x83
const labelLengthMax = 11
/** How much of a root directory is read; both entries are among its first. */
const rootSizeMaxBytes = 256 * 1024

interface Geometry {
  readonly clusterSizeBytes: number
  readonly clusterCount: number
  /** Where a cluster begins; the first one has the number 2. */
  offsetOf(cluster: number): number
}

/** Undefined for anything but exFAT. */
export async function recogniseExfat(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  const sector = await readBytes(volume, 0, 512)
  if (sector.toString('latin1', 3, 11) !== 'EXFAT   ') return undefined
  const sectorSizeLog = sector.readUInt8(108)
  const clusterSizeLog = sectorSizeLog + sector.readUInt8(109)
  if (sectorSizeLog < 9 || sectorSizeLog > 12 || clusterSizeLog > 25) return undefined
  const clusterSizeBytes = 2 ** clusterSizeLog
  const geometry: Geometry = {
    clusterSizeBytes,
    clusterCount: sector.readUInt32LE(92),
    offsetOf: (cluster) => sector.readUInt32LE(88) * 2 ** sectorSizeLog + (cluster - 2) * clusterSizeBytes,
  }
  const rootOffsetBytes = geometry.offsetOf(sector.readUInt32LE(96))
  const rootSizeBytes = Math.min(clusterSizeBytes, rootSizeMaxBytes)
  const root = await unlessDamaged(() => readBytes(volume, rootOffsetBytes, rootSizeBytes), Buffer.alloc(0))
  const label = findEntry(root, labelEntry)
  const labelLength = Math.min(label?.[1] ?? 0, labelLengthMax)
  return {
    name: 'exfat',
    label: label?.toString('utf16le', 2, 2 + labelLength * 2).toWellFormed() ?? '',
    id: formatSerial(sector.readUInt32LE(100)),
    usedBytes: await countUsedBytes(volume, geometry, findEntry(root, bitmapEntry)),
  }
}

/** Formatting puts the bitmap in one piece at the front of the clusters, and nothing ever moves it. */
async function countUsedBytes(
  volume: ByteSource,
  { clusterCount, clusterSizeBytes, offsetOf }: Geometry,
  entry: Buffer | undefined,
): Promise<number | undefined> {
  if (entry === undefined) return undefined
  const extent = { offsetBytes: offsetOf(entry.readUInt32LE(20)), sizeBytes: Math.ceil(clusterCount / 8) }
  const isWithin = extent.offsetBytes >= 0 && extent.offsetBytes + extent.sizeBytes <= volume.sizeBytes
  return isWithin ? (await countBits(volume, [extent], clusterCount)) * clusterSizeBytes : undefined
}

function findEntry(directory: Buffer, type: number): Buffer | undefined {
  for (let at = 0; at + entrySizeBytes <= directory.length && directory[at] !== 0; at += entrySizeBytes) {
    if (directory[at] === type) return directory.subarray(at, at + entrySizeBytes)
  }
  return undefined
}
