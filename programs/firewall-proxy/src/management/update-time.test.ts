import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type UpdateTimes, updateAfter } from './update-time.ts'

const at: UpdateTimes = { interval: 'day', dayOfMonth: 31, dayOfWeek: 1, secondOfDay: 2 * 3600 }

function after(time: string, times: UpdateTimes): string {
  return new Date(updateAfter(Date.parse(time), times)).toISOString().slice(0, 16)
}

test('updates begin at the time of day, on the day that is meant', () => {
  let ran = 0
  for (const [interval, time, next] of [
    ['day', '2026-03-01T01:59Z', '2026-03-01T02:00'],
    ['day', '2026-03-01T02:00Z', '2026-03-02T02:00'],
    ['week', '2026-03-01T12:00Z', '2026-03-02T02:00'],
    ['week', '2026-03-02T02:00Z', '2026-03-09T02:00'],
    ['month', '2026-01-31T02:00Z', '2026-02-28T02:00'],
    ['month', '2028-02-01T00:00Z', '2028-02-29T02:00'],
    ['month', '2026-12-31T03:00Z', '2027-01-31T02:00'],
  ] as const) {
    assert.equal(after(time, { ...at, interval }), next, `${interval} after ${time}`)
    ran++
  }
  assert.equal(ran, 7)
})
