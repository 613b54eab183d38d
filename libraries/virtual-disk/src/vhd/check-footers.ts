import { type ByteSource, readBytes } from '../byte-source.ts'
import { attempt, DiskFailure } from '../failure.ts'
import type { Findings, Severity } from '../finding.ts'
import { isZero } from '../zero.ts'
import { readFooterAtEnd, readFooterAtFront } from './file.ts'
import { FOOTER_MAGIC, VHD_FEATURES_KNOWN, type VhdFooter } from './footer.ts'
import { geometryOf, geometrySizeBytes } from './geometry.ts'
import {
  FOOTER_OFFSETS_FROM_END,
  FOOTER_SIZE_BYTES,
  VHD_SECTOR_SIZE_BYTES,
  VIRTUAL_SIZE_BYTES_MAX,
} from './layout.ts'

/** Programs whose disks are as large as their geometry says, in the eyes of QEMU. */
const creatorsOfGeometry: readonly string[] = ['vpc ', 'qemu']
/** Programs whose disks are as large as their footer says, in the eyes of QEMU before 2025. */
const creatorsOfSize: readonly string[] = ['win ', 'qem2', 'd2v ', 'tap\0', 'CTXS']

/** The footer that readers go by, and where it is. */
export interface CheckedFooter {
  readonly footer: VhdFooter
  /** Undefined when only the copy is left. */
  readonly footerOffsetBytes: number | undefined
}

/** Checks the footer, its copy and what they say; gives the one that readers go by. */
export async function checkFooters(
  source: ByteSource,
  findings: Findings,
): Promise<CheckedFooter | undefined> {
  const endOffset = await offsetAtEnd(source)
  const atEnd = await attempt(() => readFooterAtEnd(source))
  const atFront = await attempt(() => readFooterAtFront(source))
  const hasFront = !(atFront instanceof DiskFailure) && atFront.type !== 'fixed'
  const isFixed = !(atEnd instanceof DiskFailure) && atEnd.type === 'fixed'
  if (atEnd instanceof DiskFailure) {
    findings.add(hasFront ? 'warning' : 'error', 'footer-damaged', endOffset, `the footer: ${atEnd.message}`)
    if (!hasFront) return undefined
  } else if (!isFixed && atFront instanceof DiskFailure) {
    findings.add('warning', 'footer-damaged', 0, `the copy of the footer: ${atFront.message}`)
  } else if (!isFixed) {
    await compareCopies(source, endOffset, findings)
  }
  const offset = atEnd instanceof DiskFailure ? 0 : endOffset
  const footer = atEnd instanceof DiskFailure ? atFront : atEnd
  if (footer instanceof DiskFailure) return undefined
  await checkReserved(source, offset, findings)
  checkSize(footer, offset, findings)
  return { footer, footerOffsetBytes: atEnd instanceof DiskFailure ? undefined : endOffset }
}

async function offsetAtEnd(source: ByteSource): Promise<number> {
  for (const fromEnd of FOOTER_OFFSETS_FROM_END) {
    const offset = source.sizeBytes - fromEnd
    if (offset < 0) continue
    const magic = await readBytes(source, offset, FOOTER_MAGIC.length)
    if (magic.toString('latin1') === FOOTER_MAGIC) return offset
  }
  return Math.max(0, source.sizeBytes - FOOTER_SIZE_BYTES)
}

async function compareCopies(source: ByteSource, endOffset: number, findings: Findings): Promise<void> {
  const sizeBytes = source.sizeBytes - endOffset
  const [end, front] = await Promise.all([
    readBytes(source, endOffset, sizeBytes),
    readBytes(source, 0, sizeBytes),
  ])
  if (!end.equals(front)) {
    findings.add('error', 'footers-differ', 0, 'the footer and its copy say different things')
  }
}

async function checkReserved(source: ByteSource, offset: number, findings: Findings): Promise<void> {
  const bytes = await readBytes(source, offset, FOOTER_SIZE_BYTES - 1)
  if ((bytes.readUInt32BE(8) & ~VHD_FEATURES_KNOWN) !== 0 || !isZero(bytes.subarray(85))) {
    findings.add('warning', 'reserved-not-zero', offset, 'the footer uses reserved bits')
  }
  if (bytes.readUInt8(84) !== 0) {
    findings.add('warning', 'saved-state', offset + 84, 'the disk belongs to a machine that was suspended')
  }
}

function checkSize(footer: VhdFooter, offset: number, findings: Findings): void {
  const { sizeBytes, geometry, creator } = footer
  const report = (
    severity: Severity,
    code: 'size-invalid' | 'size-ambiguous' | 'geometry-mismatch',
    message: string,
  ) => findings.add(severity, code, offset + (code === 'geometry-mismatch' ? 56 : 48), message)

  if (sizeBytes === 0 || sizeBytes % VHD_SECTOR_SIZE_BYTES !== 0) {
    report('error', 'size-invalid', `a disk cannot have ${sizeBytes} bytes`)
    return
  }
  if (sizeBytes > VIRTUAL_SIZE_BYTES_MAX) {
    report('error', 'size-invalid', `${sizeBytes} bytes are more than 2040 GiB`)
  }
  const byGeometry = geometrySizeBytes(geometry)
  const isLargest = geometry.cylinders === 65_535 && geometry.heads === 16 && geometry.sectorsPerTrack === 255
  if (byGeometry === sizeBytes || isLargest) return
  if (!creatorsOfSize.includes(creator)) {
    const who = creatorsOfGeometry.includes(creator) ? `made by ${creator.trim()}` : 'of unknown origin'
    report(
      'warning',
      'size-ambiguous',
      `a disk ${who}: some readers see ${byGeometry} of its ${sizeBytes} bytes`,
    )
  }
  const expected = geometryOf(sizeBytes)
  if (JSON.stringify(geometry) !== JSON.stringify(expected)) {
    const { cylinders, heads, sectorsPerTrack } = expected
    report(
      'warning',
      'geometry-mismatch',
      `the size gives the geometry ${cylinders}/${heads}/${sectorsPerTrack}`,
    )
  }
}
