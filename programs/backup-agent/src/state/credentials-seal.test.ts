import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCredentials, sealCredentials } from './sealed-credentials.ts'
import { TextSeal } from './text-seal.ts'

const credentials = { username: 'EXAMPLE\\büro', password: ' "ü;% ' }

test('credentials come back under the credential they were sealed under, and under no other', () => {
  const sealed = sealCredentials(credentials, new TextSeal('one'))
  assert.deepEqual(openCredentials(sealed, new TextSeal('one')), credentials)
  assert.equal(openCredentials(sealed, new TextSeal('two')), undefined)
  assert.equal(openCredentials(undefined, new TextSeal('one')), undefined)
})

test('what was sealed says nothing, never looks the same twice, and cannot be changed', () => {
  const seal = new TextSeal('one')
  const sealed = sealCredentials(credentials, seal)
  assert.notEqual(sealCredentials(credentials, seal), sealed)
  const bytes = Buffer.from(sealed, 'base64')
  assert.ok(!bytes.includes('username'))
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(openCredentials(changed.toString('base64'), seal), undefined)
  }
  assert.equal(openCredentials('', seal), undefined)
})
