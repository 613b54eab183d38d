import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { idSizeBytes, patchedEntrySizeBytes } from '@palisade/agent-protocol'
import { someVolume } from '../testing/fake-agent.ts'
import { readCommitBody } from './commit-body.ts'

/** The body of a commit of which some chunks are patched. */
function someCommit(chunkCount: number, patched: readonly number[]) {
  const metadata = Buffer.from(
    JSON.stringify({
      volume: { ...someVolume, capacityBytes: chunkCount * 4096 },
      chunkSizeBytes: 4096,
      chunkCount,
      createdAtMs: 1,
      ...(patched.length > 0 ? { patchedCount: patched.length } : {}),
    }),
  )
  const ids = randomBytes(chunkCount * idSizeBytes)
  const table = randomBytes(patched.length * patchedEntrySizeBytes)
  for (const [entry, position] of patched.entries()) {
    table.writeUInt32LE(position, entry * patchedEntrySizeBytes)
  }
  const length = Buffer.alloc(4)
  length.writeUInt32LE(metadata.length)
  return { ids, table, body: Buffer.concat([length, metadata, ids, table]) }
}

/** The same bytes as they might arrive. */
async function* inPieces(body: Buffer, sizeMaxBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; ) {
    const end = Math.min(body.length, at + randomInt(sizeMaxBytes + 1))
    yield body.subarray(at, end)
    at = end
  }
}

test('a commit is read however its bytes arrive, and the memory that it takes is asked for before', async () => {
  let tried = 0
  for (const sizeMaxBytes of [1, 40, 70, 1000, 1_000_000]) {
    for (const [chunkCount, patched] of [
      [3, []],
      [1, [0]],
      [20, [0, 1, 7, 19]],
      [5, [0, 1, 2, 3, 4]],
    ] as const) {
      const { ids, table, body } = someCommit(chunkCount, patched)
      const amounts: number[] = []
      const { chunks } = await readCommitBody(inPieces(body, sizeMaxBytes), (sizeBytes) =>
        amounts.push(sizeBytes),
      )
      assert.deepEqual(amounts, [ids.length + table.length + patched.length * idSizeBytes])
      assert.deepEqual([chunks.count, chunks.patchedCount], [chunkCount, patched.length])
      assert.deepEqual(chunks.names(0, chunkCount), ids)
      assert.deepEqual(chunks.table(), table)
      tried++
    }
  }
  assert.equal(tried, 20)
})

test('a commit that ends too early or goes on behind its end is none, wherever', async () => {
  const { body, table } = someCommit(4, [1, 2])
  const read = (bytes: Buffer) => readCommitBody(inPieces(bytes, 50), () => undefined)
  await read(body)
  for (let lengthBytes = body.length - table.length - 40; lengthBytes < body.length; lengthBytes++) {
    await assert.rejects(read(body.subarray(0, lengthBytes)), /ends too early/)
  }
  await assert.rejects(read(Buffer.concat([body, Buffer.alloc(1)])), /more ids than chunks/)
})
