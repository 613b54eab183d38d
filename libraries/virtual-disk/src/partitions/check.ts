import { type ByteSource, readBytes } from '../byte-source.ts'
import { attempt, DiskFailure } from '../failure.ts'
import { type Finding, Findings } from '../finding.ts'
import { checkGpt } from './check-gpt.ts'
import { checkMbr } from './check-mbr.ts'
import { MBR_SIZE_BYTES } from './mbr.ts'
import type { SectorSizeBytes } from './partition-table.ts'
import { describeFirstSector, findGpt } from './read.ts'

/**
 * Checks the GPT or MBR of a disk: both copies of a GPT with all checksums, the chain of an MBR's logical
 * drives, and the places of all partitions against each other and the disk. An empty list means that nothing
 * is wrong. Offsets in the findings are those of the disk, so give it an open disk, not the file it is in.
 *
 * `sectorSizeBytes` is the disk's; told apart by where the GPT is unless given, see `readPartitionTable`.
 *
 * Damage never makes this reject; it rejects only when the source cannot be read.
 */
export async function checkPartitionTable(
  source: ByteSource,
  options: { readonly sectorSizeBytes?: SectorSizeBytes } = {},
): Promise<readonly Finding[]> {
  const findings = new Findings()
  const firstSector = await attempt(async () => {
    const sector = await readBytes(source, 0, MBR_SIZE_BYTES)
    return { sector, content: describeFirstSector(sector) }
  })
  if (firstSector instanceof DiskFailure) {
    const code = firstSector.code === 'truncated' ? 'no-partition-table' : 'boot-record-invalid'
    findings.add('error', code, firstSector.offsetBytes ?? 0, firstSector.message)
    return findings.list()
  }
  const { sector, content } = firstSector
  const mbrSectorSize = options.sectorSizeBytes ?? 512
  const gptSectorSize = await findGpt(source, options.sectorSizeBytes)
  if (content === 'partitions') {
    if (gptSectorSize !== undefined) {
      const message = 'there is a GPT as well, and no protective entry; readers may disagree on which counts'
      findings.add('warning', 'protective-mbr-missing', 446, message)
    }
    await checkMbr(source, sector, mbrSectorSize, findings)
  } else if (content === 'file-system') {
    findings.add('error', 'no-partition-table', 0, 'the disk holds a file system without a partition table')
  } else if (gptSectorSize !== undefined) await checkGpt(source, sector, content, gptSectorSize, findings)
  else if (content === 'empty') await checkMbr(source, sector, mbrSectorSize, findings)
  else if (content === 'no-mark') {
    findings.add('error', 'no-partition-table', 0, 'the disk has neither an MBR nor a GPT')
  } else {
    findings.add(
      'error',
      'gpt-header-damaged',
      512,
      'the disk is marked as GPT, but no copy of the GPT is left',
    )
  }
  return findings.list()
}
