import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextRun } from './next-run.ts'
import { type ScheduleItem, scheduleProblems } from './schedule.ts'
import { isTimeZone, momentMeantBy, momentsOf, wallTimeAt } from './zoned-time.ts'

/** The next runs after a date, as ISO texts without seconds. */
function runs(schedule: readonly ScheduleItem[], timeZone: string, after: string, count: number): string[] {
  const runTimes: string[] = []
  let atMs = Date.parse(after)
  while (runTimes.length < count) {
    const next = nextRun(schedule, timeZone, atMs)
    assert.ok(next)
    atMs = next.atMs
    runTimes.push(new Date(atMs).toISOString().slice(0, 16))
  }
  return runTimes
}

const daily = (hour: number, minute = 0): ScheduleItem => ({ type: 'daily', hour, minute })

test('a daily time keeps its place on the clock when the clocks change', () => {
  assert.deepEqual(runs([daily(23)], 'Europe/Berlin', '2030-03-29T12:00Z', 4), [
    '2030-03-29T22:00',
    '2030-03-30T22:00',
    '2030-03-31T21:00',
    '2030-04-01T21:00',
  ])
})

test('a time that the clock leaves out runs once, as much later as the clock is set forward', () => {
  assert.deepEqual(runs([daily(2, 30)], 'Europe/Berlin', '2030-03-30T12:00Z', 2), [
    '2030-03-31T01:30',
    '2030-04-01T00:30',
  ])
})

test('a time that the clock shows twice runs once, at the first', () => {
  assert.deepEqual(runs([daily(2, 30)], 'Europe/Berlin', '2030-10-26T12:00Z', 2), [
    '2030-10-27T00:30',
    '2030-10-28T01:30',
  ])
  assert.deepEqual(runs([daily(2, 30)], 'Europe/Berlin', '2030-10-27T00:30Z', 1), ['2030-10-28T01:30'])
})

test('a day whose midnight is left out has its runs', () => {
  // Cuba sets its clocks forward at midnight.
  assert.deepEqual(runs([daily(0)], 'America/Havana', '2026-03-07T12:00Z', 2), [
    '2026-03-08T05:00',
    '2026-03-09T04:00',
  ])
})

test('every hour is every hour, also when one is left out or comes twice', () => {
  const hourly: ScheduleItem[] = [{ type: 'hourly', interval: 1 }]
  const gaps = (after: string) => {
    const runTimes = runs(hourly, 'Europe/Berlin', after, 5).map((text) => Date.parse(`${text}Z`))
    return runTimes.slice(1).map((atMs, index) => (atMs - (runTimes[index] ?? 0)) / 3_600_000)
  }
  assert.deepEqual(gaps('2030-03-30T23:30Z'), [1, 1, 1, 1])
  assert.deepEqual(gaps('2030-10-26T23:30Z'), [1, 1, 1, 1])
})

test('an interval of hours counts from midnight, in zones of half hours too', () => {
  assert.deepEqual(runs([{ type: 'hourly', interval: 10 }], 'Asia/Kolkata', '2030-01-01T00:00Z', 4), [
    '2030-01-01T04:30',
    '2030-01-01T14:30',
    '2030-01-01T18:30',
    '2030-01-02T04:30',
  ])
})

test('an hour that is left out comes after the change, midnight too', () => {
  assert.deepEqual(runs([{ type: 'hourly', interval: 12 }], 'America/Havana', '2025-03-08T17:00Z', 3), [
    '2025-03-09T05:00',
    '2025-03-09T16:00',
    '2025-03-10T04:00',
  ])
  assert.deepEqual(runs([{ type: 'hourly', interval: 2 }], 'Europe/Berlin', '2030-03-30T23:00Z', 3), [
    '2030-03-31T01:00',
    '2030-03-31T02:00',
    '2030-03-31T04:00',
  ])
})

test('working days leave out the weekend, and weekly days are those that are named', () => {
  assert.deepEqual(
    runs([{ ...daily(6), workDaysOnly: true } as ScheduleItem], 'UTC', '2030-01-03T12:00Z', 3),
    ['2030-01-04T06:00', '2030-01-07T06:00', '2030-01-08T06:00'],
  )
  const weekly: ScheduleItem = { type: 'weekly', days: ['Sunday', 'Wednesday'], hour: 6, minute: 15 }
  assert.deepEqual(runs([weekly], 'UTC', '2030-01-06T06:15Z', 3), [
    '2030-01-09T06:15',
    '2030-01-13T06:15',
    '2030-01-16T06:15',
  ])
})

test('items go together, a time that two of them name runs once, and manual never runs', () => {
  assert.deepEqual(runs([daily(6), daily(18), daily(6)], 'UTC', '2030-01-01T06:00Z', 3), [
    '2030-01-01T18:00',
    '2030-01-02T06:00',
    '2030-01-02T18:00',
  ])
  assert.equal(nextRun([{ type: 'manual' }], 'UTC', 0), undefined)
  assert.equal(nextRun([], 'UTC', 0), undefined)
})

test('a run ends at a later time of the day, or at that of the next', () => {
  const ends = (hour: number) =>
    nextRun([{ ...daily(22), cancelAt: { hour, minute: 0 } } as ScheduleItem], 'UTC', 0)?.cancelAtMs
  assert.equal(ends(23), Date.parse('1970-01-01T23:00Z'))
  assert.equal(ends(6), Date.parse('1970-01-02T06:00Z'))
  assert.equal(ends(22), Date.parse('1970-01-02T22:00Z'))
})

test('manual and hourly stand alone', () => {
  assert.deepEqual(scheduleProblems([{ type: 'manual' }, daily(1)]).length, 1)
  assert.deepEqual(scheduleProblems([{ type: 'hourly', interval: 2 }, daily(1)]).length, 1)
  assert.deepEqual(scheduleProblems([daily(1), daily(2)]), [])
})

test('names of time zones are told from others', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/St_Johns']) assert.ok(isTimeZone(name), name)
  for (const name of ['', 'Berlin', 'Europe/Nowhere', '../etc', ' UTC', '2030-01-01T00:00Z'])
    assert.ok(!isTimeZone(name), name)
})

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Cairo',
]
const moments = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) })

test('a moment is among those that its wall time names, in every zone', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, (zone, atMs) => {
      const minuteMs = Math.floor(atMs / 60_000) * 60_000
      return momentsOf(zone, wallTimeAt(zone, minuteMs)).includes(minuteMs)
    }),
  )
})

test('a daily run is always ahead, less than two days, and names the time or the one after a change', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      moments,
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      (zone, atMs, hour, minute) => {
        const run = nextRun([daily(hour, minute)], zone, atMs)
        assert.ok(run && run.atMs > atMs && run.atMs - atMs < 49 * 3_600_000)
        const wall = wallTimeAt(zone, run.atMs)
        const isShown = wall.hour === hour && wall.minute === minute
        assert.ok(isShown || momentsOf(zone, wall.with({ hour, minute })).length === 0)
        assert.equal(run.atMs, momentMeantBy(zone, wall.with({ hour, minute })))
      },
    ),
  )
})
