import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describe } from './describe.ts'

test('an error is told with what caused it, once', () => {
  const cause = new Error('no such file', { cause: 'a string' })
  assert.equal(
    describe(new Error('it cannot be read', { cause })),
    'it cannot be read: no such file: a string',
  )
  const saying = new Error('it cannot be read: no such file: a string', { cause })
  assert.equal(describe(saying), 'it cannot be read: no such file: a string')
  assert.equal(describe('text'), 'text')
})

test('an error that says nothing is told by its code, or its name', () => {
  assert.equal(describe(Object.assign(new Error(''), { code: 'ECONNREFUSED' })), 'ECONNREFUSED')
  assert.equal(describe(new TypeError('')), 'TypeError')
})
