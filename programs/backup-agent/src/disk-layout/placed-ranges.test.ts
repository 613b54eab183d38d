import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placesOf, planDisk } from '@palisade/virtual-disk'
import fc from 'fast-check'
import { chunkCountOf, chunkLength } from '../chunks/chunk-range.ts'
import { placedRanges } from './placed-ranges.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

test('covers each chunk that has a place in the file once; a range neither begins nor ends with others but behind the last block', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(64 * kibibyte, 256 * kibibyte, mebibyte, 3 * mebibyte, 8 * mebibyte),
      fc.integer({ min: 1, max: 60 * 1024 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 20 }),
      (chunkSizeBytes, sizeKibibytes, dataMebibytes, placedMax) => {
        const geometry = { volumeSizeBytes: sizeKibibytes * kibibyte, chunkSizeBytes }
        const partitionOffsetBytes = mebibyte
        const virtualSizeBytes = 64 * mebibyte
        const data = dataMebibytes.map((at) => ({ offsetBytes: at * mebibyte, sizeBytes: mebibyte }))
        const plan = planDisk({ format: 'vhdx', allocation: 'dynamic', virtualSizeBytes, data })
        const hasPlace = (index: number) => {
          const offsetBytes = partitionOffsetBytes + index * chunkSizeBytes
          const places = [...placesOf(plan, { offsetBytes, sizeBytes: chunkLength(geometry, index) })]
          return places.some(({ fileOffsetBytes }) => fileOffsetBytes !== undefined)
        }
        const last = chunkCountOf(geometry) - 1
        const isPlaced = (index: number) => hasPlace(index) || index === last
        const covered: number[] = []
        for (const { from, to } of placedRanges(plan, partitionOffsetBytes, geometry, placedMax)) {
          const placed = Array.from({ length: to - from }, (_, at) => from + at).filter(isPlaced)
          assert.ok(isPlaced(from) && isPlaced(to - 1) && placed.length <= placedMax)
          covered.push(...placed)
        }
        const all = Array.from({ length: last + 1 }, (_, index) => index)
        assert.deepEqual(covered.filter(hasPlace), all.filter(hasPlace))
        assert.equal(new Set(covered).size, covered.length)
      },
    ),
  )
})

test('a range goes on over gaps, but not over one that is too long', () => {
  const geometry = { volumeSizeBytes: 16_384 * mebibyte, chunkSizeBytes: mebibyte }
  const data = [0, 2, 4, 6, 8000].map((at) => ({ offsetBytes: at * mebibyte, sizeBytes: mebibyte }))
  const plan = planDisk({
    format: 'vhdx',
    allocation: 'dynamic',
    virtualSizeBytes: 16_384 * mebibyte,
    blockSizeBytes: mebibyte,
    data,
  })
  assert.deepEqual(
    [...placedRanges(plan, 0, geometry, 3)],
    [
      { from: 0, to: 5 },
      { from: 6, to: 7 },
      { from: 8000, to: 8001 },
    ],
  )
})
