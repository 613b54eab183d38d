import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { patchedChunksMax, setBit } from '@palisade/agent-protocol/wire'
import type { Extent } from '@palisade/virtual-disk'
import { ChunkIdFile } from '../state/chunk-id-file.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { PatchedChunks } from './patched-chunks.ts'
import { ReusedChunks } from './reused-chunks.ts'
import { UnchangedPieces } from './unchanged-pieces.ts'

const chunkSizeBytes = 1280
const pieceSizeBytes = 10
/** Chunks of the frame, before those of the volume. */
const firstId = 3

/** An id of which the text tells what it names. */
const idOf = (what: string) => Buffer.from(what.padEnd(32, '.'))
const textOf = (id: Uint8Array) => Buffer.from(id).toString().replace(/\.+$/, '')

const mapOf = (...pieces: readonly number[]) => {
  const map = new Uint8Array(16)
  for (const piece of pieces) setBit(map, piece)
  return map
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_none, index) => from + index)

async function* each(extents: Iterable<Extent>): AsyncGenerator<Extent> {
  yield* extents
}

interface Earlier {
  readonly chunkCount: number
  /** Which pieces of which chunks were changed. */
  readonly dirty: Readonly<Record<number, readonly number[]>>
  /** Which pieces the patches of the earlier revision have. */
  readonly patched?: Readonly<Record<number, readonly number[]>>
  /** Chunks that held zeros. */
  readonly zero?: readonly number[]
  /** The volume ends so many bytes before its last chunk would. */
  readonly missingBytes?: number
  /** What the server takes. */
  readonly patchedMax?: number
}

/** What is known of a volume whose chunk 5 has the name "name 5", or as a patched one the base "base 5" and the patch "patch 5". */
async function open(
  t: TestContext,
  { chunkCount, dirty, patched = {}, zero = [], missingBytes = 0, patchedMax = patchedChunksMax }: Earlier,
): Promise<ReusedChunks> {
  const path = join(temporaryDirectory(t), 'ids')
  const names = range(0, chunkCount).map((index) =>
    zero.includes(index) ? Buffer.alloc(32) : idOf(`name ${index}`),
  )
  writeFileSync(path, Buffer.concat([...range(0, firstId).map((at) => idOf(`frame ${at}`)), ...names]))
  const volumeSizeBytes = chunkCount * chunkSizeBytes - missingBytes
  const unchanged = new UnchangedPieces({ chunkSizeBytes, volumeSizeBytes })
  await unchanged.addWithin(each([{ offsetBytes: 0, sizeBytes: volumeSizeBytes }]))
  const touched = Object.entries(dirty).flatMap(([index, pieces]) =>
    pieces.map((piece) => ({
      offsetBytes: Number(index) * chunkSizeBytes + piece * pieceSizeBytes + 3,
      sizeBytes: 1,
    })),
  )
  await unchanged.removeTouched(each(touched))
  const chunks = new PatchedChunks()
  for (const [index, pieces] of Object.entries(patched)) {
    const ids = { base: idOf(`base ${index}`), patch: idOf(`patch ${index}`) }
    chunks.add({ position: firstId + Number(index), ...ids, map: mapOf(...pieces) })
  }
  const reusedChunks = await ReusedChunks.open(unchanged, path, {
    firstId,
    patched: chunks,
    patchedChunksMax: patchedMax,
  })
  t.after(() => reusedChunks.close())
  return reusedChunks
}

/** Asks a server that lacks some chunks. Tells what it was asked for. */
async function forgetMissing(
  chunks: ReusedChunks,
  ...lacking: readonly string[]
): Promise<readonly string[]> {
  const names: string[] = []
  await chunks.forgetMissing(async (ids, count) => {
    assert.equal(ids.length, count * 32)
    const missing = new Uint8Array(Math.ceil(count / 8))
    for (let at = 0; at < count; at++) {
      const text = textOf(ids.subarray(at * 32, at * 32 + 32))
      names.push(text)
      if (lacking.includes(text)) setBit(missing, at)
    }
    return missing
  })
  return names
}

const patchIn = (chunks: ReusedChunks, index: number) => {
  const patch = chunks.patchOf(index)
  return patch && { base: textOf(patch.base), map: patch.map }
}

const carriedBy = (chunks: ReusedChunks, first: number) =>
  [...chunks.carried(first)].map(({ position, base, patch, map }) => ({
    position,
    base: textOf(base),
    patch: textOf(patch),
    map: Uint8Array.from(map),
  }))

test('a patch is made over the chunk that is stored, with what an earlier patch has and what was changed since', async (t) => {
  const chunks = await open(t, {
    chunkCount: 8,
    dirty: { 2: [0, 77], 5: [1, 127] },
    patched: { 5: [1, 64], 6: [9] },
  })
  assert.deepEqual(patchIn(chunks, 2), { base: 'name 2', map: mapOf(0, 77) })
  assert.deepEqual(patchIn(chunks, 5), { base: 'base 5', map: mapOf(1, 64, 127) })
  for (const index of [0, 1, 3, 4, 6, 7]) assert.equal(chunks.patchOf(index), undefined)
  assert.deepEqual([chunks.count, chunks.partlyChangedCount], [6, 2])
})

test('a chunk is sent whole of which more than half is changed, that held zeros, or that is shorter', async (t) => {
  const half = range(0, 64)
  const chunks = await open(t, {
    chunkCount: 8,
    dirty: { 0: half, 1: range(0, 65), 2: [100], 3: [100], 4: [5], 7: [5] },
    patched: { 2: half, 3: range(1, 64) },
    zero: [4],
    missingBytes: 1,
  })
  assert.equal(patchIn(chunks, 0)?.base, 'name 0')
  assert.equal(patchIn(chunks, 3)?.base, 'base 3')
  for (const index of [1, 2, 4, 7]) assert.equal(chunks.patchOf(index), undefined, `chunk ${index}`)
  assert.deepEqual([chunks.count, chunks.partlyChangedCount], [2, 2])
})

test('unchanged chunks stay patched in a new revision, at their places behind its frame', async (t) => {
  const chunks = await open(t, { chunkCount: 8, dirty: { 5: [1] }, patched: { 1: [4], 5: [2], 7: [6, 8] } })
  assert.deepEqual(carriedBy(chunks, 10), [
    { position: 11, base: 'base 1', patch: 'patch 1', map: mapOf(4) },
    { position: 17, base: 'base 7', patch: 'patch 7', map: mapOf(6, 8) },
  ])
  const ids = await ChunkIdFile.create(join(temporaryDirectory(t), 'new'), 18)
  t.after(() => ids.remove())
  await chunks.copyTo(ids, 10)
  assert.equal(textOf(await ids.read(17)), 'name 7', 'the name is that of the content')
})

test('the server is asked for names of plain chunks, bases and patches, and what it lacks is sent whole', async (t) => {
  const earlier = {
    chunkCount: 10,
    dirty: { 1: [3], 2: [4], 3: [5], 8: [6] },
    patched: { 3: [7], 4: [8], 5: [9], 6: [10], 8: [11] },
    zero: [9],
  }
  const chunks = await open(t, earlier)
  const needed = ['base 3', 'base 4', 'base 5', 'base 6', 'base 8', 'name 0', 'name 1', 'name 2', 'name 7']
  const patches = ['patch 4', 'patch 5', 'patch 6']
  const names = await forgetMissing(chunks, 'base 3', 'base 4', 'patch 5', 'name 1', 'name 7')
  assert.deepEqual(names.toSorted(), [...needed, ...patches])
  assert.equal(chunks.count, 3, 'chunks 0, 6 and the zeros of 9')
  assert.deepEqual(
    [...chunks.othersIn({ from: 0, to: 10 })],
    [
      { from: 1, to: 6 },
      { from: 7, to: 9 },
    ],
  )
  assert.deepEqual(
    carriedBy(chunks, firstId).map(({ base }) => base),
    ['base 6'],
  )
  for (const index of [1, 3, 4, 5, 7]) assert.equal(chunks.patchOf(index), undefined, `chunk ${index}`)
  assert.deepEqual([patchIn(chunks, 2)?.base, patchIn(chunks, 8)?.base], ['name 2', 'base 8'])
  assert.equal(chunks.partlyChangedCount, 2)
})

test('all that is needed is asked for in portions, and forgotten by its place in them', async (t) => {
  const chunkCount = 20_000
  const even = range(0, chunkCount).filter((index) => index % 2 === 0)
  const dirty = Object.fromEntries(
    even.filter((index) => index % 5 === 0).map((index) => [index, [index % 128]]),
  )
  const patched = Object.fromEntries(even.map((index) => [index, [1]]))
  const chunks = await open(t, { chunkCount, dirty, patched })
  const lacking = ['patch 8192', 'base 8190', 'name 4097', 'base 12290', 'base 16384']
  const names = await forgetMissing(chunks, ...lacking)
  assert.equal(names.length, 10_000 + 2 * 8000 + 2000)
  assert.equal(new Set(names).size, names.length)
  assert.equal(chunks.count, 18_000 - 3)
  assert.equal(chunks.partlyChangedCount, 2000 - 2)
  for (const index of [8190, 12_290]) assert.equal(chunks.patchOf(index), undefined)
  assert.deepEqual([chunks.carried(firstId).count, patchIn(chunks, 8180)?.base], [8000 - 2, 'base 8180'])
})

test('no more than 32,768 chunks are patched, those included that stay so', async (t) => {
  const stayPatched = 30_000
  const chunkCount = stayPatched + 40_000
  const chunks = await open(t, {
    chunkCount,
    dirty: Object.fromEntries(range(stayPatched, chunkCount).map((index) => [index, [0]])),
    patched: Object.fromEntries(range(0, stayPatched).map((index) => [index, [0]])),
  })
  assert.equal(chunks.partlyChangedCount, 32_768 - stayPatched)
  assert.equal(chunks.carried(firstId).count, stayPatched)
  assert.equal(chunks.patchOf(chunkCount - 1), undefined)
  assert.equal(patchIn(chunks, 32_767)?.base, 'name 32767')
})

test('no more chunks are patched than the server takes', async (t) => {
  const changed = { chunkCount: 8, dirty: { 2: [0], 4: [1], 6: [2] }, patched: { 5: [9] } }
  for (const [patchedMax, partlyChanged] of [
    [4, 3],
    [3, 2],
    [1, 0],
  ] as const) {
    const chunks = await open(t, { ...changed, patchedMax })
    assert.deepEqual([chunks.carried(firstId).count, chunks.partlyChangedCount], [1, partlyChanged])
  }
})
