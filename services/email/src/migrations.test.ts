import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { emailMigrations } from './migrations.ts'
import { call, configuration, serveEmail } from './testing/email-service.ts'

onEveryStore('a store of the version before verification', (newStore) => {
  test('keeps its domains as they were, and those that are UNVERIFIED get a token, named or not', async () => {
    const store = await newStore()
    const [[name, first] = []] = Object.entries(emailMigrations)
    assert.ok(name !== undefined && first)
    await migrate(store, 'email', { [name]: first })
    const tables = store.tables<Record<string, Record<string, string | number>>>()
    await tables.insertInto('email_account').values({ id: '5584599', name: 'Old', region: 'UK' }).execute()
    const statuses = { 'A.example.': 'UNVERIFIED', 'b.example': 'VERIFIED', 'c.example': 'DISABLED' }
    for (const [index, [domain, status]] of Object.entries(statuses).entries()) {
      const row = { account_id: '5584599', id: index + 1, name: domain, status, type: 'ESS' }
      await tables.insertInto('email_domain').values(row).execute()
    }
    const served = await serveEmail(store, { ...configuration, accounts: [] })
    for (const [domain, status] of Object.entries(statuses)) {
      const { json } = await call(served, `5584599/ess/domains/${domain}/verification`)
      assert.equal(json.status, status)
      const names = json.records.map((record: { name: string }) => record.name)
      assert.deepEqual(names, status === 'UNVERIFIED' ? ['a.example'] : [])
    }
    const { json } = await call(served, 'ess')
    assert.deepEqual(json.results, [
      { accountName: 'Old', accountId: '5584599', region: 'UK', status: 'ACTIVE' },
    ])
    await served.close()
  })
})
