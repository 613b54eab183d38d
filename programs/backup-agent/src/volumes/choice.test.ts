import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BackupSource } from '@palisade/agent-protocol'
import { everyVolume, isChosen, type VolumeChoice } from './choice.ts'
import { thisMachine } from './machine.ts'

const chosen = (choice: VolumeChoice, source: BackupSource) => {
  const place = {
    source,
    identity: source,
    device: undefined,
    mountPoints: [],
    diskPaths: [source.path],
  } as const
  return isChosen(choice, source, place, thisMachine)
}

test('without patterns every volume may be backed up', async () => {
  assert.ok(await chosen(everyVolume, { path: '/dev/sda', partition: 1 }))
})

test('a pattern is a whole path with stars, for all partitions or for one', async () => {
  const fits = (pattern: string, path: string, partition?: number) =>
    chosen(
      { ...everyVolume, include: [pattern] },
      { path, ...(partition === undefined ? {} : { partition }) },
    )
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
  const choice = { include: ['/dev/*'], exclude: ['/dev/sdb*'] }
  assert.ok(await chosen(choice, { path: '/dev/sda' }))
  assert.ok(!(await chosen(choice, { path: '/dev/sdb', partition: 2 })))
})
