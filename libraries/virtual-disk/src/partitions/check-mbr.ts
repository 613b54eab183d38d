import type { ByteSource } from '../byte-source.ts'
import { DiskFailure } from '../failure.ts'
import type { Findings } from '../finding.ts'
import { MBR_SIZE_BYTES } from './mbr.ts'
import type { ExtendedPartition, Partition } from './partition-table.ts'
import { misplacements, type NamedExtent } from './placement.ts'
import { namedDrive, readPrimary, walkLogicalDrives } from './read-mbr.ts'

const ENTRIES_OFFSET = 446
const ENTRY_SIZE_BYTES = 16

/** Checks the four entries of a boot record that could be decoded, and the chain of logical drives. */
export async function checkMbr(
  source: ByteSource,
  sector: Buffer,
  sectorSizeBytes: number,
  findings: Findings,
): Promise<void> {
  const { diskId, primary, containers } = readPrimary(sector, sectorSizeBytes)
  if (containers.length > 1) {
    findings.add('error', 'boot-record-invalid', ENTRIES_OFFSET, 'the MBR has two extended partitions')
  }
  if (primary.filter(({ active }) => active).length > 1) {
    findings.add('warning', 'boot-record-invalid', ENTRIES_OFFSET, 'more than one partition is active')
  }
  const named = [...primary, ...containers].map((part) => ({ ...part, label: `partition ${part.number}` }))
  const disk = { offsetBytes: sectorSizeBytes, sizeBytes: source.sizeBytes - sectorSizeBytes }
  for (const { kind, message, extent } of misplacements(named, disk, sectorSizeBytes)) {
    findings.add('error', kind, ENTRIES_OFFSET + (extent.number - 1) * ENTRY_SIZE_BYTES, message)
  }
  for (const container of containers) {
    await checkLogicalDrives(source, container, sectorSizeBytes, diskId, findings)
  }
}

async function checkLogicalDrives(
  source: ByteSource,
  container: ExtendedPartition,
  sectorSizeBytes: number,
  diskId: string,
  findings: Findings,
): Promise<void> {
  const drives: Partition[] = []
  try {
    for await (const drive of walkLogicalDrives(source, container, sectorSizeBytes, diskId))
      drives.push(drive)
  } catch (error) {
    if (!(error instanceof DiskFailure)) throw error
    findings.add('error', 'boot-record-invalid', error.offsetBytes ?? container.offsetBytes, error.message)
  }
  const parts = drives.flatMap((drive) => [namedDrive(drive), ...recordOf(drive, sectorSizeBytes)])
  for (const { kind, message, extent } of misplacements(parts, container, sectorSizeBytes)) {
    findings.add('error', kind, extent.offsetBytes, message)
  }
}

function recordOf({ number, recordOffsetBytes }: Partition, sectorSizeBytes: number): NamedExtent[] {
  if (recordOffsetBytes === undefined) return []
  const sizeBytes = Math.max(MBR_SIZE_BYTES, sectorSizeBytes)
  return [{ label: `the boot record of logical drive ${number}`, offsetBytes: recordOffsetBytes, sizeBytes }]
}
