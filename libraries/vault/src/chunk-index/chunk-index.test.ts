import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ChunkList } from '../chunk/chunk-list.ts'
import { noise } from '../testing/noise.ts'
import { ChunkIndex } from './chunk-index.ts'

/** Ids of which many share their first words, so that they meet in the table. */
function idOf(number: number): Buffer {
  const id = noise(`${number % 50}`, 32)
  id.writeUInt32LE(number, 28)
  return id
}

test('behaves as a map from ids to places, also while it grows', () => {
  const step = fc.record({
    number: fc.nat(400),
    pack: fc.nat(2 ** 32 - 1),
    offset: fc.nat(2 ** 32 - 1),
    lengthBytes: fc.nat(2 ** 32 - 1),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 800 }), (steps) => {
      const index = new ChunkIndex(1)
      const model = new Map<number, { pack: number; offset: number; lengthBytes: number }>()
      for (const { number, ...place } of steps) {
        const ids = ChunkList.of(noise('other', 32), idOf(number))
        index.set(ids, 1, place.pack, place.offset, place.lengthBytes)
        model.set(number, place)
      }
      assert.equal(index.size, model.size)
      for (let number = 0; number <= 400; number++) {
        const entry = index.find(ChunkList.of(idOf(number)), 0)
        const place = model.get(number)
        assert.equal(entry >= 0, place !== undefined)
        if (!place) continue
        const counts = {
          pack: index.packOf(entry),
          offset: index.offsetOf(entry),
          lengthBytes: index.lengthOf(entry),
        }
        assert.deepEqual(counts, place)
        const copy = ChunkList.ofZeros(2)
        index.copyId(entry, copy, 1)
        assert.deepEqual(copy.id(1), idOf(number))
      }
    }),
    { numRuns: 100 },
  )
})

test('reads ids from buffers that are not aligned', () => {
  const index = new ChunkIndex()
  const id = noise('id', 32)
  index.set(ChunkList.of(id), 0, 1, 2, 3)
  const shifted = Buffer.concat([Buffer.alloc(3), id]).subarray(3)
  assert.equal(index.find(new ChunkList(shifted), 0), 0)
})
