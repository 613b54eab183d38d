import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placesOf, planDisk } from '@palisade/virtual-disk'
import fc from 'fast-check'
import { chunkCountOf, chunkLength } from '../chunk-range.ts'
import { placedRanges } from './placed-ranges.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

test('covers each chunk that has a place in the file once, and no other but one behind the last block', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(64 * kibibyte, 256 * kibibyte, mebibyte, 3 * mebibyte, 8 * mebibyte),
      fc.integer({ min: 1, max: 60 * 1024 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 20 }),
      (chunkSizeBytes, sizeKibibytes, dataMebibytes, lengthMax) => {
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
        const covered: number[] = []
        for (const { from, to } of placedRanges(plan, partitionOffsetBytes, geometry, lengthMax)) {
          assert.ok(from < to && to - from <= lengthMax)
          for (let index = from; index < to; index++) covered.push(index)
        }
        const all = Array.from({ length: chunkCountOf(geometry) }, (_, index) => index)
        const others = covered.filter((index) => !hasPlace(index))
        assert.deepEqual(covered.filter(hasPlace), all.filter(hasPlace))
        assert.ok(others.length === 0 || (others.length === 1 && others[0] === all.length - 1))
      },
    ),
  )
})
