import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { type ByteSource, openDisk, openFile, readPartitionTable } from '@palisade/virtual-disk'
import type { FileDigest } from './image.ts'

const mebibyte = 2 ** 20

/**
 * Holds a restored disk against what was backed up: the bytes of its first partition, read by our reader, and
 * where qemu-img is installed its check of the file.
 *
 * @returns what was found, in sentences; throws when something is wrong
 */
export async function checkDisk(file: string, original: FileDigest): Promise<string[]> {
  const source = await openFile(file)
  try {
    const disk = await openDisk(source)
    const { scheme, partitions } = await readPartitionTable(disk)
    const [partition] = partitions
    if (!partition) throw new Error(`${file} holds no partition`)
    const digest = await digestOfRange(disk, partition.offsetBytes, original.sizeBytes)
    if (digest !== original.digest) throw new Error(`${file} is not what was backed up`)
    return [
      `${file}: ${source.sizeBytes / mebibyte} MiB, ${scheme.toUpperCase()}, partition 1 at ${partition.offsetBytes}`,
      `its volume and the original have the same SHA-256: ${digest.slice(0, 16)}…`,
      checkWithQemu(file),
    ]
  } finally {
    await source.close()
  }
}

async function digestOfRange(source: ByteSource, offsetBytes: number, sizeBytes: number): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(mebibyte)
  for (let at = 0; at < sizeBytes; at += buffer.length) {
    const piece = buffer.subarray(0, Math.min(buffer.length, sizeBytes - at))
    await source.read(piece, offsetBytes + at)
    hash.update(piece)
  }
  return hash.digest('hex')
}

function checkWithQemu(file: string): string {
  const { status, stdout, stderr, error } = spawnSync('qemu-img', ['check', '-f', 'vhdx', file], {
    encoding: 'utf8',
  })
  if (error) return 'qemu-img is not installed, so its opinion was not asked'
  if (status !== 0) throw new Error(`qemu-img finds fault with ${file}: ${stderr}`)
  return `qemu-img check: ${stdout.split('\n')[0]}`
}
