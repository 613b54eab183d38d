import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AdministeredService } from '@palisade/administration/testing'
import type { Store } from '@palisade/platform'
import { onEveryStore, send } from '@palisade/platform/testing'
import { call, configuration, serveEmail, type TestService } from '../testing/email-service.ts'
import { messages, report } from '../testing/mail-reports.ts'

onEveryStore('accounts of email', (newStore) => {
  let store: Store
  let email: AdministeredService<TestService>
  before(async () => {
    store = await newStore()
    email = await AdministeredService.serve(store, '/email', await serveEmail(store))
  })
  after(() => email.close())

  const create = async (id: string, more: object = {}) => {
    const { status, text } = await email.send('POST', '/accounts', { id, ...more })
    assert.equal(status, 201, text)
  }
  const idsOf = async (query: string, session = email.owner) => {
    const { status, json, text } = await email.sendAs(session, 'GET', `/accounts?${query}`)
    assert.equal(status, 200, text)
    return json.items.map(({ id }: { id: string }) => id)
  }

  test('a new account is open to clients that have a part in it, until it is deleted', async () => {
    const created = await email.send('POST', '/accounts', { id: 'new' })
    assert.equal(created.status, 201, created.text)
    const account = { id: 'new', name: 'new', region: 'US', status: 'ACTIVE', managedBy: null }
    assert.deepEqual(created.json, account)
    await email.send('PATCH', '/api-clients/checker', { accounts: ['5584599', 'other', 'new'] })
    const listed = async () => {
      const { json } = await call(email.service, 'ess')
      return json.results.find(({ accountId }: { accountId: string }) => accountId === 'new')
    }
    assert.deepEqual(await listed(), {
      accountName: 'new',
      accountId: 'new',
      region: 'US',
      status: 'ACTIVE',
    })
    const { etag = '' } = created.headers
    const change = { name: 'New Ltd.', status: 'SUSPENDED' }
    const changed = await email.send('PATCH', '/accounts/new', change, { 'if-match': etag })
    assert.deepEqual(changed.json, { ...account, ...change })
    assert.equal((await listed()).status, 'SUSPENDED')
    const stale = await email.send('PATCH', '/accounts/new', change, { 'if-match': etag })
    assert.equal(stale.status, 412)
    assert.equal((await email.sendAs(email.owner, 'DELETE', '/accounts/new', undefined, {})).status, 428)
    assert.equal((await email.send('DELETE', '/accounts/new')).status, 204)
    assert.equal(await listed(), undefined)
    assert.equal((await email.send('GET', '/accounts/new')).status, 404)
  })

  test('with an account go its domains, their statistics and the part that clients have in it', async () => {
    await create('leaving')
    await email.send('PATCH', '/api-clients/checker', { accounts: ['5584599', 'leaving'] })
    for (const name of ['a.example', 'b.example']) {
      await email.send('POST', '/accounts/leaving/domains', { id: name === 'a.example' ? 1 : 2, name })
    }
    const at = new Date(email.service.clock.now()).toISOString()
    await report(email.service, [messages(at, 12)], 'leaving/ess/domains/1')
    const preview = await email.send('DELETE', '/accounts/leaving?preview=true')
    assert.deepEqual(preview.json, {
      losses: ['2 domains and their statistics', 'the part of 1 API client in the account'],
    })
    assert.equal((await email.send('DELETE', '/accounts/leaving')).status, 204)
    assert.deepEqual((await email.send('GET', '/api-clients/checker')).json.accounts, ['5584599'])
    const rows = store.tables<Record<string, { account_id: string }>>()
    for (const table of ['email_domain', 'email_verification', 'email_mail_count', 'email_mail_report']) {
      const left = await rows.selectFrom(table).selectAll().where('account_id', '=', 'leaving').execute()
      assert.deepEqual(left, [], table)
    }
    await create('leaving')
    assert.equal((await call(email.service, 'leaving/ess/domains')).status, 404, 'another account of the id')
    const empty = await email.send('DELETE', '/accounts/leaving?preview=true')
    assert.deepEqual(empty.json, { losses: [] })
  })

  test('with an account end the grants for it, of operators and of tokens: a new one of its id is open to none of them', async () => {
    await create('reborn')
    await create('remains')
    const grants = ['reborn', 'remains'].map((account) => ({
      role: 'operator' as const,
      service: 'email' as const,
      account,
    }))
    const session = await email.operator(...grants)
    const { administration } = email
    const { username } = (await administration.as(session, 'GET', '/session')).json
    const made = await administration.as(session, 'POST', `/operators/${username}/tokens`, {
      body: { name: 'program', grants, lifetimeDays: 1 },
    })
    const { id, token } = made.json
    const opens = async (account: string) => {
      const path = `/email/accounts/${account}`
      const headers = { authorization: `Bearer ${token}` }
      return [
        (await administration.as(session, 'GET', path)).status,
        (await administration.with(token, 'GET', path)).status,
        (await send(`${email.service.baseUrl}/beta/accounts/${account}/ess/domains`, { headers })).status,
      ]
    }
    assert.deepEqual(await opens('reborn'), [200, 200, 200])
    const preview = await email.send('DELETE', '/accounts/reborn?preview=true')
    assert.deepEqual(preview.json, {
      losses: ['the grants of 1 operator and of 1 API token for the account'],
    })
    assert.equal((await email.send('DELETE', '/accounts/reborn')).status, 204)
    await create('reborn')
    assert.deepEqual(await opens('reborn'), [404, 404, 404])
    assert.deepEqual(await opens('remains'), [200, 200, 200])
    const left = grants.slice(1)
    assert.deepEqual((await administration.as(session, 'GET', '/session')).json.grants, left)
    const { items } = (await administration.as(session, 'GET', `/operators/${username}/tokens`)).json
    assert.deepEqual(items[0].grants, left)
    for (const target of [`/operators/${username}`, `/operators/${username}/tokens/${id}`]) {
      const query = `action=endGrants&target=${encodeURIComponent(target)}`
      const entries = (await administration.as(email.owner, 'GET', `/audit?${query}`)).json.items
      assert.deepEqual(
        entries.map(({ actor, before, after }: Record<string, unknown>) => [actor, before, after]),
        [['palisade', { grants }, { grants: left }]],
      )
    }
  })

  test('an operator of one account sees, changes and fills it, and does not know of others', async () => {
    await create('mine')
    await create('theirs')
    const own = await email.operator({ role: 'operator', service: 'email', account: 'mine' })
    const looking = await email.operator({ role: 'auditor', service: 'email', account: 'mine' })
    const statusOf = async (method: string, path: string, body?: unknown, session = own) =>
      (await email.sendAs(session, method, path, body)).status
    assert.deepEqual(await idsOf('', own), ['mine'])
    assert.deepEqual(await idsOf('order=-id&limit=1', own), ['mine'])
    assert.equal(await statusOf('GET', '/accounts/mine'), 200)
    assert.equal(await statusOf('PATCH', '/accounts/mine', { region: 'DE' }), 200)
    assert.equal(await statusOf('POST', '/accounts', { id: 'more' }), 403)
    assert.equal(await statusOf('DELETE', '/accounts/mine'), 403)
    assert.equal(await statusOf('DELETE', '/accounts/mine?preview=true'), 403)
    const domain = { id: 1, name: 'mine.example' }
    assert.equal(await statusOf('POST', '/accounts/mine/domains', domain), 201)
    assert.equal(await statusOf('PATCH', '/accounts/mine/domains/1', { type: 'CPL' }), 200)
    assert.equal(await statusOf('GET', '/accounts/mine/domains', undefined, looking), 200)
    assert.equal(await statusOf('PATCH', '/accounts/mine', { region: 'DE' }, looking), 403)
    assert.equal(await statusOf('PATCH', '/accounts/mine/domains/1', { type: 'ESS' }, looking), 403)
    assert.equal(await statusOf('DELETE', '/accounts/mine/domains/1', undefined, looking), 403)
    for (const account of ['theirs', 'nowhere']) {
      assert.equal(await statusOf('GET', `/accounts/${account}`), 404)
      assert.equal(await statusOf('PATCH', `/accounts/${account}`, { region: 'DE' }), 404)
      assert.equal(await statusOf('DELETE', `/accounts/${account}`), 404)
      assert.equal(await statusOf('GET', `/accounts/${account}/domains`), 404)
      assert.equal(await statusOf('POST', `/accounts/${account}/domains`, domain), 404)
      assert.equal(await statusOf('GET', `/accounts/${account}/domains/1`), 404)
    }
    assert.equal(await statusOf('DELETE', '/accounts/mine/domains/1'), 204)
    const other = await email.operator({ role: 'operator', service: 'backup' })
    assert.equal(await statusOf('GET', '/accounts', undefined, other), 403)
    assert.equal(await statusOf('GET', '/accounts/mine', undefined, other), 404)
    const whole = await email.operator({ role: 'operator', service: 'email' })
    assert.equal(await statusOf('DELETE', '/accounts/mine', undefined, whole), 204)
  })

  test('what makes no sense is refused with the member at fault', async () => {
    const wrong: readonly [object, string][] = [
      [{}, 'id'],
      [{ id: '' }, 'id'],
      [{ id: 'a b' }, 'id'],
      [{ id: '.' }, 'id'],
      [{ id: 'nul\0' }, 'id'],
      [{ id: 'x'.repeat(256) }, 'id'],
      [{ id: 'x', name: '' }, 'name'],
      [{ id: 'x', name: 'x'.repeat(256) }, 'name'],
      [{ id: 'x', status: 'GONE' }, 'status'],
      [{ id: 'x', domains: [] }, 'domains'],
    ]
    for (const [body, parameter] of wrong) {
      const { status, json } = await email.send('POST', '/accounts', body)
      assert.deepEqual([status, json.parameter], [400, parameter], JSON.stringify([body, json]))
    }
    const twice = await email.send('POST', '/accounts', { id: '5584599' })
    assert.deepEqual([twice.status, twice.json.parameter], [409, 'id'])
    for (const path of ['/accounts/nowhere', '/accounts/%00', '/accounts/nowhere/domains']) {
      assert.equal((await email.send('GET', path)).status, 404, path)
    }
  })

  test('a listing is in the order of names or ids, and of one status', async () => {
    for (const [id, name, status] of [
      ['page-1', 'page c', 'DISABLED'],
      ['page-2', 'page B', 'ACTIVE'],
      ['page-3', 'page a', 'DISABLED'],
    ]) {
      await create(id ?? '', { name, status })
    }
    assert.deepEqual(await idsOf('name=page'), ['page-2', 'page-3', 'page-1'])
    assert.deepEqual(await idsOf('name=page&order=-id'), ['page-3', 'page-2', 'page-1'])
    assert.deepEqual(await idsOf('status=DISABLED'), ['page-3', 'page-1'])
    assert.deepEqual(await idsOf('status=DISABLED&order=id&name=page'), ['page-1', 'page-3'])
  })

  test('a file manages the accounts and domains that it names, until it names them no more', async () => {
    const store = await newStore()
    const configurationFile = 'palisade.yaml'
    const first = await AdministeredService.serve(
      store,
      '/email',
      await serveEmail(store, configuration, undefined, { configurationFile }),
    )
    for (const [method, path, body] of [
      ['PATCH', '/accounts/5584599', { region: 'DE' }],
      ['DELETE', '/accounts/5584599', undefined],
      ['PATCH', '/accounts/5584599/domains/4', { type: 'CPL' }],
      ['DELETE', '/accounts/5584599/domains/4', undefined],
    ] as const) {
      const { status, json } = await first.send(method, path, body)
      assert.equal(status, 409, path)
      assert.match(json.detail, /is managed by palisade\.yaml/)
    }
    const added = { id: 5000, name: 'added.example' }
    assert.equal((await first.send('POST', '/accounts/5584599/domains', added)).status, 201)
    assert.equal((await first.send('DELETE', '/accounts/5584599/domains/5000')).status, 204)
    await first.close()
    const [account, ...others] = configuration.accounts
    assert.ok(account)
    const accountBody = {
      ...configuration,
      accounts: [{ ...account, domains: account.domains.slice(1) }],
      apiClients: configuration.apiClients,
    }
    const second = await AdministeredService.serve(
      store,
      '/email',
      await serveEmail(store, accountBody, undefined, { configurationFile }),
      first.administration.owner,
    )
    const managerOf = async (path: string) => (await second.send('GET', path)).json.managedBy
    assert.equal(await managerOf('/accounts/5584599'), configurationFile)
    assert.equal(await managerOf('/accounts/5584599/domains/4'), null)
    assert.equal(await managerOf('/accounts/5584599/domains/491'), configurationFile)
    assert.equal(await managerOf(`/accounts/${others[0]?.id}`), null)
    assert.equal((await second.send('DELETE', `/accounts/${others[0]?.id}`)).status, 204)
    assert.equal((await second.send('DELETE', '/accounts/5584599/domains/4')).status, 204)
    await second.close()
  })
})
