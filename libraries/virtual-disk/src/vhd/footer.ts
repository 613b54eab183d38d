/**
 * The footer, 512 bytes, last in every VHD and copied to the front of dynamic ones:
 *
 *     0   "conectix"
 *     8   features u32 = 2           12  version u32 = 0x00010000
 *     16  offset of the dynamic header u64, all ones for a fixed disk
 *     24  seconds since 2000         28  creator            32  its version       36  its system
 *     40  original size u64          48  current size u64   56  cylinders u16, heads u8, sectors u8
 *     60  type u32                   64  checksum u32       68  unique id
 *     84  saved state u8             85  zeros
 */
import { DiskFailure } from '../failure.ts'
import { guidBytes, readGuid } from '../guid.ts'
import type { Geometry } from './geometry.ts'
import { FOOTER_SIZE_BYTES } from './layout.ts'

/** The first eight bytes ("Cookie" in the specification). */
export const FOOTER_MAGIC = 'conectix'
const VERSION = 0x0001_0000
/** The one feature bit that is always set. */
const FEATURES = 2
/** That one, and bit 0 of disks that may be deleted when the machine stops. */
export const VHD_FEATURES_KNOWN = 3
const NO_OFFSET = 0xffff_ffff_ffff_ffffn
const CHECKSUM_OFFSET = 64

/**
 * Readers trust the size of a disk made by "win " and compute that of unknown creators from the geometry,
 * which cuts off the end of most disks. So we sign as Windows does.
 */
const CREATOR = 'win '
const CREATOR_VERSION = 0x000a_0000
const CREATOR_SYSTEM = 'Wi2k'

/** VHD counts seconds from 2000-01-01T00:00:00Z. */
const EPOCH_SECONDS = 946_684_800

/** What a time is stored as; negative or beyond 32 bits for one that a VHD cannot say. */
export function timestampOf(time: Date): number {
  return Math.floor(time.getTime() / 1000) - EPOCH_SECONDS
}

/** The time that a timestamp stands for. */
export function timeOfTimestamp(seconds: number): Date {
  return new Date((seconds + EPOCH_SECONDS) * 1000)
}

/** The field "Disk Type". */
export const vhdTypes = { fixed: 2, dynamic: 3, differencing: 4 } as const
/** How a VHD stores its blocks. */
export type VhdType = keyof typeof vhdTypes

/** A footer, decoded. The timestamp counts from 2000-01-01T00:00:00Z. */
export interface VhdFooter {
  readonly type: VhdType
  /** Undefined for a fixed disk. */
  readonly dynamicHeaderOffsetBytes: number | undefined
  readonly timestampSeconds: number
  readonly creator: string
  readonly sizeBytes: number
  readonly geometry: Geometry
  readonly uniqueId: string
}

/** 512 bytes, big-endian, with the checksum. */
export function encodeFooter(footer: Omit<VhdFooter, 'creator'>): Buffer {
  const bytes = Buffer.alloc(FOOTER_SIZE_BYTES)
  const { dynamicHeaderOffsetBytes, sizeBytes, geometry } = footer
  bytes.write(FOOTER_MAGIC, 0, 'latin1')
  bytes.writeUInt32BE(FEATURES, 8)
  bytes.writeUInt32BE(VERSION, 12)
  bytes.writeBigUInt64BE(
    dynamicHeaderOffsetBytes === undefined ? NO_OFFSET : BigInt(dynamicHeaderOffsetBytes),
    16,
  )
  bytes.writeUInt32BE(footer.timestampSeconds, 24)
  bytes.write(CREATOR, 28, 'latin1')
  bytes.writeUInt32BE(CREATOR_VERSION, 32)
  bytes.write(CREATOR_SYSTEM, 36, 'latin1')
  bytes.writeBigUInt64BE(BigInt(sizeBytes), 40)
  bytes.writeBigUInt64BE(BigInt(sizeBytes), 48)
  bytes.writeUInt16BE(geometry.cylinders, 56)
  bytes.writeUInt8(geometry.heads, 58)
  bytes.writeUInt8(geometry.sectorsPerTrack, 59)
  bytes.writeUInt32BE(vhdTypes[footer.type], 60)
  bytes.set(guidBytes(footer.uniqueId, 'printed'), 68)
  bytes.writeUInt32BE(vhdChecksum(bytes, CHECKSUM_OFFSET), CHECKSUM_OFFSET)
  return bytes
}

/** Reads a footer, refusing one that is damaged, of another version, or of a type that was never used. */
export function decodeFooter(bytes: Buffer, offsetBytes: number): VhdFooter {
  if (bytes.toString('latin1', 0, 8) !== FOOTER_MAGIC) {
    throw new DiskFailure('corrupt', 'no VHD footer', offsetBytes)
  }
  if (vhdChecksum(bytes, CHECKSUM_OFFSET) !== bytes.readUInt32BE(CHECKSUM_OFFSET)) {
    throw new DiskFailure('checksum-mismatch', 'the VHD footer has a wrong checksum', offsetBytes)
  }
  if (bytes.readUInt16BE(12) !== VERSION >>> 16) {
    throw new DiskFailure('unsupported', 'the VHD has another version than 1', offsetBytes)
  }
  const type = typeOf(bytes.readUInt32BE(60))
  if (type === undefined) {
    throw new DiskFailure('unsupported', `VHD disk type ${bytes.readUInt32BE(60)} is unknown`, offsetBytes)
  }
  const headerOffset = bytes.readBigUInt64BE(16)
  return {
    type,
    dynamicHeaderOffsetBytes: headerOffset === NO_OFFSET ? undefined : Number(headerOffset),
    timestampSeconds: bytes.readUInt32BE(24),
    creator: bytes.toString('latin1', 28, 32),
    sizeBytes: Number(bytes.readBigUInt64BE(48)),
    geometry: {
      cylinders: bytes.readUInt16BE(56),
      heads: bytes.readUInt8(58),
      sectorsPerTrack: bytes.readUInt8(59),
    },
    uniqueId: readGuid(bytes, 68, 'printed'),
  }
}

function typeOf(stored: number): VhdType | undefined {
  if (stored === vhdTypes.fixed) return 'fixed'
  if (stored === vhdTypes.dynamic) return 'dynamic'
  return stored === vhdTypes.differencing ? 'differencing' : undefined
}

/** One's complement of the sum of all bytes but the checksum's own four (specification, "Checksum"). */
export function vhdChecksum(bytes: Buffer, checksumOffset: number): number {
  let sum = 0
  for (const byte of bytes) sum += byte
  for (const byte of bytes.subarray(checksumOffset, checksumOffset + 4)) sum -= byte
  return ~sum >>> 0
}
