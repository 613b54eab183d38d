import { crc32 } from 'node:zlib'
import { type ByteSource, readBytes } from '../byte-source.ts'
import type { Extent } from '../extent.ts'
import { attempt, DiskFailure } from '../failure.ts'
import { NO_GUID, readGuid } from '../guid.ts'
import {
  ENTRY_SIZE_BYTES,
  entryField,
  GPT_MAGIC,
  GPT_REVISION,
  HEADER_SIZE_BYTES,
  headerChecksum,
  headerField,
  NAME_UNITS_MAX,
} from './gpt.ts'
import type {
  Partition,
  PartitionTableProblem,
  ReadPartitionTable,
  SectorSizeBytes,
} from './partition-table.ts'
import { findMisplacement } from './placement.ts'

/** Far beyond the usual 16 KiB; keeps a damaged or hostile header from asking for all memory. */
const ENTRIES_SIZE_BYTES_MAX = 1024 * 1024

/** One intact copy of a GPT: header and entries have good checksums and agree with the disk. */
interface GptCopy {
  readonly ownSector: number
  readonly otherSector: number
  readonly diskId: string
  readonly partitions: readonly Partition[]
  /** Everything both copies must agree on, as stored. */
  readonly fingerprint: string
}

/** Reads both copies. The primary counts when it is intact, else the backup; what is wrong is reported. */
export async function readGpt(
  source: ByteSource,
  sectorSizeBytes: SectorSizeBytes,
): Promise<ReadPartitionTable> {
  const lastSector = Math.floor(source.sizeBytes / sectorSizeBytes) - 1
  const primary = await attempt(() => readCopy(source, 1, sectorSizeBytes))
  const backup = await readBackup(source, primary, lastSector, sectorSizeBytes)
  const copy = primary instanceof DiskFailure ? backup : primary
  if (copy instanceof DiskFailure) throw primary
  return {
    scheme: 'gpt',
    diskId: copy.diskId,
    diskSizeBytes: (lastSector + 1) * sectorSizeBytes,
    sectorSizeBytes,
    partitions: copy.partitions,
    problems: compareCopies(primary, backup, lastSector, sectorSizeBytes),
  }
}

/** Where the primary says; without a primary, at the end of the disk. */
async function readBackup(
  source: ByteSource,
  primary: GptCopy | DiskFailure,
  lastSector: number,
  sectorSizeBytes: SectorSizeBytes,
): Promise<GptCopy | DiskFailure> {
  if (!(primary instanceof DiskFailure)) {
    return attempt(() => readCopy(source, primary.otherSector, sectorSizeBytes))
  }
  const atEnd = await attempt(() => readCopy(source, lastSector, sectorSizeBytes))
  if (!(atEnd instanceof DiskFailure)) return atEnd
  // On a disk that has grown the backup is elsewhere, and a header with damaged entries still knows where.
  const header = await attempt(() => readHeader(source, 1, sectorSizeBytes))
  if (header instanceof DiskFailure) return atEnd
  const named = Number(header.readBigUInt64LE(headerField.otherSector))
  return attempt(() => readCopy(source, named, sectorSizeBytes))
}

function compareCopies(
  primary: GptCopy | DiskFailure,
  backup: GptCopy | DiskFailure,
  lastSector: number,
  sectorSizeBytes: number,
): PartitionTableProblem[] {
  const problem = (
    code: PartitionTableProblem['code'],
    message: string,
    sector: number,
  ): PartitionTableProblem => ({ code, message, offsetBytes: sector * sectorSizeBytes })

  if (primary instanceof DiskFailure) {
    return [problem('primary-damaged', `the GPT was read from its backup: ${primary.message}`, 1)]
  }
  const problems: PartitionTableProblem[] = []
  if (primary.otherSector < lastSector) {
    problems.push(problem('backup-not-at-end', 'the disk is larger than its GPT knows', primary.otherSector))
  }
  if (backup instanceof DiskFailure) {
    problems.push(problem('backup-damaged', `no intact backup: ${backup.message}`, primary.otherSector))
  } else if (backup.fingerprint !== primary.fingerprint || backup.otherSector !== 1) {
    problems.push(problem('copies-differ', 'the backup says something else', primary.otherSector))
  }
  return problems
}

async function readCopy(
  source: ByteSource,
  sector: number,
  sectorSizeBytes: SectorSizeBytes,
): Promise<GptCopy> {
  const at = sector * sectorSizeBytes
  const header = await readHeader(source, sector, sectorSizeBytes)
  const { partitions } = await readEntries(source, header, sectorSizeBytes)
  requirePlaces(partitions, header, source, sectorSizeBytes, at)
  return {
    ownSector: sector,
    otherSector: Number(header.readBigUInt64LE(headerField.otherSector)),
    diskId: readGuid(header, headerField.diskId, 'mixed'),
    partitions,
    fingerprint: fingerprintOf(header),
  }
}

/** All that the headers of both copies must agree on, as stored. */
export function fingerprintOf(header: Buffer): string {
  return [
    header.toString('hex', headerField.firstUsable, headerField.entriesSector),
    header.toString('hex', headerField.entryCount, HEADER_SIZE_BYTES),
  ].join()
}

/** The partitions that an intact header leads to, wherever they lie, and where their entries are. */
export async function readEntries(
  source: ByteSource,
  header: Buffer,
  sectorSizeBytes: number,
): Promise<{ readonly partitions: readonly Partition[]; readonly place: Extent }> {
  const entrySize = header.readUInt32LE(headerField.entrySize)
  const sizeBytes = header.readUInt32LE(headerField.entryCount) * entrySize
  if (entrySize < ENTRY_SIZE_BYTES || entrySize % 8 !== 0 || sizeBytes > ENTRIES_SIZE_BYTES_MAX) {
    const at = Number(header.readBigUInt64LE(headerField.ownSector)) * sectorSizeBytes
    throw new DiskFailure('corrupt', 'the GPT has no valid entry size or count', at)
  }
  const offsetBytes = Number(header.readBigUInt64LE(headerField.entriesSector)) * sectorSizeBytes
  const entries = await readBytes(source, offsetBytes, sizeBytes)
  if (crc32(entries) !== header.readUInt32LE(headerField.entriesCrc)) {
    throw new DiskFailure('checksum-mismatch', 'the GPT entries have a wrong checksum', offsetBytes)
  }
  const partitions = decodeEntries(entries, entrySize, sectorSizeBytes)
  return { partitions, place: { offsetBytes, sizeBytes } }
}

/** The sector with an intact header. */
export async function readHeader(
  source: ByteSource,
  sector: number,
  sectorSizeBytes: SectorSizeBytes,
): Promise<Buffer> {
  const at = sector * sectorSizeBytes
  const header = await readBytes(source, at, sectorSizeBytes)
  if (header.toString('latin1', 0, GPT_MAGIC.length) !== GPT_MAGIC) {
    throw new DiskFailure('corrupt', 'no GPT header', at)
  }
  const headerSize = header.readUInt32LE(headerField.headerSize)
  if (headerSize < HEADER_SIZE_BYTES || headerSize > header.byteLength) {
    throw new DiskFailure('corrupt', `a GPT header cannot have ${headerSize} bytes`, at)
  }
  if (headerChecksum(header, headerSize) !== header.readUInt32LE(headerField.headerCrc)) {
    throw new DiskFailure('checksum-mismatch', 'the GPT header has a wrong checksum', at)
  }
  if (header.readUInt32LE(headerField.revision) !== GPT_REVISION) {
    throw new DiskFailure('unsupported', 'the GPT has another revision than 1.0', at)
  }
  if (Number(header.readBigUInt64LE(headerField.ownSector)) !== sector) {
    throw new DiskFailure('corrupt', 'the GPT header belongs to another sector', at)
  }
  return header
}

/** The bytes that a header gives to partitions; refuses what cannot be. */
export function usableBytes(header: Buffer, diskSizeBytes: number, sectorSizeBytes: number): Extent {
  const offsetBytes = Number(header.readBigUInt64LE(headerField.firstUsable)) * sectorSizeBytes
  const end = (Number(header.readBigUInt64LE(headerField.lastUsable)) + 1) * sectorSizeBytes
  if (offsetBytes < 2 * sectorSizeBytes || end < offsetBytes || end > diskSizeBytes) {
    const at = Number(header.readBigUInt64LE(headerField.ownSector)) * sectorSizeBytes
    throw new DiskFailure('corrupt', 'the GPT names sectors as usable that are not', at)
  }
  return { offsetBytes, sizeBytes: end - offsetBytes }
}

function requirePlaces(
  partitions: readonly Partition[],
  header: Buffer,
  source: ByteSource,
  sectorSizeBytes: number,
  at: number,
): void {
  const misplacement = findMisplacement(
    partitions.map((partition) => ({ ...partition, label: `partition ${partition.number}` })),
    usableBytes(header, source.sizeBytes, sectorSizeBytes),
    sectorSizeBytes,
  )
  if (misplacement !== undefined) throw new DiskFailure('corrupt', `GPT: ${misplacement}`, at)
}

function decodeEntries(entries: Buffer, entrySize: number, sectorSizeBytes: number): Partition[] {
  const partitions: Partition[] = []
  for (let at = 0; at < entries.byteLength; at += entrySize) {
    const entry = entries.subarray(at, at + entrySize)
    const type = readGuid(entry, entryField.type, 'mixed')
    if (type === NO_GUID) continue
    const firstSector = Number(entry.readBigUInt64LE(entryField.firstSector))
    const lastSector = Number(entry.readBigUInt64LE(entryField.lastSector))
    partitions.push({
      number: at / entrySize + 1,
      offsetBytes: firstSector * sectorSizeBytes,
      sizeBytes: (lastSector - firstSector + 1) * sectorSizeBytes,
      type,
      uniqueId: readGuid(entry, entryField.uniqueId, 'mixed'),
      name: decodeName(entry),
      attributes: entry.readBigUInt64LE(entryField.attributes),
      active: false,
    })
  }
  return partitions
}

function decodeName(entry: Buffer): string {
  const text = entry.toString('utf16le', entryField.name, entryField.name + NAME_UNITS_MAX * 2)
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}
