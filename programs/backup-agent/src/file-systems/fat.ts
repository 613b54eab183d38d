/**
 * FAT12, FAT16 and FAT32 (Microsoft, "FAT32 File System Specification" 1.03). Little-endian.
 *
 *   boot sector   11 bytes per sector u16   13 sectors per cluster u8   14 reserved sectors u16   16 FATs u8
 *                 17 root entries u16 (0: FAT32)   19 sectors u16, or 32 u32   22 sectors per FAT u16, or 36 u32
 *                 44 FAT32: first cluster of the root
 *                 39 or 67 (FAT32) serial number u32   43 or 71 (FAT32) label, 11 bytes   510 55 AA
 *   directory     32 bytes an entry: 0 name, 11 bytes   11 attributes (08: the volume's label)
 *
 * FAT32 is what has its number of sectors per FAT at 36: so all systems tell it, also when it has fewer clusters than the
 * specification wants. Whether it is FAT12 or FAT16 follows from the number of clusters.
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import { type FileSystemFacts, unlessDamaged } from './facts.ts'
import { formatSerial, isPowerOfTwo } from './superblock-fields.ts'

const fat12ClustersMax = 4084
const fat16ClustersMax = 65_524
const entrySizeBytes = 32
const labelSizeBytes = 11
const noLabel = 'NO NAME'
/** How much of a root directory is read; the label is among its first entries. */
const rootSizeMaxBytes = 256 * 1024

interface Geometry {
  readonly bits: 12 | 16 | 32
  readonly clusterSizeBytes: number
  readonly clusterCount: number
  readonly fatOffsetBytes: number
  readonly rootOffsetBytes: number
  readonly rootSizeBytes: number
}

/** Undefined for anything but FAT12, FAT16 and FAT32. */
export async function recogniseFat(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  const sector = await readBytes(volume, 0, 512)
  const geometry = readGeometry(sector)
  if (geometry === undefined) return undefined
  const rootLabel = await unlessDamaged(() => readRootLabel(volume, geometry), undefined)
  return {
    name: `fat${geometry.bits}`,
    label: rootLabel ?? readBootLabel(sector, geometry),
    id: formatSerial(sector.readUInt32LE(geometry.bits === 32 ? 67 : 39)),
    usedBytes: await unlessDamaged(() => countUsedBytes(volume, geometry), undefined),
  }
}

function readGeometry(sector: Buffer): Geometry | undefined {
  const sectorSizeBytes = sector.readUInt16LE(11)
  const sectorsPerCluster = sector.readUInt8(13)
  const reserved = sector.readUInt16LE(14)
  const fats = sector.readUInt8(16)
  const rootEntries = sector.readUInt16LE(17)
  const sectors = sector.readUInt16LE(19) || sector.readUInt32LE(32)
  const sectorsPerOldFat = sector.readUInt16LE(22)
  const sectorsPerFat = sectorsPerOldFat || sector.readUInt32LE(36)
  const isPossible =
    sector.readUInt16BE(510) === 0x55aa &&
    [512, 1024, 2048, 4096].includes(sectorSizeBytes) &&
    isPowerOfTwo(sectorsPerCluster) &&
    reserved > 0 &&
    fats > 0 &&
    sectorsPerFat > 0
  if (!isPossible) return undefined
  const rootSectors = Math.ceil((rootEntries * entrySizeBytes) / sectorSizeBytes)
  const systemSectors = reserved + fats * sectorsPerFat + rootSectors
  const clusterCount = Math.floor((sectors - systemSectors) / sectorsPerCluster)
  if (clusterCount <= 0 || (sectorsPerOldFat > 0 && clusterCount > fat16ClustersMax)) return undefined
  const bits = sectorsPerOldFat === 0 ? 32 : clusterCount <= fat12ClustersMax ? 12 : 16
  if ((bits === 32) !== (rootEntries === 0)) return undefined
  const clusterSizeBytes = sectorsPerCluster * sectorSizeBytes
  const rootCluster = bits === 32 ? sector.readUInt32LE(44) : 2
  if (rootCluster < 2) return undefined
  const dataOffsetBytes = systemSectors * sectorSizeBytes
  return {
    bits,
    clusterSizeBytes,
    clusterCount,
    fatOffsetBytes: reserved * sectorSizeBytes,
    rootOffsetBytes:
      bits === 32
        ? dataOffsetBytes + (rootCluster - 2) * clusterSizeBytes
        : (reserved + fats * sectorsPerFat) * sectorSizeBytes,
    rootSizeBytes: bits === 32 ? clusterSizeBytes : rootSectors * sectorSizeBytes,
  }
}

/** The label in the root directory, which is the one that systems show; undefined when it has none. */
async function readRootLabel(volume: ByteSource, geometry: Geometry): Promise<string | undefined> {
  const sizeBytes = Math.min(geometry.rootSizeBytes, rootSizeMaxBytes)
  const root = await readBytes(volume, geometry.rootOffsetBytes, sizeBytes)
  for (let at = 0; at + entrySizeBytes <= root.length && root[at] !== 0; at += entrySizeBytes) {
    const attributes = root[at + 11] ?? 0
    const isDeleted = root[at] === 0xe5
    // All four low bits together mark a part of a long name.
    const isLabel = (attributes & 0x08) !== 0 && (attributes & 0x0f) !== 0x0f
    if (isLabel && !isDeleted) return labelAt(root, at)
  }
  return undefined
}

function readBootLabel(sector: Buffer, { bits }: Geometry): string {
  const label = labelAt(sector, bits === 32 ? 71 : 43)
  return label === noLabel ? '' : label
}

function labelAt(bytes: Buffer, offset: number): string {
  return bytes
    .toString('latin1', offset, offset + labelSizeBytes)
    .replaceAll('\0', ' ')
    .trimEnd()
}

const pieceSizeBytes = 3 * 256 * 1024

/** A cluster is free when its entry in the FAT is zero. The two entries in front of the first cluster mean nothing. */
async function countUsedBytes(volume: ByteSource, geometry: Geometry): Promise<number | undefined> {
  const { bits, clusterCount, clusterSizeBytes, fatOffsetBytes } = geometry
  const entries = clusterCount + 2
  const fatSizeBytes = Math.ceil((entries * bits) / 8)
  const entriesPerPiece = (pieceSizeBytes * 8) / bits
  let used = 0
  for (let first = 0; first < entries; first += entriesPerPiece) {
    const at = (first * bits) / 8
    const piece = await readBytes(volume, fatOffsetBytes + at, Math.min(pieceSizeBytes, fatSizeBytes - at))
    const count = Math.min(entriesPerPiece, entries - first)
    for (let entry = first === 0 ? 2 : 0; entry < count; entry++) {
      if (readEntry(piece, entry, bits) !== 0) used++
    }
  }
  return used * clusterSizeBytes
}

function readEntry(fat: Buffer, entry: number, bits: Geometry['bits']): number {
  if (bits === 32) return fat.readUInt32LE(entry * 4) & 0x0fff_ffff
  if (bits === 16) return fat.readUInt16LE(entry * 2)
  // Two entries share three bytes.
  const at = entry + (entry >> 1)
  const pair = (fat[at] ?? 0) | ((fat[at + 1] ?? 0) << 8)
  return entry % 2 === 0 ? pair & 0xfff : pair >> 4
}
