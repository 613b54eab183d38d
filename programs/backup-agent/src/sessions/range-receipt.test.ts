import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setBit } from '@palisade/agent-protocol/wire'
import fc from 'fast-check'
import { RangeReceipt } from './range-receipt.ts'

test('asking for what is missing until nothing is takes each stored chunk of the range once', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 99 })),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 50, max: 100 }),
      fc.integer({ min: 1, max: 7 }),
      (stored, from, to, atOnce) => {
        const presence = new Uint8Array(13)
        for (const index of stored) setBit(presence, index)
        const receipt = new RangeReceipt({ from, to }, presence)
        const amounts: number[] = []
        for (let run = receipt.firstMissingRun(); run !== undefined; run = receipt.firstMissingRun()) {
          assert.ok(receipt.isMissing(run.from) && receipt.isMissing(run.to - 1))
          // Chunks of a reply come in any order, and the reply may break off.
          const { from: start, to: end } = run
          const sent = stored.filter((index) => index >= start && index < end).slice(0, atOnce)
          for (const index of sent) {
            assert.ok(receipt.isMissing(index))
            receipt.take(index)
            amounts.push(index)
          }
        }
        const expected = stored.filter((index) => index >= from && index < to)
        assert.deepEqual(
          amounts.toSorted((a, b) => a - b),
          expected.toSorted((a, b) => a - b),
        )
      },
    ),
  )
})

test('nothing outside the range is expected, and nothing twice', () => {
  const receipt = new RangeReceipt({ from: 2, to: 4 }, Uint8Array.of(0xff))
  assert.deepEqual(
    [1, 2, 3, 4].map((index) => receipt.isMissing(index)),
    [false, true, true, false],
  )
  receipt.take(2)
  assert.ok(!receipt.isMissing(2))
})
