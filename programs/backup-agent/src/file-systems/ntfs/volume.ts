/**
 * Records and attributes of an NTFS, wherever they lie. The MFT is a file whose first record describes itself; an
 * attribute that needs more room than its record has is spread over others, which the attribute list names:
 *
 *     entry  0 type u32   4 length u16   6 name length u8   7 name offset u8   8 first VCN u64   16 record u48
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import { decodeBootSector, type NtfsGeometry } from './boot-sector.ts'
import { type Attribute, attributeTypes, type ClusterRun, decodeRecord } from './record.ts'

const listEntrySizeMinBytes = 26
/** NTFS makes no larger list of attributes. */
const listSizeMaxBytes = 256 * 1024
/** What is in more pieces is made to mislead, or can be done without: the volume is then read whole. */
const runsMax = 65_536
const mftRecord = 0

/** An attribute with all its parts. */
export type Stream =
  | { readonly kind: 'resident'; readonly bytes: Buffer }
  | { readonly kind: 'runs'; readonly sizeBytes: number; readonly runs: readonly ClusterRun[] }

interface ListEntry {
  readonly type: number
  readonly name: string
  readonly record: number
}

/** Reads an NTFS, and believes nothing of it: what is damaged or made to mislead is not found. */
export class NtfsVolume {
  readonly geometry: NtfsGeometry
  readonly #volume: ByteSource
  /** Where the MFT lies, as far as it is known. */
  #mft: readonly ClusterRun[]

  private constructor(volume: ByteSource, geometry: NtfsGeometry) {
    const { clusterSizeBytes, mftOffsetBytes, recordSizeBytes } = geometry
    this.#volume = volume
    this.geometry = geometry
    // The first records lie together; the very first says where the others are.
    this.#mft = [
      {
        cluster: mftOffsetBytes / clusterSizeBytes,
        count: Math.ceil((16 * recordSizeBytes) / clusterSizeBytes),
      },
    ]
  }

  /**
   * Undefined when the volume holds no NTFS. When only its MFT cannot be understood, what is asked later is not found.
   *
   * @throws DiskFailure when the volume is too short
   */
  static async open(volume: ByteSource): Promise<NtfsVolume | undefined> {
    const geometry = decodeBootSector(await readBytes(volume, 0, 512))
    if (geometry === undefined) return undefined
    const opened = new NtfsVolume(volume, geometry)
    await opened.#findMft()
    return opened
  }

  /**
   * An attribute of a record with all its parts; undefined when it is not there, damaged, encoded or in too many pieces.
   *
   * @throws DiskFailure when it lies beyond the volume's end
   */
  async stream(record: number, type: number, name = ''): Promise<Stream | undefined> {
    const attributes = await this.#attributes(record)
    if (attributes === undefined) return undefined
    const isWanted = (attribute: Attribute) => attribute.type === type && attribute.name === name
    const list = attributes.find((attribute) => attribute.type === attributeTypes.attributeList)
    if (list === undefined) return joinParts(attributes.filter(isWanted))
    const parts: Attribute[] = []
    let runCount = 0
    for (const entry of await this.#readList(list)) {
      if (entry.type !== type || entry.name !== name) continue
      const extension = entry.record === record ? attributes : await this.#attributes(entry.record)
      for (const part of extension ?? []) {
        if (!isWanted(part) || parts.some((other) => isSamePart(part, other))) continue
        parts.push(part)
        runCount += part.value.kind === 'runs' ? part.value.runs.length : 0
      }
      if (runCount > runsMax) return undefined
    }
    return joinParts(parts)
  }

  /**
   * The first bytes of a stream, up to `sizeMaxBytes`; holes are zeros.
   *
   * @throws DiskFailure when a part lies beyond the volume's end
   */
  async read(stream: Stream, sizeMaxBytes: number): Promise<Buffer> {
    if (stream.kind === 'resident') return stream.bytes.subarray(0, sizeMaxBytes)
    const bytes = Buffer.alloc(Math.min(stream.sizeBytes, sizeMaxBytes))
    let done = 0
    for (const { cluster, count } of stream.runs) {
      if (done >= bytes.length) break
      const sizeBytes = Math.min(count * this.geometry.clusterSizeBytes, bytes.length - done)
      if (cluster !== undefined) {
        const piece = await readBytes(this.#volume, cluster * this.geometry.clusterSizeBytes, sizeBytes)
        piece.copy(bytes, done)
      }
      done += sizeBytes
    }
    return bytes
  }

  /** The first record may itself be spread over others, which lie in the part of the MFT that it describes. */
  async #findMft(): Promise<void> {
    const first = await this.#attributes(mftRecord)
    const data = first?.find(({ type, name }) => type === attributeTypes.data && name === '')
    if (data?.value.kind !== 'runs') return
    this.#mft = data.value.runs
    const whole = await this.stream(mftRecord, attributeTypes.data)
    if (whole?.kind === 'runs') this.#mft = whole.runs
  }

  async #attributes(record: number): Promise<readonly Attribute[] | undefined> {
    const { recordSizeBytes, clusterSizeBytes } = this.geometry
    const start = record * recordSizeBytes
    const bytes = Buffer.alloc(recordSizeBytes)
    // Clusters may be smaller than records, and records smaller than clusters.
    for (let done = 0; done < recordSizeBytes; ) {
      const place = this.#placeInMft(start + done)
      if (place === undefined) return undefined
      const size = Math.min(recordSizeBytes - done, clusterSizeBytes - (place % clusterSizeBytes))
      const piece = await readBytes(this.#volume, place, size)
      piece.copy(bytes, done)
      done += size
    }
    return decodeRecord(bytes)
  }

  #placeInMft(position: number): number | undefined {
    const { clusterSizeBytes } = this.geometry
    let before = 0
    for (const { cluster, count } of this.#mft) {
      const sizeBytes = count * clusterSizeBytes
      if (position < before + sizeBytes) {
        return cluster === undefined ? undefined : cluster * clusterSizeBytes + (position - before)
      }
      before += sizeBytes
    }
    return undefined
  }

  async #readList({ value }: Attribute): Promise<readonly ListEntry[]> {
    const bytes = await this.read(value, listSizeMaxBytes)
    const entries: ListEntry[] = []
    for (let at = 0; at + listEntrySizeMinBytes <= bytes.length; ) {
      const length = bytes.readUInt16LE(at + 4)
      if (length < listEntrySizeMinBytes || at + length > bytes.length) break
      const nameStart = at + bytes.readUInt8(at + 7)
      entries.push({
        type: bytes.readUInt32LE(at),
        name: bytes.toString('utf16le', nameStart, nameStart + bytes.readUInt8(at + 6) * 2),
        record: bytes.readUIntLE(at + 16, 6),
      })
      at += length
    }
    return entries
  }
}

function isSamePart({ value: one }: Attribute, { value: other }: Attribute): boolean {
  return one.kind === 'runs' && other.kind === 'runs' && one.firstCluster === other.firstCluster
}

/** Undefined unless the parts are all there, one after another, and not encoded. */
function joinParts(parts: readonly Attribute[]): Stream | undefined {
  if (parts.length === 0 || parts.some(({ isEncoded }) => isEncoded)) return undefined
  const runs: ClusterRun[] = []
  let sizeBytes = 0
  let nextCluster = 0
  for (const { value } of parts.toSorted((a, b) => firstClusterOf(a) - firstClusterOf(b))) {
    if (value.kind === 'resident') return value
    if (value.firstCluster !== nextCluster) return undefined
    if (nextCluster === 0) sizeBytes = value.sizeBytes
    runs.push(...value.runs)
    nextCluster += value.runs.reduce((sum, { count }) => sum + count, 0)
  }
  return Number.isSafeInteger(sizeBytes) ? { kind: 'runs', sizeBytes, runs } : undefined
}

function firstClusterOf({ value }: Attribute): number {
  return value.kind === 'runs' ? value.firstCluster : 0
}
