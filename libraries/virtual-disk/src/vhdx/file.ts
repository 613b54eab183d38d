import { type ByteSource, readBytes } from '../byte-source.ts'
import { attempt, DiskFailure } from '../failure.ts'
import { NO_GUID } from '../guid.ts'
import { overlaySource } from '../overlay-source.ts'
import { BAT_ENTRY_SIZE_BYTES, type BatGeometry, batGeometry } from './block-table.ts'
import { decodeHeader, type VhdxHeader } from './header.ts'
import { HEADER_OFFSETS, HEADER_SIZE_BYTES, REGION_TABLE_OFFSETS, REGION_TABLE_SIZE_BYTES } from './layout.ts'
import { readLog } from './log.ts'
import { type ReadVhdxMetadata, readMetadata } from './read-metadata.ts'
import { decodeRegionTable, type VhdxRegions } from './region-table.ts'

/** A VHDX file that was understood as far as its block allocation table. */
export interface VhdxFile {
  /** The file as it is once its log has been replayed. */
  readonly source: ByteSource
  readonly header: VhdxHeader
  readonly regions: VhdxRegions
  readonly metadata: ReadVhdxMetadata
  readonly geometry: BatGeometry
}

/** Reads the structures of a file in the order in which each leads to the next. */
export async function readVhdxFile(file: ByteSource): Promise<VhdxFile> {
  const header = currentHeader(await readCopies(file, HEADER_OFFSETS, HEADER_SIZE_BYTES, decodeHeader))
  const source = await replayLog(file, header)
  const tables = await readCopies(source, REGION_TABLE_OFFSETS, REGION_TABLE_SIZE_BYTES, decodeRegionTable)
  const regions = firstIntact(tables)
  const metadata = await readMetadata(source, regions.metadata)
  const geometry = batGeometry({ ...metadata, hasParent: metadata.parentLocator !== undefined })
  if (geometry.entryCount * BAT_ENTRY_SIZE_BYTES > regions.bat.sizeBytes) {
    throw new DiskFailure('corrupt', 'the BAT is too short for the disk', regions.bat.offsetBytes)
  }
  return { source, header, regions, metadata, geometry }
}

/** Each copy of a structure as decoded, or why it could not be. */
export async function readCopies<T>(
  source: ByteSource,
  offsets: readonly number[],
  sizeBytes: number,
  decode: (bytes: Buffer, offsetBytes: number) => T,
): Promise<(T | DiskFailure)[]> {
  const copies: (T | DiskFailure)[] = []
  for (const offset of offsets) {
    copies.push(await attempt(async () => decode(await readBytes(source, offset, sizeBytes), offset)))
  }
  return copies
}

/** The valid header with the larger sequence number ([MS-VHDX] 2.2.2). */
export function currentHeader(copies: readonly (VhdxHeader | DiskFailure)[]): VhdxHeader {
  const valid = copies.filter((copy): copy is VhdxHeader => !(copy instanceof DiskFailure))
  const [first, second] = valid
  if (first === undefined) throw firstFailure(copies)
  if (second === undefined) return first
  if (first.sequence === second.sequence && !isSame(first, second)) {
    throw new DiskFailure(
      'corrupt',
      'two VHDX headers of the same number say different things',
      HEADER_OFFSETS[0],
    )
  }
  return second.sequence > first.sequence ? second : first
}

/** The file as its log leaves it; the file itself when the log is empty. */
export async function replayLog(file: ByteSource, header: VhdxHeader): Promise<ByteSource> {
  if (header.logId === NO_GUID) return file
  const { patches, fileSizeBytes } = await readLog(file, header)
  return overlaySource(file, patches, fileSizeBytes)
}

function firstIntact<T>(copies: readonly (T | DiskFailure)[]): T {
  for (const copy of copies) if (!(copy instanceof DiskFailure)) return copy
  throw firstFailure(copies)
}

function firstFailure(copies: readonly unknown[]): DiskFailure {
  const failure = copies.find((copy) => copy instanceof DiskFailure)
  return failure ?? new DiskFailure('corrupt', 'a structure has no copy')
}

function isSame(a: VhdxHeader, b: VhdxHeader): boolean {
  return JSON.stringify({ ...a, sequence: 0 }) === JSON.stringify({ ...b, sequence: 0 })
}
