import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { crc32c } from './crc32c.ts'

test('gives the published check values', () => {
  assert.equal(crc32c(Buffer.from('123456789')), 0xe306_9283)
  assert.equal(crc32c(Buffer.alloc(32)), 0x8a91_36aa)
  assert.equal(crc32c(Buffer.alloc(32, 0xff)), 0x62a8_ab43)
  assert.equal(crc32c(Buffer.alloc(0)), 0)
})

test('agrees with the definition bit by bit, for every length and in pieces', () => {
  const property = fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(70), (bytes, cut) => {
    assert.equal(crc32c(bytes), bitwise(bytes))
    assert.equal(crc32c(bytes.subarray(cut), crc32c(bytes.subarray(0, cut))), bitwise(bytes))
  })
  fc.assert(property, { numRuns: 300 })
})

function bitwise(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f6_3b78 : 0)
  }
  return ~crc >>> 0
}
