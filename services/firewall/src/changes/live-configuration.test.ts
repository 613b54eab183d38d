import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Store } from '@palisade/platform'
import { onEveryStore, settableClock } from '@palisade/platform/testing'
import type { FirewallTables } from '../tables.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('the configuration', (newStore) => {
  async function serve(t: TestContext, store?: Store) {
    const used = store ?? (await newStore())
    const clock = settableClock()
    const served = await serveFirewall({ store: used, clock })
    t.after(() => served.close())
    return { ...served, store: used, clock }
  }

  const versionIn = async (store: Store) => {
    const rows = await store
      .tables<FirewallTables>()
      .selectFrom('firewall_configuration')
      .selectAll()
      .execute()
    assert.equal(rows.length, 1)
    return rows[0]?.version
  }

  /** What the audit log says about changes of services, the oldest first. */
  const changesBy = async ({ get }: Client): Promise<Record<string, string>[]> => {
    const { data = {} } = (await get('audit-logs?limit=1000')).json
    const entries = Object.values<Record<string, string>>(data).reverse()
    return entries.filter((entry) => entry['object-type'] === 'Service')
  }

  test('is there after a restart as it was before', async (t) => {
    const { baseUrl, store } = await serve(t)
    const { call, get } = await logIn(baseUrl)
    await call('POST', 'vsites', { name: 'partners', interface: 'LAN' })
    await call('POST', 'vsites/partners/service-groups', { 'service-group': 'shops' })
    await call('POST', 'services', { name: 'shop', vsite: 'partners', group: 'shops', port: 81 })
    await call('PUT', 'services/shop/slow-client-attack', { status: 'On', 'data-transfer-rate': 20 })
    await call('PUT', 'vsites/default', { comments: 'changed, though it belongs to the factory' })
    const restarted = await logIn((await serve(t, store)).baseUrl)
    for (const path of [
      'services',
      'vsites',
      'vsites/partners/service-groups',
      'vsites/default/service-groups',
    ]) {
      const [before, after] = [(await get(path)).json, (await restarted.get(path)).json]
      assert.deepEqual({ ...after, token: '' }, { ...before, token: '' }, path)
    }
  })

  test('shows what an earlier release stored as one value where there is a list now', async (t) => {
    const { baseUrl, store } = await serve(t)
    const { call } = await logIn(baseUrl)
    await call('POST', 'services', { name: 'shop' })
    const keys = { 'recaptcha-domain': ['shop.example'], 'recaptcha-site-key': 'a key' }
    assert.equal((await call('PUT', 'services/shop/captcha-settings', keys)).status, 200)
    const tables = store.tables<FirewallTables>()
    const row = await tables
      .selectFrom('firewall_object')
      .selectAll()
      .where('kind', '=', 'service')
      .executeTakeFirstOrThrow()
    const document = row.document.replace('["shop.example"]', '"shop.example"')
    assert.notEqual(document, row.document)
    await tables.updateTable('firewall_object').set({ document }).where('kind', '=', 'service').execute()
    const restarted = await logIn((await serve(t, store)).baseUrl)
    const settings = (await restarted.get('services/shop/captcha-settings')).json.data.shop[
      'Captcha Settings'
    ]
    assert.deepEqual(settings['recaptcha-domain'], ['shop.example'])
  })

  test('counts a version for each change, and records who made it, when, from where and what', async (t) => {
    const { baseUrl, store, clock } = await serve(t)
    const client = await logIn(baseUrl)
    const { call } = client
    const before = (await versionIn(store)) ?? 0
    await call('POST', 'services', { name: 'shop', 'dps-enabled': 'Yes' })
    clock.advance(5000)
    await call('PUT', 'services/shop', { port: 81, comments: 'changed' })
    await call('PUT', 'services/shop', { port: 81 })
    await call('PUT', 'services/shop/url-encryption', { status: 'On' })
    await call('PUT', 'services/shop', { name: 'store' })
    await call('POST', 'services', { name: 'store' })
    await call('DELETE', 'services/store')
    const changes = await changesBy(client)
    const changesIn = (entry: Record<string, string>) =>
      ['transaction-id', 'change-type', 'object-name', 'variable', 'old-value', 'new-value'].map(
        (field) => entry[field],
      )
    const id = (change: number) => String(before + change)
    assert.deepEqual(
      changes
        .map(changesIn)
        .slice(0, -1 * changes.filter((entry) => entry['change-type'] === 'Delete').length),
      [
        [id(1), 'Add', 'shop', 'name', '', 'shop'],
        [id(1), 'Add', 'shop', 'app-id', '', 'shop'],
        [id(1), 'Add', 'shop', 'dps-enabled', '', '(hidden)'],
        [id(2), 'Modify', 'shop', 'port', '80', '81'],
        [id(2), 'Modify', 'shop', 'comments', '', 'changed'],
        [id(3), 'Modify', 'shop', 'URL Encryption: status', 'Off', 'On'],
        [id(4), 'Modify', 'store', 'name', 'shop', 'store'],
      ],
      'what changed nothing, or was refused, is no change',
    )
    assert.deepEqual(changesIn(changes.at(-1) ?? {}).slice(0, 3), [id(5), 'Delete', 'store'])
    assert.equal(await versionIn(store), before + 5)
    for (const entry of changes) {
      assert.deepEqual([entry.admin, entry.role, entry['login-ip']], ['admin', 'admin', '127.0.0.1'])
    }
    const times = changes.map(({ time }) => Number(time) - clock.now())
    assert.deepEqual([...new Set(times)], [-5000, 0])
  })

  test('takes changes that come at once one after the other', async (t) => {
    const { baseUrl, store } = await serve(t)
    const { call, get } = await logIn(baseUrl)
    const before = (await versionIn(store)) ?? 0
    const names = Array.from({ length: 40 }, (_, index) => `s${index}`)
    const created = await Promise.all(names.map((name) => call('POST', 'services', { name })))
    assert.ok(created.every(({ status }) => status === 201))
    const same = await Promise.all(names.map(() => call('POST', 'services', { name: 'once' })))
    assert.equal(same.filter(({ status }) => status === 201).length, 1)
    await Promise.all(names.map((name, port) => call('PUT', `services/${name}`, { port: port + 1 })))
    await Promise.all([
      call('DELETE', 'services/once'),
      call('PUT', 'services/s0/url-encryption', { status: 'On' }),
      call('PUT', 'services/s0/slow-client-attack', { status: 'On' }),
      call('PUT', 'services/s0', { comments: 'x' }),
    ])
    const { data } = (await get('services')).json
    assert.deepEqual(
      names.map((name) => data[name].port),
      names.map((_, port) => String(port + 1)),
    )
    assert.equal(Object.keys(data).length, names.length)
    assert.deepEqual(
      [data.s0.comments, data.s0['URL Encryption'].status, data.s0['Slow Client Attack Prevention'].status],
      ['x', 'On', 'On'],
    )
    assert.equal(await versionIn(store), before + 40 + 1 + 40 + 4)
  })

  test('is changed by two servers on one store without losing anything', async (t) => {
    const one = await serve(t)
    const two = await serve(t, one.store)
    const before = (await versionIn(one.store)) ?? 0
    const clients = [await logIn(one.baseUrl), await logIn(two.baseUrl)]
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        Promise.all(
          clients.map(({ call }, server) => call('POST', 'services', { name: `s${index}-${server}` })),
        ),
      ),
    )
    assert.ok(replies.flat().every(({ status }) => status === 201))
    const [first, second] = clients
    assert.ok(first && second)
    assert.equal((await first.call('POST', 'services', { name: 'mine' })).status, 201)
    const duplicate = await second.call('POST', 'services', { name: 'mine' })
    assert.equal(duplicate.status, 406, 'what the other server did is known once a change is tried')
    assert.match(duplicate.json.msg, /duplicate value not allowed/)
    await first.call('PUT', 'services/mine', { comments: 'from the first' })
    await second.call('PUT', 'services/mine', { port: 81 })
    const { mine } = (await second.get('services')).json.data
    assert.deepEqual([mine.comments, mine.port], ['from the first', '81'])
    assert.equal(await versionIn(one.store), before + 43)
    const versions = (await changesBy(first))
      .map((entry) => Number(entry['transaction-id']))
      .sort((a, b) => a - b)
    const expected = Array.from({ length: 43 }, (_, index) => before + 1 + index)
    assert.deepEqual([...new Set(versions)], expected)
  })

  test('stays as it is when a change cannot be stored, and says so', async (t) => {
    const { baseUrl, store } = await serve(t)
    const { call, get } = await logIn(baseUrl)
    const before = await versionIn(store)
    const { schema } = store.tables<{ firewall_audit_log: object }>()
    await schema.alterTable('firewall_audit_log').renameTo('elsewhere').execute()
    const { status, json } = await call('POST', 'services', { name: 'shop' })
    assert.deepEqual([status, json.error.type], [500, 'internal'])
    assert.equal((await get('services')).json.data, undefined)
    assert.equal(await versionIn(store), before)
    await schema.alterTable('elsewhere').renameTo('firewall_audit_log').execute()
    assert.equal((await call('POST', 'services', { name: 'shop' })).status, 201)
  })
})
