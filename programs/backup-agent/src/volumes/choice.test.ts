import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isChosen } from './choice.ts'

const none = { include: [], exclude: [] }

test('without patterns every volume may be backed up', () => {
  assert.ok(isChosen(none, { path: '/dev/sda', partition: 1 }))
})

test('a pattern is a whole path with stars, for all partitions or for one', () => {
  const fits = (pattern: string, path: string, partition?: number) =>
    isChosen({ ...none, include: [pattern] }, { path, ...(partition === undefined ? {} : { partition }) })
  assert.ok(fits('/dev/sda', '/dev/sda', 3))
  assert.ok(fits('/dev/sd*', '/dev/sdb', 1))
  assert.ok(fits('/dev/sda#3', '/dev/sda', 3))
  assert.ok(!fits('/dev/sda#3', '/dev/sda', 2))
  assert.ok(!fits('/dev/sda#3', '/dev/sda'))
  assert.ok(!fits('/dev/sd', '/dev/sda'))
  assert.ok(!fits('/dev/sda', '/mnt/dev/sda'))
  assert.ok(!fits('/a.raw', '/abraw'))
  assert.ok(fits('/images (old)/[1].raw', '/images (old)/[1].raw'))
})

test('what is excluded is out, also when it is included', () => {
  const choice = { include: ['/dev/*'], exclude: ['/dev/sdb*'] }
  assert.ok(isChosen(choice, { path: '/dev/sda' }))
  assert.ok(!isChosen(choice, { path: '/dev/sdb', partition: 2 }))
})
