import { guidBytes } from '../guid.ts'
import { sealChecksum } from '../vhdx/header.ts'

const SECTOR_SIZE_BYTES = 4096

/** One update of an entry: 4096 bytes, or zeros of any number of sectors. */
export type LogUpdate =
  | { readonly offsetBytes: number; readonly bytes: Buffer }
  | { readonly offsetBytes: number; readonly zeroBytes: number }

export interface LogEntryRequest {
  readonly logId: string
  readonly sequence: bigint
  readonly tail: number
  readonly updates: readonly LogUpdate[]
  readonly flushedFileSizeBytes?: number
  readonly lastFileSizeBytes?: number
}

/** A log entry as a VHDX writer would leave it. */
export function encodeLogEntry(request: LogEntryRequest): Buffer {
  const { updates, sequence } = request
  const descriptorSectors = Math.ceil((64 + updates.length * 32) / SECTOR_SIZE_BYTES)
  const descriptors = Buffer.alloc(descriptorSectors * SECTOR_SIZE_BYTES)
  const sectors: Buffer[] = []
  for (const [index, update] of updates.entries()) {
    const descriptor = descriptors.subarray(64 + index * 32, 96 + index * 32)
    descriptor.writeBigUInt64LE(BigInt(update.offsetBytes), 16)
    descriptor.writeBigUInt64LE(sequence, 24)
    if ('zeroBytes' in update) {
      descriptor.write('zero', 'latin1')
      descriptor.writeBigUInt64LE(BigInt(update.zeroBytes), 8)
      continue
    }
    descriptor.write('desc', 'latin1')
    update.bytes.copy(descriptor, 4, 4092, 4096)
    update.bytes.copy(descriptor, 8, 0, 8)
    const sector = Buffer.from(update.bytes)
    sector.write('data', 'latin1')
    sector.writeUInt32LE(Number(sequence >> 32n), 4)
    sector.writeUInt32LE(Number(sequence & 0xffff_ffffn), 4092)
    sectors.push(sector)
  }
  const entry = Buffer.concat([descriptors, ...sectors])
  entry.write('loge', 'latin1')
  entry.writeUInt32LE(entry.byteLength, 8)
  entry.writeUInt32LE(request.tail, 12)
  entry.writeBigUInt64LE(sequence, 16)
  entry.writeUInt32LE(updates.length, 24)
  entry.set(guidBytes(request.logId, 'mixed'), 32)
  entry.writeBigUInt64LE(BigInt(request.flushedFileSizeBytes ?? 0), 48)
  entry.writeBigUInt64LE(BigInt(request.lastFileSizeBytes ?? 0), 56)
  return sealChecksum(entry, 4)
}

/** Puts an entry into the ring, around its end if need be; gives the offset behind it. */
export function putLogEntry(ring: Buffer, offset: number, entry: Buffer): number {
  const room = ring.byteLength - offset
  ring.set(entry.subarray(0, room), offset)
  ring.set(entry.subarray(room), 0)
  return (offset + entry.byteLength) % ring.byteLength
}
