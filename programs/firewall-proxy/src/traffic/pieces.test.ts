import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pieces } from './pieces.ts'

test('pieces of any length are given in their order, and once', () => {
  const lengths = [1, 1, 5_000, 1_023, 1_024, 1, 70_000, 0, 3]
  const all = lengths.map((length, index) => Buffer.alloc(length, index))
  const pieces = new Pieces()
  for (const round of [1, 2]) {
    for (const piece of all) pieces.add(piece)
    assert.equal(pieces.length, Buffer.concat(all).length, `round ${round}`)
    assert.deepEqual(pieces.take(), Buffer.concat(all))
    assert.equal(pieces.length, 0)
  }
  assert.equal(pieces.take().length, 0)
})

test('a million pieces of a byte take a few megabytes', () => {
  const block = Buffer.alloc(64 * 1024)
  const pieces = new Pieces()
  const before = process.memoryUsage()
  for (let count = 0; count < 1_000_000; count++)
    pieces.add(block.subarray(count % 65_536, (count % 65_536) + 1))
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  const taken = heapUsed - before.heapUsed + arrayBuffers - before.arrayBuffers
  assert.equal(pieces.length, 1_000_000)
  assert.ok(taken < 64 * 1024 * 1024, `${taken} bytes`)
})
