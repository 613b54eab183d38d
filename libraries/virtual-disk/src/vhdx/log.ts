/**
 * The log ([MS-VHDX] 2.3): a ring of entries in multiples of 4096 bytes that hold updates of the file's
 * structures which may not have reached their places.
 *
 *     entry:            descriptor sectors, then one data sector for each data descriptor
 *     header, 64 bytes: "loge" | CRC-32C u32 over the entry | length u32 | tail u32 | sequence number u64
 *                       | descriptor count u32 | 0 u32 | LogGuid | flushed file offset u64 | last file offset u64
 *     descriptors:      32 bytes each, behind the header (126 in the first sector, 128 in further ones)
 *       zero:           "zero" | 0 u32 | length u64 | file offset u64 | sequence number u64
 *       data:           "desc" | bytes 4092 to 4095 | bytes 0 to 7 | file offset u64 | sequence number u64
 *     data sector:      "data" | sequence high u32 | bytes 8 to 4091 | sequence low u32
 *
 * Entries that follow each other with rising numbers are a sequence; the last one's tail names the first
 * that still counts. The valid sequence with the highest number is replayed, and no other.
 */
import { type ByteSource, readBytes } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { DiskFailure } from '../failure.ts'
import { readGuid } from '../guid.ts'
import type { Patch } from '../overlay-source.ts'
import { hasGoodChecksum, type VhdxHeader } from './header.ts'

/** The log is written in sectors of this size, whatever those of the disk. */
export const LOG_SECTOR_SIZE_BYTES = 4096
const ENTRY_HEADER_SIZE_BYTES = 64
const DESCRIPTOR_SIZE_BYTES = 32
/** Writers use 1 MiB; a log beyond this is not read into memory. */
const LOG_SIZE_BYTES_MAX = 64 * MIB
/** Twice the largest disk. A log that makes the file longer is damaged, or means to harm. */
const FILE_SIZE_BYTES_MAX = 128 * 1024 ** 4

/** What a log asks for: patches in the order of writing, and how long the file must at least be. */
export interface LogReplay {
  readonly patches: readonly Patch[]
  readonly fileSizeBytes: number
}

interface LogEntry {
  readonly offset: number
  readonly sizeBytes: number
  readonly tail: number
  readonly sequence: bigint
  readonly patches: readonly Patch[]
  readonly flushedFileSizeBytes: number
  readonly lastFileSizeBytes: number
}

/**
 * Reads the log that a header names. Rejects with `log-corrupt` when it holds no valid sequence, and with
 * `truncated` when the file is shorter than the log knows it was.
 */
export async function readLog(source: ByteSource, header: VhdxHeader): Promise<LogReplay> {
  const { logOffsetBytes, logSizeBytes } = header
  if (header.logVersion !== 0) {
    throw new DiskFailure('unsupported', `the log has version ${header.logVersion}`, logOffsetBytes)
  }
  if (logSizeBytes === 0 || logSizeBytes % MIB !== 0 || logOffsetBytes % MIB !== 0 || logOffsetBytes < MIB) {
    throw new DiskFailure('log-corrupt', 'the log is not in whole MiB behind the headers', logOffsetBytes)
  }
  if (logSizeBytes > LOG_SIZE_BYTES_MAX) {
    throw new DiskFailure('unsupported', `a log of ${logSizeBytes} bytes`, logOffsetBytes)
  }
  const ring = await readBytes(source, logOffsetBytes, logSizeBytes)
  const active = findActiveSequence(ring, header.logId)
  const head = active.at(-1)
  if (head === undefined) {
    throw new DiskFailure('log-corrupt', 'the log must be replayed and has no valid sequence', logOffsetBytes)
  }
  if (source.sizeBytes < head.flushedFileSizeBytes) {
    throw new DiskFailure(
      'truncated',
      `the file was ${head.flushedFileSizeBytes} bytes long`,
      source.sizeBytes,
    )
  }
  if (head.lastFileSizeBytes > FILE_SIZE_BYTES_MAX) {
    throw new DiskFailure(
      'log-corrupt',
      `the log makes the file ${head.lastFileSizeBytes} bytes long`,
      logOffsetBytes,
    )
  }
  return { patches: active.flatMap((entry) => entry.patches), fileSizeBytes: head.lastFileSizeBytes }
}

/** The entries to replay, oldest first; none when no sequence is valid ([MS-VHDX] 2.3.3). */
function findActiveSequence(ring: Buffer, logId: string): readonly LogEntry[] {
  const entryAt = entryReader(ring, logId)
  let active: readonly LogEntry[] = []
  for (let start = 0; start < ring.byteLength; ) {
    const entries = readSequence(entryAt, ring.byteLength, start)
    const head = entries.at(-1)
    if (head === undefined) {
      start += LOG_SECTOR_SIZE_BYTES
      continue
    }
    const first = entries.findIndex((entry) => entry.offset === head.tail)
    if (first >= 0 && head.sequence > (active.at(-1)?.sequence ?? 0n)) active = entries.slice(first)
    // What starts later in this sequence has the same head and fewer entries, so it is no better.
    start += totalSize(entries)
  }
  return active
}

function totalSize(entries: readonly LogEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.sizeBytes, 0)
}

type EntryReader = (offset: number) => LogEntry | undefined

function readSequence(entryAt: EntryReader, ringSizeBytes: number, start: number): readonly LogEntry[] {
  const entries: LogEntry[] = []
  let at = start
  let room = ringSizeBytes
  for (;;) {
    const entry = entryAt(at)
    const previous = entries.at(-1)
    if (entry === undefined || entry.sizeBytes > room) return entries
    if (previous !== undefined && entry.sequence !== previous.sequence + 1n) return entries
    entries.push(entry)
    room -= entry.sizeBytes
    at = (at + entry.sizeBytes) % ringSizeBytes
  }
}

/**
 * Reads the entry that starts at an offset of the ring; undefined when there is none. The ring is laid out
 * twice in a row, so that an entry that runs over its end is in one piece.
 */
function entryReader(ring: Buffer, logId: string): EntryReader {
  const twice = Buffer.concat([ring, ring])
  const entries = new Map<number, LogEntry | undefined>()
  return (offset) => {
    if (!entries.has(offset)) entries.set(offset, readEntry(twice, ring.byteLength, offset, logId))
    return entries.get(offset)
  }
}

function readEntry(
  twice: Buffer,
  ringSizeBytes: number,
  offset: number,
  logId: string,
): LogEntry | undefined {
  const header = twice.subarray(offset, offset + ENTRY_HEADER_SIZE_BYTES)
  if (header.toString('latin1', 0, 4) !== 'loge' || readGuid(header, 32, 'mixed') !== logId) return undefined
  const sizeBytes = header.readUInt32LE(8)
  const tail = header.readUInt32LE(12)
  const sequence = header.readBigUInt64LE(16)
  if (sizeBytes === 0 || sizeBytes % LOG_SECTOR_SIZE_BYTES !== 0 || sizeBytes > ringSizeBytes)
    return undefined
  if (tail % LOG_SECTOR_SIZE_BYTES !== 0 || tail >= ringSizeBytes || sequence === 0n) return undefined
  const entry = twice.subarray(offset, offset + sizeBytes)
  const patches = readDescriptors(entry, header.readUInt32LE(24), sequence)
  if (patches === undefined || !hasGoodChecksum(entry, 4)) return undefined
  return {
    offset,
    sizeBytes,
    tail,
    sequence,
    patches,
    flushedFileSizeBytes: Number(header.readBigUInt64LE(48)),
    lastFileSizeBytes: Number(header.readBigUInt64LE(56)),
  }
}

/**
 * The updates of an entry, or undefined when they are not sound. An entry is exactly as long as its descriptors
 * and their data sectors: so no two entries share a sector, and looking at all of them takes the time of one ring.
 */
function readDescriptors(entry: Buffer, count: number, sequence: bigint): Patch[] | undefined {
  const descriptorsEnd = ENTRY_HEADER_SIZE_BYTES + count * DESCRIPTOR_SIZE_BYTES
  let dataAt = Math.ceil(descriptorsEnd / LOG_SECTOR_SIZE_BYTES) * LOG_SECTOR_SIZE_BYTES
  if (dataAt > entry.byteLength) return undefined
  const patches: Patch[] = []
  for (let at = ENTRY_HEADER_SIZE_BYTES; at < descriptorsEnd; at += DESCRIPTOR_SIZE_BYTES) {
    const descriptor = entry.subarray(at, at + DESCRIPTOR_SIZE_BYTES)
    const offsetBytes = Number(descriptor.readBigUInt64LE(16))
    if (!isSectorAligned(offsetBytes) || offsetBytes >= FILE_SIZE_BYTES_MAX) return undefined
    if (descriptor.readBigUInt64LE(24) !== sequence) return undefined
    const kind = descriptor.toString('latin1', 0, 4)
    if (kind === 'zero') {
      const sizeBytes = Number(descriptor.readBigUInt64LE(8))
      if (!isSectorAligned(sizeBytes) || offsetBytes + sizeBytes > FILE_SIZE_BYTES_MAX) return undefined
      patches.push({ offsetBytes, sizeBytes, bytes: undefined })
    } else if (kind === 'desc') {
      const bytes = readDataSector(
        entry.subarray(dataAt, dataAt + LOG_SECTOR_SIZE_BYTES),
        descriptor,
        sequence,
      )
      if (bytes === undefined) return undefined
      patches.push({ offsetBytes, sizeBytes: LOG_SECTOR_SIZE_BYTES, bytes })
      dataAt += LOG_SECTOR_SIZE_BYTES
    } else return undefined
  }
  return dataAt === entry.byteLength ? patches : undefined
}

function isSectorAligned(value: number): boolean {
  return Number.isSafeInteger(value) && value % LOG_SECTOR_SIZE_BYTES === 0
}

function readDataSector(sector: Buffer, descriptor: Buffer, sequence: bigint): Buffer | undefined {
  if (sector.byteLength < LOG_SECTOR_SIZE_BYTES || sector.toString('latin1', 0, 4) !== 'data')
    return undefined
  const stored = (BigInt(sector.readUInt32LE(4)) << 32n) | BigInt(sector.readUInt32LE(4092))
  if (stored !== sequence) return undefined
  const bytes = Buffer.from(sector)
  descriptor.copy(bytes, 0, 8, 16)
  descriptor.copy(bytes, 4092, 4, 8)
  return bytes
}
