import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import type { ByteSource, Extent } from '@palisade/virtual-disk'

const mebibyte = 1024 * 1024

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
