/**
 * Records of the MFT and the attributes in them. Little-endian.
 *
 *     record     0 "FILE"   4 update sequence: offset u16, count u16   20 first attribute u16   22 flags u16 (1: in use)
 *                24 bytes in use u32
 *     attribute  0 type u32   4 length u32   8 non-resident u8   9 name length u8   10 name offset u16   12 flags u16
 *       resident      16 length u32   20 offset u16
 *       non-resident  16 first VCN u64   24 last VCN u64   32 offset of the run list u16   48 size u64
 */
const endOfAttributes = 0xffff_ffff
/** The last two bytes of each of these pieces of a record are kept in its update sequence. */
const updateStrideBytes = 512
const residentHeaderSizeBytes = 24
const nonResidentHeaderSizeBytes = 64
/** Compressed or encrypted. */
const encodedFlags = 0x00ff | 0x4000

/** Numbers of the attributes that are read here ($ATTRIBUTE_LIST, $VOLUME_NAME, $VOLUME_INFORMATION, $DATA, …). */
export const attributeTypes = {
  attributeList: 0x20,
  volumeName: 0x60,
  volumeInformation: 0x70,
  data: 0x80,
  indexRoot: 0x90,
  indexAllocation: 0xa0,
} as const

/** Some clusters of an attribute; undefined where it has a hole. */
export interface ClusterRun {
  readonly cluster: number | undefined
  readonly count: number
}

/** An attribute in one record: all of it, or the part whose clusters begin with `firstCluster`, counted from the attribute's start. */
export interface Attribute {
  readonly type: number
  /** Empty for the unnamed one. */
  readonly name: string
  /** Its content is not as it lies on the disk. */
  readonly isEncoded: boolean
  readonly value:
    | { readonly kind: 'resident'; readonly bytes: Buffer }
    | {
        readonly kind: 'runs'
        readonly firstCluster: number
        /** In bytes, in the first part of the attribute; meaningless in others. */
        readonly sizeBytes: number
        readonly runs: readonly ClusterRun[]
      }
}

/** The attributes of a record; undefined when it is torn, damaged or not in use. The record is changed. */
export function decodeRecord(record: Buffer): readonly Attribute[] | undefined {
  const isInUse = record.toString('latin1', 0, 4) === 'FILE' && (record.readUInt16LE(22) & 1) !== 0
  if (!isInUse || !applyUpdateSequence(record)) return undefined
  const end = Math.min(record.readUInt32LE(24), record.length)
  const attributes: Attribute[] = []
  for (let at = record.readUInt16LE(20); at + residentHeaderSizeBytes <= end; ) {
    const type = record.readUInt32LE(at)
    const length = record.readUInt32LE(at + 4)
    if (type === endOfAttributes) break
    if (length < residentHeaderSizeBytes || at + length > end) return undefined
    const attribute = decodeAttribute(type, record.subarray(at, at + length))
    if (attribute === undefined) return undefined
    attributes.push(attribute)
    at += length
  }
  return attributes
}

function decodeAttribute(type: number, bytes: Buffer): Attribute | undefined {
  const nameOffset = bytes.readUInt16LE(10)
  const nameEnd = nameOffset + bytes.readUInt8(9) * 2
  if (nameEnd > bytes.length) return undefined
  const value = bytes[8] === 0 ? decodeResident(bytes) : decodeNonResident(bytes)
  if (value === undefined) return undefined
  return {
    type,
    name: bytes.toString('utf16le', nameOffset, nameEnd),
    isEncoded: (bytes.readUInt16LE(12) & encodedFlags) !== 0,
    value,
  }
}

function decodeResident(bytes: Buffer): Attribute['value'] | undefined {
  const start = bytes.readUInt16LE(20)
  const end = start + bytes.readUInt32LE(16)
  return end <= bytes.length ? { kind: 'resident', bytes: bytes.subarray(start, end) } : undefined
}

function decodeNonResident(bytes: Buffer): Attribute['value'] | undefined {
  if (bytes.length < nonResidentHeaderSizeBytes) return undefined
  const runs = decodeRuns(bytes.subarray(bytes.readUInt16LE(32)))
  if (runs === undefined) return undefined
  const firstCluster = Number(bytes.readBigUInt64LE(16))
  return { kind: 'runs', firstCluster, sizeBytes: Number(bytes.readBigUInt64LE(48)), runs }
}

/**
 * Puts the bytes back that the update sequence stands in for. A record whose pieces do not carry the mark was
 * torn when it was written. Records of the MFT and of indexes have it at the same place.
 */
export function applyUpdateSequence(record: Buffer): boolean {
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
 * A run list: per run one byte with two sizes, then a count of clusters (unsigned) and a distance from the run before
 * (signed), each of that many bytes; without a distance it is a hole. A zero byte ends it. Undefined when it makes no
 * sense.
 */
export function decodeRuns(list: Buffer): readonly ClusterRun[] | undefined {
  const runs: ClusterRun[] = []
  let cluster = 0
  for (let at = 0; at < list.length; ) {
    const sizes = list[at] ?? 0
    if (sizes === 0) return runs
    const countSize = sizes & 0x0f
    const distanceSize = sizes >> 4
    at++
    // No number in a run list needs more than 48 bits.
    const isPossible =
      countSize > 0 && countSize <= 6 && distanceSize <= 6 && at + countSize + distanceSize <= list.length
    if (!isPossible) return undefined
    const count = list.readUIntLE(at, countSize)
    if (distanceSize > 0) cluster += list.readIntLE(at + countSize, distanceSize)
    if (cluster < 0) return undefined
    runs.push({ cluster: distanceSize > 0 ? cluster : undefined, count })
    at += countSize + distanceSize
  }
  return undefined
}
