/**
 * The header of a dynamic or differencing disk, 1024 bytes:
 *
 *     0   "cxsparse"            8   all ones u64          16  table offset u64
 *     24  version u32           28  table entries u32     32  block size u32      36  checksum u32
 *     40  parent's unique id    56  parent's time u32     60  zero u32
 *     64  parent's name, 256 UTF-16BE units
 *     576 eight parent locators of 24 bytes               768 zeros
 *
 *     locator: platform code | data space u32 | data length u32 | zero u32 | data offset u64
 *
 * The specification's text gives the first offset 32 bits; files have 64.
 */
import { DiskFailure } from '../failure.ts'
import { readGuid } from '../guid.ts'
import { vhdChecksum } from './footer.ts'
import { DYNAMIC_HEADER_SIZE_BYTES } from './layout.ts'

/** The first eight bytes ("Cookie" in the specification). */
export const DYNAMIC_HEADER_MAGIC = 'cxsparse'
const VERSION = 0x0001_0000
const NO_OFFSET = 0xffff_ffff_ffff_ffffn
const CHECKSUM_OFFSET = 36
const NAME_OFFSET = 64
const NAME_SIZE_BYTES = 512
const LOCATORS_OFFSET = 576
const LOCATOR_COUNT = 8
const LOCATOR_SIZE_BYTES = 24

/** Where a path to the parent lies in the file. */
export interface ParentLocator {
  /** Four characters: `W2ru` and `W2ku` are relative and absolute Windows paths, `MacX` is a file URL. */
  readonly platform: string
  readonly offsetBytes: number
  readonly sizeBytes: number
}

/** The header of a dynamic or differencing disk, decoded. */
export interface DynamicHeader {
  readonly tableOffsetBytes: number
  readonly tableEntryCount: number
  readonly blockSizeBytes: number
  /** All zero unless the disk is differencing. */
  readonly parentId: string
  readonly parentName: string
  readonly parentLocators: readonly ParentLocator[]
}

/** The header of a disk without a parent. */
export function encodeDynamicHeader(
  header: Pick<DynamicHeader, 'tableOffsetBytes' | 'tableEntryCount' | 'blockSizeBytes'>,
): Buffer {
  const bytes = Buffer.alloc(DYNAMIC_HEADER_SIZE_BYTES)
  bytes.write(DYNAMIC_HEADER_MAGIC, 0, 'latin1')
  bytes.writeBigUInt64BE(NO_OFFSET, 8)
  bytes.writeBigUInt64BE(BigInt(header.tableOffsetBytes), 16)
  bytes.writeUInt32BE(VERSION, 24)
  bytes.writeUInt32BE(header.tableEntryCount, 28)
  bytes.writeUInt32BE(header.blockSizeBytes, 32)
  bytes.writeUInt32BE(vhdChecksum(bytes, CHECKSUM_OFFSET), CHECKSUM_OFFSET)
  return bytes
}

/** Reads a dynamic header, refusing one that is damaged, of another version or of an impossible block size. */
export function decodeDynamicHeader(bytes: Buffer, offsetBytes: number): DynamicHeader {
  if (bytes.toString('latin1', 0, 8) !== DYNAMIC_HEADER_MAGIC) {
    throw new DiskFailure('corrupt', 'no dynamic VHD header', offsetBytes)
  }
  if (vhdChecksum(bytes, CHECKSUM_OFFSET) !== bytes.readUInt32BE(CHECKSUM_OFFSET)) {
    throw new DiskFailure('checksum-mismatch', 'the dynamic VHD header has a wrong checksum', offsetBytes)
  }
  if (bytes.readUInt16BE(24) !== VERSION >>> 16) {
    throw new DiskFailure('unsupported', 'the dynamic VHD header has another version than 1', offsetBytes)
  }
  const blockSizeBytes = bytes.readUInt32BE(32)
  if (blockSizeBytes < 512 || !Number.isInteger(Math.log2(blockSizeBytes))) {
    throw new DiskFailure('corrupt', `a VHD block cannot have ${blockSizeBytes} bytes`, offsetBytes)
  }
  return {
    tableOffsetBytes: Number(bytes.readBigUInt64BE(16)),
    tableEntryCount: bytes.readUInt32BE(28),
    blockSizeBytes,
    parentId: readGuid(bytes, 40, 'printed'),
    parentName: decodeName(bytes.subarray(NAME_OFFSET, NAME_OFFSET + NAME_SIZE_BYTES)),
    parentLocators: decodeLocators(bytes),
  }
}

/** UTF-16BE up to the first zero. */
export function decodeName(bytes: Buffer): string {
  const text = Buffer.from(bytes.subarray(0, bytes.byteLength & ~1))
    .swap16()
    .toString('utf16le')
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

function decodeLocators(bytes: Buffer): ParentLocator[] {
  return Array.from({ length: LOCATOR_COUNT }, (_, index) => {
    const at = LOCATORS_OFFSET + index * LOCATOR_SIZE_BYTES
    return {
      platform: bytes.toString('latin1', at, at + 4),
      sizeBytes: bytes.readUInt32BE(at + 8),
      offsetBytes: Number(bytes.readBigUInt64BE(at + 16)),
    }
  }).filter((locator) => locator.platform !== '\0\0\0\0')
}
