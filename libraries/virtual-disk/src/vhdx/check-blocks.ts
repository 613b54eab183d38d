import type { ByteSource } from '../byte-source.ts'
import { checkPlace, type NamedStructure, readTable, type TablePiece } from '../disk/structure-map.ts'
import { type Extent, MIB } from '../extent.ts'
import type { Findings } from '../finding.ts'
import { isZero } from '../zero.ts'
import {
  BAT_ENTRY_SIZE_BYTES,
  type BatEntry,
  type BatGeometry,
  bitmapState,
  blockState,
  decodeBatEntry,
  meaningOfBatIndex,
  SECTOR_BITMAP_SIZE_BYTES,
} from './block-table.ts'
import type { CheckedMetadata } from './check-metadata.ts'

/** What the check of a VHDX's blocks needs. */
export interface BlockCheck {
  readonly source: ByteSource
  readonly findings: Findings
  readonly structures: readonly NamedStructure[]
  /** The entries of the BAT that count. */
  readonly table: Extent
  /** What the region has behind them. */
  readonly rest: Extent
  readonly geometry: BatGeometry
  readonly metadata: CheckedMetadata
}

/** An entry of the BAT with all that a message says of it. */
interface NamedEntry extends BatEntry {
  readonly name: string
  readonly isBitmap: boolean
  readonly entryOffsetBytes: number
  /** What it takes in the file; 0 when it takes nothing. */
  readonly sizeBytes: number
}

/** Checks every entry of the BAT by itself and against all others. */
export async function checkBlocks(check: BlockCheck): Promise<void> {
  const { source, findings, structures, metadata } = check
  const claimed = new ClaimedMebibytes(source.sizeBytes)
  const contested = new Set<number>()
  let missing = 0
  /** Of the chunk whose blocks are being read: whether one of them needs the bitmap that follows. */
  let needsBitmap = false
  const examine = (entry: NamedEntry): void => {
    if (entry.reserved !== 0) {
      findings.add('error', 'reserved-not-zero', entry.entryOffsetBytes, `${entry.name} uses reserved bits`)
    }
    if (entry.isBitmap) {
      checkBitmapEntry(entry, needsBitmap, metadata.hasParent, findings)
      needsBitmap = false
    } else {
      checkState(entry, metadata.hasParent, findings)
      if (entry.state === blockState.partiallyPresent) needsBitmap = true
      if (entry.state !== blockState.fullyPresent) missing++
    }
    if (entry.sizeBytes > 0 && checkPlace(findings, entry, structures, source.sizeBytes)) {
      claimed.claim(entry, contested)
    }
  }
  for await (const piece of readTable(source, check.table, BAT_ENTRY_SIZE_BYTES)) {
    for (const entry of entriesIn(check, piece)) examine(entry)
  }
  if (metadata.leaveBlocksAllocated && !metadata.hasParent && missing > 0) {
    const message = `${missing} blocks of a fixed disk have no place in the file`
    findings.add('warning', 'not-fully-allocated', check.table.offsetBytes, message)
  }
  if (contested.size > 0) await nameContestants(check, contested)
  await checkRest(check)
}

/** A region is rounded up to 1 MiB; of one that is far longer only this much is looked at. */
const REST_SIZE_BYTES_MAX = 16 * MIB

/** A place named behind the last entry may be a block that a wrong disk size cut off. */
async function checkRest({ source, rest, findings }: BlockCheck): Promise<void> {
  const looked = { ...rest, sizeBytes: Math.min(rest.sizeBytes, REST_SIZE_BYTES_MAX) }
  for await (const { firstIndex, piece } of readTable(source, looked, BAT_ENTRY_SIZE_BYTES)) {
    if (isZero(piece)) continue
    for (let at = 0; at < piece.byteLength; at += BAT_ENTRY_SIZE_BYTES) {
      const { offsetBytes } = decodeBatEntry(piece, at)
      if (offsetBytes === 0) continue
      const entryOffsetBytes = rest.offsetBytes + firstIndex * BAT_ENTRY_SIZE_BYTES + at
      const message = `an entry behind that of the last block names byte ${offsetBytes}`
      findings.add('warning', 'block-place-unexpected', entryOffsetBytes, message)
    }
  }
}

/** Not asynchronous, because a large disk has millions of entries. */
function* entriesIn(check: BlockCheck, { firstIndex, piece }: TablePiece): Generator<NamedEntry> {
  const { table, geometry, metadata } = check
  for (let at = 0; at < piece.byteLength; at += BAT_ENTRY_SIZE_BYTES) {
    const index = firstIndex + at / BAT_ENTRY_SIZE_BYTES
    const meaning = meaningOfBatIndex(index, geometry.chunkRatio)
    const { state, reserved, offsetBytes } = decodeBatEntry(piece, at)
    const isBitmap = 'bitmapOfChunk' in meaning
    // The last chunk of a differencing disk has entries for blocks behind the disk's end.
    if (!isBitmap && meaning.block >= geometry.blockCount && state === 0 && offsetBytes === 0) continue
    const takes = isBitmap ? SECTOR_BITMAP_SIZE_BYTES : metadata.blockSizeBytes
    yield {
      state,
      reserved,
      offsetBytes,
      isBitmap,
      get name() {
        return isBitmap ? `the sector bitmap of chunk ${meaning.bitmapOfChunk}` : `block ${meaning.block}`
      },
      entryOffsetBytes: table.offsetBytes + index * BAT_ENTRY_SIZE_BYTES,
      sizeBytes: hasPlace(state, offsetBytes, isBitmap) ? takes : 0,
    }
  }
}

/** Undefined and unmapped blocks may keep a place for what they held. */
function hasPlace(state: number, offsetBytes: number, isBitmap: boolean): boolean {
  if (isBitmap) return state === bitmapState.present
  if (state === blockState.fullyPresent || state === blockState.partiallyPresent) return true
  return (state === blockState.undefined || state === blockState.unmapped) && offsetBytes !== 0
}

function checkState(entry: NamedEntry, hasParent: boolean, findings: Findings): void {
  const states: readonly number[] = Object.values(blockState)
  if (!states.includes(entry.state)) {
    const message = `${entry.name} has the state ${entry.state}, which does not exist`
    findings.add('error', 'block-state-invalid', entry.entryOffsetBytes, message)
  } else if (entry.state === blockState.partiallyPresent && !hasParent) {
    const message = `${entry.name} is partially present, but the disk has no parent`
    findings.add('error', 'block-state-invalid', entry.entryOffsetBytes, message)
  }
  const isStored = entry.state !== blockState.zero && entry.state !== blockState.notPresent
  if (!isStored && entry.offsetBytes !== 0) {
    const message = `${entry.name} is not stored, but names byte ${entry.offsetBytes}`
    findings.add('warning', 'block-place-unexpected', entry.entryOffsetBytes, message)
  }
}

function checkBitmapEntry(
  entry: NamedEntry,
  isNeeded: boolean,
  hasParent: boolean,
  findings: Findings,
): void {
  const at = entry.entryOffsetBytes
  if (entry.state !== bitmapState.notPresent && entry.state !== bitmapState.present) {
    const message = `${entry.name} has the state ${entry.state}, which does not exist`
    findings.add('error', 'block-state-invalid', at, message)
  } else if (entry.state === bitmapState.present && !hasParent) {
    findings.add('error', 'block-state-invalid', at, `${entry.name} is there, but the disk has no parent`)
  } else if (entry.state === bitmapState.notPresent && isNeeded) {
    findings.add(
      'error',
      'bitmap-missing',
      at,
      `${entry.name} is missing, but a block of it is partially present`,
    )
  }
  if (entry.state === bitmapState.notPresent && entry.offsetBytes !== 0) {
    findings.add('warning', 'block-place-unexpected', at, `${entry.name} is not stored, but names a place`)
  }
}

/** A table in which everything is the same place would otherwise fill the memory. */
const CONTESTED_MAX = 10_000

/** Twice the largest disk: 16 MiB of memory. What lies further out in a file is not compared. */
const COMPARED_BYTES_MAX = 128 * 1024 ** 4

/** One bit for each MiB of the file: whether a block has it. */
class ClaimedMebibytes {
  readonly #bits: Uint8Array

  constructor(fileSizeBytes: number) {
    this.#bits = new Uint8Array(Math.ceil(Math.min(fileSizeBytes, COMPARED_BYTES_MAX) / MIB / 8))
  }

  /** Notes the extent; those of its MiB that were claimed before go into `contested`. */
  claim(extent: Extent, contested: Set<number>): void {
    const first = Math.floor(extent.offsetBytes / MIB)
    for (let mebibyte = first; mebibyte < first + extent.sizeBytes / MIB; mebibyte++) {
      const bits = this.#bits[mebibyte >>> 3] ?? 0
      const mask = 1 << (mebibyte & 7)
      if ((bits & mask) !== 0 && contested.size < CONTESTED_MAX) contested.add(mebibyte)
      this.#bits[mebibyte >>> 3] = bits | mask
    }
  }
}

/** Goes over the table once more, to say which blocks claim the same place. */
async function nameContestants(check: BlockCheck, contested: ReadonlySet<number>): Promise<void> {
  const owners = new Map<number, NamedEntry>()
  const examine = (entry: NamedEntry): void => {
    const first = Math.floor(entry.offsetBytes / MIB)
    for (let mebibyte = first; mebibyte < first + entry.sizeBytes / MIB; mebibyte++) {
      if (!contested.has(mebibyte)) continue
      const owner = owners.get(mebibyte)
      if (owner !== undefined) {
        const message = `${entry.name} and ${owner.name} both claim byte ${mebibyte * MIB}`
        check.findings.add('error', 'block-shared', entry.entryOffsetBytes, message)
        return
      }
      owners.set(mebibyte, entry)
    }
  }
  for await (const piece of readTable(check.source, check.table, BAT_ENTRY_SIZE_BYTES)) {
    for (const entry of entriesIn(check, piece)) examine(entry)
  }
}
