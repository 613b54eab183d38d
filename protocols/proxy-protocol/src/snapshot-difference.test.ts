import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSnapshot, SnapshotUnreadable } from './read-snapshot.ts'
import type { ProxySnapshot, SnapshotService } from './snapshot.ts'
import { differenceBetween, wholeSnapshot } from './snapshot-difference.ts'

function service(name: string, port = 80): SnapshotService {
  return {
    name,
    address: '192.0.2.1',
    port,
    does: 'forward',
    inspection: { mode: 'off' },
    idleTimeoutSeconds: 60,
    requestsPerConnectionMax: 0,
    servers: [],
    balancing: { algorithm: 'round-robin', whenServerFails: 'another' },
    contentRules: [],
    maskedParameters: [],
    logsAccess: true,
    allowsWebSockets: false,
  }
}

const [forum, mail, shop] = ['forum', 'mail', 'shop'].map((name) => service(name)) as [
  SnapshotService,
  SnapshotService,
  SnapshotService,
]
const base: ProxySnapshot = { format: 1, version: 1, digest: 'one', services: [forum, mail, shop] }

/** As it arrives: nothing in it is an object of the sender. */
function received(next: ProxySnapshot): ProxySnapshot {
  return readSnapshot(JSON.stringify(differenceBetween(base, next)), base)
}

test('carries the services that changed, and the names of those that are gone', () => {
  const changed = service('mail', 81)
  const added = service('wiki')
  const next: ProxySnapshot = { format: 1, version: 2, digest: 'two', services: [forum, changed, added] }
  const difference = differenceBetween(base, next)
  assert.deepEqual([difference.services, difference.removed], [[changed, added], ['shop']])
  assert.deepEqual(received(next), next)
  const [same] = received(next).services
  assert.equal(same, forum)
})

test('leaves policies out that are the same, and takes away what the next snapshot has not', () => {
  const policies = { digest: {} } as unknown as Required<ProxySnapshot>['policies']
  const withPolicy: ProxySnapshot = { ...base, policies, challenges: { answers: {}, names: [] } as never }
  const next: ProxySnapshot = { ...base, policies, version: 2, digest: 'two' }
  const difference = differenceBetween(withPolicy, next)
  assert.ok(!('policies' in difference))
  assert.deepEqual(wholeSnapshot(difference, withPolicy), next)
  const without = differenceBetween(withPolicy, { ...base, digest: 'three' })
  assert.deepEqual(wholeSnapshot(without, withPolicy)?.policies, {})
})

test('is refused by who has another snapshot, and when it does not say what it changes', () => {
  const difference = differenceBetween(base, { ...base, digest: 'two' })
  assert.equal(wholeSnapshot(difference, { ...base, digest: 'other' }), undefined)
  for (const [text, last] of [
    [difference, undefined],
    [difference, { ...base, digest: 'other' }],
    [{ ...difference, removed: undefined }, base],
    [{ ...difference, removed: [7] }, base],
    [{ ...difference, base: 7 }, base],
    [{ ...difference, services: [{ name: 'shop' }] }, base],
  ] as const) {
    assert.throws(() => readSnapshot(JSON.stringify(text), last), SnapshotUnreadable, JSON.stringify(text))
  }
})
