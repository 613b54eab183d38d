import { randomBytes } from 'node:crypto'
import { closeSync, openSync, statSync, writeSync } from 'node:fs'

const magic = 0xa92b_4efc

/** Levels of RAID, as Linux numbers them. */
export const raidLevels = { mirror: 1, parity: 5 } as const

type Level = (typeof raidLevels)[keyof typeof raidLevels]

/** Makes an image a member of a mirror as mdadm does: a super block of version 1.2 at byte 4096, and all else as it was. */
export function writeRaidMember(image: string, name: string): void {
  writeBlock(image, 4096, superBlock1(4096, raidLevels.mirror, name))
}

/** Makes an image a member with its super block at the end, and all else as it was. */
export function writeRaidMemberAtEnd(image: string, version: '1.0' | '0.90', level: Level): void {
  const { size } = statSync(image)
  if (version === '1.0') {
    const offsetBytes = Math.floor((size - 8192) / 4096) * 4096
    writeBlock(image, offsetBytes, superBlock1(offsetBytes, level, 'here:files'))
  } else writeBlock(image, Math.floor(size / 65_536 - 1) * 65_536, superBlock0(level))
}

function superBlock1(offsetBytes: number, level: Level, name: string): Buffer {
  const block = Buffer.alloc(256)
  block.writeUInt32LE(magic, 0)
  block.writeUInt32LE(1, 4)
  block.set(randomBytes(16), 16)
  block.write(name, 32)
  block.writeInt32LE(level, 72)
  block.writeUInt32LE(2, 92)
  block.writeBigUInt64LE(2048n, 128)
  block.writeBigUInt64LE(BigInt(offsetBytes / 512), 144)
  block.writeUInt32LE(checksumOf(block), 216)
  return block
}

function superBlock0(level: Level): Buffer {
  const block = Buffer.alloc(4096)
  block.writeUInt32LE(magic, 0)
  block.writeUInt32LE(90, 8)
  block.set(randomBytes(4), 20)
  block.writeInt32LE(level, 28)
  block.set(randomBytes(12), 52)
  block.writeUInt32LE(checksumOf(block), 152)
  return block
}

function writeBlock(image: string, offsetBytes: number, block: Buffer): void {
  const file = openSync(image, 'r+')
  writeSync(file, block, 0, block.length, offsetBytes)
  closeSync(file)
}

/** The sum of all words with the carry added, the field itself being zero. */
function checksumOf(block: Buffer): number {
  let sum = 0
  for (let at = 0; at < block.length; at += 4) sum += block.readUInt32LE(at)
  return ((sum % 2 ** 32) + Math.floor(sum / 2 ** 32)) >>> 0
}
