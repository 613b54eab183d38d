/**
 * LUKS 1 and 2 (cryptsetup, "LUKS On-Disk Format Specification"), big-endian.
 *
 *     0 "LUKS" BA BE   6 version u16   24 label, 48 bytes (LUKS 2)   168 UUID, 40 letters
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import type { FileSystemFacts } from './facts.ts'
import { textUpToZero } from './superblock-fields.ts'

const magic = Buffer.from('4c554b53babe', 'hex')

/** An encrypted volume: nothing can be told of what is in it. */
export async function recogniseLuks(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  const header = await readBytes(volume, 0, 512)
  if (!header.subarray(0, magic.length).equals(magic)) return undefined
  return {
    name: 'luks',
    label: header.readUInt16BE(6) === 2 ? textUpToZero(header.subarray(24, 72)) : '',
    id: textUpToZero(header.subarray(168, 208)),
    usedBytes: undefined,
  }
}
