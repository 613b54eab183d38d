import { createHash, randomFillSync } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { ByteSource, Extent } from '@palisade/virtual-disk'
import { run } from '../tool.ts'

const mebibyte = 1024 * 1024

/** Writes an image of which a part is zeros, a part compressible and a part random, in pieces of a mebibyte. */
export function writeVolumeImage(path: string, sizeBytes: number): void {
  const file = openSync(path, 'w')
  ftruncateSync(file, sizeBytes)
  const piece = Buffer.alloc(mebibyte)
  for (let at = 0, turn = 0; at < sizeBytes; at += mebibyte, turn++) {
    if (turn % 4 < 2) continue
    if (turn % 4 === 2) piece.fill(`line ${turn} of a text that says little in many words\n`)
    else randomFillSync(piece)
    writeSync(file, piece, 0, Math.min(mebibyte, sizeBytes - at), at)
  }
  closeSync(file)
}

export function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** Writes an image of the same byte all over, so that what nothing was written to can be told from zeros. */
export function writeFilledImage(path: string, sizeBytes: number, byte = 0xa5): void {
  const piece = Buffer.alloc(mebibyte, byte)
  const file = openSync(path, 'w')
  for (let at = 0; at < sizeBytes; at += mebibyte) {
    writeSync(file, piece, 0, Math.min(mebibyte, sizeBytes - at), at)
  }
  closeSync(file)
}

/** Copies the extents of an image, and nothing else, into a new one of the same size. */
export async function copyExtents(
  source: ByteSource,
  extents: AsyncIterable<Extent>,
  target: string,
): Promise<void> {
  const file = openSync(target, 'w')
  ftruncateSync(file, source.sizeBytes)
  for await (const { offsetBytes, sizeBytes } of extents) {
    const bytes = Buffer.alloc(sizeBytes)
    await source.read(bytes, offsetBytes)
    writeSync(file, bytes, 0, sizeBytes, offsetBytes)
  }
  closeSync(file)
}

/** How much of a file is in the system's cache, in MiB. Needs `fincore`. */
export function cachedMiB(path: string): number {
  return Number(run('fincore', '--bytes', '-no', 'res', path)) / mebibyte
}
