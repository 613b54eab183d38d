import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MergedHealth } from './merged-health.ts'

const server = (isUp: boolean) => ({ name: 'one', isUp, reason: isUp ? '' : 'It cannot be reached.' })

function service(
  name: string,
  servers: readonly ReturnType<typeof server>[] = [],
  { isUp = true, reason = '' } = {},
) {
  return { name, isUp, reason, servers }
}

function changed(...services: readonly ReturnType<typeof service>[]) {
  return { services, gone: [] }
}

const down = { isUp: false, reason: 'The port is taken.' }

test('a service is up when it is in all workers, and what is wrong is said once', () => {
  const health = new MergedHealth()
  health.take(1, changed(service('shop')))
  health.take(2, changed(service('shop', [], down)))
  health.take(3, changed(service('shop', [], down)))
  assert.deepEqual(health.services, [service('shop', [], down)])
  health.forget(2)
  health.forget(3)
  assert.deepEqual(health.services, [service('shop')])
})

test('of a server counts what a worker has found out last, however often others repeat themselves', () => {
  const health = new MergedHealth()
  health.take(1, changed(service('shop', [server(true)])))
  health.take(2, changed(service('shop', [server(false)])))
  health.take(1, changed(service('shop', [server(true)])))
  assert.deepEqual(health.services[0]?.servers, [server(false)])
  health.take(1, changed(service('shop', [server(false)])))
  health.take(2, changed(service('shop', [server(true)])))
  assert.deepEqual(health.services[0]?.servers, [server(true)])
})

test('what a worker says nothing of stays, and a service is gone when no worker has it any more', () => {
  const health = new MergedHealth()
  for (const worker of [1, 2]) health.take(worker, changed(service('shop'), service('mail')))
  const before = health.services
  health.take(1, changed(service('mail', [], down)))
  assert.deepEqual(health.services, [service('shop'), service('mail', [], down)])
  assert.equal(health.services[0], before[0])
  health.take(1, { services: [], gone: ['mail'] })
  assert.deepEqual(health.services, [service('shop'), service('mail')])
  health.take(2, { services: [service('new')], gone: ['mail'] })
  assert.deepEqual(health.services, [service('shop'), service('new')])
})

test('the list of services is the same one while nothing has changed in it', () => {
  const health = new MergedHealth()
  health.take(1, changed(service('shop', [server(true)])))
  const before = health.services
  health.take(2, changed(service('shop', [server(true)])))
  assert.equal(health.services, before)
})
