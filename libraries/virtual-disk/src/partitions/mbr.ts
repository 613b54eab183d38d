/**
 * The master boot record: the first 512 bytes of a disk.
 *
 *     0    boot code, 440 bytes
 *     440  disk signature, u32, by which Windows tells disks apart
 *     444  zero, u16
 *     446  four entries of 16 bytes
 *     510  55 AA
 *
 *     entry: status u8 (80 = active) | first CHS | type u8 | last CHS | first sector u32 | sector count u32
 *
 * All numbers are little-endian. An extended boot record has the same shape and uses two entries and no status; what
 * stands in the other two is often garbage.
 */
import { DiskFailure } from '../failure.ts'

/** One sector of 512 bytes, also on disks with larger ones. */
export const MBR_SIZE_BYTES = 512
/** In front of the disk signature. */
export const BOOT_CODE_SIZE_BYTES = 440
const SIGNATURE_OFFSET = 440
const ENTRIES_OFFSET = 446
const ENTRY_SIZE_BYTES = 16
const MARK_OFFSET = 510
const MARK = 0xaa55

/** The type of the entry that protects a GPT. */
export const PROTECTIVE_TYPE = 0xee

/** The types that hold logical drives: CHS, LBA and Linux. */
const extendedTypes: readonly number[] = [0x05, 0x0f, 0x85]

/** A partition; sectors are counted from the start of the disk, or of the boot record that has the entry. */
export interface MbrEntry {
  readonly active: boolean
  readonly type: number
  readonly firstSector: number
  readonly sectorCount: number
}

/** The disk signature and the four entries of an MBR or an extended boot record. */
export interface BootRecord {
  readonly signature: number
  /** Undefined where the type or the sector count is zero. */
  readonly entries: readonly (MbrEntry | undefined)[]
}

/** Whether a type holds logical drives: CHS, LBA or Linux. */
export function isExtended(type: number): boolean {
  return extendedTypes.includes(type)
}

/** 512 bytes that end with 55h AAh; `bootCode` has 440 at most. */
export function encodeBootRecord(record: BootRecord, bootCode?: Uint8Array): Buffer {
  const bytes = Buffer.alloc(MBR_SIZE_BYTES)
  if (bootCode !== undefined) bytes.set(bootCode)
  bytes.writeUInt32LE(record.signature, SIGNATURE_OFFSET)
  record.entries.forEach((entry, slot) => {
    if (entry !== undefined) encodeEntry(entry, bytes, ENTRIES_OFFSET + slot * ENTRY_SIZE_BYTES)
  })
  bytes.writeUInt16LE(MARK, MARK_OFFSET)
  return bytes
}

function encodeEntry(entry: MbrEntry, bytes: Buffer, at: number): void {
  bytes.writeUInt8(entry.active ? 0x80 : 0, at)
  bytes.set(cylinderHeadSector(entry.firstSector, entry.type), at + 1)
  bytes.writeUInt8(entry.type, at + 4)
  bytes.set(cylinderHeadSector(entry.firstSector + entry.sectorCount - 1, entry.type), at + 5)
  bytes.writeUInt32LE(entry.firstSector, at + 8)
  bytes.writeUInt32LE(entry.sectorCount, at + 12)
}

/**
 * The address as a BIOS of 255 heads and 63 sectors sees it: head, sector (from 1) with the cylinder's two
 * high bits, cylinder. Beyond cylinder 1023 it cannot be said; the markers are those of Windows and UEFI.
 */
function cylinderHeadSector(sector: number, type: number): readonly number[] {
  const cylinder = Math.floor(sector / (255 * 63))
  if (cylinder > 1023) return type === PROTECTIVE_TYPE ? [0xff, 0xff, 0xff] : [0xfe, 0xff, 0xff]
  const head = Math.floor(sector / 63) % 255
  return [head, ((cylinder >> 8) << 6) | ((sector % 63) + 1), cylinder & 0xff]
}

/** Whether the bytes end in 55 AA, as every boot record and most file systems' boot sectors do. */
export function hasBootMark(sector: Buffer): boolean {
  return sector.readUInt16LE(MARK_OFFSET) === MARK
}

/** Reads the boot record of a disk, refusing one without 55 AA or with a status byte other than 00 and 80. */
export function decodeBootRecord(sector: Buffer): BootRecord {
  requireBootMark(sector, 0)
  const entries = [0, 1, 2, 3].map((slot) => {
    const at = ENTRIES_OFFSET + slot * ENTRY_SIZE_BYTES
    const status = sector.readUInt8(at)
    if (status !== 0 && status !== 0x80)
      throw new DiskFailure('corrupt', `boot record entry ${slot + 1} has status ${status}`, at)
    return decodeEntry(sector, slot)
  })
  return { signature: sector.readUInt32LE(SIGNATURE_OFFSET), entries }
}

/** Reads the two entries of an extended boot record, which is at `offsetBytes`; refuses one without 55 AA. */
export function decodeExtendedRecord(sector: Buffer, offsetBytes: number): BootRecord['entries'] {
  requireBootMark(sector, offsetBytes)
  return [0, 1].map((slot) => decodeEntry(sector, slot))
}

function requireBootMark(sector: Buffer, offsetBytes: number): void {
  if (!hasBootMark(sector)) throw new DiskFailure('corrupt', 'boot record without 55 AA', offsetBytes)
}

function decodeEntry(sector: Buffer, slot: number): MbrEntry | undefined {
  const at = ENTRIES_OFFSET + slot * ENTRY_SIZE_BYTES
  const type = sector.readUInt8(at + 4)
  const sectorCount = sector.readUInt32LE(at + 12)
  if (type === 0 || sectorCount === 0) return undefined
  const active = sector.readUInt8(at) === 0x80
  return { active, type, firstSector: sector.readUInt32LE(at + 8), sectorCount }
}

/** Whether the sector opens with the parameter block of NTFS, exFAT or FAT rather than with boot code. */
export function isFileSystemBootSector(sector: Buffer): boolean {
  const oem = sector.toString('latin1', 3, 11)
  if (oem === 'NTFS    ' || oem === 'EXFAT   ') return true
  return sector.toString('latin1', 54, 57) === 'FAT' || sector.toString('latin1', 82, 85) === 'FAT'
}
