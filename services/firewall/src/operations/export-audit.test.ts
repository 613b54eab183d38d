import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('the audit log', (newStore) => {
  test('tells who took the configuration out of the system', async (t) => {
    const served = await serveFirewall({ store: await newStore() })
    t.after(() => served.close())
    const { call, get } = await logIn(served.baseUrl)
    await call('POST', 'ops/export-configuration', { 'backup-type': 'full' })
    const { json } = await call('PUT', 'backup/manual-backup', {
      destination: 'Local',
      'encrypt-backup': 'No',
    })
    const { data } = (await get('audit-logs?limit=2')).json
    const entries = Object.values<Record<string, string>>(data)
    assert.deepEqual(
      entries.map((entry) => [
        entry['transaction-type'],
        entry.admin,
        entry['object-name'],
        entry['additional-data'],
      ]),
      [
        ['Export', 'admin', json.filename, 'the configuration was backed up'],
        ['Export', 'admin', '', 'the configuration was exported'],
      ],
    )
  })
})
