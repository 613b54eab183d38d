import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestRefused } from '../refusal.ts'
import { settableClock } from '../testing/settable-clock.ts'
import { FailedLogins, failuresMax, failureWindowMs } from './failed-logins.ts'

const wrong = () => new RequestRefused('unauthenticated', 'Wrong.')
const fail = () => Promise.reject(wrong())
const isTooMany = (error: unknown) => error instanceof RequestRefused && error.code === 'too-many-requests'

async function failTimes(failedLogins: FailedLogins, address: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await assert.rejects(failedLogins.attempt(address, fail))
}

test('refuses an address that has failed thirty times in fifteen minutes, without trying', async () => {
  const clock = settableClock()
  const failedLogins = new FailedLogins(clock)
  await failTimes(failedLogins, '192.0.2.1', failuresMax)
  let tried = false
  const login = async () => {
    tried = true
  }
  await assert.rejects(failedLogins.attempt('192.0.2.1', login), isTooMany)
  assert.equal(tried, false)
  await failedLogins.attempt('192.0.2.2', login)
  clock.advance(failureWindowMs - 1)
  await assert.rejects(failedLogins.attempt('192.0.2.1', login), isTooMany)
  clock.advance(1)
  await failedLogins.attempt('192.0.2.1', login)
})

test('takes an IPv6 network for one address, and no more than that', async () => {
  const failedLogins = new FailedLogins(settableClock())
  for (let host = 0; host < failuresMax; host++) await failTimes(failedLogins, `2001:db8::${host}`, 1)
  await assert.rejects(failedLogins.attempt('2001:db8::ffff:1', fail), isTooMany)
  await assert.rejects(failedLogins.attempt('2001:db8:0:1::1', fail), { code: 'unauthenticated' })
})

test('counts neither successes nor errors of our own', async () => {
  const failedLogins = new FailedLogins(settableClock())
  for (let time = 0; time < 2 * failuresMax; time++) {
    await failedLogins.attempt('192.0.2.1', async () => undefined)
    await assert.rejects(
      failedLogins.attempt('192.0.2.1', () => Promise.reject(new Error('store'))),
      /store/,
    )
  }
})

test('lets no more attempts run at once than failures are left, and refuses no correct one', async () => {
  const failedLogins = new FailedLogins(settableClock())
  await failTimes(failedLogins, '192.0.2.1', failuresMax - 2)
  let running = 0
  let mostRunning = 0
  const login = async () => {
    mostRunning = Math.max(mostRunning, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
  }
  await Promise.all(Array.from({ length: 50 }, () => failedLogins.attempt('192.0.2.1', login)))
  assert.equal(mostRunning, 2)
})

test('is not got around by a thousand attempts at the same moment', async () => {
  const failedLogins = new FailedLogins(settableClock())
  let tried = 0
  const guess = async () => {
    tried++
    await new Promise((resolve) => setImmediate(resolve))
    throw wrong()
  }
  const guesses = Array.from({ length: 1000 }, () => failedLogins.attempt('192.0.2.1', guess))
  const outcomes = await Promise.allSettled(guesses)
  assert.equal(tried, failuresMax)
  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
})
