import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSnapshot, SnapshotUnreadable, snapshotFormat } from './read-snapshot.ts'
import type { ProxySnapshot } from './snapshot.ts'

const snapshot: ProxySnapshot = {
  format: snapshotFormat,
  version: 3,
  digest: 'digest',
  services: [
    {
      name: 'shop',
      address: '192.0.2.1',
      port: 443,
      does: 'forward',
      inspection: { mode: 'active' },
      idleTimeoutSeconds: 60,
      requestsPerConnectionMax: 0,
      servers: [],
      balancing: { algorithm: 'round-robin', whenServerFails: 'another' },
      contentRules: [],
      maskedParameters: [],
      logsAccess: true,
      allowsWebSockets: false,
    },
  ],
}

function reasonOf(document: unknown): string {
  try {
    readSnapshot(typeof document === 'string' ? document : JSON.stringify(document))
  } catch (error) {
    assert.ok(error instanceof SnapshotUnreadable, String(error))
    return error.message
  }
  return ''
}

test('reads snapshots, also those of a release before, and passes over members of one to come', () => {
  assert.deepEqual(readSnapshot(JSON.stringify(snapshot)), snapshot)
  const { format, ...before } = snapshot
  assert.equal(format, 1)
  assert.deepEqual(readSnapshot(JSON.stringify(before)), before)
  assert.equal(
    reasonOf({ ...snapshot, services: [{ ...snapshot.services[0], member: 'to come' }], more: {} }),
    '',
  )
})

test('says of snapshots of another format which side is to be upgraded', () => {
  assert.equal(
    reasonOf({ format: 2, services: 'another form' }),
    'the snapshot has format 2, and this proxy reads formats up to 1; upgrade the proxy',
  )
  assert.match(reasonOf({ ...snapshot, format: 0 }), /reads formats from 1 on; upgrade the management$/)
})

test('says where a snapshot is wrong, and quotes nothing of it', () => {
  const [service] = snapshot.services
  const secret = 'PRIVATE KEY'
  const wrong: [document: unknown, reason: string][] = [
    ['', 'the snapshot is not valid JSON'],
    [`{"key":"${secret}`, 'the snapshot is not valid JSON'],
    [null, 'the snapshot is not valid: it must be object'],
    [[], 'the snapshot is not valid: it must be object'],
    [{ ...snapshot, format: secret }, 'the snapshot is not valid: /format must be an integer'],
    [{ ...snapshot, version: secret }, 'the snapshot is not valid: /version must be number'],
    [
      { ...snapshot, services: [{ ...service, port: secret }] },
      'the snapshot is not valid: /services/0/port must be number',
    ],
    [
      { ...snapshot, services: [{ ...service, inspection: { mode: secret } }] },
      'the snapshot is not valid: /services/0/inspection/mode must be equal to one of the allowed values',
    ],
    [{ version: 1, services: [] }, 'the snapshot is not valid: it must have required properties digest'],
  ]
  for (const [document, reason] of wrong) assert.equal(reasonOf(document), reason)
})
