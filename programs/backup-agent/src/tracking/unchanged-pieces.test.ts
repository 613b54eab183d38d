import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSet } from '@palisade/agent-protocol/wire'
import type { Extent } from '@palisade/virtual-disk'
import fc from 'fast-check'
import { type ChunkGeometry, chunkCountOf, chunkLength } from '../chunks/chunk-range.ts'
import { UnchangedPieces } from './unchanged-pieces.ts'

const pieces = 128

/** Distances between extents and lengths of them, of which the first is often none: they touch then. */
const steps = fc.array(
  fc.tuple(
    fc.oneof(fc.constant(0), fc.nat(40), fc.nat(600)),
    fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 900 })),
  ),
  { maxLength: 12 },
)

/** Extents in order, within a volume. */
function extentsFrom(distances: readonly (readonly [number, number])[], volumeSizeBytes: number): Extent[] {
  const extents: Extent[] = []
  let at = 0
  for (const [gap, sizeBytes] of distances) {
    const offsetBytes = at + gap
    at = Math.min(offsetBytes + sizeBytes, volumeSizeBytes)
    if (offsetBytes < at) extents.push({ offsetBytes, sizeBytes: at - offsetBytes })
  }
  return extents
}

async function* each(extents: Iterable<Extent>): AsyncGenerator<Extent> {
  yield* extents
}

/** What is said of each chunk: that it is unchanged, which of its pieces are, or nothing. */
type Verdict = 'unchanged' | readonly number[] | undefined

function verdictsOf(unchanged: UnchangedPieces, chunkCount: number): Verdict[] {
  const cleanPieces = new Map(
    [...unchanged.partial()].map(({ index, dirty }) => [
      index,
      Array.from({ length: pieces }, (_none, piece) => piece).filter((piece) => !isSet(dirty, piece)),
    ]),
  )
  return Array.from({ length: chunkCount }, (_none, index) => {
    if (!unchanged.chunks.has(index)) return cleanPieces.get(index)
    assert.ok(!cleanPieces.has(index))
    return 'unchanged'
  })
}

/** The same from bytes, of which each is 1 that is unchanged. */
function saidByBytes(bytes: Uint8Array, geometry: ChunkGeometry): Verdict[] {
  return Array.from({ length: chunkCountOf(geometry) }, (_none, index) => {
    const { chunkSizeBytes } = geometry
    const chunk = bytes.subarray(index * chunkSizeBytes).subarray(0, chunkLength(geometry, index))
    if (chunk.every(Boolean)) return 'unchanged'
    if (chunk.length < chunkSizeBytes || chunkSizeBytes % pieces !== 0) return undefined
    const pieceSizeBytes = chunkSizeBytes / pieces
    const clean = Array.from({ length: pieces }, (_zero, piece) => piece).filter((piece) =>
      chunk.subarray(piece * pieceSizeBytes, (piece + 1) * pieceSizeBytes).every(Boolean),
    )
    return clean.length === 0 ? undefined : clean
  })
}

test('a piece is clean when each of its bytes lies in extents and none was touched, over the seams of extents', async () => {
  let partly = 0
  let whole = 0
  await fc.assert(
    fc.asyncProperty(
      steps,
      steps,
      fc.constantFrom(128, 384, 512, 500, 64),
      fc.integer({ min: 1, max: 3000 }),
      fc.boolean(),
      async (unchangedSteps, touchedSteps, chunkSizeBytes, volumeSizeBytes, isAllUnchanged) => {
        const geometry = { chunkSizeBytes, volumeSizeBytes }
        const bytes = new Uint8Array(volumeSizeBytes)
        const all = [{ offsetBytes: 0, sizeBytes: volumeSizeBytes }]
        const unchanged = isAllUnchanged ? all : extentsFrom(unchangedSteps, volumeSizeBytes)
        const touched = extentsFrom(touchedSteps, volumeSizeBytes)
        for (const [value, extents] of [
          [1, unchanged],
          [0, touched],
        ] as const) {
          for (const { offsetBytes, sizeBytes } of extents)
            bytes.fill(value, offsetBytes, offsetBytes + sizeBytes)
        }
        const pieces = new UnchangedPieces(geometry)
        await pieces.addWithin(each(unchanged))
        await pieces.removeTouched(each(touched))
        const verdicts = verdictsOf(pieces, chunkCountOf(geometry))
        assert.deepEqual(verdicts, saidByBytes(bytes, geometry))
        partly += verdicts.filter(Array.isArray).length
        whole += pieces.chunks.size
      },
    ),
    { numRuns: 1000 },
  )
  assert.ok(partly > 500 && whole > 500, `${partly} in part, ${whole} as a whole`)
})

const many = 32_768 + 5
const manyChunks = { chunkSizeBytes: 128, volumeSizeBytes: many * 128 }

function* firstBytes(sizeBytes: number): Generator<Extent> {
  for (let index = 0; index < many; index++) yield { offsetBytes: index * 128, sizeBytes }
}

test('the first 32,768 chunks that are unchanged in part are remembered, and others count as changed', async () => {
  const added = new UnchangedPieces(manyChunks)
  await added.addWithin(each(firstBytes(1)))
  const touched = new UnchangedPieces(manyChunks)
  await touched.addWithin(each([{ offsetBytes: 0, sizeBytes: manyChunks.volumeSizeBytes }]))
  await touched.removeTouched(each(firstBytes(127)))
  for (const { chunks, partial } of [
    { chunks: added.chunks, partial: [...added.partial()] },
    { chunks: touched.chunks, partial: [...touched.partial()] },
  ]) {
    assert.equal(chunks.size, 0)
    assert.deepEqual([partial.length, partial[0]?.index, partial.at(-1)?.index], [32_768, 0, 32_767])
  }
})
