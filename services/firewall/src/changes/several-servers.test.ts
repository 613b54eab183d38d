import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import type { FirewallLogTables } from '../logs/tables.ts'
import type { FirewallTables } from '../tables.ts'
import { basic, type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('two servers on one store', (newStore) => {
  /** Logs in at two servers, which follow each other's changes within a second only. */
  async function logInTwice(t: TestContext): Promise<readonly [Client, Client]> {
    const store = await newStore()
    const [one, two] = [await serveFirewall({ store }), await serveFirewall({ store })]
    t.after(() => Promise.all([one.close(), two.close()]))
    return [await logIn(one.baseUrl), await logIn(two.baseUrl)]
  }

  const commentsAt = async ({ get }: Client, name: string): Promise<unknown> =>
    (await get(`services/${name}`)).json.data[name].comments

  test('a change that would be none on the older copy is made all the same', async (t) => {
    const [one, two] = await logInTwice(t)
    await one.call('POST', 'services', { name: 'shop', comments: 'old' })
    await two.call('PUT', 'services/shop', { comments: 'old' })
    for (let round = 0; round < 10; round++) {
      assert.equal((await one.call('PUT', 'services/shop', { comments: 'new' })).status, 200)
      assert.equal((await two.call('PUT', 'services/shop', { comments: 'old' })).status, 200)
      assert.equal(await commentsAt(two, 'shop'), 'old', `round ${round}`)
      // The first server decides on the newest version, too, before it calls a change none.
      assert.equal((await one.call('PUT', 'services/shop', { comments: 'old' })).status, 200)
      assert.equal(await commentsAt(one, 'shop'), 'old', `round ${round}`)
    }
  })

  test('an entity tag of before is refused also where the change would be none', async (t) => {
    const [one, two] = await logInTwice(t)
    await one.call('POST', 'services', { name: 'shop', comments: 'old' })
    for (let round = 0; round < 5; round++) {
      await two.call('PUT', 'services/shop', { comments: 'old' })
      const { headers } = await two.get('services/shop')
      const etag = String(headers.etag)
      assert.notEqual(etag, '')
      assert.equal((await one.call('PUT', 'services/shop', { comments: 'new' })).status, 200)
      const late = await send(`${two.root}/services/shop`, {
        method: 'PUT',
        headers: { ...basic(`${two.token}:`), 'if-match': etag },
        body: { comments: 'old' },
      })
      assert.equal(late.status, 412, `round ${round}`)
      assert.equal(await commentsAt(two, 'shop'), 'new', `round ${round}`)
    }
  })

  test('what one server made and deleted is there and gone for the other at once', async (t) => {
    const [one, two] = await logInTwice(t)
    for (let round = 0; round < 6; round++) {
      const name = `shop${round}`
      assert.equal((await one.call('POST', 'services', { name })).status, 201)
      const server = { name: 'first', 'ip-address': '192.0.2.10', port: 80 }
      const added = await two.call('POST', `services/${name}/servers`, server)
      assert.equal(added.status, 201, JSON.stringify(added.json))
      assert.equal((await one.get(`services/${name}/servers/first`)).status, 200)
      assert.equal((await one.call('DELETE', `services/${name}`)).status, 200)
      assert.equal((await two.call('POST', 'services', { name })).status, 201)
      assert.equal((await one.call('DELETE', `services/${name}`)).status, 200)
    }
  })

  test('changes at both at once beside logins are counted and logged once each, and none is lost', async (t) => {
    const store = await newStore()
    const servers = [await serveFirewall({ store }), await serveFirewall({ store })]
    t.after(() => Promise.all(servers.map((server) => server.close())))
    const clients = await Promise.all(servers.map(({ baseUrl }) => logIn(baseUrl)))
    const tables = store.tables<FirewallTables & FirewallLogTables>()
    const version = async () =>
      (await tables.selectFrom('firewall_configuration').select('version').executeTakeFirstOrThrow()).version
    const before = await version()
    const making = clients.map(async ({ call }, index) => {
      for (let round = 0; round < 8; round++) {
        const name = `shop-${index}-${round}`
        assert.equal((await call('POST', 'services', { name, port: 1000 + 100 * index + round })).status, 201)
        assert.equal((await call('PUT', `services/${name}`, { comments: 'new' })).status, 200)
        if (round % 2 === 1) assert.equal((await call('DELETE', `services/${name}`)).status, 200)
      }
    })
    const loggingIn = servers.map(async ({ baseUrl }) => {
      for (let round = 0; round < 8; round++) await logIn(baseUrl)
    })
    await Promise.all([...making, ...loggingIn])
    assert.equal((await version()) - before, 2 * (8 + 8 + 4))
    const stored = await tables
      .selectFrom('firewall_object')
      .select('path')
      .where('kind', '=', 'service')
      .execute()
    assert.equal(stored.length, 2 * 4)
    const tally = await tables
      .selectFrom('firewall_log_tally')
      .selectAll()
      .where('log', '=', 'audit')
      .executeTakeFirstOrThrow()
    const rows = await tables.selectFrom('firewall_audit_log').select('bytes').execute()
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    assert.deepEqual([tally.entries, tally.bytes], [rows.length, bytes])
  })

  test('what one server made is there for all who ask the other at the same moment', async (t) => {
    const [one, two] = await logInTwice(t)
    for (let round = 0; round < 3; round++) {
      const name = `shop${round}`
      assert.equal((await one.call('POST', 'services', { name })).status, 201)
      const replies = await Promise.all(Array.from({ length: 8 }, () => two.get(`services/${name}`)))
      assert.deepEqual(
        replies.map(({ status }) => status),
        Array(8).fill(200),
      )
    }
  })
})
