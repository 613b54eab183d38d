import { type ByteSource, readBytes } from '../byte-source.ts'
import { DiskFailure } from '../failure.ts'
import { GPT_MAGIC } from './gpt.ts'
import {
  decodeBootRecord,
  hasBootMark,
  isFileSystemBootSector,
  MBR_SIZE_BYTES,
  type MbrEntry,
  PROTECTIVE_TYPE,
} from './mbr.ts'
import type { PartitionTableProblem, ReadPartitionTable, SectorSizeBytes } from './partition-table.ts'
import { readGpt } from './read-gpt.ts'
import { readMbr } from './read-mbr.ts'

/**
 * Reads the GPT or MBR of a disk. Sector sizes of 512 and 4096 bytes are told apart by where the GPT is;
 * an MBR alone cannot say, so 512 is assumed unless `sectorSizeBytes` is given.
 *
 * Rejects with `no-partition-table` when there is none (also for a bare file system),
 * `checksum-mismatch` when neither copy of a GPT is intact, `corrupt` for partitions that overlap, lie
 * outside the disk or form a ring of extended boot records, and `truncated` for a source that ends early.
 */
export async function readPartitionTable(
  source: ByteSource,
  options: { readonly sectorSizeBytes?: SectorSizeBytes } = {},
): Promise<ReadPartitionTable> {
  const sector = await readBytes(source, 0, MBR_SIZE_BYTES)
  const content = describeFirstSector(sector)
  if (content === 'file-system') {
    throw new DiskFailure('no-partition-table', 'the disk holds a file system without a partition table')
  }
  if (content === 'partitions') return readMbr(source, sector, options.sectorSizeBytes ?? 512)

  const sectorSizeBytes = await findGpt(source, options.sectorSizeBytes)
  if (sectorSizeBytes !== undefined) {
    const table = await readGpt(source, sectorSizeBytes)
    return { ...table, problems: [...firstSectorProblems(content), ...table.problems] }
  }
  if (content === 'protective' || content === 'hybrid') {
    throw new DiskFailure(
      'checksum-mismatch',
      'the disk is marked as GPT, but no copy of the GPT is left',
      512,
    )
  }
  if (content === 'no-mark')
    throw new DiskFailure('no-partition-table', 'the disk has neither an MBR nor a GPT')
  return readMbr(source, sector, options.sectorSizeBytes ?? 512)
}

/** What the first sector of a disk is. */
export type FirstSector = 'no-mark' | 'file-system' | 'protective' | 'hybrid' | 'empty' | 'partitions'

/**
 * An entry of type EE decides for the GPT, as it does for Windows and Linux: without one, a GPT beside MBR
 * partitions is a leftover of how the disk was used before.
 */
export function describeFirstSector(sector: Buffer): FirstSector {
  if (!hasBootMark(sector)) return 'no-mark'
  if (isFileSystemBootSector(sector) && !isDivided(sector)) return 'file-system'
  const used = usedEntries(sector)
  if (used.length === 0) return 'empty'
  const protective = used.filter((entry) => entry.type === PROTECTIVE_TYPE)
  if (protective.length === 0) return 'partitions'
  return protective.length === used.length ? 'protective' : 'hybrid'
}

/**
 * Whether partitions stand behind the remains of a file system: who divides a disk may leave the first part of its first
 * sector as it was. A file system that is still there has boot code in that place, which is no entry, or nothing, or, from
 * mkfs.fat, one entry from sector 0 on, for systems that would take it for an empty disk.
 */
function isDivided(sector: Buffer): boolean {
  try {
    const used = usedEntries(sector)
    return used.length > 0 && used.every(({ firstSector }) => firstSector > 0)
  } catch (error) {
    if (error instanceof DiskFailure) return false
    throw error
  }
}

function usedEntries(sector: Buffer): readonly MbrEntry[] {
  return decodeBootRecord(sector).entries.filter((entry) => entry !== undefined)
}

/** The sector size for which the source has a header at sector 1 or, failing that, at its end. */
export async function findGpt(
  source: ByteSource,
  sectorSize?: SectorSizeBytes,
): Promise<SectorSizeBytes | undefined> {
  const candidates: readonly SectorSizeBytes[] = sectorSize === undefined ? [512, 4096] : [sectorSize]
  for (const size of candidates) if (await opensWithMagic(source, size)) return size
  for (const size of candidates) {
    if (await opensWithMagic(source, (Math.floor(source.sizeBytes / size) - 1) * size)) return size
  }
  return undefined
}

async function opensWithMagic(source: ByteSource, position: number): Promise<boolean> {
  if (position < 0 || position + GPT_MAGIC.length > source.sizeBytes) return false
  const magic = await readBytes(source, position, GPT_MAGIC.length)
  return magic.toString('latin1') === GPT_MAGIC
}

function firstSectorProblems(content: FirstSector): PartitionTableProblem[] {
  if (content === 'protective') return []
  return content === 'hybrid'
    ? [
        {
          code: 'hybrid-mbr',
          message: 'the MBR of this GPT describes partitions of its own',
          offsetBytes: 446,
        },
      ]
    : [{ code: 'protective-mbr-missing', message: 'the GPT has no protective MBR', offsetBytes: 446 }]
}
