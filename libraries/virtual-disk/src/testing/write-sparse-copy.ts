import { open } from 'node:fs/promises'
import { type ByteSource, readBytes } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { isZero } from '../zero.ts'

/** Writes a source to a file, zeros as holes; for other tools to look at. */
export async function writeSparseCopy(path: string, source: ByteSource): Promise<void> {
  const handle = await open(path, 'w')
  try {
    await handle.truncate(source.sizeBytes)
    for (let at = 0; at < source.sizeBytes; at += MIB) {
      const piece = await readBytes(source, at, Math.min(MIB, source.sizeBytes - at))
      if (!isZero(piece)) await handle.write(piece, 0, piece.byteLength, at)
    }
  } finally {
    await handle.close()
  }
}
