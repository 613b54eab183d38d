import { createHash, randomFillSync } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

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
