import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { isVaultFailure } from '../failure.ts'
import { noise } from '../testing/noise.ts'
import { nameChunk } from './chunk-id.ts'
import {
  authenticateChunk,
  openChunk,
  sealChunk,
  sealedSizeMinBytes,
  sealOverheadBytes,
  unsealChunk,
} from './sealed-chunk.ts'

const keys = { naming: noise('naming', 32), sealing: noise('sealing', 32) }
const sizeMaxBytes = 64 * 1024
const isDamaged = (error: unknown) => isVaultFailure(error, 'damaged')

function seal(plaintext: Uint8Array) {
  const id = nameChunk(plaintext, keys.naming)
  return { id, sealed: sealChunk(id, plaintext, keys) }
}

test('opens what it sealed, whatever the content', () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc
      .record({ seed: fc.string(), bytes: fc.nat(sizeMaxBytes) })
      .map(({ seed, bytes }) => noise(seed, bytes)),
    fc
      .record({ text: fc.string({ minLength: 1 }), bytes: fc.nat(sizeMaxBytes) })
      .map(({ text, bytes }) => Buffer.alloc(bytes, text)),
  )
  fc.assert(
    fc.property(content, (plaintext) => {
      const { id, sealed } = seal(plaintext)
      assert.ok(sealed.length <= plaintext.length + sealOverheadBytes)
      assert.ok(Buffer.from(openChunk(id, sealed, keys, { sizeMaxBytes })).equals(plaintext))
    }),
    { numRuns: 200 },
  )
})

test('makes compressible content smaller and leaves random content as it is', () => {
  assert.ok(seal(Buffer.alloc(sizeMaxBytes, 'the same line again\n')).sealed.length < 1000)
  assert.equal(seal(noise('random', 256 * 1024)).sealed.length, 256 * 1024 + sealedSizeMinBytes)
})

test('compresses a chunk of which only a tenth is compressible', () => {
  const plaintext = noise('mostly random', 1024 * 1024)
  plaintext.fill(0, 500_000, 620_000)
  assert.ok(seal(plaintext).sealed.length < 0.95 * plaintext.length)
})

test('never seals the same content to the same bytes', () => {
  const plaintext = Buffer.alloc(1000, 'x')
  assert.notDeepEqual(seal(plaintext).sealed, seal(plaintext).sealed)
})

test('refuses a sealed chunk in which any single bit was changed', () => {
  const { id, sealed } = seal(Buffer.from('some content that is worth keeping'))
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.throws(() => openChunk(id, changed, keys, { sizeMaxBytes }), isDamaged)
  }
})

test('refuses a sealed chunk that was cut, or belongs to another id or domain', () => {
  const { id, sealed } = seal(noise('a', 5000))
  for (const length of [0, 1, sealedSizeMinBytes - 1, sealedSizeMinBytes, sealed.length - 1]) {
    assert.throws(() => openChunk(id, sealed.subarray(0, length), keys, { sizeMaxBytes }), isDamaged)
  }
  const other = seal(noise('b', 5000))
  assert.throws(() => openChunk(other.id, sealed, keys, { sizeMaxBytes }), isDamaged)
  const otherDomain = { naming: randomBytes(32), sealing: randomBytes(32) }
  assert.throws(() => openChunk(id, sealed, otherDomain, { sizeMaxBytes }), isDamaged)
})

test('refuses content that does not have the id it was sealed under', () => {
  const wrongId = nameChunk(Buffer.from('something else'), keys.naming)
  const sealed = sealChunk(wrongId, Buffer.from('content'), keys)
  authenticateChunk(wrongId, sealed, { chunks: keys, marking: noise('marking', 32) })
  assert.throws(() => openChunk(wrongId, sealed, keys, { sizeMaxBytes }), isDamaged)
})

test('unsealing leaves the name to the caller, and refuses what was not sealed under it all the same', () => {
  const wrongId = nameChunk(Buffer.from('something else'), keys.naming)
  for (const content of [Buffer.from('content'), noise('c', 5000), Buffer.alloc(5000, 'text ')]) {
    const sealed = sealChunk(wrongId, content, keys)
    assert.deepEqual(Buffer.from(unsealChunk(wrongId, sealed, keys, { sizeMaxBytes })), content)
    const otherId = nameChunk(content, keys.naming)
    assert.throws(() => unsealChunk(otherId, sealed, keys, { sizeMaxBytes }), isDamaged)
    const changed = Buffer.from(sealed)
    changed[20] = (changed[20] ?? 0) ^ 1
    assert.throws(() => unsealChunk(wrongId, changed, keys, { sizeMaxBytes }), isDamaged)
  }
})

test('refuses to unfold a chunk beyond the chunk size', () => {
  const { id, sealed } = seal(Buffer.alloc(sizeMaxBytes + 1))
  assert.throws(() => openChunk(id, sealed, keys, { sizeMaxBytes }), isDamaged)
  const random = seal(noise('long', 5000))
  assert.throws(() => openChunk(random.id, random.sealed, keys, { into: Buffer.alloc(4999) }), isDamaged)
})

test('uses the given buffers and refuses one that is too short for sealing', () => {
  const plaintext = noise('into', 5000)
  const id = nameChunk(plaintext, keys.naming)
  const sealedInto = Buffer.alloc(5000 + sealOverheadBytes)
  const sealed = sealChunk(id, plaintext, keys, { into: sealedInto })
  assert.equal(sealed.buffer, sealedInto.buffer)
  const openedInto = Buffer.alloc(6000)
  const opened = openChunk(id, sealed, keys, { into: openedInto })
  assert.equal(opened.buffer, openedInto.buffer)
  assert.deepEqual(Buffer.from(opened), plaintext)
  assert.throws(
    () => sealChunk(id, plaintext, keys, { into: Buffer.alloc(5000) }),
    (error) => isVaultFailure(error, 'invalid-argument'),
  )
})
