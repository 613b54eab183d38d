import { type ByteSource, readBytes } from '../byte-source.ts'
import { DiskFailure } from '../failure.ts'
import { decodeBootRecord, decodeExtendedRecord, isExtended, MBR_SIZE_BYTES, type MbrEntry } from './mbr.ts'
import type { ExtendedPartition, Partition, ReadPartitionTable, SectorSizeBytes } from './partition-table.ts'
import { findMisplacement, type NamedExtent } from './placement.ts'

/** More logical drives than any system supports; a longer chain is a ring in all but name. */
const LOGICAL_DRIVES_MAX = 1024

/** Reads the four entries and follows the chain of extended boot records. */
export async function readMbr(
  source: ByteSource,
  sector: Buffer,
  sectorSizeBytes: SectorSizeBytes,
): Promise<ReadPartitionTable> {
  const { diskId, primary, containers } = readPrimary(sector, sectorSizeBytes)
  const [extended, second] = containers
  if (second !== undefined) throw new DiskFailure('corrupt', 'two extended partitions', 446)
  requirePlaces(primary, extended, source.sizeBytes, sectorSizeBytes)
  const logical =
    extended === undefined ? [] : await readLogicalDrives(source, extended, sectorSizeBytes, diskId)
  return {
    scheme: 'mbr',
    diskId,
    diskSizeBytes: source.sizeBytes - (source.sizeBytes % sectorSizeBytes),
    sectorSizeBytes,
    partitions: [...primary, ...logical],
    ...(extended === undefined ? {} : { extended }),
    problems: [],
  }
}

/** What the four entries of the boot record say, wherever that lies. */
export function readPrimary(
  sector: Buffer,
  sectorSizeBytes: number,
): {
  readonly diskId: string
  readonly primary: readonly Partition[]
  readonly containers: readonly ExtendedPartition[]
} {
  const record = decodeBootRecord(sector)
  const diskId = hex(record.signature, 8)
  const primary: Partition[] = []
  const containers: ExtendedPartition[] = []
  for (const [slot, entry] of record.entries.entries()) {
    if (entry === undefined) continue
    const part = toPartition(entry, slot + 1, 0, sectorSizeBytes, diskId)
    const { number, type, offsetBytes, sizeBytes } = part
    if (isExtended(entry.type)) containers.push({ number, type, offsetBytes, sizeBytes })
    else primary.push(part)
  }
  return { diskId, primary, containers }
}

function requirePlaces(
  primary: readonly Partition[],
  extended: ExtendedPartition | undefined,
  diskSizeBytes: number,
  sectorSizeBytes: number,
): void {
  const parts = [...primary, ...(extended === undefined ? [] : [extended])]
  const named = parts.map((part) => ({ ...part, label: `partition ${part.number}` }))
  const disk = { offsetBytes: sectorSizeBytes, sizeBytes: diskSizeBytes - sectorSizeBytes }
  const misplacement = findMisplacement(named, disk, sectorSizeBytes)
  if (misplacement !== undefined) throw new DiskFailure('corrupt', `MBR: ${misplacement}`, 446)
}

async function readLogicalDrives(
  source: ByteSource,
  extended: ExtendedPartition,
  sectorSizeBytes: number,
  diskId: string,
): Promise<Partition[]> {
  const drives = await Array.fromAsync(walkLogicalDrives(source, extended, sectorSizeBytes, diskId))
  const misplacement = findMisplacement(drives.map(namedDrive), extended, sectorSizeBytes)
  if (misplacement !== undefined)
    throw new DiskFailure('corrupt', `MBR: ${misplacement}`, extended.offsetBytes)
  return drives
}

/** A logical drive with its label for messages. */
export function namedDrive(drive: Partition): NamedExtent {
  return { ...drive, label: `logical drive ${drive.number}` }
}

/** The drives that the chain of extended boot records leads to, wherever they lie, until the chain breaks. */
export async function* walkLogicalDrives(
  source: ByteSource,
  extended: ExtendedPartition,
  sectorSizeBytes: number,
  diskId: string,
): AsyncGenerator<Partition> {
  const sectors = new Set<number>()
  let number = 5
  let recordOffsetBytes: number | undefined = extended.offsetBytes
  while (recordOffsetBytes !== undefined) {
    const at: number = recordOffsetBytes
    if (sectors.has(at) || sectors.size >= LOGICAL_DRIVES_MAX) {
      throw new DiskFailure('corrupt', 'the extended boot records do not end', at)
    }
    sectors.add(at)
    const entries = decodeExtendedRecord(await readBytes(source, at, MBR_SIZE_BYTES), at)
    const used = entries.filter((entry) => entry !== undefined)
    const own = used.find((entry) => !isExtended(entry.type))
    const link = used.find((entry) => isExtended(entry.type))
    if (own !== undefined) {
      yield { ...toPartition(own, number++, at, sectorSizeBytes, diskId), recordOffsetBytes: at }
    }
    recordOffsetBytes = link && followLink(link, extended, sectorSizeBytes, at)
  }
}

function followLink(
  link: MbrEntry,
  extended: ExtendedPartition,
  sectorSizeBytes: number,
  from: number,
): number {
  const target = extended.offsetBytes + link.firstSector * sectorSizeBytes
  if (target + sectorSizeBytes <= extended.offsetBytes + extended.sizeBytes) return target
  throw new DiskFailure('corrupt', 'an extended boot record points outside the extended partition', from)
}

function toPartition(
  entry: MbrEntry,
  number: number,
  originBytes: number,
  sectorSizeBytes: number,
  diskId: string,
): Partition {
  return {
    number,
    offsetBytes: originBytes + entry.firstSector * sectorSizeBytes,
    sizeBytes: entry.sectorCount * sectorSizeBytes,
    type: hex(entry.type, 2),
    uniqueId: `${diskId}-${hex(number, 2)}`,
    name: '',
    attributes: 0n,
    active: entry.active,
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0')
}
