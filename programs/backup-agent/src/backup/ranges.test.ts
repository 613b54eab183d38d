import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alignedLength } from '@palisade/vault'
import type { Extent } from '@palisade/virtual-disk'
import fc from 'fast-check'
import { type ChunkGeometry, chunkCountOf, rangeLength } from '../chunks/chunk-range.ts'
import { jobSizeMaxBytes } from '../sessions/job-size.ts'
import type { JobRange } from '../sessions/session.ts'
import { mergeShortRanges, usedRanges, wholeRanges } from './ranges.ts'

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

/** The ranges of jobs, of which none takes more memory than may be. */
async function* partsOf(geometry: ChunkGeometry, jobs: AsyncIterable<JobRange>): AsyncGenerator<JobRange> {
  for await (const job of jobs) {
    const parts = job.parts ?? [job]
    assert.deepEqual([job.from, job.to], [parts[0]?.from, parts.at(-1)?.to])
    const sizeBytes = parts.reduce((sum, part) => sum + alignedLength(rangeLength(geometry, part)), 0)
    assert.ok(sizeBytes <= jobSizeMaxBytes(geometry))
    yield* parts
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
        const ranges = usedRanges(geometry, extentsOf(layout), (sizeBytes) => {
          countedBytes += sizeBytes
        })
        for await (const { from, to, allocated } of partsOf(geometry, mergeShortRanges(geometry, ranges))) {
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

test('what is scattered over a volume is read and sent together', async () => {
  const mebibyte = 1024 * 1024
  const geometry: ChunkGeometry = { volumeSizeBytes: 200 * mebibyte, chunkSizeBytes: mebibyte }
  async function* scattered(): AsyncGenerator<Extent> {
    for (let at = 0; at < 200; at += 10) yield { offsetBytes: at * mebibyte, sizeBytes: 4096 }
  }
  const jobs = await Array.fromAsync(
    mergeShortRanges(
      geometry,
      usedRanges(geometry, scattered(), () => {}),
    ),
  )
  assert.deepEqual(
    jobs.map(({ parts }) => parts?.map(({ from }) => from)),
    [
      [0, 10, 20, 30, 40, 50, 60, 70],
      [80, 90, 100, 110, 120, 130, 140, 150],
      [160, 170, 180, 190],
    ],
  )
})
