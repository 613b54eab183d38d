import type { ByteSource } from '../byte-source.ts'
import { type Extent, overlaps } from '../extent.ts'
import { attempt, DiskFailure } from '../failure.ts'
import type { Findings } from '../finding.ts'
import { NO_GUID } from '../guid.ts'
import { isZero } from '../zero.ts'
import { headerField } from './gpt.ts'
import { decodeBootRecord, PROTECTIVE_TYPE } from './mbr.ts'
import type { Partition, SectorSizeBytes } from './partition-table.ts'
import { misplacements } from './placement.ts'
import type { FirstSector } from './read.ts'
import { fingerprintOf, readEntries, readHeader, usableBytes } from './read-gpt.ts'

/** The reserved field between the header's checksum and its own sector. */
const RESERVED_OFFSET = 20

/** One of the two copies, as far as it is intact. */
interface Copy {
  readonly name: 'primary' | 'backup'
  readonly headerOffsetBytes: number
  readonly header: Buffer | DiskFailure
  readonly entries: Awaited<ReturnType<typeof readEntries>> | DiskFailure
}

interface IntactCopy extends Copy {
  readonly header: Buffer
  readonly entries: Exclude<Copy['entries'], DiskFailure>
}

/** Checks the boot record in front of a GPT, both copies of the GPT, and the partitions of the one that counts. */
export async function checkGpt(
  source: ByteSource,
  firstSector: Buffer,
  content: FirstSector,
  sectorSizeBytes: SectorSizeBytes,
  findings: Findings,
): Promise<void> {
  const sectorCount = Math.floor(source.sizeBytes / sectorSizeBytes)
  checkProtection(firstSector, content, sectorCount, findings)
  const primary = await readCopy(source, 'primary', 1, sectorSizeBytes)
  const backupSector =
    primary.header instanceof DiskFailure
      ? sectorCount - 1
      : Number(primary.header.readBigUInt64LE(headerField.otherSector))
  if (backupSector < sectorCount - 1) {
    const message = 'the disk is larger than its GPT knows'
    findings.add('warning', 'gpt-backup-not-at-end', backupSector * sectorSizeBytes, message)
  }
  const backup = await readCopy(source, 'backup', backupSector, sectorSizeBytes)
  reportDamage(primary, backup, findings)
  reportDamage(backup, primary, findings)
  if (isIntact(primary) && isIntact(backup)) compare(primary, backup, findings)
  for (const copy of [primary, backup]) checkCopy(copy, source.sizeBytes, sectorSizeBytes, findings)
  const counts = isIntact(primary) ? primary : backup
  if (isIntact(counts)) checkPartitions(counts, source.sizeBytes, sectorSizeBytes, findings)
}

function checkProtection(
  sector: Buffer,
  content: FirstSector,
  sectorCount: number,
  findings: Findings,
): void {
  if (content === 'hybrid') {
    findings.add('warning', 'hybrid-mbr', 446, 'the MBR of this GPT describes partitions of its own')
    return
  }
  if (content !== 'protective') {
    findings.add('warning', 'protective-mbr-missing', 446, 'the GPT has no protective MBR')
    return
  }
  const entries = decodeBootRecord(sector).entries
  const entry = entries.find((candidate) => candidate?.type === PROTECTIVE_TYPE)
  // All ones is what the first tools wrote for a disk of any size.
  const sizes = [Math.min(sectorCount - 1, 0xffff_ffff), 0xffff_ffff]
  if (entry !== undefined && (entry.firstSector !== 1 || !sizes.includes(entry.sectorCount))) {
    const covered = `${entry.sectorCount} sectors from ${entry.firstSector} on`
    const message = `the protective MBR covers ${covered}, the disk has ${sectorCount}`
    findings.add('warning', 'protective-mbr-wrong', 446, message)
  }
}

async function readCopy(
  source: ByteSource,
  name: Copy['name'],
  sector: number,
  sectorSizeBytes: SectorSizeBytes,
): Promise<Copy> {
  const header = await attempt(() => readHeader(source, sector, sectorSizeBytes))
  const entries =
    header instanceof DiskFailure ? header : await attempt(() => readEntries(source, header, sectorSizeBytes))
  return { name, headerOffsetBytes: sector * sectorSizeBytes, header, entries }
}

function isIntact(copy: Copy): copy is IntactCopy {
  return !(copy.header instanceof DiskFailure || copy.entries instanceof DiskFailure)
}

/** Damage to one copy is bad only when the other cannot stand in for it. */
function reportDamage(
  { name, headerOffsetBytes, header, entries }: Copy,
  other: Copy,
  findings: Findings,
): void {
  const severity = isIntact(other) ? 'warning' : 'error'
  if (header instanceof DiskFailure) {
    findings.add(severity, 'gpt-header-damaged', headerOffsetBytes, `the ${name} GPT: ${header.message}`)
  } else if (entries instanceof DiskFailure) {
    const at = entries.offsetBytes ?? headerOffsetBytes
    findings.add(severity, 'gpt-entries-damaged', at, `the ${name} GPT: ${entries.message}`)
  }
}

function compare(primary: IntactCopy, backup: IntactCopy, findings: Findings): void {
  const namesPrimary = backup.header.readBigUInt64LE(headerField.otherSector) === 1n
  if (namesPrimary && fingerprintOf(primary.header) === fingerprintOf(backup.header)) return
  const message = 'the two copies of the GPT say different things'
  findings.add('error', 'gpt-copies-differ', backup.headerOffsetBytes, message)
}

/** The reserved bytes of an intact header, and where it and its entries are beside the usable bytes. */
function checkCopy(copy: Copy, diskSizeBytes: number, sectorSizeBytes: number, findings: Findings): void {
  const { name, header, headerOffsetBytes } = copy
  if (header instanceof DiskFailure) return
  const rest = header.subarray(header.readUInt32LE(headerField.headerSize))
  if (header.readUInt32LE(RESERVED_OFFSET) !== 0 || !isZero(rest)) {
    findings.add(
      'warning',
      'reserved-not-zero',
      headerOffsetBytes,
      `the ${name} GPT header uses reserved bytes`,
    )
  }
  if (!isIntact(copy)) return
  const usable = usableOf(copy, diskSizeBytes, sectorSizeBytes)
  if (usable instanceof DiskFailure) {
    findings.add('error', 'gpt-header-damaged', headerOffsetBytes, `the ${name} GPT: ${usable.message}`)
    return
  }
  const { place } = copy.entries
  const own = { offsetBytes: headerOffsetBytes, sizeBytes: sectorSizeBytes }
  const front = { offsetBytes: 0, sizeBytes: sectorSizeBytes }
  if ([usable, own, front].some((other) => overlaps(place, other)) || overlaps(own, usable)) {
    const message = `the ${name} GPT or its entries lie over something else`
    findings.add('error', 'structure-misplaced', place.offsetBytes, message)
  }
}

function usableOf(copy: IntactCopy, diskSizeBytes: number, sectorSizeBytes: number): Extent | DiskFailure {
  try {
    return usableBytes(copy.header, diskSizeBytes, sectorSizeBytes)
  } catch (error) {
    if (error instanceof DiskFailure) return error
    throw error
  }
}

function checkPartitions(
  copy: IntactCopy,
  diskSizeBytes: number,
  sectorSizeBytes: number,
  findings: Findings,
): void {
  const { partitions, place } = copy.entries
  const entrySize = copy.header.readUInt32LE(headerField.entrySize)
  const named = partitions.map((partition) => ({
    ...partition,
    label: `partition ${partition.number}`,
    entryOffsetBytes: place.offsetBytes + (partition.number - 1) * entrySize,
  }))
  const usable = usableOf(copy, diskSizeBytes, sectorSizeBytes)
  if (!(usable instanceof DiskFailure)) {
    for (const { kind, message, extent } of misplacements(named, usable, sectorSizeBytes)) {
      findings.add('error', kind, extent.entryOffsetBytes, message)
    }
  }
  checkIds(named, findings)
}

function checkIds(
  partitions: readonly (Partition & { readonly label: string; readonly entryOffsetBytes: number })[],
  findings: Findings,
): void {
  const owners = new Map<string, string>()
  for (const { uniqueId, label, entryOffsetBytes } of partitions) {
    const owner = owners.get(uniqueId)
    if (uniqueId === NO_GUID) {
      findings.add('warning', 'partition-id-invalid', entryOffsetBytes, `${label} has no id`)
    } else if (owner !== undefined) {
      const message = `${label} has the id of ${owner}`
      findings.add('warning', 'partition-id-invalid', entryOffsetBytes, message)
    }
    owners.set(uniqueId, label)
  }
}
