import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MergedFares } from './merged-fares.ts'

const server = (isUp: boolean) => ({ name: 'one', isUp, reason: isUp ? '' : 'It cannot be reached.' })

function shop(servers: readonly ReturnType<typeof server>[], isUp = true, reason = '') {
  return [{ name: 'shop', isUp, reason, servers }]
}

test('a service is up when it is in all workers, and what is wrong is said once', () => {
  const fares = new MergedFares()
  fares.take(1, shop([]))
  fares.take(2, shop([], false, 'The port is taken.'))
  fares.take(3, shop([], false, 'The port is taken.'))
  assert.deepEqual(fares.services, shop([], false, 'The port is taken.'))
  fares.forget(2)
  fares.forget(3)
  assert.deepEqual(fares.services, shop([]))
})

test('of a server counts what a worker has found out last, however often others repeat themselves', () => {
  const fares = new MergedFares()
  fares.take(1, shop([server(true)]))
  fares.take(2, shop([server(false)]))
  fares.take(1, shop([server(true)]))
  assert.deepEqual(fares.services[0]?.servers, [server(false)])
  fares.take(1, shop([server(false)]))
  fares.take(2, shop([server(true)]))
  assert.deepEqual(fares.services[0]?.servers, [server(true)])
})
