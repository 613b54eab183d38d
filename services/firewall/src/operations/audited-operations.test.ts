import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { LockedOutClients } from './locked-out/locked-out-clients.ts'

onEveryStore('the audit log', (newStore) => {
  const clock = settableClock()
  let served: ServedService
  let client: Client
  let lockedOut: LockedOutClients
  beforeEach(async () => {
    const store = await newStore()
    served = await serveFirewall({ store, clock })
    lockedOut = new LockedOutClients({ store, clock })
    client = await logIn(served.baseUrl)
    await succeed('POST', 'services', { name: 'shop', 'ip-address': '192.0.2.1' })
  })
  afterEach(() => served.close())

  async function succeed(method: string, path: string, body?: object) {
    const { status, json, text } = await client.call(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${text}`)
    return json
  }

  /** The members of the newest entries, the newest first. */
  async function newest(count: number, members: readonly string[]) {
    const { data } = (await client.get(`audit-logs?limit=${count}`)).json
    const entries = Object.values<Record<string, string>>(data)
    for (const { admin, 'login-ip': address } of entries) {
      assert.deepEqual([admin, address], ['admin', '127.0.0.1'])
    }
    return entries.map((entry) => members.map((member) => entry[member]))
  }

  const changed = ['transaction-type', 'change-type', 'object-type', 'object-name', 'additional-data']

  test('tells who took the configuration out of the system', async () => {
    await succeed('POST', 'ops/export-configuration', { 'backup-type': 'full' })
    const { filename } = await succeed('PUT', 'backup/manual-backup', {
      destination: 'Local',
      'encrypt-backup': 'No',
    })
    assert.deepEqual(await newest(2, ['transaction-type', 'object-name', 'additional-data']), [
      ['Export', filename, 'the configuration was backed up'],
      ['Export', '', 'the configuration was exported'],
    ])
  })

  test('tells who made a checkpoint and who let go of it', async () => {
    await succeed('POST', 'configuration-checkpoints', { name: 'start' })
    await succeed('DELETE', 'configuration-checkpoints/start')
    const title = 'JSON based Configuration Checkpoints'
    assert.deepEqual(await newest(2, changed), [
      ['Config', 'Delete', title, 'start', ''],
      ['Config', 'Add', title, 'start', ''],
    ])
    assert.equal((await client.call('DELETE', 'configuration-checkpoints/start')).status, 404)
    assert.deepEqual(await newest(1, ['change-type']), [['Delete']])
  })

  test('tells who kept an OpenAPI document, took it out and deleted it', async () => {
    const importing = (operation: string, more = {}) =>
      succeed('POST', 'ops/import-openapi', { operation, 'api-spec-name': 'pets', ...more })
    const document = { openapi: '3.0.0', paths: { '/pets': { get: {} } } }
    const upload = { 'service-name': 'shop', 'import-file-content': document }
    await importing('upload', upload)
    await importing('apply', upload)
    await importing('download')
    await importing('delete_configuration')
    const title = 'Import Open API'
    assert.deepEqual(await newest(6, changed), [
      ['Config', 'Delete', title, 'pets', 'for the service shop'],
      ['Restore', 'Set', 'System', 'System', ''],
      ['Export', '', title, 'pets', 'the document was downloaded'],
      ['Restore', 'Set', 'System', 'System', ''],
      ['Config', 'Modify', title, 'pets', 'for the service shop'],
      ['Config', 'Add', title, 'pets', 'for the service shop'],
    ])
  })

  test('tells who let which clients in again, and at which service', async () => {
    for (const locked of ['198.51.100.7', '198.51.100.8']) {
      const lockedUntil = clock.now() + 60_000
      await lockedOut.lock({ service: 'shop', client: locked, reason: 'too many requests', lockedUntil })
    }
    await succeed('DELETE', 'locked-out-clients?client=all-clients')
    const [entry = []] = await newest(1, changed)
    const [clients, ...rest] = entry.toReversed()
    assert.deepEqual(rest.toReversed(), ['Config', 'Clear', 'Locked out Clients', 'shop'])
    assert.deepEqual(clients?.split(', ').sort(), ['198.51.100.7', '198.51.100.8'])
    await succeed('DELETE', 'locked-out-clients?client=all-clients')
    assert.deepEqual(await newest(2, ['change-type']), [['Clear'], ['Add']])
  })

  test('tells who had forgotten what was learnt', async () => {
    await succeed('DELETE', 'services/shop/profile-proposals')
    assert.deepEqual(await newest(1, changed), [['Config', 'Clear', 'Profile Proposal', 'shop', '']])
  })
})
