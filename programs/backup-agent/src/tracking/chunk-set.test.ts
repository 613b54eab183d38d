import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Extent } from '@palisade/virtual-disk'
import { ChunkSet } from './chunk-set.ts'

const geometry = { volumeSizeBytes: 105, chunkSizeBytes: 10 }

async function* extentsOf(...pairs: readonly (readonly [number, number])[]): AsyncGenerator<Extent> {
  for (const [from, end] of pairs) yield { offsetBytes: from, sizeBytes: end - from }
}

const chunksOf = (set: ChunkSet) => [...set.runs()].map(({ from, to }) => [from, to])

test('holds the chunks that lie in extents as a whole, over the seams of extents and up to the end of the volume', async () => {
  const set = new ChunkSet(geometry)
  await set.addWithin(extentsOf([0, 9], [10, 25], [25, 30], [31, 60], [99, 105]))
  assert.deepEqual(chunksOf(set), [
    [1, 3],
    [4, 6],
    [10, 11],
  ])
  assert.equal(set.size, 5)
  assert.deepEqual(await Array.fromAsync(set.extents()), [
    { offsetBytes: 10, sizeBytes: 20 },
    { offsetBytes: 40, sizeBytes: 20 },
    { offsetBytes: 100, sizeBytes: 5 },
  ])
  assert.deepEqual(
    [...set.runsOutside({ from: 2, to: 11 })],
    [
      { from: 3, to: 4 },
      { from: 6, to: 10 },
    ],
  )
})

test('loses the chunks that are touched by as little as a byte', async () => {
  const set = new ChunkSet(geometry)
  await set.addWithin(extentsOf([0, 105]))
  await set.removeTouched(extentsOf([9, 11], [104, 105], [50, 60]))
  assert.deepEqual(chunksOf(set), [
    [2, 5],
    [6, 10],
  ])
  set.remove(2)
  set.remove(2)
  assert.equal(set.size, 6)
})
