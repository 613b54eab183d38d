import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Revision } from '../revisions/revisions.ts'
import { someVolume } from '../testing/fake-agent.ts'
import { superfluousRevisions } from './retention.ts'

const dayMs = 86_400_000

function revision(id: number, createdAt: number, deviceId = 'one'): Revision {
  const volume = { ...someVolume, deviceId }
  const nothing = {
    origin: null,
    actionId: null,
    setId: null,
    hardware: null,
    endToEndKeyCheck: null,
    verification: null,
    proof: null,
    provedBootableAt: null,
    isPinned: false,
  }
  return { id, volume, createdAt, chunkSizeBytes: 4096, chunkCount: 1, ...nothing }
}

const daily = (count: number) => Array.from({ length: count }, (_, day) => revision(day + 1, day * dayMs))

test('the last revisions of each volume stay', () => {
  const both = [...daily(5), revision(6, 0, 'two'), revision(7, 1, 'two')]
  assert.deepEqual(superfluousRevisions(both, { keepLast: 2 }, 'UTC').sort(), [1, 2, 3])
})

test('days, weeks and months keep their newest, in the time zone of the set', () => {
  const rest = (timeZone: string) =>
    superfluousRevisions(
      [revision(1, Date.parse('2030-01-01T22:30Z')), revision(2, Date.parse('2030-01-01T23:30Z'))],
      { keepLast: 1, keepDaily: 2 },
      timeZone,
    )
  assert.deepEqual(rest('UTC'), [1])
  assert.deepEqual(rest('Europe/Berlin'), [], 'half past eleven is the next day there')
  const remaining = superfluousRevisions(
    daily(400),
    { keepLast: 1, keepDaily: 7, keepWeekly: 4, keepMonthly: 12 },
    'UTC',
  )
  assert.ok(remaining.length < 400 - 18 && remaining.length >= 400 - 1 - 7 - 4 - 12)
})

test('a pinned revision stays, and takes the place that it has without its pin', () => {
  const pinnedAmong = (ids: number[]) =>
    superfluousRevisions(
      daily(5).map((one) => ({ ...one, isPinned: ids.includes(one.id) })),
      { keepLast: 2 },
      'UTC',
    )
  assert.deepEqual(pinnedAmong([2]), [1, 3])
  assert.deepEqual(pinnedAmong([5]), [1, 2, 3], 'the newest has its place all the same')
  assert.deepEqual(pinnedAmong([1, 2, 3, 4, 5]), [])
})

test('a revision with a date in the future does not push newer ones out', () => {
  const revisions = [revision(1, 0), revision(2, 1e14), revision(3, 2 * dayMs), revision(4, 3 * dayMs)]
  assert.deepEqual(superfluousRevisions(revisions, { keepLast: 1 }, 'UTC').sort(), [1, 2, 3])
  assert.deepEqual(superfluousRevisions(revisions.slice(0, 2), { keepLast: 1 }, 'UTC'), [1])
})

test('a date in the past, from an agent whose clock was reset, costs a place and no older revision its own', () => {
  const retention = { keepLast: 1, keepDaily: 10 }
  const revisions = daily(30)
  assert.equal(revisions.length - superfluousRevisions(revisions, retention, 'UTC').length, 10)
  for (const wrong of [0, 5 * dayMs, 24 * dayMs]) {
    const withWrong = [...revisions.slice(0, 28), revision(29, wrong), revision(30, 29 * dayMs)]
    const removed = superfluousRevisions(withWrong, retention, 'UTC')
    assert.deepEqual(
      removed,
      Array.from({ length: 20 }, (_, index) => index + 1),
      `${wrong}`,
    )
  }
})

test('revisions made while the clock of the agent stood in the past take no place of those that were made before', () => {
  const before = daily(5).map(({ id, createdAt }) => revision(id, createdAt + 20_000 * dayMs))
  const since = daily(5).map(({ id, createdAt }) => revision(5 + id, createdAt))
  const retention = { keepLast: 1, keepDaily: 5, keepMonthly: 2 }
  assert.deepEqual(superfluousRevisions([...before, ...since], retention, 'UTC'), [1, 2, 3, 4])
})

test('a system volume keeps what a boot volume that is kept needs to start, where later runs failed for the boot volume', () => {
  const disk = { isBoot: true, diskId: '/dev/sda' }
  const of = (id: number, run: number, deviceId: string) => {
    const item = revision(id, run * dayMs, deviceId)
    return { ...item, actionId: run, volume: { ...item.volume, ...disk, isSystem: deviceId === '/boot' } }
  }
  const roots = [1, 2, 3].map((run) => of(2 * run, run, '/'))
  const boots = [1, 2, 3, 4, 5, 6].map((run) => of(2 * run + 1, run, '/boot'))
  const removed = superfluousRevisions([...roots, ...boots], { keepLast: 2 }, 'UTC')
  assert.deepEqual(removed.sort(), [2, 3, 9], 'of both, what runs 2 and 3 have made is there')
  const pinned = roots.map((root) => ({ ...root, isPinned: root.id === 2 }))
  assert.deepEqual(
    superfluousRevisions([...pinned, ...boots], { keepLast: 2 }, 'UTC'),
    [9],
    'and what a pinned one needs',
  )
})
