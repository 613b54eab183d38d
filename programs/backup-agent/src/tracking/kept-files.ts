import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Extents } from '../chunks/extents.ts'

const pairSizeBytes = 16
const pairsPerWrite = 4096

/** Writes extents into a new file, as pairs of numbers of 64 bits; durable when this resolves. */
export async function writeExtents(path: string, extents: Extents): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    const pairs = Buffer.alloc(pairsPerWrite * pairSizeBytes)
    let filled = 0
    const flush = async () => {
      await file.writeFile(pairs.subarray(0, filled))
      filled = 0
    }
    for await (const { offsetBytes, sizeBytes } of extents()) {
      pairs.writeBigUInt64LE(BigInt(offsetBytes), filled)
      pairs.writeBigUInt64LE(BigInt(sizeBytes), filled + 8)
      filled += pairSizeBytes
      if (filled === pairs.length) await flush()
    }
    await flush()
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The extents that such a file holds. */
export function readExtents(path: string): Extents {
  return async function* () {
    const stream = createReadStream(path, { highWaterMark: pairsPerWrite * pairSizeBytes })
    for await (const piece of stream) {
      const pairs: Buffer = piece
      if (pairs.length % pairSizeBytes !== 0) throw new Error('a file of kept extents is cut off')
      for (let at = 0; at < pairs.length; at += pairSizeBytes) {
        yield {
          offsetBytes: Number(pairs.readBigUInt64LE(at)),
          sizeBytes: Number(pairs.readBigUInt64LE(at + 8)),
        }
      }
    }
  }
}

/** The SHA-256 of a file, in hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(piece)
  return hash.digest('hex')
}

/** Fills a buffer from a file; a file that ends before is an error. */
export async function readExactly(file: FileHandle, target: Buffer, position: number): Promise<Buffer> {
  const { bytesRead } = await file.read(target, 0, target.length, position)
  if (bytesRead < target.length) throw new Error('a file of kept ids ends too early')
  return target
}
