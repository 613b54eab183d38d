import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isVaultFailure } from '../failure.ts'
import { nameChunk } from './chunk-id.ts'
import { openPatched } from './open-patched.ts'
import { makePatch } from './patch.ts'
import { sealChunk } from './sealed-chunk.ts'

const chunkSizeBytes = 512 * 1024
const keys = { naming: randomBytes(32), sealing: randomBytes(32) }

function sealed(content: Uint8Array) {
  const id = nameChunk(content, keys.naming)
  return { id, sealed: Buffer.from(sealChunk(id, content, keys)) }
}

/** A chunk and one of which half is something else, as base and patch. */
function patched(bytes: (sizeBytes: number) => Buffer) {
  const before = randomBytes(chunkSizeBytes)
  const content = Buffer.from(before)
  bytes(chunkSizeBytes / 2).copy(content)
  const patch = makePatch(content, Buffer.alloc(16).fill(0xff, 0, 8))
  return { content, base: sealed(before), patch: sealed(patch) }
}

const kinds = { 'is compressed': (sizeBytes: number) => Buffer.alloc(sizeBytes, 7), 'is not': randomBytes }

for (const [kind, bytes] of Object.entries(kinds)) {
  test(`a patched chunk is put together, and what its patch was opened to goes at once, where it ${kind}`, () => {
    const { content, base, patch } = patched(bytes)
    const into = Buffer.alloc(chunkSizeBytes)
    const open = () => assert.ok(content.equals(openPatched(base, patch, keys, into)))
    open()
    const before = process.memoryUsage().arrayBuffers
    for (let turn = 0; turn < 20; turn++) open()
    const grownBytes = process.memoryUsage().arrayBuffers - before
    assert.ok(grownBytes < chunkSizeBytes, `${grownBytes} bytes were left to be collected`)
  })
}

test('base and patch in each other’s places, or of chunks of another length, are damaged', () => {
  const { base, patch } = patched(randomBytes)
  const isDamaged = (...[first, second, sizeBytes]: [typeof base, typeof base, number]) =>
    assert.throws(
      () => openPatched(first, second, keys, Buffer.alloc(sizeBytes)),
      (error) => isVaultFailure(error, 'damaged'),
    )
  isDamaged(patch, base, chunkSizeBytes)
  isDamaged(base, base, chunkSizeBytes)
  isDamaged(base, patch, chunkSizeBytes / 2)
  isDamaged(sealed(randomBytes(chunkSizeBytes / 2)), patch, chunkSizeBytes)
  isDamaged(base, sealed(Buffer.alloc(64 * chunkSizeBytes)), chunkSizeBytes)
})
