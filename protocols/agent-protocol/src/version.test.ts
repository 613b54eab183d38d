import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProtocolVersions, sharedVersion, whyNoSharedVersion, writeProtocolVersions } from './version.ts'

const only = (version: number) => ({ newest: version, oldest: version })

test('versions are read as they are written, and who names none speaks version 1', () => {
  for (const versions of [only(1), only(0), { newest: 3, oldest: 2 }, { newest: 999_999, oldest: 0 }]) {
    assert.deepEqual(readProtocolVersions(writeProtocolVersions(versions)), versions)
  }
  assert.equal(writeProtocolVersions({ newest: 3, oldest: 2 }), '3;oldest=2')
  assert.deepEqual(readProtocolVersions('3; oldest=2'), { newest: 3, oldest: 2 })
  assert.deepEqual(readProtocolVersions(undefined), only(1))
})

test('what names no versions is not read', () => {
  const others = [
    '',
    'one',
    '-1',
    '1.5',
    '1;oldest=',
    '1;oldest=2',
    '1, 2',
    '1234567',
    '1\n',
    ' 1',
    '1;newest=2',
  ]
  for (const value of others) assert.equal(readProtocolVersions(value), undefined, value)
})

test('one release before and after share a version; two do not, and it is said which to upgrade', () => {
  const releases = [only(1), { newest: 2, oldest: 1 }, { newest: 3, oldest: 2 }] as const
  const [first, second, third] = releases
  assert.equal(sharedVersion(first, first), 1)
  assert.equal(sharedVersion(first, second), 1)
  assert.equal(sharedVersion(third, second), 2)
  assert.equal(sharedVersion(first, third), undefined)
  assert.equal(sharedVersion(third, first), undefined)
  assert.equal(
    whyNoSharedVersion(first, third),
    'the agent speaks version 1 of the agent protocol, and the server versions 2 to 3: upgrade the agent',
  )
  assert.equal(
    whyNoSharedVersion(third, first),
    'the agent speaks versions 2 to 3 of the agent protocol, and the server version 1: upgrade the server',
  )
})
