import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { firewallMigrations } from './migrations.ts'
import type { FirewallTables } from './tables.ts'

onEveryStore('the tables of the firewall', (newStore) => {
  test('keep the tokens that were issued before there were sessions, each as one of its own', async () => {
    const store = await newStore()
    const before = Object.entries(firewallMigrations).filter(([name]) => name < '0005')
    await migrate(store, 'firewall', Object.fromEntries(before))
    const issued = [1, 2].map((index) => ({
      digest: `digest ${index}`,
      username: 'admin',
      stamp: 'stamp',
      issued_at: 0,
      expires_at: 2 ** 40 + index,
    }))
    await store
      .tables<{ firewall_token: (typeof issued)[number] }>()
      .insertInto('firewall_token')
      .values(issued)
      .execute()
    await migrate(store, 'firewall', firewallMigrations)
    const tables = store.tables<FirewallTables>()
    const tokens = await tables.selectFrom('firewall_token').selectAll().orderBy('digest').execute()
    assert.deepEqual(
      tokens.map((row) => ({ ...row })),
      issued.map((token) => ({ ...token, session: token.digest })),
    )
    const sessions = await tables.selectFrom('firewall_session').selectAll().orderBy('id').execute()
    assert.deepEqual(
      sessions.map((row) => ({ ...row })),
      issued.map(({ digest, expires_at }) => ({
        id: digest,
        expires_at,
        operator_credential: null,
        reads_only: 0,
      })),
    )
  })
})
