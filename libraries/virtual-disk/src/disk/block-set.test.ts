import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MIB } from '../extent.ts'
import { allBlocks, blocksTouchedBy, hasBlock, presentBlocks, rankOf } from './block-set.ts'

test('knows which blocks are touched, and the rank of each, as a plain list does', () => {
  const extents = fc.array(fc.tuple(fc.nat(4_000_000), fc.nat(300_000)), { maxLength: 30 })
  const property = fc.property(extents, fc.constantFrom(512, 1000, 4096), (ranges, blockSize) => {
    const size = 4_300_000
    const touched = new Set<number>()
    for (const [offset, length] of ranges) {
      for (let at = offset; at < offset + length; at++) {
        touched.add(Math.floor(at / blockSize))
        at += blockSize - 1 - (at % blockSize)
      }
    }
    const ordered = [...touched].sort((a, b) => a - b)
    const data = ranges.map(([offsetBytes, sizeBytes]) => ({ offsetBytes, sizeBytes }))
    const set = blocksTouchedBy(data, size, blockSize)
    assert.equal(set.presentCount, ordered.length)
    assert.equal(set.blockCount, Math.ceil(size / blockSize))
    assert.deepEqual([...presentBlocks(set)], ordered)
    for (const [rank, block] of ordered.entries()) {
      assert.equal(rankOf(set, block), rank)
      assert.ok(hasBlock(set, block))
      assert.equal(hasBlock(set, block + 1), touched.has(block + 1))
    }
  })
  fc.assert(property, { numRuns: 60 })
})

test('counts the blocks of the largest disk there is', () => {
  const set = allBlocks(64 * 1024 ** 4, 2 * MIB)
  assert.equal(set.blockCount, 2 ** 25)
  assert.equal(set.presentCount, 2 ** 25)
  assert.equal(rankOf(set, 2 ** 25 - 1), 2 ** 25 - 1)
  assert.ok(set.words.byteLength + set.ranks.byteLength < 5 * MIB)
})

test('refuses extents outside the disk', () => {
  for (const [offsetBytes, sizeBytes] of [
    [-1, 1],
    [0, 11],
    [10, 1],
    [Number.NaN, 1],
    [1, -1],
  ] as const) {
    assert.throws(() => blocksTouchedBy([{ offsetBytes, sizeBytes }], 10, 4), { code: 'invalid-argument' })
  }
})
