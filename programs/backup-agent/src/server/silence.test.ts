import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaveAddress, serverAddresses } from './addresses.ts'
import { RequestSilence, silenceBoundsOf } from './silence.ts'

const [one, two] = ['https://one/backup', 'https://two/backup'] as const
const connected = { bytesRead: 0, bytesWritten: 100, connecting: false }

test('waits a minute for the only server, connected or not', () => {
  for (const connecting of [false, true]) {
    const silence = new RequestSilence(serverAddresses([one]), one)
    assert.equal(silence.lookMs, 60_000)
    assert.ok(silence.lastsTooLong({ ...connected, connecting }))
  }
})

test('waits a minute for one of several servers as well, from the last byte on', () => {
  const silence = new RequestSilence(serverAddresses([one, two]), one)
  const looks = 60_000 / silence.lookMs
  for (let look = 1; look < looks; look++) assert.ok(!silence.lastsTooLong(connected))
  const later = { ...connected, bytesRead: 1 }
  for (let look = 1; look < looks; look++) assert.ok(!silence.lastsTooLong(later))
  assert.ok(silence.lastsTooLong(later))
})

test('waits less for an enrolment where there is another server to ask', () => {
  for (const [addresses, looks] of [
    [serverAddresses([one]), 1],
    [serverAddresses([one, two]), 2],
  ] as const) {
    const silence = new RequestSilence(addresses, one, silenceBoundsOf(addresses).enrolmentMaxMs)
    for (let look = 1; look < looks; look++) assert.ok(!silence.lastsTooLong(connected))
    assert.ok(silence.lastsTooLong(connected))
  }
})

test('does not wait for one of several servers that takes no connection, or that the agent has left', () => {
  const addresses = serverAddresses([one, two])
  assert.ok(new RequestSilence(addresses, one).lastsTooLong({ ...connected, connecting: true }))
  const silence = new RequestSilence(addresses, one)
  assert.ok(!silence.lastsTooLong(connected))
  leaveAddress(addresses, one)
  assert.ok(silence.lastsTooLong(connected))
})
