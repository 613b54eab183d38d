import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceIdOf, newDiscoveredVolume } from '../testing/fake-agent.ts'
import { coveredVolumes, needsDiscovery, selectSources, withoutAll } from './select-volumes.ts'
import type { SelectedVolume, SetDefinition } from './set-definition.ts'

const mbr = { partitionScheme: 'mbr' as const, partitionType: '07' }
const volumes = [
  newDiscoveredVolume('/dev/sda1', { diskId: 'a', isSystem: true, isBoot: true, driveLetter: '', ...mbr }),
  newDiscoveredVolume('/dev/sda2', { diskId: 'a', isBoot: true, driveLetter: 'C:', ...mbr }),
  newDiscoveredVolume('/dev/sda3', { diskId: 'a', driveLetter: 'D:', ...mbr }),
  newDiscoveredVolume('/dev/sdb1', { diskId: 'b', driveLetter: 'E:' }),
  newDiscoveredVolume('/dev/sdc1', { diskId: 'c', driveLetter: 'S:' }, { unsupportedReason: 2 }),
]

function set(selection: SelectedVolume[], exclusions: SelectedVolume[] = []): SetDefinition {
  return {
    selection,
    exclusions,
    useDynamicVolumeInclusion: true,
    timeZone: 'UTC',
    schedule: [],
    settings: {},
  }
}
const choose = (selection: SelectedVolume[], exclusions: SelectedVolume[] = [], covered: string[] = []) =>
  selectSources(set(selection, exclusions), volumes, new Set(covered))
    .map(({ path }) => path.slice(5))
    .sort()
    .join(' ')

test('volumes are named by letter, device id or path, whatever the case', () => {
  assert.equal(choose(['d:']), 'sda3')
  assert.equal(choose(['D:\\']), 'sda3')
  assert.equal(choose([deviceIdOf('/dev/sdb1')]), 'sdb1')
  assert.equal(choose([deviceIdOf('/dev/sdb1').toUpperCase().slice(0, -1)]), 'sdb1')
  assert.equal(choose([{ path: '/dev/sdb1' }, 'E:']), 'sdb1', 'once')
  assert.equal(choose([{ path: '/dev/unseen' }]), 'unseen')
  assert.equal(choose(['X:']), '')
})

test('a boot volume brings the system volume of its disk, and only that does', () => {
  assert.equal(choose(['C:']), 'sda1 sda2')
  assert.equal(choose(['%systemdrive%']), 'sda1 sda2')
  assert.equal(choose(['D:']), 'sda3')
})

test('all volumes are those that can be backed up and that no other set has', () => {
  assert.equal(choose(['%All%']), 'sda1 sda2 sda3 sdb1')
  assert.equal(choose(['%ALL%'], ['c:']), 'sda3 sdb1')
  assert.equal(choose(['%All%'], [{ path: '/dev/sdb1' }]), 'sda1 sda2 sda3')
  assert.equal(choose(['%All%'], [], [deviceIdOf('/dev/sdb1')]), 'sda1 sda2 sda3')
  assert.equal(choose(['%All%', 'E:'], [], [deviceIdOf('/dev/sdb1')]), 'sda1 sda2 sda3 sdb1')
  assert.equal(choose(['S:']), 'sdc1', 'one that is named is tried')
})

test('all volumes are also system volumes that no boot volume brings along, as beside a root that the agent cannot look into', () => {
  const foreign = ['/images/x#1', '/images/x#2', '/images/x#3'].map((path, index) =>
    newDiscoveredVolume(path, {
      diskId: '/images/x',
      isSystem: index < 2,
      isBoot: index < 2,
      driveLetter: '',
    }),
  )
  const all = [...volumes, ...foreign]
  const paths = selectSources(set(['%All%'], ['C:']), all).map(({ path }) => path)
  assert.deepEqual(
    paths.sort(),
    [...foreign.map(({ source }) => source.path), '/dev/sda3', '/dev/sdb1'].sort(),
  )
  assert.equal(withoutAll(set(['%All%'], ['E:']), all).selection.length, 5)
})

test('a partition of a disk is another source than the disk', () => {
  const sources = selectSources(set([{ path: '/d' }, { path: '/d', partition: 1 }]), [])
  assert.equal(sources.length, 2)
})

test('only paths can be backed up without asking the agent', () => {
  assert.equal(needsDiscovery(set([{ path: '/x' }])), false)
  assert.equal(needsDiscovery(set([{ path: '/x' }], ['C:'])), true)
})

test('sets cover what they name, not what they take because it is there', () => {
  assert.deepEqual([...coveredVolumes([set(['%All%', 'E:'])], volumes)], [deviceIdOf('/dev/sdb1')])
})

test('all volumes of today can be held fast', () => {
  assert.deepEqual(withoutAll(set(['%All%'], ['E:']), volumes).selection, [
    deviceIdOf('/dev/sda2'),
    deviceIdOf('/dev/sda3'),
  ])
})
