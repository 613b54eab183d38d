import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setBit } from '@palisade/agent-protocol/wire'
import { storedExtents, storedSizeBytes } from './stored-extents.ts'

function bitmapOf(stored: readonly boolean[]): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(stored.length / 8))
  for (const [index, isStored] of stored.entries()) if (isStored) setBit(bitmap, index)
  return bitmap
}

test('extents are the bytes of the stored chunks; the last chunk ends with the volume', () => {
  const geometry = { volumeSizeBytes: 5 * 4096 + 100, chunkSizeBytes: 4096 }
  const bitmap = bitmapOf([true, true, false, true, false, true])
  assert.deepEqual(
    [...storedExtents(bitmap, geometry)],
    [
      { offsetBytes: 0, sizeBytes: 8192 },
      { offsetBytes: 3 * 4096, sizeBytes: 4096 },
      { offsetBytes: 5 * 4096, sizeBytes: 100 },
    ],
  )
  assert.equal(storedSizeBytes(bitmap, geometry), 8192 + 4096 + 100)
})
