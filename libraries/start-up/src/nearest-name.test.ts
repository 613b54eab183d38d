import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestName } from './nearest-name.ts'

test('finds the name that was misspelt, and none where nothing is near', () => {
  const names = ['dataDirectory', 'database', 'log', 'firewall', 'services', 'awareness', 'backup', 'email']
  const cases = [
    ['dataDirectry', 'dataDirectory'],
    ['datadirectory', 'dataDirectory'],
    ['firewal', 'firewall'],
    ['fierwall', 'firewall'],
    ['lgo', undefined],
    ['logs', 'log'],
    ['backups', 'backup'],
    ['emial', undefined],
    ['emails', 'email'],
    ['', undefined],
    ['x', undefined],
    ['proxy', undefined],
  ] as const
  let ran = 0
  for (const [word, expected] of cases) {
    assert.equal(nearestName(word, names), expected, word)
    ran++
  }
  assert.equal(ran, cases.length)
})
