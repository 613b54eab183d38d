import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MergedHealth } from './merged-health.ts'

const server = (isUp: boolean) => ({ name: 'one', isUp, reason: isUp ? '' : 'It cannot be reached.' })

function shop(servers: readonly ReturnType<typeof server>[], isUp = true, reason = '') {
  return [{ name: 'shop', isUp, reason, servers }]
}

test('a service is up when it is in all workers, and what is wrong is said once', () => {
  const health = new MergedHealth()
  health.take(1, shop([]))
  health.take(2, shop([], false, 'The port is taken.'))
  health.take(3, shop([], false, 'The port is taken.'))
  assert.deepEqual(health.services, shop([], false, 'The port is taken.'))
  health.forget(2)
  health.forget(3)
  assert.deepEqual(health.services, shop([]))
})

test('of a server counts what a worker has found out last, however often others repeat themselves', () => {
  const health = new MergedHealth()
  health.take(1, shop([server(true)]))
  health.take(2, shop([server(false)]))
  health.take(1, shop([server(true)]))
  assert.deepEqual(health.services[0]?.servers, [server(false)])
  health.take(1, shop([server(false)]))
  health.take(2, shop([server(true)]))
  assert.deepEqual(health.services[0]?.servers, [server(true)])
})
