import { randomBytes } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'

/** Makes an image a member of a mirror as mdadm does: a super block of version 1.2 at byte 4096, and all else as it was. */
export function writeRaidMember(image: string, name: string): void {
  const block = Buffer.alloc(256)
  block.writeUInt32LE(0xa92b_4efc, 0)
  block.writeUInt32LE(1, 4)
  block.set(randomBytes(16), 16)
  block.write(name, 32)
  block.writeUInt32LE(1, 72)
  block.writeUInt32LE(2, 92)
  block.writeBigUInt64LE(2048n, 128)
  block.writeBigUInt64LE(8n, 144)
  block.writeUInt32LE(checksumOf(block), 216)
  const file = openSync(image, 'r+')
  writeSync(file, block, 0, block.length, 4096)
  closeSync(file)
}

/** The sum of all words with the carry added, the field itself being zero. */
function checksumOf(block: Buffer): number {
  let sum = 0
  for (let at = 0; at < block.length; at += 4) sum += block.readUInt32LE(at)
  return ((sum % 2 ** 32) + Math.floor(sum / 2 ** 32)) >>> 0
}
