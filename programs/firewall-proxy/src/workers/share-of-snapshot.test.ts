import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProxySnapshot, SnapshotService } from '@palisade/proxy-protocol'
import { serverAt } from '../testing/carried.ts'
import { testChecks } from '../testing/policies.ts'
import { SnapshotShares } from './share-of-snapshot.ts'

const server = (connectionsMax: number) => serverAt(80, { connectionsMax })

function snapshotWith(service: Partial<SnapshotService>): ProxySnapshot {
  const whole = { name: 'shop', servers: [], contentRules: [], ...service }
  return { version: 1, digest: '', services: [whole as unknown as SnapshotService] }
}

test('workers together open no more connections than a server takes, also where a content rule names it', () => {
  const rule = { name: 'rule', servers: [server(7)] }
  const snapshot = snapshotWith({
    servers: [server(10), server(2), server(0)],
    contentRules: [rule as unknown as SnapshotService['contentRules'][number]],
  })
  const [service] = new SnapshotShares(3).of(snapshot).services
  assert.deepEqual(
    service?.servers.map(({ connectionsMax }) => connectionsMax),
    [3, 1, 0],
  )
  assert.equal(service?.contentRules[0]?.servers[0]?.connectionsMax, 2)
  assert.equal(new SnapshotShares(1).of(snapshot), snapshot)
})

test('workers together serve no more requests than a pool allows, and let as many clients wait', () => {
  const requestPool = { name: 'pool', activeMax: 100, backlogMax: 32, clientsMax: 9, preferred: [] }
  const [service] = new SnapshotShares(4).of(snapshotWith({ checks: testChecks({ requestPool }) })).services
  assert.deepEqual(service?.checks?.requestPool, { ...requestPool, activeMax: 25, clientsMax: 2 })
})
