import { type ByteSource, readBytes } from '../byte-source.ts'
import type { Extent } from '../extent.ts'
import { attempt, DiskFailure } from '../failure.ts'
import { type DynamicHeader, decodeDynamicHeader } from './dynamic-header.ts'
import { decodeFooter, FOOTER_MAGIC, type VhdFooter } from './footer.ts'
import {
  BAT_ENTRY_SIZE_BYTES,
  DYNAMIC_HEADER_SIZE_BYTES,
  FOOTER_OFFSETS_FROM_END,
  FOOTER_SIZE_BYTES,
} from './layout.ts'

/** A VHD file that was understood as far as its block allocation table. */
export interface VhdFile {
  readonly footer: VhdFooter
  /** Undefined for a fixed disk. */
  readonly dynamic: DynamicPart | undefined
}

/** The dynamic header, with the extent of its table in the file. */
export interface DynamicPart extends DynamicHeader {
  readonly table: Extent
}

/** Reads the footer, or its copy when the footer is damaged, and the dynamic header it names. */
export async function readVhdFile(source: ByteSource): Promise<VhdFile> {
  const footer = await readFooter(source)
  if (footer.type === 'fixed') {
    if (footer.sizeBytes + FOOTER_SIZE_BYTES - 1 > source.sizeBytes) {
      throw new DiskFailure('truncated', `the disk has ${footer.sizeBytes} bytes`, source.sizeBytes)
    }
    return { footer, dynamic: undefined }
  }
  return { footer, dynamic: await readDynamicPart(source, footer) }
}

async function readFooter(source: ByteSource): Promise<VhdFooter> {
  const atEnd = await attempt(() => readFooterAtEnd(source))
  if (!(atEnd instanceof DiskFailure)) return atEnd
  const atFront = await attempt(() => readFooterAtFront(source))
  if (atFront instanceof DiskFailure) throw atEnd
  if (atFront.type === 'fixed') throw atEnd
  return atFront
}

/** The footer in the last 512 bytes, or in the last 511 as it was before 2004. */
export async function readFooterAtEnd(source: ByteSource): Promise<VhdFooter> {
  for (const sizeBytes of FOOTER_OFFSETS_FROM_END) {
    const offset = source.sizeBytes - sizeBytes
    const stored = await readBytes(source, offset, sizeBytes)
    if (stored.toString('latin1', 0, FOOTER_MAGIC.length) !== FOOTER_MAGIC) continue
    return decodeFooter(Buffer.concat([stored], FOOTER_SIZE_BYTES), offset)
  }
  throw new DiskFailure('corrupt', 'no VHD footer at the end', source.sizeBytes - FOOTER_SIZE_BYTES)
}

/** The copy that dynamic disks have. */
export async function readFooterAtFront(source: ByteSource): Promise<VhdFooter> {
  return decodeFooter(await readBytes(source, 0, FOOTER_SIZE_BYTES), 0)
}

async function readDynamicPart(source: ByteSource, footer: VhdFooter): Promise<DynamicPart> {
  const offset = footer.dynamicHeaderOffsetBytes
  if (offset === undefined) throw new DiskFailure('corrupt', 'the footer of a dynamic disk names no header')
  const header = decodeDynamicHeader(await readBytes(source, offset, DYNAMIC_HEADER_SIZE_BYTES), offset)
  const entriesNeeded = Math.ceil(footer.sizeBytes / header.blockSizeBytes)
  const table = {
    offsetBytes: header.tableOffsetBytes,
    sizeBytes: header.tableEntryCount * BAT_ENTRY_SIZE_BYTES,
  }
  if (header.tableEntryCount < entriesNeeded) {
    throw new DiskFailure('corrupt', 'the block allocation table is too short for the disk', offset)
  }
  if (table.offsetBytes + table.sizeBytes > source.sizeBytes) {
    throw new DiskFailure('truncated', 'the block allocation table ends outside the file', table.offsetBytes)
  }
  return { ...header, table }
}
