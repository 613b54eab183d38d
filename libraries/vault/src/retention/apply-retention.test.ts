import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVaultFailure } from '../failure.ts'
import { applyRetention, type DatedRevision, type RetentionPolicy } from './apply-retention.ts'

const at = (date: string, volume = 'c'): DatedRevision => ({
  revision: date,
  volume,
  createdMs: Date.parse(date),
})
const keptBy = (revisions: readonly DatedRevision[], policy: RetentionPolicy) =>
  applyRetention(revisions, policy).keep.map(({ revision }) => revision.revision)
const hourly = (from: string, count: number) =>
  Array.from({ length: count }, (_, hour) => at(new Date(Date.parse(from) + hour * 3_600_000).toISOString()))

test('keeps the last ones, in whatever order they come', () => {
  const revisions = ['2026-03-01T00:00Z', '2026-01-01T00:00Z', '2026-02-01T00:00Z'].map((date) => at(date))
  const { keep, remove } = applyRetention(revisions, { last: 2 })
  assert.deepEqual(
    keep.map(({ revision }) => revision.revision),
    ['2026-02-01T00:00Z', '2026-03-01T00:00Z'],
  )
  assert.deepEqual(
    remove.map(({ revision }) => revision),
    ['2026-01-01T00:00Z'],
  )
})

test('keeps the newest of each day, and days without a revision do not count', () => {
  const revisions = [
    ...hourly('2026-05-01T00:00:00Z', 30),
    at('2026-04-20T10:00:00Z'),
    at('2026-04-20T11:00:00Z'),
  ]
  assert.deepEqual(keptBy(revisions, { daily: 3 }), [
    '2026-04-20T11:00:00Z',
    '2026-05-01T23:00:00.000Z',
    '2026-05-02T05:00:00.000Z',
  ])
})

test('begins days where the time zone does, also when clocks change', () => {
  const revisions = [
    '2026-03-28T22:30:00Z',
    '2026-03-28T23:30:00Z',
    '2026-03-29T21:30:00Z',
    '2026-03-29T22:30:00Z',
  ].map((date) => at(date))
  assert.deepEqual(keptBy(revisions, { daily: 9, timeZone: 'Europe/Berlin' }), [
    '2026-03-28T22:30:00Z',
    '2026-03-29T21:30:00Z',
    '2026-03-29T22:30:00Z',
  ])
  assert.deepEqual(keptBy(revisions, { daily: 9 }), ['2026-03-28T23:30:00Z', '2026-03-29T22:30:00Z'])
})

test('begins weeks on Monday, also over the turn of a year', () => {
  const revisions = ['2026-12-27T12:00Z', '2026-12-28T12:00Z', '2027-01-03T12:00Z', '2027-01-04T12:00Z'].map(
    (date) => at(date),
  )
  assert.deepEqual(keptBy(revisions, { weekly: 9 }), [
    '2026-12-27T12:00Z',
    '2027-01-03T12:00Z',
    '2027-01-04T12:00Z',
  ])
})

test('keeps months and years, and says which rules chose a revision', () => {
  const revisions = ['2024-06-01T00:00Z', '2025-06-01T00:00Z', '2025-07-01T00:00Z', '2025-07-02T00:00Z'].map(
    (date) => at(date),
  )
  const { keep } = applyRetention(revisions, { monthly: 2, yearly: 2 })
  assert.deepEqual(
    keep.map(({ revision, rules }) => [revision.revision, rules]),
    [
      ['2024-06-01T00:00Z', ['yearly']],
      ['2025-06-01T00:00Z', ['monthly']],
      ['2025-07-02T00:00Z', ['last', 'monthly', 'yearly']],
    ],
  )
})

test('keeps what is young, counted from the newest revision', () => {
  const revisions = hourly('2020-01-01T00:00:00Z', 10)
  assert.equal(keptBy(revisions, { withinMs: 3 * 3_600_000 }).length, 4)
})

test('looks at each volume by itself, and keeps the newest revision of each', () => {
  const revisions = [at('2020-01-01T00:00Z', 'd'), ...hourly('2026-01-01T00:00:00Z', 5)]
  assert.deepEqual(keptBy(revisions, { last: 1 }), ['2020-01-01T00:00Z', '2026-01-01T04:00:00.000Z'])
  assert.deepEqual(keptBy(revisions, { withinMs: 1 }), ['2020-01-01T00:00Z', '2026-01-01T04:00:00.000Z'])
})

test("takes the given order for the order, in which a wrong date costs a place and takes nobody else's", () => {
  const dates = ['2026-03-01', '2026-04-01', '2026-05-01', '2026-03-01', '2026-06-01']
  const revisions = dates.map((date, order) => ({ ...at(date), revision: `${order}`, order }))
  assert.deepEqual(keptBy(revisions, { monthly: 4 }), ['1', '2', '3', '4'])
  assert.deepEqual(keptBy(revisions, { monthly: 5 }), ['0', '1', '2', '3', '4'])
  assert.deepEqual(keptBy(revisions, { last: 2 }), ['3', '4'])
})

test('chooses among equal dates the same every time', () => {
  const revisions = ['b', 'a', 'c'].map((revision) => ({ revision, volume: 'v', createdMs: 5 }))
  assert.deepEqual(keptBy(revisions, { last: 1 }), ['c'])
})

test('refuses a policy that would keep next to nothing by mistake', () => {
  const policies: RetentionPolicy[] = [
    {},
    { timeZone: 'UTC' },
    { last: 0 },
    { daily: -1 },
    { weekly: 1.5 },
    { withinMs: 0 },
    { last: 1, timeZone: 'Nowhere/Land' },
  ]
  for (const policy of policies) {
    assert.throws(
      () => applyRetention([], policy),
      (error) => isVaultFailure(error, 'invalid-argument'),
      JSON.stringify(policy),
    )
  }
})
