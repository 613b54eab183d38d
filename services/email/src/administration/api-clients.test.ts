import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AdministeredService } from '@palisade/administration/testing'
import type { Store } from '@palisade/platform'
import { onEveryStore, send } from '@palisade/platform/testing'
import { configuration, requestToken, serveEmail, type TestService } from '../testing/email-service.ts'

const hourMs = 3_600_000
const read = 'ess:account:read'

onEveryStore('API clients of email', (newStore) => {
  let store: Store
  let email: AdministeredService<TestService>
  before(async () => {
    store = await newStore()
    email = await AdministeredService.serve(store, '/email', await serveEmail(store))
  })
  after(() => email.close())

  async function create(clientId: string, more: object = {}): Promise<string> {
    const body = { clientId, accounts: ['5584599'], scopes: [read], ...more }
    const { status, json, text } = await email.send('POST', '/api-clients', body)
    assert.equal(status, 201, text)
    return json.clientSecret
  }

  async function token(clientId: string, secret: string) {
    const { status, json } = await requestToken(email.service, {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    })
    return status === 200
      ? { status, accessToken: json.access_token, expiresIn: json.expires_in }
      : { status, accessToken: '', expiresIn: 0 }
  }

  async function statusWith(accessToken: string, account = '5584599'): Promise<number> {
    const { status } = await send(`${email.service.baseUrl}/beta/accounts/${account}/ess/domains`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    return status
  }

  async function changeSecret(clientId: string, overlapHours: number): Promise<string> {
    const reply = await email.send('POST', `/api-clients/${clientId}/secret`, { overlapHours })
    assert.equal(reply.status, 200, reply.text)
    return reply.json.clientSecret
  }

  test('a new client gets tokens for what it was given, and its secret is in one reply only', async () => {
    const created = await email.send('POST', '/api-clients', {
      clientId: 'fresh',
      accounts: ['5584599'],
      scopes: [read],
    })
    assert.equal(created.status, 201, created.text)
    assert.equal(created.headers.location, '/admin/v1/email/api-clients/fresh')
    const { clientSecret, ...client } = created.json
    assert.match(clientSecret, /^[\w-]{43}$/)
    assert.deepEqual(client, {
      clientId: 'fresh',
      accounts: ['5584599'],
      scopes: [read],
      formerSecretEndsAt: null,
      managedBy: null,
    })
    const { accessToken } = await token('fresh', clientSecret)
    assert.equal(await statusWith(accessToken), 200)
    assert.equal(await statusWith(accessToken, 'other'), 404)

    const one = await email.send('GET', '/api-clients/fresh')
    assert.deepEqual(one.json, client)
    assert.equal(one.headers.etag, created.headers.etag)
    const all = await email.send('GET', '/api-clients?clientId=fres')
    assert.deepEqual(all.json, { items: [client], next: null })
    const audit = await email.administration.as(email.owner, 'GET', '/audit?limit=1000')
    assert.equal(audit.status, 200)
    assert.match(audit.text, /createEmailAPIClient/)
    const tables = JSON.stringify(
      await store
        .tables<Record<string, Record<string, unknown>>>()
        .selectFrom('oauth_client')
        .selectAll()
        .execute(),
    )
    for (const text of [one.text, all.text, audit.text, tables]) assert.ok(!text.includes(clientSecret))
    for (const text of [one.text, all.text, audit.text]) assert.doesNotMatch(text, /argon2/)
  })

  test('a client is changed at once, with the ETag of its state', async () => {
    const secret = await create('changing')
    const { accessToken } = await token('changing', secret)
    const { headers } = await email.send('GET', '/api-clients/changing')
    const etag = headers.etag ?? ''
    const body = { accounts: ['other'] }
    assert.equal((await email.sendAs(email.owner, 'PATCH', '/api-clients/changing', body, {})).status, 428)
    assert.equal((await email.send('PATCH', '/api-clients/changing', body, { 'if-match': etag })).status, 200)
    assert.equal((await email.send('PATCH', '/api-clients/changing', body, { 'if-match': etag })).status, 412)
    assert.equal(await statusWith(accessToken), 404)
    assert.equal(await statusWith(accessToken, 'other'), 200)
    assert.equal((await email.send('PATCH', '/api-clients/changing', { scopes: [] })).status, 200)
    assert.equal(await statusWith(accessToken, 'other'), 403)
    assert.equal((await email.send('PATCH', '/api-clients/changing', {})).status, 200)
  })

  test('the former secret goes on for as long as was said, and its tokens with it', async () => {
    const former = await create('rotated')
    const early = await token('rotated', former)
    const present = await changeSecret('rotated', 2)
    const { json } = await email.send('GET', '/api-clients/rotated')
    assert.equal(json.formerSecretEndsAt, new Date(email.service.clock.now() + 2 * hourMs).toISOString())
    assert.notEqual(present, former)
    assert.equal(await statusWith(early.accessToken), 200)

    email.service.clock.advance(1.5 * hourMs)
    const late = await token('rotated', former)
    assert.deepEqual([late.status, late.expiresIn], [200, 1800])
    const own = await token('rotated', present)
    assert.deepEqual([own.status, own.expiresIn], [200, 3600])
    email.service.clock.advance(0.5 * hourMs - 1)
    assert.equal(await statusWith(late.accessToken), 200)
    email.service.clock.advance(1)
    assert.equal(await statusWith(late.accessToken), 401)
    assert.equal((await token('rotated', former)).status, 401)
    assert.equal(await statusWith(own.accessToken), 200)
  })

  test('tokens of the former secret end with it also when they were issued before', async () => {
    const former = await create('hourly')
    await changeSecret('hourly', 720)
    const { accessToken } = await token('hourly', former)
    const present = await changeSecret('hourly', 1)
    assert.equal(await statusWith(accessToken), 401, 'a secret that is two changes old has ended')
    assert.equal((await token('hourly', former)).status, 401)
    const own = await token('hourly', present)
    await changeSecret('hourly', 1)
    email.service.clock.advance(hourMs - 1)
    assert.equal(await statusWith(own.accessToken), 200)
    email.service.clock.advance(1)
    assert.equal(await statusWith(own.accessToken), 401)
  })

  test('without overlap the former secret and all tokens end at once', async () => {
    const former = await create('leaked')
    const { accessToken } = await token('leaked', former)
    assert.equal(await statusWith(accessToken), 200)
    const present = await changeSecret('leaked', 0)
    assert.equal(await statusWith(accessToken), 401)
    assert.equal((await token('leaked', former)).status, 401)
    assert.equal((await token('leaked', present)).status, 200)
    assert.equal((await email.send('GET', '/api-clients/leaked')).json.formerSecretEndsAt, null)
  })

  test('a deleted client gets no tokens and those that it has end at once', async () => {
    const secret = await create('leaving')
    const { accessToken } = await token('leaving', secret)
    assert.equal(await statusWith(accessToken), 200)
    const preview = await email.send('DELETE', '/api-clients/leaving?preview=true')
    assert.deepEqual(preview.json, { losses: ['the secret of the client', '1 access token'] })
    assert.equal((await email.send('DELETE', '/api-clients/leaving')).status, 204)
    assert.equal(await statusWith(accessToken), 401)
    assert.equal((await token('leaving', secret)).status, 401)
    assert.equal((await email.send('GET', '/api-clients/leaving')).status, 404)
    const again = await create('leaving')
    assert.equal(await statusWith(accessToken), 401)
    assert.equal((await token('leaving', again)).status, 200)
  })

  test('what makes no sense is refused with the member at fault', async () => {
    const client = { clientId: 'wrong', accounts: ['5584599'], scopes: [read] }
    const wrong: readonly [object, string][] = [
      [{ ...client, clientId: '' }, 'clientId'],
      [{ ...client, clientId: 'a:b' }, 'clientId'],
      [{ ...client, clientId: '..' }, 'clientId'],
      [{ ...client, clientId: 'x'.repeat(256) }, 'clientId'],
      [{ ...client, clientId: 'nul\0' }, 'clientId'],
      [{ ...client, accounts: ['nul\0'] }, 'accounts.0'],
      [{ ...client, accounts: ['5584599', 'nowhere'] }, 'accounts.1'],
      [{ ...client, accounts: ['5584599', '5584599'] }, 'accounts'],
      [{ ...client, scopes: ['ess:account:all'] }, 'scopes.0'],
      [{ ...client, clientSecret: 'own' }, 'clientSecret'],
      [{ clientId: 'wrong', accounts: [] }, 'scopes'],
    ]
    for (const [body, parameter] of wrong) {
      const { status, json } = await email.send('POST', '/api-clients', body)
      assert.deepEqual([status, json.parameter], [400, parameter], JSON.stringify([body, json]))
    }
    assert.equal((await email.send('GET', '/api-clients/wrong')).status, 404)
    for (const overlapHours of [-1, 721, 1.5, '1', undefined]) {
      const { status, json } = await email.send('POST', '/api-clients/reader/secret', { overlapHours })
      assert.deepEqual([status, json.parameter], [400, 'overlapHours'], String(overlapHours))
    }
    const twice = await email.send('POST', '/api-clients', { ...client, clientId: 'reader' })
    assert.deepEqual([twice.status, twice.json.parameter], [409, 'clientId'])
    for (const path of ['/api-clients/nobody', '/api-clients/%00']) {
      assert.equal((await email.send('GET', path)).status, 404, path)
      assert.equal((await email.send('DELETE', path)).status, 404, path)
      assert.equal((await email.send('POST', `${path}/secret`, { overlapHours: 0 })).status, 404, path)
    }
  })

  test('whoever may not change all of email changes no client', async () => {
    const body = { clientId: 'foreign', accounts: ['5584599'], scopes: [] }
    const change = { scopes: [] }
    for (const [grants, reading] of [
      [[{ role: 'auditor', service: 'email' }], 200],
      [[{ role: 'operator', service: 'backup' }], 403],
      [[{ role: 'operator', service: 'email', account: '5584599' }], 403],
    ] as const) {
      const session = await email.operator(...grants)
      const statusOf = async (method: string, path: string, sent?: unknown) =>
        (await email.sendAs(session, method, path, sent)).status
      assert.equal(await statusOf('GET', '/api-clients'), reading)
      assert.equal(await statusOf('GET', '/api-clients/reader'), reading)
      assert.equal(await statusOf('POST', '/api-clients', body), 403)
      assert.equal(await statusOf('PATCH', '/api-clients/reader', change), 403)
      assert.equal(await statusOf('DELETE', '/api-clients/reader'), 403)
      assert.equal(await statusOf('DELETE', '/api-clients/reader?preview=true'), 403)
      assert.equal(await statusOf('POST', '/api-clients/reader/secret', { overlapHours: 0 }), 403)
    }
    const session = await email.operator({ role: 'operator', service: 'email' })
    assert.equal((await email.sendAs(session, 'POST', '/api-clients', body)).status, 201)
  })

  test('a file manages the clients that it names, until it names them no more', async () => {
    const store = await newStore()
    const [reader] = configuration.apiClients
    assert.ok(reader)
    const file = { configurationFile: 'palisade.yaml' }
    const first = await AdministeredService.serve(
      store,
      '/email',
      await serveEmail(store, configuration, undefined, file),
    )
    assert.equal((await first.send('GET', '/api-clients/reader')).json.managedBy, 'palisade.yaml')
    for (const [method, path, body] of [
      ['PATCH', '/api-clients/reader', { scopes: [] }],
      ['DELETE', '/api-clients/reader', undefined],
      ['POST', '/api-clients/reader/secret', { overlapHours: 0 }],
    ] as const) {
      const { status, json } = await first.send(method, path, body)
      assert.equal(status, 409)
      assert.match(json.detail, /This email API client is managed by palisade\.yaml/)
    }
    await first.close()
    const provisioned = { ...configuration, apiClients: configuration.apiClients.slice(1) }
    const second = await AdministeredService.serve(
      store,
      '/email',
      await serveEmail(store, provisioned, undefined, file),
      first.administration.owner,
    )
    assert.equal((await second.send('GET', '/api-clients/reader')).json.managedBy, null)
    assert.equal((await second.send('GET', '/api-clients/both')).json.managedBy, 'palisade.yaml')
    assert.equal((await second.send('PATCH', '/api-clients/reader', { scopes: [] })).status, 200)
    await second.close()
  })

  test('a listing has pages in either order', async () => {
    const names = ['page-B', 'page-a', 'page-c']
    for (const name of names) await create(name)
    for (const [order, expected] of [
      ['clientId', names],
      ['-clientId', [...names].reverse()],
    ] as const) {
      const ids: string[] = []
      let after = ''
      do {
        const { json } = await email.send('GET', `/api-clients?clientId=page-&limit=1&order=${order}${after}`)
        ids.push(...json.items.map(({ clientId }: { clientId: string }) => clientId))
        after = json.next === null ? '' : `&after=${json.next}`
      } while (after !== '')
      assert.deepEqual(ids, expected)
    }
  })
})
