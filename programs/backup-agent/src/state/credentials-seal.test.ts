import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CredentialsSeal } from './credentials-seal.ts'

const credentials = { username: 'EXAMPLE\\büro', password: ' "ü;% ' }

test('credentials come back under the credential they were sealed under, and under no other', () => {
  const sealed = new CredentialsSeal('one').seal(credentials)
  assert.deepEqual(new CredentialsSeal('one').open(sealed), credentials)
  assert.equal(new CredentialsSeal('two').open(sealed), undefined)
  assert.equal(new CredentialsSeal('one').open(undefined), undefined)
})

test('what was sealed says nothing, never looks the same twice, and cannot be changed', () => {
  const seal = new CredentialsSeal('one')
  const sealed = seal.seal(credentials)
  assert.notEqual(seal.seal(credentials), sealed)
  const bytes = Buffer.from(sealed, 'base64')
  assert.ok(!bytes.includes('username'))
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(seal.open(changed.toString('base64')), undefined)
  }
  assert.equal(seal.open(''), undefined)
})
