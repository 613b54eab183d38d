import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestOf, equalInConstantTime, newSecret } from './tokens.ts'

test('makes secrets of 256 bits that need no escaping anywhere', () => {
  const secrets = Array.from({ length: 1000 }, newSecret)
  assert.equal(new Set(secrets).size, 1000)
  for (const secret of secrets) {
    assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
    assert.equal(Buffer.from(secret, 'base64url').length, 32)
  }
})

test('digests with SHA-256 (FIPS 180-4, example "abc")', () => {
  assert.equal(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('compares secrets of any length', () => {
  assert.equal(equalInConstantTime('', ''), true)
  assert.equal(equalInConstantTime('a secret', 'a secret'), true)
  for (const other of ['', 'a secre', 'a secret ', 'A secret', 'a secreu']) {
    assert.equal(equalInConstantTime('a secret', other), false, other)
  }
})
