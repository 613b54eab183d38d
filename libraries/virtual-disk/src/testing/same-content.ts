import assert from 'node:assert/strict'
import { type ByteSource, readBytes } from '../byte-source.ts'
import { MIB } from '../extent.ts'

/** Asserts that two sources hold the same bytes, reading both whole; gives the number of bytes compared. */
export async function assertSameContent(actual: ByteSource, expected: ByteSource): Promise<number> {
  assert.equal(actual.sizeBytes, expected.sizeBytes)
  // Pieces that no block size divides, so that reads begin and end inside blocks.
  const pieceSize = 3 * MIB + 1536
  let compared = 0
  while (compared < expected.sizeBytes) {
    const sizeBytes = Math.min(pieceSize, expected.sizeBytes - compared)
    const [ours, theirs] = await Promise.all([
      readBytes(actual, compared, sizeBytes),
      readBytes(expected, compared, sizeBytes),
    ])
    assert.ok(ours.equals(theirs), `the ${sizeBytes} bytes from ${compared} on differ`)
    compared += sizeBytes
  }
  return compared
}
