import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BackupSource } from '@palisade/agent-protocol'
import { isChosen, ownDisks, type VolumeChoice } from './choice.ts'
import { thisMachine } from './machine.ts'

const choose = (choice: VolumeChoice, source: BackupSource) => {
  const place = {
    source,
    identity: source,
    device: undefined,
    mountPoints: [],
    diskPaths: [source.path],
  } as const
  return isChosen(choice, source, place, thisMachine)
}

test('without images and patterns no file may be read', async () => {
  for (const path of ['/etc/passwd', '/images/web.raw', '/dev/null', '/dev/palisade-no-such'])
    assert.ok(!(await choose(ownDisks, { path })), path)
})

test('an image may be read, and of one that a pattern is about only the partitions that it names', async () => {
  const choice = { images: ['/images/a.raw', '/images/b.raw'], include: ['/images/b.raw#2'], exclude: [] }
  assert.ok(await choose(choice, { path: '/images/a.raw' }))
  assert.ok(await choose(choice, { path: '/images/b.raw', partition: 2 }))
  assert.ok(!(await choose(choice, { path: '/images/b.raw', partition: 1 })))
  assert.ok(!(await choose(choice, { path: '/images/c.raw' })))
})

test('a pattern is a whole path with stars, for all partitions or for one', async () => {
  const fits = (pattern: string, path: string, partition?: number) =>
    choose({ ...ownDisks, include: [pattern] }, { path, ...(partition === undefined ? {} : { partition }) })
  assert.ok(await fits('/dev/sda', '/dev/sda', 3))
  assert.ok(await fits('/dev/sd*', '/dev/sdb', 1))
  assert.ok(await fits('/dev/sda#3', '/dev/sda', 3))
  assert.ok(!(await fits('/dev/sda#3', '/dev/sda', 2)))
  assert.ok(!(await fits('/dev/sda#3', '/dev/sda')))
  assert.ok(!(await fits('/dev/sd', '/dev/sda')))
  assert.ok(!(await fits('/dev/sda', '/mnt/dev/sda')))
  assert.ok(!(await fits('/a.raw', '/abraw')))
  assert.ok(await fits('/images (old)/[1].raw', '/images (old)/[1].raw'))
})

test('what is excluded is out, also when it is included', async () => {
  const choice = { images: [], include: ['/dev/*'], exclude: ['/dev/sdb*'] }
  assert.ok(await choose(choice, { path: '/dev/sda' }))
  assert.ok(!(await choose(choice, { path: '/dev/sdb', partition: 2 })))
})
