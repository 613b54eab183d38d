import { crc32 } from 'node:zlib'
import type { Region } from '../extent.ts'
import { DiskFailure, requireArgument } from '../failure.ts'
import { guidBytes, NO_GUID, parseGuid } from '../guid.ts'
import {
  ENTRIES_SIZE_BYTES,
  ENTRY_COUNT,
  ENTRY_SIZE_BYTES,
  entriesSectors,
  entryField,
  GPT_MAGIC,
  GPT_REVISION,
  HEADER_SIZE_BYTES,
  headerChecksum,
  headerField,
  NAME_UNITS_MAX,
} from './gpt.ts'
import { encodeBootRecord, PROTECTIVE_TYPE } from './mbr.ts'
import type { Partition, PartitionTable } from './partition-table.ts'
import { findMisplacement } from './placement.ts'

/**
 * Protective MBR with primary header and entries, and the backup entries with their header, as two regions.
 * `bootCode` goes into the protective MBR. Throws `invalid-argument` for tables a GPT cannot say.
 */
export function encodeGpt(table: PartitionTable, bootCode?: Uint8Array): Region[] {
  const { sectorSizeBytes, diskSizeBytes } = table
  const sectorCount = diskSizeBytes / sectorSizeBytes
  requirePlaces(table)
  const entries = encodeEntries(table)
  const entriesCrc = crc32(entries)
  const last = sectorCount - 1
  const header = (ownSector: number, otherSector: number, entriesSector: number): Buffer =>
    encodeHeader({ table, ownSector, otherSector, entriesSector, entriesCrc })

  const front = Buffer.alloc(2 * sectorSizeBytes + ENTRIES_SIZE_BYTES)
  front.set(protectiveRecord(sectorCount, bootCode))
  front.set(header(1, last, 2), sectorSizeBytes)
  front.set(entries, 2 * sectorSizeBytes)

  const backupEntriesSector = last - entriesSectors(sectorSizeBytes)
  const back = Buffer.alloc(ENTRIES_SIZE_BYTES + sectorSizeBytes)
  back.set(entries)
  back.set(header(last, 1, backupEntriesSector), ENTRIES_SIZE_BYTES)
  return [
    { offsetBytes: 0, bytes: front },
    { offsetBytes: backupEntriesSector * sectorSizeBytes, bytes: back },
  ]
}

function requirePlaces(table: PartitionTable): void {
  const { sectorSizeBytes, diskSizeBytes } = table
  requireArgument(table.extended === undefined, 'a GPT has no extended partition')
  requireArgument(diskSizeBytes % sectorSizeBytes === 0, 'a disk is a whole number of sectors')
  const reservedBytes = ENTRIES_SIZE_BYTES + sectorSizeBytes
  const usable = {
    offsetBytes: reservedBytes + sectorSizeBytes,
    sizeBytes: diskSizeBytes - 2 * reservedBytes - sectorSizeBytes,
  }
  requireArgument(usable.sizeBytes > 0, 'the disk is too small for a GPT')
  const extents = table.partitions.map((partition) => ({
    ...partition,
    label: `partition ${partition.number}`,
  }))
  const misplacement = findMisplacement(extents, usable, sectorSizeBytes)
  if (misplacement !== undefined) throw new DiskFailure('invalid-argument', misplacement)
}

function protectiveRecord(sectorCount: number, bootCode: Uint8Array | undefined): Buffer {
  const sectorCountStored = Math.min(sectorCount - 1, 0xffff_ffff)
  const entry = { active: false, type: PROTECTIVE_TYPE, firstSector: 1, sectorCount: sectorCountStored }
  return encodeBootRecord({ signature: 0, entries: [entry] }, bootCode)
}

function encodeEntries(table: PartitionTable): Buffer {
  const bytes = Buffer.alloc(ENTRIES_SIZE_BYTES)
  const used = new Set<number>()
  for (const partition of table.partitions) {
    const { number } = partition
    requireArgument(
      Number.isInteger(number) && number >= 1 && number <= ENTRY_COUNT,
      `there is no GPT slot ${number}`,
    )
    requireArgument(!used.has(number), `GPT slot ${number} is used twice`)
    used.add(number)
    const at = (number - 1) * ENTRY_SIZE_BYTES
    encodeEntry(partition, table.sectorSizeBytes, bytes.subarray(at, at + ENTRY_SIZE_BYTES))
  }
  return bytes
}

function encodeEntry(partition: Partition, sectorSizeBytes: number, entry: Buffer): void {
  const label = `partition ${partition.number}`
  const type = parseGuid(partition.type, `the type of ${label}`)
  requireArgument(type !== NO_GUID, `${label} has the type that marks an empty slot`)
  requireArgument(
    partition.name.length <= NAME_UNITS_MAX,
    `the name of ${label} is longer than 36 UTF-16 units`,
  )
  entry.set(guidBytes(type, 'mixed'), entryField.type)
  entry.set(guidBytes(parseGuid(partition.uniqueId, `the id of ${label}`), 'mixed'), entryField.uniqueId)
  const firstSector = partition.offsetBytes / sectorSizeBytes
  const lastSector = firstSector + partition.sizeBytes / sectorSizeBytes - 1
  entry.writeBigUInt64LE(BigInt(firstSector), entryField.firstSector)
  entry.writeBigUInt64LE(BigInt(lastSector), entryField.lastSector)
  entry.writeBigUInt64LE(BigInt.asUintN(64, partition.attributes), entryField.attributes)
  entry.write(partition.name, entryField.name, 'utf16le')
}

function encodeHeader(of: {
  readonly table: PartitionTable
  readonly ownSector: number
  readonly otherSector: number
  readonly entriesSector: number
  readonly entriesCrc: number
}): Buffer {
  const { sectorSizeBytes, diskSizeBytes, diskId } = of.table
  const reservedSectors = 1 + entriesSectors(sectorSizeBytes)
  const header = Buffer.alloc(HEADER_SIZE_BYTES)
  header.write(GPT_MAGIC, headerField.magic, 'latin1')
  header.writeUInt32LE(GPT_REVISION, headerField.revision)
  header.writeUInt32LE(HEADER_SIZE_BYTES, headerField.headerSize)
  header.writeBigUInt64LE(BigInt(of.ownSector), headerField.ownSector)
  header.writeBigUInt64LE(BigInt(of.otherSector), headerField.otherSector)
  header.writeBigUInt64LE(BigInt(1 + reservedSectors), headerField.firstUsable)
  header.writeBigUInt64LE(
    BigInt(diskSizeBytes / sectorSizeBytes - reservedSectors - 1),
    headerField.lastUsable,
  )
  header.set(guidBytes(parseGuid(diskId, 'the disk id'), 'mixed'), headerField.diskId)
  header.writeBigUInt64LE(BigInt(of.entriesSector), headerField.entriesSector)
  header.writeUInt32LE(ENTRY_COUNT, headerField.entryCount)
  header.writeUInt32LE(ENTRY_SIZE_BYTES, headerField.entrySize)
  header.writeUInt32LE(of.entriesCrc, headerField.entriesCrc)
  header.writeUInt32LE(headerChecksum(header, HEADER_SIZE_BYTES), headerField.headerCrc)
  return header
}
