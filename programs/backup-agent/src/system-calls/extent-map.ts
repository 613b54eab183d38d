/**
 * Where the blocks of a file lie, told by FS_IOC_FIEMAP (`Documentation/filesystems/fiemap.rst` of Linux):
 *
 *     struct fiemap         u64 start  u64 length  u32 flags  u32 mapped extents  u32 room for extents  u32 reserved
 *     struct fiemap_extent  u64 logical  u64 physical  u64 length  u64 reserved ×2  u32 flags  u32 reserved ×3
 *
 * Numbers are in the order of the machine. On XFS a place is one on the disk, on btrfs one in the space of addresses that it spreads over
 * its disks; either way two files with the same place there have the same block, as long as nothing is compressed, inline or otherwise
 * special, which the flags say.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, statfs } from 'node:fs/promises'
import type { Extent } from '@palisade/virtual-disk'
import { fileSystems } from './file-system-types.ts'
import { type LinuxFileCalls, linuxFileCalls } from './linux-files.ts'

/** `_IOWR('f', 11, struct fiemap)`. */
const mapRequest = 0xc020660b
/** `_IOR('X', 31, struct fsxattr)`, whose first word is flags. */
const attributesRequest = 0x801c581f
const attributesSizeBytes = 28
/** Of a file on the real-time device of an XFS, whose places are not those of other files. */
const realTimeFlag = 1

/** What is still in memory is written first, so that everything has its place. */
const syncFlag = 1
const headSizeBytes = 32
const extentSizeBytes = 56
/** How many extents are asked for at once. */
const portionExtents = 2048

/** Flags of an extent: the last of its file, and one whose blocks other files have as well. The others say what cannot be compared. */
export const extentFlags = { last: 0x1, shared: 0x2000 } as const

/** A part of a file whose blocks lie one behind another. */
export interface MappedExtent extends Extent {
  /** Where the first of them lies. */
  readonly placeBytes: number
  readonly flags: number
}

/** A part of a map: everything from where it was asked for up to `knownTo` that is in no extent is a hole. */
export interface MapPart {
  /** In order, not overlapping; the first may begin before what was asked for and the last end behind it. */
  readonly extents: readonly MappedExtent[]
  readonly knownTo: number
}

/** The map of one file. */
export interface ExtentMap {
  /**
   * Asks for a part of the file; what comes may be shorter, and is never empty.
   *
   * @throws Error when the file system does not tell
   */
  read(from: number, to: number): MapPart
}

/** A map of a file that is open until it is closed. */
export interface OpenExtentMap extends ExtentMap {
  close(): Promise<void>
}

/** Whether a file system's maps are understood here: others may count places on several disks, or not count blocks at all. */
export async function knowsPlaces(folder: string): Promise<boolean> {
  const { type } = await statfs(folder)
  return (type === fileSystems.xfs || type === fileSystems.btrfs) && (await linuxFileCalls()) !== undefined
}

/**
 * Opens the map of a file.
 *
 * @throws Error when the file is on another file system than {@link knowsPlaces} allows, or has places of its own
 */
export async function openExtentMap(path: string): Promise<OpenExtentMap> {
  const calls = (await knowsPlaces(path)) ? await linuxFileCalls() : undefined
  if (calls === undefined) throw new Error('its file system is not asked where blocks lie')
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is no file')
    await file.sync()
    refuseRealTime(calls, file)
  } catch (error) {
    await file.close()
    throw error
  }
  const portion = new Portion()
  return { read: (from, to) => portion.read(calls, file, from, to), close: () => file.close() }
}

function refuseRealTime(calls: LinuxFileCalls, { fd }: FileHandle): void {
  const attributes = new Uint32Array(attributesSizeBytes / Uint32Array.BYTES_PER_ELEMENT)
  const refused = calls.control(fd, attributesRequest, new Uint8Array(attributes.buffer))
  if (refused !== undefined)
    throw new Error(`the attributes of the file are not told (errno ${refused.errno})`)
  if (((attributes[0] ?? 0) & realTimeFlag) !== 0) throw new Error('it is on a real-time device')
}

/** The memory of one request, used again and again. */
class Portion {
  readonly #memory = new Uint8Array(headSizeBytes + portionExtents * extentSizeBytes)
  readonly #longs = new BigUint64Array(this.#memory.buffer)
  readonly #words = new Uint32Array(this.#memory.buffer)

  read(calls: LinuxFileCalls, { fd }: FileHandle, from: number, to: number): MapPart {
    this.#memory.fill(0, 0, headSizeBytes)
    this.#longs[0] = BigInt(from)
    this.#longs[1] = BigInt(to - from)
    this.#words[4] = syncFlag
    this.#words[6] = portionExtents
    const refused = calls.control(fd, mapRequest, this.#memory)
    if (refused !== undefined) throw new Error(`the map of a file is not told (errno ${refused.errno})`)
    const count = this.#words[5] ?? 0
    const extents = Array.from({ length: count }, (_none, index) => this.#extent(index))
    if (!isInOrder(extents)) throw new Error('the map of a file is not in order')
    const last = extents.at(-1)
    const isCut = count === portionExtents && last !== undefined && (last.flags & extentFlags.last) === 0
    const knownTo = isCut ? Math.min(to, last.offsetBytes + last.sizeBytes) : to
    if (knownTo <= from) throw new Error('the map of a file does not go on')
    return { extents, knownTo }
  }

  #extent(index: number): MappedExtent {
    const at = headSizeBytes + index * extentSizeBytes
    const long = at / BigUint64Array.BYTES_PER_ELEMENT
    return {
      offsetBytes: Number(this.#longs[long]),
      placeBytes: Number(this.#longs[long + 1]),
      sizeBytes: Number(this.#longs[long + 2]),
      flags: this.#words[at / Uint32Array.BYTES_PER_ELEMENT + 10] ?? 0,
    }
  }
}

function isInOrder(extents: readonly MappedExtent[]): boolean {
  return extents.every(({ offsetBytes, sizeBytes }, index) => {
    const before = extents[index - 1]
    return sizeBytes > 0 && (before === undefined || before.offsetBytes + before.sizeBytes <= offsetBytes)
  })
}
