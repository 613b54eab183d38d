import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Extent } from '@palisade/virtual-disk'
import fc from 'fast-check'
import { type ChunkGeometry, chunkCountOf, rangeLength } from '../chunk-range.ts'
import { usedRanges, wholeRanges } from './ranges.ts'

/** Some sectors of a volume: pairs of free and used ones, in order. */
const layouts = fc.array(fc.tuple(fc.nat(9000), fc.integer({ min: 1, max: 9000 })), { maxLength: 30 })
const sectorSizeBytes = 512

async function* extentsOf(layout: readonly (readonly [number, number])[]): AsyncGenerator<Extent> {
  let at = 0
  for (const [free, used] of layout) {
    yield { offsetBytes: (at + free) * sectorSizeBytes, sizeBytes: used * sectorSizeBytes }
    at += free + used
  }
}

test('what is in use is read once, in order, and everything else is skipped or left out', async () => {
  await fc.assert(
    fc.asyncProperty(
      layouts,
      fc.nat(9000),
      fc.constantFrom(5120, 65_536, 1024 * 1024, 3 * 1024 * 1024, 8 * 1024 * 1024),
      async (layout, rest, chunkSizeBytes) => {
        const sectors = layout.reduce((sum, [free, used]) => sum + free + used, 0) + rest + 1
        const geometry: ChunkGeometry = { volumeSizeBytes: sectors * sectorSizeBytes, chunkSizeBytes }
        const expected = new Uint8Array(sectors)
        for await (const { offsetBytes, sizeBytes } of extentsOf(layout)) {
          expected.fill(1, offsetBytes / sectorSizeBytes, (offsetBytes + sizeBytes) / sectorSizeBytes)
        }
        const actual = new Uint8Array(sectors)
        let countedBytes = 0
        let end = 0
        const jobs = usedRanges(geometry, extentsOf(layout), (sizeBytes) => {
          countedBytes += sizeBytes
        })
        for await (const { from, to, allocated } of jobs) {
          assert.ok(from >= end && to > from && to <= chunkCountOf(geometry))
          end = to
          const size = rangeLength(geometry, { from, to })
          countedBytes += size
          for (const { offsetBytes, sizeBytes } of allocated ?? [{ offsetBytes: 0, sizeBytes: size }]) {
            assert.ok(sizeBytes > 0 && offsetBytes + sizeBytes <= size)
            const start = (from * chunkSizeBytes + offsetBytes) / sectorSizeBytes
            actual.fill(1, start, start + sizeBytes / sectorSizeBytes)
          }
        }
        assert.deepEqual(actual, expected)
        assert.equal(countedBytes, geometry.volumeSizeBytes, 'progress reaches the end')
      },
    ),
    { numRuns: 60 },
  )
})

test('a whole volume is all of its chunks, once and in order', () => {
  const geometry: ChunkGeometry = { volumeSizeBytes: 21 * 1024 * 1024 + 512, chunkSizeBytes: 1024 * 1024 }
  const ranges = [...wholeRanges(geometry)]
  assert.deepEqual(
    ranges.map(({ from, to }) => [from, to]),
    [
      [0, 8],
      [8, 16],
      [16, 22],
    ],
  )
})
