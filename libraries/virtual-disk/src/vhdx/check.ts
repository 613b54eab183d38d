import { type ByteSource, readBytes } from '../byte-source.ts'
import { checkStructures, type NamedStructure } from '../disk/structure-map.ts'
import { MIB } from '../extent.ts'
import { DiskFailure } from '../failure.ts'
import type { Findings } from '../finding.ts'
import { NO_GUID } from '../guid.ts'
import { isZero } from '../zero.ts'
import { BAT_ENTRY_SIZE_BYTES, batGeometry } from './block-table.ts'
import { checkBlocks } from './check-blocks.ts'
import { checkMetadata } from './check-metadata.ts'
import { currentHeader, readCopies, replayLog } from './file.ts'
import { decodeHeader, type VhdxHeader } from './header.ts'
import {
  HEADER_OFFSETS,
  HEADER_SECTION_SIZE_BYTES,
  HEADER_SIZE_BYTES,
  REGION_TABLE_OFFSETS,
  REGION_TABLE_SIZE_BYTES,
} from './layout.ts'
import { decodeRegionTable, type ReadVhdxRegions } from './region-table.ts'

/** Checks from the headers inwards, as far as each structure still leads to the next. */
export async function checkVhdx(file: ByteSource, findings: Findings): Promise<void> {
  const header = await checkHeaders(file, findings)
  if (header === undefined) return
  const source = await checkLog(file, header, findings)
  if (source === undefined) return
  const regions = await checkRegionTables(source, findings)
  if (regions === undefined) return

  const structures: readonly NamedStructure[] = [
    { name: 'header section', offsetBytes: 0, sizeBytes: HEADER_SECTION_SIZE_BYTES },
    { name: 'log', offsetBytes: header.logOffsetBytes, sizeBytes: header.logSizeBytes },
    { name: 'metadata region', ...regions.metadata },
    { name: 'block table', ...regions.bat },
    ...regions.others.map(({ id, ...extent }) => ({ name: `region ${id}`, ...extent })),
  ]
  checkStructures(findings, structures, source.sizeBytes)
  const metadata = await checkMetadata(source, regions.metadata, findings)
  if (metadata === undefined) return
  const geometry = batGeometry(metadata)
  const tableSizeBytes = geometry.entryCount * BAT_ENTRY_SIZE_BYTES
  if (tableSizeBytes > regions.bat.sizeBytes) {
    const needed = `${geometry.entryCount} entries do not fit into ${regions.bat.sizeBytes} bytes`
    findings.add('error', 'bat-too-short', regions.bat.offsetBytes, needed)
    return
  }
  const { offsetBytes, sizeBytes } = regions.bat
  if (offsetBytes + sizeBytes > source.sizeBytes) return
  const table = { offsetBytes, sizeBytes: tableSizeBytes }
  const rest = { offsetBytes: offsetBytes + tableSizeBytes, sizeBytes: sizeBytes - tableSizeBytes }
  await checkBlocks({ source, findings, structures, table, rest, geometry, metadata })
}

async function checkHeaders(file: ByteSource, findings: Findings): Promise<VhdxHeader | undefined> {
  const copies = await readCopies(file, HEADER_OFFSETS, HEADER_SIZE_BYTES, decodeHeader)
  const hasIntact = copies.some((copy) => !(copy instanceof DiskFailure))
  for (const [index, copy] of copies.entries()) {
    const offset = HEADER_OFFSETS[index] ?? 0
    if (copy instanceof DiskFailure) {
      findings.add(
        hasIntact ? 'warning' : 'error',
        'header-damaged',
        offset,
        `header ${index + 1}: ${copy.message}`,
      )
    } else await checkReserved(file, offset, copy, findings)
  }
  if (!hasIntact) return undefined
  try {
    return currentHeader(copies)
  } catch (error) {
    if (!(error instanceof DiskFailure)) throw error
    findings.add('error', 'headers-ambiguous', HEADER_OFFSETS[0], error.message)
    return undefined
  }
}

async function checkReserved(
  file: ByteSource,
  offset: number,
  header: VhdxHeader,
  findings: Findings,
): Promise<void> {
  const reserved = await readBytes(file, offset + 80, HEADER_SIZE_BYTES - 80)
  if (!isZero(reserved)) {
    findings.add('warning', 'reserved-not-zero', offset + 80, 'a header has bytes behind its last field')
  }
  const { logOffsetBytes, logSizeBytes } = header
  if (logOffsetBytes % MIB !== 0 || logSizeBytes % MIB !== 0 || logSizeBytes === 0) {
    findings.add('error', 'structure-misplaced', offset + 68, 'a header places the log off the 1 MiB grid')
  }
}

async function checkLog(
  file: ByteSource,
  header: VhdxHeader,
  findings: Findings,
): Promise<ByteSource | undefined> {
  if (header.logId === NO_GUID) return file
  try {
    const source = await replayLog(file, header)
    const message = 'the file was not closed; checked as it is once its log has been replayed'
    findings.add('warning', 'log-not-empty', header.logOffsetBytes, message)
    return source
  } catch (error) {
    if (!(error instanceof DiskFailure)) throw error
    findings.add('error', 'log-corrupt', header.logOffsetBytes, error.message)
    return undefined
  }
}

async function checkRegionTables(
  source: ByteSource,
  findings: Findings,
): Promise<ReadVhdxRegions | undefined> {
  const copies = await readCopies(source, REGION_TABLE_OFFSETS, REGION_TABLE_SIZE_BYTES, decodeRegionTable)
  const intact = copies.filter((copy): copy is ReadVhdxRegions => !(copy instanceof DiskFailure))
  for (const [index, copy] of copies.entries()) {
    if (!(copy instanceof DiskFailure)) continue
    const severity = intact.length > 0 ? 'warning' : 'error'
    const message = `region table ${index + 1}: ${copy.message}`
    findings.add(severity, 'region-table-damaged', REGION_TABLE_OFFSETS[index] ?? 0, message)
  }
  if (intact.length === 2) {
    const [one, two] = await Promise.all(
      REGION_TABLE_OFFSETS.map((offset) => readBytes(source, offset, REGION_TABLE_SIZE_BYTES)),
    )
    if (one !== undefined && two !== undefined && !one.equals(two)) {
      const message = 'the two region tables say different things'
      findings.add('error', 'region-tables-differ', REGION_TABLE_OFFSETS[1], message)
    }
  }
  return intact[0]
}
