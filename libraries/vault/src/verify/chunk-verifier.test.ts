import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { nameChunk } from '../chunk/chunk-id.ts'
import { sealChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure } from '../failure.ts'
import { ChunkVerifier } from './chunk-verifier.ts'

const chunkSizeBytes = 2 ** 20
const chunks = { naming: randomBytes(32), sealing: randomBytes(32) }
const keys = { chunks, marking: randomBytes(32) }

function newVerifier(t: TestContext): ChunkVerifier {
  const verifier = new ChunkVerifier()
  t.after(() => verifier.close())
  return verifier
}

/** Sealed chunks one after another, and where they are. */
function sealedRun(contents: readonly Buffer[]) {
  let offset = 0
  const sealed = contents.map((content) => {
    const id = nameChunk(content, chunks.naming)
    return { id, bytes: Buffer.from(sealChunk(id, content, chunks)) }
  })
  const places = sealed.map(({ id, bytes }) => {
    const place = { id, offset, lengthBytes: bytes.length }
    offset += bytes.length
    return place
  })
  return { bytes: Buffer.concat(sealed.map(({ bytes }) => bytes)), places }
}

test('chunks that were changed are told from those that were not, whosever memory they are in', async (t) => {
  const verifier = newVerifier(t)
  for (const sizeBytes of [20, 200_000]) {
    const { bytes, places } = sealedRun([1, 2, 3, 4].map(() => randomBytes(sizeBytes)))
    const copy = Buffer.from(bytes)
    assert.deepEqual(await verifier.damaged(Buffer.from(bytes), places, keys, chunkSizeBytes), [])
    for (const index of [1, 3]) {
      const at = (places[index]?.offset ?? 0) + 15
      copy[at] = (copy[at] ?? 0) ^ 1
    }
    assert.deepEqual(await verifier.damaged(copy, places, keys, chunkSizeBytes), [1, 3])
  }
})

test('jobs that are under way together get their own answers', async (t) => {
  const verifier = newVerifier(t)
  const jobs = [0, 1, 2, 3, 4].map(async (damaged) => {
    const { bytes, places } = sealedRun([0, 1, 2, 3, 4].map(() => randomBytes(50_000)))
    const at = (places[damaged]?.offset ?? 0) + 20
    bytes[at] = (bytes[at] ?? 0) ^ 128
    return verifier.damaged(bytes, places, keys, chunkSizeBytes)
  })
  assert.deepEqual(await Promise.all(jobs), [[0], [1], [2], [3], [4]])
})

test('the work is done by another thread than the one that asks for it', async (t) => {
  const verifier = newVerifier(t)
  const { bytes, places } = sealedRun([1, 2, 3, 4].map(() => randomBytes(chunkSizeBytes)))
  const runs = Array.from({ length: 20 }, () => Buffer.from(bytes))
  const [ownBefore, allBefore] = [process.threadCpuUsage(), process.cpuUsage()]
  for (const run of runs) assert.deepEqual(await verifier.damaged(run, places, keys, chunkSizeBytes), [])
  const [own, all] = [process.threadCpuUsage(ownBefore), process.cpuUsage(allBefore)]
  assert.ok(own.user + own.system < (all.user + all.system) / 2, JSON.stringify({ own, all }))
})

test('a verifier that is closed says so, also to those who wait', async (t) => {
  const verifier = newVerifier(t)
  const { bytes, places } = sealedRun([randomBytes(chunkSizeBytes)])
  const isClosed = (error: unknown) => isVaultFailure(error, 'closed')
  const waiting = assert.rejects(verifier.damaged(Buffer.from(bytes), places, keys, chunkSizeBytes), isClosed)
  await verifier.close()
  await waiting
  await assert.rejects(verifier.damaged(bytes, places, keys, chunkSizeBytes), isClosed)
})
