import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { uploadHeader } from '@palisade/agent-protocol'
import {
  type BackupSession,
  createVault,
  MemoryBackend,
  nameChunk,
  openChunk,
  sealChunk,
} from '@palisade/vault'
import fc from 'fast-check'
import { BufferPool } from './buffer-pool.ts'
import { receiveChunks } from './receive-chunks.ts'

const sizeMaxBytes = 4096 + 30

async function withSession(
  work: (session: BackupSession, keys: ReturnType<typeof vaultKeys>) => Promise<void>,
) {
  const vault = await createVault({
    backend: new MemoryBackend(),
    key: { bytes: Buffer.alloc(32, 1) },
    chunkSizeBytes: 4096,
  })
  const session = await vault.beginBackup('a/b')
  await work(session, vaultKeys(vault))
  await vault.close()
}

const vaultKeys = (vault: Awaited<ReturnType<typeof createVault>>) => vault.chunkKeys('a/b')

/** Each piece in memory of its own, as it comes from the network, or in memory that it shares. */
async function* inPiecesOf(sizes: readonly number[], bytes: Buffer, shared: boolean) {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    const piece = bytes.subarray(at, at + size)
    yield shared ? piece : Buffer.from(Uint8Array.from(piece).buffer)
    at += size
  }
}

test('chunks arrive as they were sent, however the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 4096 }), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (chunkSizes, pieceSizes, shared) => {
        await withSession(async (session, keys) => {
          const sent = chunkSizes.map((size) => {
            const plaintext = randomBytes(size)
            const id = nameChunk(plaintext, keys.naming)
            return { id, plaintext, sealed: sealChunk(id, plaintext, keys) }
          })
          const stored = new Map<string, Buffer>()
          const observed = Object.create(session, {
            add: {
              value: (id: Buffer, sealed: Buffer) => {
                stored.set(id.toString('hex'), Buffer.from(sealed))
                return session.add(id, sealed)
              },
            },
          })
          const body = Buffer.concat(
            sent.flatMap(({ id, sealed }) => [uploadHeader(id, sealed.length), sealed]),
          )
          await receiveChunks(
            inPiecesOf(pieceSizes, body, shared),
            observed,
            new BufferPool(sizeMaxBytes, 2),
            false,
          )
          assert.equal(stored.size, sent.length)
          for (const { id, plaintext } of sent) {
            const sealed = stored.get(id.toString('hex'))
            assert.ok(sealed)
            assert.ok(plaintext.equals(openChunk(id, sealed, keys, { sizeMaxBytes: 4096 })))
          }
        })
      },
    ),
    { numRuns: 60 },
  )
})

test('no more than a few chunks are in memory, whatever the disk does', async () => {
  let running = 0
  let most = 0
  const slow = {
    add: async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
    },
  }
  await withSession(async (session) => {
    const frame = Buffer.concat([uploadHeader(Buffer.alloc(32, 1), 100), Buffer.alloc(100)])
    const body = Buffer.concat(Array.from({ length: 500 }, () => frame))
    const observed = Object.create(session, { add: { value: slow.add } })
    await receiveChunks(
      inPiecesOf([body.length], body, true),
      observed,
      new BufferPool(sizeMaxBytes, 2),
      false,
    )
  })
  assert.equal(running, 0)
  assert.equal(most, 4)
})

test('a chunk that cannot be stored fails the upload, after all others have settled', async () => {
  let settled = 0
  const failing = async () => {
    await new Promise(setImmediate)
    settled++
    throw new Error('the disk is full')
  }
  await withSession(async (session) => {
    const frame = Buffer.concat([uploadHeader(Buffer.alloc(32, 1), 10), Buffer.alloc(10)])
    const observed = Object.create(session, { add: { value: failing } })
    const body = Buffer.concat([frame, frame, frame])
    await assert.rejects(
      receiveChunks(inPiecesOf([body.length], body, true), observed, new BufferPool(sizeMaxBytes, 2), false),
      /the disk is full/,
    )
  })
  assert.equal(settled, 3)
})
