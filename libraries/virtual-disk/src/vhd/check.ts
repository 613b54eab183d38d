import { type ByteSource, readBytes } from '../byte-source.ts'
import { checkStructures, type NamedStructure } from '../disk/structure-map.ts'
import { DiskFailure } from '../failure.ts'
import type { Findings } from '../finding.ts'
import { isZero } from '../zero.ts'
import { checkBlocks } from './check-blocks.ts'
import { checkFooters } from './check-footers.ts'
import { type DynamicHeader, decodeDynamicHeader } from './dynamic-header.ts'
import type { VhdFooter } from './footer.ts'
import {
  BAT_ENTRY_SIZE_BYTES,
  DYNAMIC_HEADER_SIZE_BYTES,
  FOOTER_SIZE_BYTES,
  VHD_SECTOR_SIZE_BYTES,
} from './layout.ts'

/** Checks from the footer inwards, as far as each structure still leads to the next. */
export async function checkVhd(source: ByteSource, findings: Findings): Promise<void> {
  const footers = await checkFooters(source, findings)
  if (footers === undefined) return
  const { footer, footerOffsetBytes } = footers
  if (footer.type === 'fixed') {
    checkFixedLength(footer, footerOffsetBytes, findings)
    return
  }
  const header = await checkDynamicHeader(source, footer, findings)
  if (header === undefined) return
  const entryCount = checkTableLength(footer, header, findings)
  const table = {
    offsetBytes: header.tableOffsetBytes,
    sizeBytes: header.tableEntryCount * BAT_ENTRY_SIZE_BYTES,
  }
  const structures: readonly NamedStructure[] = [
    { name: 'copy of the footer', offsetBytes: 0, sizeBytes: FOOTER_SIZE_BYTES },
    {
      name: 'dynamic header',
      offsetBytes: footer.dynamicHeaderOffsetBytes ?? 0,
      sizeBytes: DYNAMIC_HEADER_SIZE_BYTES,
    },
    { name: 'block table', ...table },
    ...header.parentLocators.map(({ offsetBytes, sizeBytes }, index) => {
      return { name: `parent locator ${index + 1}`, offsetBytes, sizeBytes }
    }),
    // A file whose end was cut off has none; then there is nothing for a block to lie over.
    ...(footerOffsetBytes === undefined
      ? []
      : [
          { name: 'footer', offsetBytes: footerOffsetBytes, sizeBytes: source.sizeBytes - footerOffsetBytes },
        ]),
  ]
  checkStructures(findings, structures, source.sizeBytes)
  if (table.offsetBytes + table.sizeBytes > source.sizeBytes) return
  await checkBlocks({
    source,
    findings,
    structures,
    table: { ...table, sizeBytes: Math.min(entryCount, header.tableEntryCount) * BAT_ENTRY_SIZE_BYTES },
    blockSizeBytes: header.blockSizeBytes,
    virtualSizeBytes: footer.sizeBytes,
    isDifferencing: footer.type === 'differencing',
  })
}

function checkFixedLength(
  footer: VhdFooter,
  footerOffsetBytes: number | undefined,
  findings: Findings,
): void {
  if (footerOffsetBytes === undefined || footerOffsetBytes === footer.sizeBytes) return
  const severity = footerOffsetBytes < footer.sizeBytes ? 'error' : 'warning'
  const message = `the file holds ${footerOffsetBytes} bytes of a disk of ${footer.sizeBytes}`
  findings.add(severity, 'file-length-wrong', footerOffsetBytes, message)
}

async function checkDynamicHeader(
  source: ByteSource,
  footer: VhdFooter,
  findings: Findings,
): Promise<DynamicHeader | undefined> {
  const offset = footer.dynamicHeaderOffsetBytes
  if (offset === undefined) {
    findings.add('error', 'dynamic-header-damaged', 0, 'the footer of a dynamic disk names no header')
    return undefined
  }
  try {
    const bytes = await readBytes(source, offset, DYNAMIC_HEADER_SIZE_BYTES)
    const header = decodeDynamicHeader(bytes, offset)
    checkReserved(bytes, offset, findings)
    return header
  } catch (error) {
    if (!(error instanceof DiskFailure)) throw error
    findings.add('error', 'dynamic-header-damaged', offset, error.message)
    return undefined
  }
}

function checkReserved(header: Buffer, offset: number, findings: Findings): void {
  if (header.readUInt32BE(60) !== 0 || !isZero(header.subarray(768))) {
    findings.add('warning', 'reserved-not-zero', offset + 60, 'the dynamic header uses reserved bytes')
  }
}

/** The number of entries that the disk needs. */
function checkTableLength(footer: VhdFooter, header: DynamicHeader, findings: Findings): number {
  const needed = Math.ceil(footer.sizeBytes / header.blockSizeBytes)
  const { tableEntryCount, tableOffsetBytes } = header
  const message = `the block table has ${tableEntryCount} entries for ${needed} blocks`
  if (tableEntryCount < needed) findings.add('error', 'bat-too-short', tableOffsetBytes, message)
  if (tableEntryCount > needed) findings.add('warning', 'bat-too-long', tableOffsetBytes, message)
  if (tableOffsetBytes % VHD_SECTOR_SIZE_BYTES !== 0) {
    findings.add(
      'warning',
      'structure-misplaced',
      tableOffsetBytes,
      'the block table does not start on a sector',
    )
  }
  return needed
}
