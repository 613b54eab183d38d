import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RestartWait } from './restart-wait.ts'

test('workers that keep ending are started again ever later, up to five seconds', () => {
  const wait = new RestartWait()
  const waited = Array.from({ length: 9 }, () => {
    wait.ended(1_000)
    return wait.milliseconds
  })
  assert.deepEqual(waited, [50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
})

test('a worker that had served for long is replaced at once, and the wait begins anew', () => {
  const wait = new RestartWait()
  for (const servedMs of [0, 0, 60_000]) wait.ended(servedMs)
  assert.equal(wait.milliseconds, 0)
  wait.ended(0)
  assert.equal(wait.milliseconds, 50)
})
