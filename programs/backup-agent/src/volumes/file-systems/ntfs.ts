/**
 * NTFS, as far as it takes to know the label and how much is in use (libyal, "New Technologies File System",
 * and the Linux-NTFS documentation). Little-endian.
 *
 *   boot sector   3 "NTFS    "   11 bytes per sector u16   13 sectors per cluster u8 (above 128: 2^(256 - n))
 *                 40 sectors u64   48 cluster of the MFT u64
 *                 64 clusters per MFT record i8 (negative: 2^-n bytes)
 *   MFT record    0 "FILE"   4 update sequence: offset u16, count u16   20 first attribute u16   24 bytes in use u32
 *   attribute     0 type u32   4 length u32   8 non-resident u8   9 name length u8
 *     resident      16 length u32   20 offset u16
 *     non-resident  32 offset of the run list u16   48 size u64
 *
 * The label is attribute 0x60 of record 3 ($Volume); a bit per cluster is the data (0x80) of record 6 ($Bitmap).
 */
import { type ByteSource, type Extent, readBytes } from '@palisade/virtual-disk'
import { countBits } from './count-bits.ts'
import { type FileSystemFacts, unlessDamaged } from './facts.ts'

const volumeRecord = 3
const bitmapRecord = 6
const volumeNameType = 0x60
const dataType = 0x80
const endOfAttributes = 0xffff_ffff
/** The last two bytes of each of these pieces of a record are kept in its update sequence. */
const updateStrideBytes = 512
const recordSizesBytes = [512, 1024, 2048, 4096]
const clusterSizeMaxBytes = 2 * 1024 * 1024

interface Geometry {
  readonly clusterSizeBytes: number
  readonly clusterCount: number
  readonly recordSizeBytes: number
  readonly mftOffsetBytes: number
}

interface Attribute {
  readonly type: number
  readonly bytes: Buffer
}

export async function recogniseNtfs(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  const geometry = readGeometry(await readBytes(volume, 0, 512))
  if (geometry === undefined) return undefined
  return {
    name: 'ntfs',
    label: await unlessDamaged(() => readLabel(volume, geometry), ''),
    usedBytes: await unlessDamaged(() => countUsedBytes(volume, geometry), undefined),
  }
}

function readGeometry(sector: Buffer): Geometry | undefined {
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
    clusterSizeBytes,
    clusterCount: Math.floor(sizeBytes / clusterSizeBytes),
    recordSizeBytes,
    mftOffsetBytes: Number(sector.readBigUInt64LE(48)) * clusterSizeBytes,
  }
}

async function readLabel(volume: ByteSource, geometry: Geometry): Promise<string> {
  const attributes = await readAttributes(volume, geometry, volumeRecord)
  const name = attributes.find(({ type }) => type === volumeNameType)?.bytes
  if (name === undefined || name[8] !== 0 || name.length < 24) return ''
  const start = name.readUInt16LE(20)
  const end = start + name.readUInt32LE(16)
  return end <= name.length ? name.toString('utf16le', start, end).toWellFormed() : ''
}

async function countUsedBytes(volume: ByteSource, geometry: Geometry): Promise<number | undefined> {
  const attributes = await readAttributes(volume, geometry, bitmapRecord)
  const data = attributes.find(({ type, bytes }) => type === dataType && bytes[9] === 0)?.bytes
  if (data === undefined || data[8] !== 1 || data.length < 64) return undefined
  const { clusterCount, clusterSizeBytes } = geometry
  const parts = readRuns(data.subarray(data.readUInt16LE(32)), clusterSizeBytes)
  const partsSizeBytes = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const isWithin = parts.every(({ offsetBytes, sizeBytes }) => offsetBytes + sizeBytes <= volume.sizeBytes)
  if (!isWithin || partsSizeBytes * 8 < clusterCount) return undefined
  return (await countBits(volume, parts, clusterCount)) * clusterSizeBytes
}

/** The attributes of one of the first records, which always lie together; none when the record is damaged. */
async function readAttributes(
  volume: ByteSource,
  { mftOffsetBytes, recordSizeBytes }: Geometry,
  number: number,
): Promise<readonly Attribute[]> {
  const record = await readBytes(volume, mftOffsetBytes + number * recordSizeBytes, recordSizeBytes)
  if (record.toString('latin1', 0, 4) !== 'FILE' || !applyUpdateSequence(record)) return []
  const end = Math.min(record.readUInt32LE(24), record.length)
  const attributes: Attribute[] = []
  for (let at = record.readUInt16LE(20); at + 16 <= end; ) {
    const type = record.readUInt32LE(at)
    const length = record.readUInt32LE(at + 4)
    if (type === endOfAttributes || length < 16 || at + length > end) break
    attributes.push({ type, bytes: record.subarray(at, at + length) })
    at += length
  }
  return attributes
}

/**
 * Puts the bytes back that the update sequence stands in for. A record whose pieces do not carry the mark was
 * torn when it was written.
 */
function applyUpdateSequence(record: Buffer): boolean {
  const offset = record.readUInt16LE(4)
  const pieces = record.length / updateStrideBytes
  if (record.readUInt16LE(6) !== pieces + 1 || offset + 2 * (pieces + 1) > record.length) return false
  const mark = record.readUInt16LE(offset)
  for (let piece = 1; piece <= pieces; piece++) {
    const at = piece * updateStrideBytes - 2
    if (record.readUInt16LE(at) !== mark) return false
    record.writeUInt16LE(record.readUInt16LE(offset + 2 * piece), at)
  }
  return true
}

/**
 * A run list: per run one byte with two sizes, then a count of clusters (unsigned) and a distance from the
 * run before (signed), each of that many bytes; a zero byte ends it.
 */
function readRuns(list: Buffer, clusterSizeBytes: number): readonly Extent[] {
  const runs: Extent[] = []
  let cluster = 0
  for (let at = 0; at < list.length; ) {
    const sizes = list[at] ?? 0
    const countSize = sizes & 0x0f
    const distanceSize = sizes >> 4
    at++
    if (sizes === 0 || at + countSize + distanceSize > list.length) break
    // A bitmap has no holes, and no number in it needs more than 48 bits.
    if (countSize === 0 || countSize > 6 || distanceSize === 0 || distanceSize > 6) return []
    cluster += list.readIntLE(at + countSize, distanceSize)
    runs.push({
      offsetBytes: cluster * clusterSizeBytes,
      sizeBytes: list.readUIntLE(at, countSize) * clusterSizeBytes,
    })
    at += countSize + distanceSize
  }
  return runs.every(({ offsetBytes }) => offsetBytes >= 0) ? runs : []
}
