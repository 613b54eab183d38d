import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ChunkToRead, planRuns } from './run.ts'

/** Chunks as they lie in packs: one after the other, 36 bytes apart. */
function placesOf(lengths: readonly number[], pack: number): Omit<ChunkToRead, 'position'>[] {
  let end = 48
  return lengths.map((lengthBytes) => {
    const offset = end + 36
    end = offset + lengthBytes
    return { pack, offset, lengthBytes }
  })
}

test('covers every wanted chunk once, in runs that are not longer than asked for', () => {
  const lengths = fc.array(fc.integer({ min: 30, max: 9000 }), { minLength: 1, maxLength: 40 })
  const requests = fc
    .tuple(fc.array(lengths, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.nat()))
    .map(([packs, picks]) => {
      const places = packs.flatMap(placesOf)
      return [...picks.take(60)].map((pick, position): ChunkToRead => {
        const place = places[pick % places.length]
        assert.ok(place)
        return { position, ...place }
      })
    })
  fc.assert(
    fc.property(requests, fc.integer({ min: 1000, max: 40_000 }), (chunks, runMaxBytes) => {
      const expected = chunks.map(({ position, pack, offset, lengthBytes }) => ({
        position,
        pack,
        offset,
        lengthBytes,
      }))
      const runs = planRuns(chunks, (pack) => `${pack}`, runMaxBytes)
      const covered = runs.flatMap((run) =>
        run.chunks.map((chunk) => {
          assert.ok(chunk.offset >= 0 && chunk.offset + chunk.lengthBytes <= run.lengthBytes)
          return {
            position: chunk.position,
            pack: Number(run.object),
            offset: run.offset + chunk.offset,
            lengthBytes: chunk.lengthBytes,
          }
        }),
      )
      covered.sort((a, b) => a.position - b.position)
      assert.deepEqual(covered, expected)
      for (const run of runs)
        assert.ok(
          run.lengthBytes <= runMaxBytes || new Set(run.chunks.map((chunk) => chunk.offset)).size === 1,
        )
      const firsts = runs.map((run) => Math.min(...run.chunks.map((chunk) => chunk.position)))
      assert.deepEqual(
        firsts,
        firsts.toSorted((a, b) => a - b),
      )
    }),
    { numRuns: 300 },
  )
})

test('reads neighbours together, also when they were stored slightly out of order', () => {
  const [a, b, c, d] = placesOf([1000, 1000, 1000, 1000], 0)
  assert.ok(a && b && c && d)
  const runs = planRuns(
    [
      { position: 0, ...a },
      { position: 1, ...c },
      { position: 2, ...b },
      { position: 3, ...d },
    ],
    () => 'pack',
    100_000,
  )
  assert.equal(runs.length, 1)
  assert.deepEqual(
    runs[0]?.chunks.map((chunk) => chunk.position),
    [0, 2, 1, 3],
  )
})

test('plans nothing for nothing', () => {
  assert.deepEqual(
    planRuns([], () => 'pack', 1000),
    [],
  )
})
