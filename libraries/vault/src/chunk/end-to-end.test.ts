import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isVaultFailure } from '../failure.ts'
import { deriveDomainKeys } from '../keys/derive.ts'
import { deriveEndToEndKeys } from '../keys/end-to-end.ts'
import { noise } from '../testing/noise.ts'
import { nameChunk } from './chunk-id.ts'
import {
  authenticateChunk,
  isSealedEndToEnd,
  openChunk,
  sealChunk,
  sealOverheadBytes,
  unsealChunk,
  verifyChunk,
} from './sealed-chunk.ts'

const domain = 'acme/0001'
const vaultKeys = deriveDomainKeys(noise('master', 32), domain)
const own = deriveEndToEndKeys(noise('own', 32), domain)
const sealingKeys = { ...own.chunks, marking: vaultKeys.marking }
const isDamaged = (error: unknown) => isVaultFailure(error, 'damaged')
const sizeMaxBytes = 64 * 1024
const contents = [Buffer.alloc(20_000, 'some text '), noise('content', 20_000), Buffer.from('a few bytes')]

function seal(plaintext: Uint8Array) {
  const id = nameChunk(plaintext, own.chunks.naming)
  return { id, sealed: sealChunk(id, plaintext, sealingKeys) }
}

test("the vault's keys cannot open what a computer sealed with its own key, nor name it", () => {
  for (const plaintext of contents) {
    const { id, sealed } = seal(plaintext)
    assert.ok(isSealedEndToEnd(sealed))
    assert.throws(() => openChunk(id, sealed, vaultKeys.chunks, { sizeMaxBytes }), isDamaged)
    assert.throws(() => unsealChunk(id, sealed, vaultKeys.chunks, { sizeMaxBytes }), isDamaged)
    assert.notDeepEqual(nameChunk(plaintext, vaultKeys.chunks.naming), id)
    assert.equal(Buffer.from(sealed).includes(plaintext.subarray(0, 11)), false)
  }
})

test('the key of another computer opens nothing, also when it is the same file in another domain', () => {
  const others = [
    deriveEndToEndKeys(noise('other', 32), domain),
    deriveEndToEndKeys(noise('own', 32), 'acme/0002'),
  ]
  for (const { chunks, keyCheck } of others) {
    const { id, sealed } = seal(noise('content', 20_000))
    assert.throws(() => openChunk(id, sealed, chunks, { sizeMaxBytes }), isDamaged)
    assert.notEqual(keyCheck, own.keyCheck)
  }
})

test("the computer's key opens it again, and the vault sees that it is what was sent", () => {
  for (const plaintext of contents) {
    const { id, sealed } = seal(plaintext)
    assert.ok(sealed.length <= plaintext.length + sealOverheadBytes)
    assert.ok(Buffer.from(openChunk(id, sealed, own.chunks, { sizeMaxBytes })).equals(plaintext))
    verifyChunk(id, sealed, vaultKeys, { sizeMaxBytes })
    authenticateChunk(id, sealed, vaultKeys)
  }
})

test('the vault sees any bit that was changed, another id, another domain, and what lost its mark', () => {
  const { id, sealed } = seal(Buffer.from('some content that is worth keeping'))
  const verify = (idBytes: Uint8Array, bytes: Uint8Array, keys = vaultKeys) =>
    verifyChunk(idBytes, bytes, keys, { sizeMaxBytes })
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.throws(() => verify(id, changed), isDamaged)
  }
  assert.throws(() => verify(randomBytes(32), sealed), isDamaged)
  assert.throws(() => verify(id, sealed, deriveDomainKeys(noise('master', 32), 'acme/0002')), isDamaged)
  for (const length of [0, 1, 30, 61, 62, sealed.length - 32, sealed.length - 1]) {
    assert.throws(() => verify(id, sealed.subarray(0, length)), isDamaged)
  }
})

test('the check value recognises a key, and is another one for each key', () => {
  assert.match(own.keyCheck, /^[0-9a-f]{32}$/)
  assert.equal(deriveEndToEndKeys(noise('own', 32), domain).keyCheck, own.keyCheck)
  assert.throws(
    () => deriveEndToEndKeys(noise('own', 31), domain),
    (error) => isVaultFailure(error, 'invalid-argument'),
  )
})
