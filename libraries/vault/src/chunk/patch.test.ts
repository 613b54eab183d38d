import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isVaultFailure } from '../failure.ts'
import { noise } from '../testing/noise.ts'
import { nameChunk } from './chunk-id.ts'
import {
  applyPatch,
  countPieces,
  isPatchable,
  makePatch,
  namePatch,
  patchLength,
  patchMapBytes,
  patchPieces,
} from './patch.ts'

const namingKey = noise('naming', 32)
const isDamaged = (error: unknown) => isVaultFailure(error, 'damaged')
const isInvalid = (error: unknown) => isVaultFailure(error, 'invalid-argument')

/** A chunk that can be patched, its base, and which of its pieces are in the patch: none, all, and anything between. */
const example = fc.record({
  chunkSizeBytes: fc.constantFrom(128, 256, 640, 4096, 65_536),
  seed: fc.nat(1000).map(String),
  isNamed: fc.oneof(
    fc.array(fc.boolean(), { minLength: patchPieces, maxLength: patchPieces }),
    fc.tuple(fc.nat(patchPieces), fc.nat(patchPieces)).map(([from, to]) => stretch(from, to)),
  ),
})

function stretch(from: number, to: number): boolean[] {
  return Array.from({ length: patchPieces }, (_, piece) => piece >= from && piece < to)
}

/** The map, one bit after the other. */
function mapOf(isNamed: readonly boolean[]): Buffer {
  const bytes = Array.from({ length: patchMapBytes }, (_, byte) =>
    isNamed.slice(byte * 8, byte * 8 + 8).reduce((sum, named, bit) => sum + (named ? 2 ** bit : 0), 0),
  )
  return Buffer.from(bytes)
}

function piecesOf(chunk: Buffer): Buffer[] {
  const pieceBytes = chunk.length / patchPieces
  return Array.from({ length: patchPieces }, (_, piece) =>
    chunk.subarray(piece * pieceBytes, (piece + 1) * pieceBytes),
  )
}

test('has the map and the named pieces, and laid over a base replaces just these', () => {
  fc.assert(
    fc.property(example, ({ chunkSizeBytes, seed, isNamed }) => {
      const [chunk, base] = [noise(`chunk ${seed}`, chunkSizeBytes), noise(`base ${seed}`, chunkSizeBytes)]
      const [pieces, map] = [piecesOf(chunk), mapOf(isNamed)]
      const expected = Buffer.concat([map, ...pieces.filter((_, piece) => isNamed[piece])])
      const patch = makePatch(chunk, map)
      assert.ok(expected.equals(patch))
      assert.equal(patchLength(chunkSizeBytes, map), expected.length)
      assert.equal(countPieces(map), isNamed.filter(Boolean).length)
      assert.ok(namePatch(chunk, map, namingKey).equals(nameChunk(patch, namingKey)))
      const laid = Buffer.from(base)
      applyPatch(laid, patch)
      const mixed = piecesOf(base).map((piece, index) => (isNamed[index] ? (pieces[index] ?? piece) : piece))
      assert.ok(laid.equals(Buffer.concat(mixed)))
    }),
    { numRuns: 300 },
  )
})

test('is put into memory that has other content and more room, and leaves what is behind it alone', () => {
  fc.assert(
    fc.property(example, ({ chunkSizeBytes, seed, isNamed }) => {
      const [chunk, map] = [noise(seed, chunkSizeBytes), mapOf(isNamed)]
      const into = Buffer.alloc(chunkSizeBytes + 100, 255)
      const patch = makePatch(chunk, map, into)
      assert.ok(makePatch(chunk, map).every((byte, index) => byte === patch[index]))
      assert.equal(patch.buffer, into.buffer)
      assert.equal(patch.byteOffset, into.byteOffset)
      assert.ok(into.subarray(patch.length).every((byte) => byte === 255))
    }),
  )
})

test('is refused as damaged in every other length, and changes nothing of the base then', () => {
  const base = noise('base', 1024)
  const map = mapOf(Array.from({ length: patchPieces }, (_, piece) => piece % 32 === 5))
  const patch = Buffer.from(makePatch(noise('chunk', 1024), map))
  assert.equal(patch.length, patchMapBytes + 4 * 8)
  let refused = 0
  for (let length = 0; length <= 2 * patch.length; length++) {
    if (length === patch.length) continue
    const wrong = Buffer.alloc(length)
    patch.copy(wrong)
    const laid = Buffer.from(base)
    assert.throws(() => applyPatch(laid, wrong), isDamaged, `${length} bytes`)
    assert.ok(laid.equals(base))
    refused++
  }
  assert.equal(refused, 2 * patch.length)
})

test('is refused as damaged with any other number of pieces than its map names, and over a base of another size', () => {
  const map = mapOf(stretch(3, 60))
  const patch = Buffer.from(makePatch(noise('chunk', 4096), map))
  for (let bit = 0; bit < patchPieces; bit++) {
    const wrong = Buffer.from(patch)
    wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.throws(() => applyPatch(Buffer.alloc(4096), wrong), isDamaged, `piece ${bit}`)
  }
  for (const sizeBytes of [0, 1, 127, 128, 2048, 4095, 4097, 8192]) {
    assert.throws(() => applyPatch(Buffer.alloc(sizeBytes), patch), isDamaged, `${sizeBytes} bytes`)
  }
})

test('is not made with a map of another length, nor of a chunk that has no pieces of whole bytes', () => {
  const whole = mapOf(stretch(0, patchPieces))
  for (const length of [0, 1, 15, 17, 32]) {
    const map = Buffer.alloc(length, 255)
    assert.throws(() => makePatch(noise('chunk', 4096), map), isInvalid, `${length} bytes`)
    assert.throws(() => namePatch(noise('chunk', 4096), map, namingKey), isInvalid, `${length} bytes`)
  }
  for (const sizeBytes of [0, 1, 64, 127, 129, 4095, 4097, 512 * 1024 - 512 + 1]) {
    assert.equal(isPatchable(sizeBytes), false)
    const chunk = Buffer.alloc(sizeBytes, 1)
    assert.throws(() => makePatch(chunk, whole), isInvalid, `${sizeBytes} bytes`)
    assert.throws(() => namePatch(chunk, whole, namingKey), isInvalid, `${sizeBytes} bytes`)
    assert.throws(() => applyPatch(chunk, whole), isDamaged, `${sizeBytes} bytes`)
  }
  for (const sizeBytes of [128, 4096, 512 * 1024, 16 * 1024 * 1024])
    assert.equal(isPatchable(sizeBytes), true)
})

test('is not put into memory that is too small for it', () => {
  const chunk = noise('chunk', 4096)
  const map = mapOf(stretch(10, 20))
  for (const missing of [1, 100, patchLength(4096, map)]) {
    const into = Buffer.alloc(patchLength(4096, map) - missing)
    assert.throws(() => makePatch(chunk, map, into), isInvalid, `${missing} bytes too few`)
  }
})
