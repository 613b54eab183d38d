import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSet, setBit } from '@palisade/agent-protocol'
import fc from 'fast-check'
import { storedExtents, storedRanges, storedSizeBytes } from './stored-ranges.ts'

/** A bitmap with runs of stored and missing chunks, as volumes have them. */
const presences = fc
  .array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 20 })), { maxLength: 12 })
  .map((runs) => runs.flatMap(([isStored, length]) => Array.from({ length }, () => isStored)))

function bitmapOf(stored: readonly boolean[]): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(stored.length / 8))
  for (const [index, isStored] of stored.entries()) if (isStored) setBit(bitmap, index)
  return bitmap
}

test('ranges cover every stored chunk once, in order, and hold no more of them than is said', () => {
  fc.assert(
    fc.property(presences, fc.integer({ min: 1, max: 9 }), (stored, storedMax) => {
      const bitmap = bitmapOf(stored)
      const covered: number[] = []
      for (const { from, to } of storedRanges(bitmap, stored.length, storedMax)) {
        const inRange = Array.from({ length: to - from }, (_, at) => from + at).filter((at) =>
          isSet(bitmap, at),
        )
        assert.equal(inRange[0], from)
        assert.ok(inRange.length <= storedMax)
        covered.push(...inRange)
      }
      const expected = [...stored.keys()].filter((index) => stored[index])
      assert.deepEqual(covered, expected)
    }),
  )
})

test('a range of a volume that is almost empty is not long without end', () => {
  const chunkCount = 1_000_000
  const bitmap = new Uint8Array(chunkCount / 8)
  for (const index of [0, 500_000, 999_999]) setBit(bitmap, index)
  for (const { from, to } of storedRanges(bitmap, chunkCount, 32)) assert.ok(to - from <= 65_536)
})

test('extents are the bytes of the stored chunks; the last chunk ends with the volume', () => {
  const geometry = { volumeSizeBytes: 5 * 4096 + 100, chunkSizeBytes: 4096 }
  const bitmap = bitmapOf([true, true, false, true, false, true])
  assert.deepEqual(
    [...storedExtents(bitmap, geometry)],
    [
      { offsetBytes: 0, sizeBytes: 8192 },
      { offsetBytes: 3 * 4096, sizeBytes: 4096 },
      { offsetBytes: 5 * 4096, sizeBytes: 100 },
    ],
  )
  assert.equal(storedSizeBytes(bitmap, geometry), 8192 + 4096 + 100)
})
