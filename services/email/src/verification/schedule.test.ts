import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newToken } from '../dns/records.ts'
import { nextCheckAt } from './schedule.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const requestedAt = Date.UTC(2030, 0, 1)

test('a domain is checked less often the longer ago its verification was requested', () => {
  const token = newToken()
  const intervals: [ageMs: number, isVerified: boolean, intervalMs: number][] = [
    [0, false, 15 * minuteMs],
    [24 * hourMs - 1, false, 15 * minuteMs],
    [24 * hourMs, false, 30 * minuteMs],
    [48 * hourMs - 1, false, 30 * minuteMs],
    [48 * hourMs, false, hourMs],
    [96 * hourMs - 1, false, hourMs],
    [96 * hourMs, false, 4 * hourMs],
    [1000 * hourMs, false, 4 * hourMs],
    [0, true, 24 * hourMs],
    [1000 * hourMs, true, 24 * hourMs],
  ]
  for (const [ageMs, isVerified, intervalMs] of intervals) {
    const now = requestedAt + ageMs
    const next = nextCheckAt({ token, requestedAt, isVerified }, now)
    assert.ok(next > now && next <= now + intervalMs, `within ${intervalMs} ms at ${ageMs} ms`)
  }
})

test('from one check to the next is the interval, whatever begins or ends between', () => {
  const scheduled = { token: newToken(), requestedAt, isVerified: false }
  let at = nextCheckAt(scheduled, requestedAt)
  for (let check = 0; check < 90; check++) {
    const next = nextCheckAt(scheduled, at)
    assert.equal(next - at, 15 * minuteMs)
    assert.equal(nextCheckAt(scheduled, next - 1), next)
    at = next
  }
})

test('domains that were requested or missed together are checked one after the other', () => {
  const checks = Array.from({ length: 1500 }, () =>
    nextCheckAt({ token: newToken(), requestedAt, isVerified: false }, requestedAt),
  )
  const minutes = Array.from({ length: 15 }, (_, minute) => requestedAt + minute * minuteMs)
  for (const minute of minutes) {
    const inMinute = checks.filter((at) => at > minute && at <= minute + minuteMs).length
    assert.ok(inMinute > 30 && inMinute < 300, `${inMinute} of 1500 within one of fifteen minutes`)
  }
})
