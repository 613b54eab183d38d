import { type ByteSource, readBytes } from '../byte-source.ts'
import { checkPlace, type NamedStructure, readTable } from '../disk/structure-map.ts'
import { type Extent, MIB } from '../extent.ts'
import type { Findings } from '../finding.ts'
import { settleAll } from '../settle-all.ts'
import { isZero } from '../zero.ts'
import { ABSENT_BLOCK, BAT_ENTRY_SIZE_BYTES, bitmapSizeBytes, VHD_SECTOR_SIZE_BYTES } from './layout.ts'

/** What the check of a dynamic disk's blocks needs. */
export interface BlockCheck {
  readonly source: ByteSource
  readonly findings: Findings
  readonly structures: readonly NamedStructure[]
  /** The entries of the table that count. */
  readonly table: Extent
  readonly blockSizeBytes: number
  readonly virtualSizeBytes: number
  readonly isDifferencing: boolean
}

/** Eight times the blocks of the largest disk that Windows makes. */
const CHECKED_BLOCKS_MAX = 2 ** 25

/** Bitmaps are small and far apart: waiting for each alone would take most of the time. */
const BITMAPS_AT_ONCE = 32

/** Checks every entry of the table by itself and against all others, and every bitmap. */
export async function checkBlocks(check: BlockCheck): Promise<void> {
  const { source, findings, structures, blockSizeBytes } = check
  const sizeBytes = bitmapSizeBytes(blockSizeBytes) + blockSizeBytes
  const table = firstEntries(check.table, findings)
  const places = new GrowingList()
  const bitmaps: Promise<void>[] = []
  for await (const { firstIndex, piece } of readTable(source, table, BAT_ENTRY_SIZE_BYTES)) {
    for (let at = 0; at < piece.byteLength; at += BAT_ENTRY_SIZE_BYTES) {
      const sector = piece.readUInt32BE(at)
      if (sector === ABSENT_BLOCK) continue
      const block = firstIndex + at / BAT_ENTRY_SIZE_BYTES
      const place = {
        name: `block ${block}`,
        offsetBytes: sector * VHD_SECTOR_SIZE_BYTES,
        sizeBytes,
        entryOffsetBytes: table.offsetBytes + block * BAT_ENTRY_SIZE_BYTES,
      }
      if (!checkPlace(findings, place, structures, source.sizeBytes)) continue
      places.add((BigInt(sector) << 32n) | BigInt(block))
      if (!check.isDifferencing) bitmaps.push(checkBitmap(check, block, place.offsetBytes))
      if (bitmaps.length >= BITMAPS_AT_ONCE) await settleAll(bitmaps.splice(0))
    }
    await settleAll(bitmaps.splice(0))
  }
  reportShared(places.sorted(), sizeBytes, check)
}

/** The part of the table that is checked; says so when it is not all of it. */
function firstEntries(table: Extent, findings: Findings): Extent {
  const entryCount = table.sizeBytes / BAT_ENTRY_SIZE_BYTES
  if (entryCount <= CHECKED_BLOCKS_MAX) return table
  const message = `of ${entryCount} blocks only the first ${CHECKED_BLOCKS_MAX} were checked`
  findings.add('warning', 'bat-too-long', table.offsetBytes, message)
  return { ...table, sizeBytes: CHECKED_BLOCKS_MAX * BAT_ENTRY_SIZE_BYTES }
}

/** Takes memory for the blocks that are there, not for those that a damaged header promises. */
class GrowingList {
  #values = new BigUint64Array(1024)
  #count = 0

  add(value: bigint): void {
    if (this.#count === this.#values.length) {
      const larger = new BigUint64Array(this.#values.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#count++] = value
  }

  sorted(): BigUint64Array {
    return this.#values.subarray(0, this.#count).sort()
  }
}

/** Blocks in the order of the file: one that starts before its predecessor ends shares bytes with it. */
function reportShared(ordered: BigUint64Array, sizeBytes: number, check: BlockCheck): void {
  let previous: { readonly block: number; readonly offsetBytes: number } | undefined
  for (const packed of ordered) {
    const block = Number(packed & 0xffff_ffffn)
    const offsetBytes = Number(packed >> 32n) * VHD_SECTOR_SIZE_BYTES
    if (previous !== undefined && offsetBytes < previous.offsetBytes + sizeBytes) {
      const entryOffset = check.table.offsetBytes + block * BAT_ENTRY_SIZE_BYTES
      const message = `block ${block} and block ${previous.block} both claim byte ${offsetBytes}`
      check.findings.add('error', 'block-shared', entryOffset, message)
    }
    previous = { block, offsetBytes }
  }
}

/** In a dynamic disk a clear bit promises zeros; data under one is seen by some readers and not by others. */
async function checkBitmap(check: BlockCheck, block: number, offsetBytes: number): Promise<void> {
  const { source, findings, blockSizeBytes, virtualSizeBytes } = check
  const bits = await readBytes(source, offsetBytes, bitmapSizeBytes(blockSizeBytes))
  if (bits.every((byte) => byte === 0xff)) return
  const end = Math.min(blockSizeBytes, virtualSizeBytes - block * blockSizeBytes)
  for (let start = 0; start < end; start += MIB) {
    const piece = await readBytes(source, offsetBytes + bits.byteLength + start, Math.min(MIB, end - start))
    for (let at = 0; at < piece.byteLength; at += VHD_SECTOR_SIZE_BYTES) {
      const sector = (start + at) / VHD_SECTOR_SIZE_BYTES
      const isSet = (bits.readUInt8(sector >>> 3) & (0x80 >>> (sector & 7))) !== 0
      if (isSet || isZero(piece.subarray(at, at + VHD_SECTOR_SIZE_BYTES))) continue
      const message = `the bitmap of block ${block} hides data in its sector ${sector}`
      findings.add('error', 'bitmap-hides-data', offsetBytes + (sector >>> 3), message)
      return
    }
  }
}
