import { randomBytes } from 'node:crypto'
import { open, readFile, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@palisade/log'
import { describe } from '@palisade/start-up'
import { probeName } from '../destinations/file-names.ts'

/** What matters of the file system and the device that a folder is on. */
export interface FolderFacts {
  /** What the device writes at least; undefined where that cannot be told. */
  readonly sectorSizeBytes?: number
  /** FAT, FAT32 or exFAT. */
  readonly isFat: boolean
  /** Zeros that are written take no room, or less: files are sparse or compressed by themselves. */
  readonly leavesOutZeros: boolean
}

/** Numbers of Linux's statfs for FAT in all its sizes, and for exFAT. */
const fatTypes = new Set([0x4d44, 0x2011_bab0])
const probeSizeBytes = 1024 * 1024

/**
 * Looks at a folder of this computer that is there and can be written to. On Windows the kind of file system and the
 * sectors are not told.
 */
export async function folderFacts(path: string, log: Log): Promise<FolderFacts> {
  const { type } = await statfs(path)
  const sectorSizeBytes = await sectorSizeOf(path)
  return {
    isFat: fatTypes.has(type),
    leavesOutZeros: await leavesOutZeros(path, log),
    ...(sectorSizeBytes === undefined ? {} : { sectorSizeBytes }),
  }
}

/** Of the disk, or the partition's disk, that a folder is on, as Linux says it. */
async function sectorSizeOf(path: string): Promise<number | undefined> {
  const { dev } = await stat(path)
  // As glibc's gnu_dev_major and gnu_dev_minor take a number apart.
  const major = (dev >>> 8) & 0xfff
  const minor = (dev & 0xff) | ((dev >>> 12) & 0xfff00)
  const device = `/sys/dev/block/${major}:${minor}`
  for (const place of [device, join(device, '..')]) {
    const text = await readFile(`${place}/queue/logical_block_size`, 'utf8').catch(() => undefined)
    if (text !== undefined) return Number(text)
  }
  return undefined
}

/**
 * Whether zeros that were written take less room than they are long. First something that cannot be left out is written, so
 * that a file system which says nothing of the room that files take is not misunderstood.
 */
async function leavesOutZeros(folder: string, log: Log): Promise<boolean> {
  try {
    const noise = await roomOf(folder, randomBytes(probeSizeBytes))
    return noise >= probeSizeBytes && (await roomOf(folder, Buffer.alloc(probeSizeBytes))) < probeSizeBytes
  } catch (error) {
    log.warn({ folder }, `cannot find out whether the folder stores zeros: ${describe(error)}`)
    return false
  }
}

/** How many bytes of its device a file with this content takes. */
async function roomOf(folder: string, content: Buffer): Promise<number> {
  const path = join(folder, probeName())
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
    return (await file.stat()).blocks * 512
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}
