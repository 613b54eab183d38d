import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { patchedHeader } from '@palisade/agent-protocol/wire'
import { deriveChunkKeys, makePatch, nameChunk, namePatch, sealChunk } from '@palisade/vault'
import { unsealFrame } from './unseal-frame.ts'

const chunkSizeBytes = 4096
const keys = deriveChunkKeys(randomBytes(32), 'acme/0001')
const spec = { geometry: { volumeSizeBytes: chunkSizeBytes, chunkSizeBytes }, keys, revisionId: 1 }

/** A chunk, and the bytes of the frame that it comes in as a patched one. */
function somePatchedFrame() {
  const base = randomBytes(chunkSizeBytes)
  const map = randomBytes(16)
  const changed = randomBytes(chunkSizeBytes)
  const content = Buffer.from(base)
  for (let piece = 0; piece < 128; piece++) {
    if (((map[piece >> 3] ?? 0) >> (piece & 7)) & 1)
      changed.copy(content, piece * 32, piece * 32, piece * 32 + 32)
  }
  const [baseId, patchId] = [nameChunk(base, keys.naming), namePatch(content, map, keys.naming)]
  const sealedBase = sealChunk(baseId, base, keys)
  const sealedPatch = sealChunk(patchId, makePatch(content, map), keys)
  const sealed = Buffer.concat([patchedHeader(baseId, patchId, sealedBase.length), sealedBase, sealedPatch])
  return { id: nameChunk(content, keys.naming), content, sealed }
}

test('a patched chunk is put together in its place, and nothing behind it is touched', () => {
  const { id, content, sealed } = somePatchedFrame()
  const target = Buffer.alloc(chunkSizeBytes + 64, 0x77)
  unsealFrame({ index: 0, id, sealed }, spec, target)
  assert.ok(target.subarray(0, chunkSizeBytes).equals(content))
  assert.ok(target.subarray(chunkSizeBytes).every((byte) => byte === 0x77))
})

test('a patched chunk of which anything is missing or another is damaged', () => {
  const { id, content, sealed } = somePatchedFrame()
  const target = Buffer.alloc(chunkSizeBytes)
  const isDamaged = (bytes: Buffer) =>
    assert.throws(() => unsealFrame({ index: 0, id, sealed: bytes }, spec, target), { code: 'DataDamaged' })
  for (const lengthBytes of [0, 1, 4, 8, 71, 72, 73, sealed.length - 1])
    isDamaged(sealed.subarray(0, lengthBytes))
  isDamaged(Buffer.concat([sealed, Buffer.alloc(1)]))
  // The three bytes behind the mark say nothing yet.
  const inHeader = [0, ...Array.from({ length: 68 }, (_none, index) => 4 + index)]
  for (const at of [...inHeader, ...Array.from({ length: 400 }, () => randomInt(72, sealed.length))]) {
    const bytes = Buffer.from(sealed)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << randomInt(8))
    isDamaged(bytes)
  }
  unsealFrame({ index: 0, id, sealed }, spec, target)
  assert.ok(target.equals(content))
})
