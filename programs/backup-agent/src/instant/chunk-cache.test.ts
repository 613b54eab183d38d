import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taskFailures } from '@palisade/agent-protocol/wire'
import type { ChunkRange } from '../chunks/chunk-range.ts'
import { TaskFailure } from '../failure.ts'
import { ChunkCache } from './chunk-cache.ts'

const chunkSizeBytes = 16
const geometry = { volumeSizeBytes: 100 * chunkSizeBytes - 3, chunkSizeBytes }
const limits = { cacheBytesMax: 8 * chunkSizeBytes, chunksAheadMax: 4 }

/** A cache over chunks that are full of their numbers, and what it has asked for. */
function cacheOf(isStored: (index: number) => boolean = () => true) {
  const requests: ChunkRange[] = []
  const failing = new Set<number>()
  const damaged = new Set<number>()
  const cache = new ChunkCache(
    geometry,
    isStored,
    async ({ from, to }) => {
      requests.push({ from, to })
      if (failing.delete(from)) throw new Error('not now')
      for (const index of damaged) {
        if (index >= from && index < to)
          throw new TaskFailure(taskFailures.dataDamaged, `${index} is damaged`)
      }
      const end = Math.min(to * chunkSizeBytes, geometry.volumeSizeBytes)
      return Buffer.from(
        Array.from(
          { length: end - from * chunkSizeBytes },
          (_, at) => from + Math.floor(at / chunkSizeBytes),
        ),
      )
    },
    limits,
  )
  return { cache, requests, failing, damaged }
}

test('whoever reads forward gets twice as much each time, up to a bound', async () => {
  const { cache, requests } = cacheOf()
  for (let index = 10; index < 30; index++) {
    assert.deepEqual(await cache.get(index), Buffer.alloc(chunkSizeBytes, index))
  }
  assert.deepEqual(
    requests.map(({ from, to }) => to - from),
    [1, 2, 4, 4, 4, 4, 4],
  )
})

test('whoever jumps gets single chunks', async () => {
  const { cache, requests } = cacheOf()
  for (const index of [50, 10, 90, 30]) await cache.get(index)
  assert.deepEqual(
    requests,
    [50, 10, 90, 30].map((from) => ({ from, to: from + 1 })),
  )
})

test('what is not stored is not asked for, and the last chunk is as short as it is', async () => {
  const { cache, requests } = cacheOf((index) => index !== 98)
  await cache.get(96)
  await cache.get(97)
  assert.equal((await cache.get(99)).length, chunkSizeBytes - 3)
  assert.deepEqual(requests, [
    { from: 96, to: 97 },
    { from: 97, to: 98 },
    { from: 99, to: 100 },
  ])
})

test('a chunk that many want is fetched once', async () => {
  const { cache, requests } = cacheOf()
  await Promise.all(Array.from({ length: 5 }, () => cache.get(7)))
  assert.equal(requests.length, 1)
})

test('what was not used for longest goes first', async () => {
  const { cache, requests } = cacheOf()
  for (const index of [0, 20, 40, 60, 80, 10, 30, 50]) await cache.get(index)
  await cache.get(0)
  await cache.get(70)
  const before = requests.length
  await cache.get(0)
  assert.equal(requests.length, before, 'the first was used again and stays')
  await cache.get(20)
  assert.equal(requests.length, before + 1, 'the second had to go')
})

test('a failure is told, and the next one tries again', async () => {
  const { cache, failing } = cacheOf()
  failing.add(5)
  await assert.rejects(cache.get(5), /not now/)
  assert.deepEqual(await cache.get(5), Buffer.alloc(chunkSizeBytes, 5))
})

test('a damaged chunk takes no other with it that is fetched in one go', async () => {
  const { cache, damaged } = cacheOf()
  damaged.add(12)
  for (let index = 8; index < 16; index++) {
    if (index === 12) await assert.rejects(cache.get(index), /12 is damaged/)
    else assert.deepEqual(await cache.get(index), Buffer.alloc(chunkSizeBytes, index))
  }
})
