import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bitRuns } from './bit-runs.ts'

/** Long pieces of one kind between ragged ones, as bitmaps have them. */
const bitmaps = fc
  .array(
    fc
      .oneof(fc.constantFrom(0, 0xff), fc.nat(255))
      .chain((byte) => fc.nat(6).map((count) => Array(count).fill(byte))),
    {
      maxLength: 20,
    },
  )
  .map((pieces) => Uint8Array.from(pieces.flat()))

test('the runs are the set bits, in order, each as long as it can be, and nothing behind the last bit counts', () => {
  fc.assert(
    fc.property(bitmaps, fc.nat(), (bitmap, seed) => {
      const bitCount = seed % (bitmap.length * 8 + 1)
      const expected = Array.from(
        { length: bitCount },
        (_, bit) => ((bitmap[bit >> 3] ?? 0) >> (bit & 7)) & 1,
      )
      const actual: number[] = Array(bitCount).fill(0)
      let end = -1
      for (const { first, count } of bitRuns(bitmap, bitCount)) {
        assert.ok(count > 0 && first > end, 'runs neither touch nor overlap')
        end = first + count
        actual.fill(1, first, end)
      }
      assert.ok(end <= bitCount)
      assert.deepEqual(actual, expected)
    }),
  )
})
