import { type ByteSource, readBytes } from '../byte-source.ts'
import { type Extent, overlaps } from '../extent.ts'
import { DiskFailure } from '../failure.ts'
import type { Findings } from '../finding.ts'
import { NO_GUID } from '../guid.ts'
import { fileParameterBits, itemFlags, itemIds, METADATA_ENTRIES_OFFSET, METADATA_MAGIC } from './metadata.ts'
import {
  type MetadataEntry,
  type ReadVhdxMetadata,
  readMetadata,
  readMetadataTable,
} from './read-metadata.ts'

const mandatoryItems = [
  'fileParameters',
  'virtualDiskSize',
  'virtualDiskId',
  'logicalSectorSize',
  'physicalSectorSize',
] as const

/** What the block table is read by. */
export interface CheckedMetadata extends ReadVhdxMetadata {
  readonly hasParent: boolean
}

/** Checks the table and the items; gives them when they make sense. */
export async function checkMetadata(
  source: ByteSource,
  region: Extent,
  findings: Findings,
): Promise<CheckedMetadata | undefined> {
  try {
    const entries = await readMetadataTable(source, region)
    const isComplete = checkEntries(entries, region, findings)
    await checkReserved(source, region, entries, findings)
    if (!isComplete) return undefined
    const metadata = await readMetadata(source, region)
    if (metadata.diskId === NO_GUID) {
      findings.add('warning', 'metadata-damaged', region.offsetBytes, 'the disk has no id')
    }
    return { ...metadata, hasParent: metadata.parentLocator !== undefined }
  } catch (error) {
    if (!(error instanceof DiskFailure)) throw error
    findings.add('error', 'metadata-damaged', error.offsetBytes ?? region.offsetBytes, error.message)
    return undefined
  }
}

/** Says whether all mandatory items are there. */
function checkEntries(entries: readonly MetadataEntry[], region: Extent, findings: Findings): boolean {
  const missing = mandatoryItems.filter((name) => !entries.some(({ id }) => id === itemIds[name]))
  for (const name of missing) {
    findings.add('error', 'metadata-missing', region.offsetBytes, `metadata item ${name} is missing`)
  }
  for (const [index, entry] of entries.entries()) {
    const other = entries.slice(0, index).find((earlier) => overlaps(earlier, entry))
    if (other !== undefined) {
      const message = `metadata item ${entry.id} lies over ${other.id}`
      findings.add('error', 'metadata-overlaps', entry.entryOffsetBytes, message)
    }
  }
  return missing.length === 0
}

/** The reserved fields of the table, of its entries and of the file parameters, and the flags of known items. */
async function checkReserved(
  source: ByteSource,
  region: Extent,
  entries: readonly MetadataEntry[],
  findings: Findings,
): Promise<void> {
  const head = await readBytes(source, region.offsetBytes, METADATA_ENTRIES_OFFSET)
  const magicEnd = METADATA_MAGIC.length
  const reserved = [...head.subarray(magicEnd, magicEnd + 2), ...head.subarray(magicEnd + 4)]
  if (reserved.some((byte) => byte !== 0)) {
    findings.add('warning', 'reserved-not-zero', region.offsetBytes, 'the metadata table uses reserved bytes')
  }
  for (const entry of entries) {
    const last = (await readBytes(source, entry.entryOffsetBytes + 28, 4)).readUInt32LE(0)
    if (entry.flags >>> 3 !== 0 || last !== 0) {
      const message = `metadata item ${entry.id} uses reserved bits`
      findings.add('warning', 'reserved-not-zero', entry.entryOffsetBytes, message)
    }
    const expected = expectedFlags(entry.id)
    if (expected !== undefined && (entry.flags & 7) !== expected) {
      const message = `metadata item ${entry.id} has the flags ${entry.flags & 7} instead of ${expected}`
      findings.add('warning', 'metadata-damaged', entry.entryOffsetBytes, message)
    }
    if (entry.id === itemIds.fileParameters && entry.sizeBytes === 8) {
      const bits = (await readBytes(source, entry.offsetBytes, 8)).readUInt32LE(4)
      const definedBits = fileParameterBits.leaveBlocksAllocated | fileParameterBits.hasParent
      if ((bits & ~definedBits) !== 0) {
        findings.add(
          'warning',
          'reserved-not-zero',
          entry.offsetBytes,
          'the file parameters use reserved bits',
        )
      }
    }
  }
}

function expectedFlags(id: string): number | undefined {
  const ofFile: readonly string[] = [itemIds.fileParameters, itemIds.parentLocator]
  if (ofFile.includes(id)) return itemFlags.isRequired
  const isKnown = Object.values<string>(itemIds).includes(id)
  return isKnown ? itemFlags.isRequired | itemFlags.isVirtualDisk : undefined
}
