import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readUsed } from './read-used.ts'

const extentLists = fc
  .array(fc.tuple(fc.nat(150_000), fc.integer({ min: 1, max: 150_000 })), { maxLength: 12 })
  .map((pairs) => {
    let at = 0
    return pairs.map(([gap, sizeBytes]) => {
      const extent = { offsetBytes: at + gap, sizeBytes }
      at += gap + sizeBytes
      return extent
    })
  })

test('used bytes come from the source and all others are zeros, whatever the buffer held before', async () => {
  await fc.assert(
    fc.asyncProperty(extentLists, fc.nat(5000), async (allocated, rest) => {
      const last = allocated.at(-1)
      const sizeBytes = (last ? last.offsetBytes + last.sizeBytes : 0) + rest + 1
      const source = Buffer.alloc(sizeBytes + 4096, 0x5a)
      const target = Buffer.alloc(sizeBytes + 4096, 0xff)
      const expected = Buffer.alloc(sizeBytes)
      for (const { offsetBytes, sizeBytes: size } of allocated)
        expected.fill(0x5a, offsetBytes, offsetBytes + size)
      let reads = 0
      await readUsed(target, sizeBytes, allocated, async (offsetBytes, size) => {
        assert.equal(offsetBytes % 4096, 0)
        assert.ok(size > 0)
        source.copy(target, offsetBytes, offsetBytes, offsetBytes + size)
        reads++
      })
      assert.ok(target.subarray(0, sizeBytes).equals(expected))
      assert.ok(reads <= allocated.length)
    }),
    { numRuns: 60 },
  )
})
