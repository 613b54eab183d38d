import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from '../../../kinds/kind.ts'
import { exceptionHeuristics } from './learning.ts'

const fields: Fields = exceptionHeuristics.fields
const names = Object.keys(fields)

test('the schemes give 887 members, which is what the API has', () => {
  const starting = (prefix: string) => names.filter((name) => name.startsWith(prefix)).length
  assert.deepEqual(
    [
      names.length,
      starting('setting-'),
      starting('count-'),
      starting('newvalue-'),
      starting('adaptive-protocol-'),
    ],
    [887, 307, 229, 304, 45],
  )
})

test('a violation has a setting, a number and an exception at each level, and no number for trusted hosts', () => {
  const ofSql = names.filter((name) => name.endsWith('-sql-url'))
  assert.equal(ofSql.length, 11)
  assert.ok(!ofSql.includes('count-trusted-sql-url'))
})

test('the oddities of the API are kept', () => {
  const present = ['adaptive-protocol-count-parameter-lagre', 'adaptive-protocol-newvalue-get-req']
  const absent = ['count-medium-param-notallowed', 'setting-trusted-sessionchoice-tampered']
  assert.deepEqual(names.filter((name) => [...present, ...absent].includes(name)).sort(), present)
})

test('a request cannot be longer than anything, so its limits are never lifted', () => {
  const field = fields['newvalue-high-req-length']
  assert.ok(field?.type === 'choice' && !field.values.includes('Infinite'))
})
