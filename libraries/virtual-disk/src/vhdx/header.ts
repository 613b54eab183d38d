/**
 * A header, 4096 bytes:
 *
 *     "head" | CRC-32C u32 | sequence number u64 | FileWriteGuid | DataWriteGuid | LogGuid
 *     | log version u16 = 0 | version u16 = 1 | log length u32 | log offset u64 | zeros
 *
 * The CRC covers all 4096 bytes with its own field zero.
 */
import { crc32c } from '../crc32c.ts'
import { DiskFailure } from '../failure.ts'
import { guidBytes, readGuid } from '../guid.ts'
import { HEADER_SIZE_BYTES } from './layout.ts'

const MAGIC = 'head'
const VERSION = 1
const field = {
  checksum: 4,
  sequence: 8,
  fileWriteId: 16,
  dataWriteId: 32,
  logId: 48,
  logVersion: 64,
  version: 66,
  logSize: 68,
  logOffset: 72,
} as const

/** One of the two headers, decoded; the one with the higher sequence counts. */
export interface VhdxHeader {
  readonly sequence: bigint
  readonly fileWriteId: string
  readonly dataWriteId: string
  /** All zero when the log is empty. */
  readonly logId: string
  readonly logVersion: number
  readonly logOffsetBytes: number
  readonly logSizeBytes: number
}

/** 4 KiB with their CRC-32C. */
export function encodeHeader(header: VhdxHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_SIZE_BYTES)
  bytes.write(MAGIC, 'latin1')
  bytes.writeBigUInt64LE(header.sequence, field.sequence)
  bytes.set(guidBytes(header.fileWriteId, 'mixed'), field.fileWriteId)
  bytes.set(guidBytes(header.dataWriteId, 'mixed'), field.dataWriteId)
  bytes.set(guidBytes(header.logId, 'mixed'), field.logId)
  bytes.writeUInt16LE(header.logVersion, field.logVersion)
  bytes.writeUInt16LE(VERSION, field.version)
  bytes.writeUInt32LE(header.logSizeBytes, field.logSize)
  bytes.writeBigUInt64LE(BigInt(header.logOffsetBytes), field.logOffset)
  return sealChecksum(bytes, field.checksum)
}

/** Reads a header, refusing one that is damaged or of another version. */
export function decodeHeader(bytes: Buffer, offsetBytes: number): VhdxHeader {
  if (bytes.toString('latin1', 0, 4) !== MAGIC) {
    throw new DiskFailure('corrupt', 'no VHDX header', offsetBytes)
  }
  if (!hasGoodChecksum(bytes, field.checksum)) {
    throw new DiskFailure('checksum-mismatch', 'the VHDX header has a wrong checksum', offsetBytes)
  }
  if (bytes.readUInt16LE(field.version) !== VERSION) {
    throw new DiskFailure('unsupported', 'the VHDX header has another version than 1', offsetBytes)
  }
  return {
    sequence: bytes.readBigUInt64LE(field.sequence),
    fileWriteId: readGuid(bytes, field.fileWriteId, 'mixed'),
    dataWriteId: readGuid(bytes, field.dataWriteId, 'mixed'),
    logId: readGuid(bytes, field.logId, 'mixed'),
    logVersion: bytes.readUInt16LE(field.logVersion),
    logOffsetBytes: Number(bytes.readBigUInt64LE(field.logOffset)),
    logSizeBytes: bytes.readUInt32LE(field.logSize),
  }
}

/** Stores the CRC-32C of a structure in its checksum field, which must still be zero. */
export function sealChecksum(bytes: Buffer, checksumOffset: number): Buffer {
  bytes.writeUInt32LE(crc32c(bytes), checksumOffset)
  return bytes
}

/** Whether a structure's checksum is that of its bytes with the field zero. */
export function hasGoodChecksum(bytes: Buffer, checksumOffset: number): boolean {
  const before = crc32c(bytes.subarray(0, checksumOffset))
  const withZero = crc32c(Buffer.alloc(4), before)
  return crc32c(bytes.subarray(checksumOffset + 4), withZero) === bytes.readUInt32LE(checksumOffset)
}
