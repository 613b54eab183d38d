/**
 * Files and folders of an ext2, ext3 or ext4 by their paths, as far as it takes to see what a volume is for (kernel
 * documentation, "ext4 Data Structures and Algorithms", index nodes and directory entries). Little-endian. Indexed
 * folders read like others; what is encrypted, inline or behind more than one indirect block is not found.
 *
 *     inode   0 mode u16   4 size u32   32 flags u32 (0x80000: extents)   40 block map, 60 bytes
 *     extents 0 F30A u16   2 entries u16   6 depth u16, then 12 bytes an entry
 *       leaf    0 first block u32   4 length u16 (above 32768: not written)   6 start, high u16   8 start, low u32
 *       index   4 block, low u32   8 block, high u16
 *     entry   0 inode u32   4 length u16   6 name length u8   8 name
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import { blockGroups } from './block-groups.ts'
import type { SuperBlock } from './super-block.ts'

const rootInode = 2
const extentsFlag = 0x8_0000
const extentMagic = 0xf30a
const extentDepthMax = 5
const unwrittenLength = 32_768
const directBlocks = 12
const kindMask = 0xf000
const folderKind = 0x4000
const fileKind = 0x8000
/** Folders and files that are looked into are small; larger ones are damaged or made to mislead. */
const contentSizeMaxBytes = 16 * 1024 * 1024

interface Inode {
  readonly kind: 'file' | 'folder' | 'other'
  readonly sizeBytes: number
  readonly flags: number
  readonly map: Buffer
}

/** Blocks of a file one after another. */
interface Blocks {
  readonly first: number
  readonly end: number
}

/** The files of a volume. All methods throw DiskFailure where structures lie beyond its end. */
export class ExtTree {
  readonly #volume: ByteSource
  readonly #file: SuperBlock

  /** @param file must have possible groups */
  constructor(volume: ByteSource, file: SuperBlock) {
    this.#volume = volume
    this.#file = file
  }

  /** The names in a folder; undefined when there is no such folder. Links are not followed. */
  async list(path: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    const folder = await this.#find(path)
    if (folder?.kind !== 'folder') return undefined
    return new Set((await this.#entries(folder)).keys())
  }

  /** The first bytes of a file; undefined when there is no such file. Links are not followed. */
  async read(path: readonly string[], sizeMaxBytes: number): Promise<Buffer | undefined> {
    const file = await this.#find(path)
    if (file?.kind !== 'file') return undefined
    const sizeBytes = Math.min(file.sizeBytes, sizeMaxBytes)
    const blocks = await this.#blocks(file, Math.ceil(sizeBytes / this.#file.blockSizeBytes))
    return (await this.#readBlocks(blocks)).subarray(0, sizeBytes)
  }

  async #find(path: readonly string[]): Promise<Inode | undefined> {
    let inode = await this.#inode(rootInode)
    for (const name of path) {
      if (inode?.kind !== 'folder') return undefined
      const number = (await this.#entries(inode)).get(name)
      if (number === undefined) return undefined
      inode = await this.#inode(number)
    }
    return inode
  }

  async #inode(number: number): Promise<Inode | undefined> {
    const { inodesPerGroup, inodeSizeBytes, blockSizeBytes } = this.#file
    const group = Math.floor((number - 1) / inodesPerGroup)
    const { value } = await blockGroups(this.#volume, this.#file, group).next()
    if (value === undefined) return undefined
    const at = value.inodeTableBlock * blockSizeBytes + ((number - 1) % inodesPerGroup) * inodeSizeBytes
    const bytes = await readBytes(this.#volume, at, 128)
    const kind = bytes.readUInt16LE(0) & kindMask
    return {
      kind: kind === folderKind ? 'folder' : kind === fileKind ? 'file' : 'other',
      sizeBytes: bytes.readUInt32LE(4),
      flags: bytes.readUInt32LE(32),
      map: bytes.subarray(40, 100),
    }
  }

  async #entries(folder: Inode): Promise<ReadonlyMap<string, number>> {
    const { blockSizeBytes } = this.#file
    const names = new Map<string, number>()
    for (const block of await this.#blocks(folder, Math.ceil(folder.sizeBytes / blockSizeBytes))) {
      const bytes = await this.#readBlocks([block])
      for (let at = 0; at + 8 <= bytes.length; ) {
        const length = bytes.readUInt16LE(at + 4)
        const nameEnd = at + 8 + bytes.readUInt8(at + 6)
        if (nameEnd > at + length || at + length > bytes.length) break
        const inode = bytes.readUInt32LE(at)
        if (inode !== 0) names.set(bytes.toString('utf8', at + 8, nameEnd), inode)
        at += length
      }
    }
    return names
  }

  async #readBlocks(blocks: readonly number[]): Promise<Buffer> {
    const { blockSizeBytes } = this.#file
    const pieces = blocks.map((block) =>
      block === 0
        ? Buffer.alloc(blockSizeBytes)
        : readBytes(this.#volume, block * blockSizeBytes, blockSizeBytes),
    )
    return Buffer.concat(await Promise.all(pieces))
  }

  /** The first `count` blocks of a file, 0 for a hole. */
  async #blocks({ flags, map }: Inode, count: number): Promise<readonly number[]> {
    const blocks: number[] = Array(Math.min(count, contentSizeMaxBytes / this.#file.blockSizeBytes)).fill(0)
    const all = { first: 0, end: blocks.length }
    if ((flags & extentsFlag) !== 0) await this.#placeExtents(map, blocks, all, extentDepthMax)
    else await this.#placeMapped(map, blocks)
    return blocks
  }

  /** Each entry begins behind the one before and within its node: so a tree has no more of them than there are blocks. */
  async #placeExtents(node: Buffer, blocks: number[], within: Blocks, depthMax: number): Promise<void> {
    const depth = node.readUInt16LE(6)
    if (node.readUInt16LE(0) !== extentMagic || depth > depthMax) return
    const entries = Math.min(node.readUInt16LE(2), Math.floor(node.length / 12) - 1)
    let firstMin = within.first
    for (let entry = 1; entry <= entries; entry++) {
      const bytes = node.subarray(entry * 12, entry * 12 + 12)
      const first = bytes.readUInt32LE(0)
      if (first < firstMin || first >= within.end) return
      if (depth === 0) {
        placeRun(bytes, blocks)
      } else {
        const child = bytes.readUInt32LE(4) + bytes.readUInt16LE(8) * 2 ** 32
        const next = entry < entries ? node.readUInt32LE((entry + 1) * 12) : within.end
        const inside = { first, end: Math.min(next, within.end) }
        await this.#placeExtents(await this.#readBlocks([child]), blocks, inside, depth - 1)
      }
      firstMin = first + 1
    }
  }

  /** Twelve blocks, and those that one more block lists. */
  async #placeMapped(map: Buffer, blocks: number[]): Promise<void> {
    for (let at = 0; at < Math.min(directBlocks, blocks.length); at++) blocks[at] = map.readUInt32LE(at * 4)
    const listBlock = map.readUInt32LE(directBlocks * 4)
    if (blocks.length <= directBlocks || listBlock === 0) return
    const list = await this.#readBlocks([listBlock])
    const end = Math.min(blocks.length, directBlocks + list.length / 4)
    for (let at = directBlocks; at < end; at++) blocks[at] = list.readUInt32LE((at - directBlocks) * 4)
  }
}

function placeRun(leaf: Buffer, blocks: number[]): void {
  const first = leaf.readUInt32LE(0)
  const length = leaf.readUInt16LE(4)
  if (length > unwrittenLength) return
  const start = leaf.readUInt32LE(8) + leaf.readUInt16LE(6) * 2 ** 32
  for (let at = 0; at < length && first + at < blocks.length; at++) blocks[first + at] = start + at
}
