import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bufferSource, readBytes } from './byte-source.ts'
import { overlaySource } from './overlay-source.ts'

test('reads as if the patches had been written one after the other', async () => {
  const patches = fc.array(
    fc.record({ offset: fc.nat(120), size: fc.integer({ min: 1, max: 40 }), zero: fc.boolean() }),
  )
  const property = fc.asyncProperty(patches, fc.nat(130), fc.nat(130), async (patchList, one, other) => {
    const expected = Buffer.alloc(200)
    expected.fill(0xff, 0, 100)
    let size = 130
    const list = patchList.map(({ offset, size: sizeBytes, zero }, index) => {
      const bytes = zero ? undefined : Buffer.alloc(sizeBytes, index + 1)
      expected.set(bytes ?? Buffer.alloc(sizeBytes), offset)
      size = Math.max(size, offset + sizeBytes)
      return { offsetBytes: offset, sizeBytes, bytes }
    })
    const overlaid = overlaySource(bufferSource(Buffer.alloc(100, 0xff)), list, 130)
    assert.equal(overlaid.sizeBytes, size)
    const [from, to] = [Math.min(one, other), Math.max(one, other)]
    assert.deepEqual(await readBytes(overlaid, from, to - from), expected.subarray(from, to))
  })
  await fc.assert(property, { numRuns: 200 })
})
