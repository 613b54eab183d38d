import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { Attention } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { metadataNetworks } from '@palisade/proxy-protocol'
import type { AdministrationConfiguration } from '../configuration.ts'
import type { AdministrationTables } from '../tables.ts'
import { serveAdministration, type TestAdministration, type TestSession } from '../test-service.ts'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const password = 'correct horse battery'

const gone: Attention = {
  condition: 'agent-gone',
  subject: 'computer main/0001',
  severity: 'warning',
  message: 'The agent is gone.',
  remedy: 'palisade agent',
}

onEveryStore('channels and routes at run time', (newStore) => {
  const received: string[] = []
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(`${request.url} ${JSON.parse(body).data.notices[0].kind}`)
      response.writeHead(204).end()
    })
  })
  let base: string
  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  })
  after(() => receiver.close().closeAllConnections())

  const hook = (path: string) => ({ url: `${base}${path}`, secret })

  async function started(
    given: { configuration?: Partial<AdministrationConfiguration>; conditions?: Attention[] } = {},
  ) {
    received.length = 0
    const store = await newStore()
    const { conditions = [] } = given
    const served = await serveAdministration(store, {
      attention: [{ service: 'backup', isOfServer: false, read: async () => conditions }],
      configurationFile: 'palisade.yaml',
      ...(given.configuration && { configuration: given.configuration }),
    })
    const session = await served.logIn(served.owner.username, served.owner.password)
    const send = (method: string, path: string, body?: unknown, ifMatch = '*') =>
      served.as(session, method, path, { headers: { 'if-match': ifMatch }, ...(body ? { body } : {}) })
    return { store, served, session, send }
  }

  async function operator(served: TestAdministration, owner: TestSession, role: 'operator' | 'auditor') {
    const body = { username: role, password, grants: [{ role }] }
    assert.equal((await served.as(owner, 'POST', '/operators', { body })).status, 201)
    return served.logIn(role, password)
  }

  test('nothing is sent to where the operator of the machine has forbidden it, by address or by name, whatever the channel', async (t) => {
    const forbiddenAddresses = ['127.0.0.0/8', '::1', ...metadataNetworks]
    const { served, send } = await started({
      configuration: { notifications: { channels: [], routes: [], forbiddenAddresses } },
    })
    const { port } = new URL(base)
    const mail = { port: Number(port), tls: 'none', from: 'a@example.org', to: ['b@example.org'] }
    const channels = {
      address: { webhook: hook('/reached') },
      name: { webhook: { url: `http://localhost:${port}/reached`, secret } },
      number: { webhook: { url: `http://2130706433:${port}/reached`, secret } },
      'ipv6-spelling': { webhook: { url: `http://[::ffff:127.0.0.1]:${port}/reached`, secret } },
      metadata: { webhook: { url: 'http://169.254.169.254/latest/meta-data/', secret } },
      mail: { email: { host: 'localhost', ...mail } },
      'mail-address': { email: { host: '127.0.0.1', ...mail } },
      syslog: { syslog: { host: 'localhost', port: Number(port) } },
    }
    for (const [name, channel] of Object.entries(channels)) {
      assert.equal((await send('POST', '/channels', { name, ...channel })).status, 201, name)
      assert.equal((await send('POST', `/channels/${name}/test`)).status, 202)
      await t.waitFor(async () => {
        const { json } = await send('GET', `/channels/${name}`)
        assert.match(
          String(json.failure),
          /the operator has forbidden connections to .*administration\.notifications\.forbiddenAddresses/,
          name,
        )
      })
    }
    assert.deepEqual(received, [])
    await served.provision({ notifications: { channels: [], routes: [], forbiddenAddresses: [] } })
    await send('PATCH', '/channels/name', { webhook: { secret } })
    await t.waitFor(() => assert.deepEqual(received, ['/reached test']))
    await served.close()
  })

  test('what is added sends, and what is changed or deleted does so no more', async (t) => {
    const conditions: Attention[] = []
    const { served, send } = await started({ conditions })
    const added = await send('POST', '/channels', { name: 'ops', webhook: hook('/first') })
    assert.equal(added.status, 201, added.text)
    const route = await send('POST', '/routes', { channels: ['ops'], groupSeconds: 0, services: ['backup'] })
    assert.equal(route.status, 201, route.text)
    const routePath = `/routes/${route.json.id}`
    conditions.push(gone)
    await served.look()
    await t.waitFor(() => assert.deepEqual(received, ['/first raised']))

    const changed = await send('PATCH', '/channels/ops', { webhook: { url: `${base}/second` } })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.json.webhook, { url: `${base}/second` })
    conditions.length = 0
    await served.look()
    await t.waitFor(() => assert.deepEqual(received, ['/first raised', '/second resolved']))

    assert.equal((await send('PATCH', routePath, { services: ['email'] })).status, 200)
    conditions.push(gone)
    await served.look()
    assert.equal((await send('PATCH', routePath, { services: null })).json.services, undefined)
    conditions.push({ ...gone, subject: 'computer main/0002' })
    await served.look()
    await t.waitFor(() => assert.equal(received.length, 3))

    assert.equal((await send('DELETE', '/channels/ops')).status, 409, 'a route names it')
    assert.equal((await send('DELETE', routePath)).status, 204)
    assert.equal((await send('DELETE', '/channels/ops')).status, 204)
    conditions.length = 0
    await served.look()
    assert.deepEqual((await send('GET', '/channels')).json.items, [])
    assert.equal(received.length, 3)
    await served.close()
  })

  test('a test of a channel arrives, and one of a route at each of its channels', async (t) => {
    const { served, send } = await started()
    for (const name of ['one', 'two']) {
      await send('POST', '/channels', { name, webhook: hook(`/${name}`) })
    }
    const { json } = await send('POST', '/routes', { channels: ['one', 'two'] })
    assert.equal((await send('POST', '/channels/one/test')).status, 202)
    await t.waitFor(() => assert.deepEqual(received, ['/one test']))
    assert.equal((await send('POST', `/routes/${json.id}/test`)).status, 202)
    await t.waitFor(() => assert.deepEqual(received.toSorted(), ['/one test', '/one test', '/two test']))
    assert.equal((await send('POST', '/routes/none/test')).status, 404)
    await served.close()
  })

  test('what answers at a channel and is no mail server is not repeated to whoever named it', async (t) => {
    const { served, send } = await started()
    const other = createTcpServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-internal\r\n'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    t.after(() => other.close())
    const { port } = other.address() as AddressInfo
    const email = { host: '127.0.0.1', port, tls: 'none', from: 'a@example.org', to: ['b@example.org'] }
    const added = await send('POST', '/channels', { name: 'mail', email })
    assert.equal(added.status, 201, added.text)
    assert.equal((await send('POST', '/channels/mail/test')).status, 202)
    await t.waitFor(async () => {
      const { failure } = (await send('GET', '/channels/mail')).json
      assert.equal(failure, 'what answers there is no mail server')
    })
    await served.close()
  })

  test('secrets are in no answer, no audit entry and not readable in the store', async () => {
    const { store, served, send } = await started()
    const email = {
      host: 'localhost',
      username: 'ops',
      password: 'a mail password',
      from: 'a@b.c',
      to: ['d@e.f'],
    }
    const answers = [
      await send('POST', '/channels', { name: 'ops', webhook: hook('/') }),
      await send('POST', '/channels', { name: 'mail', email }),
      await send('PATCH', '/channels/mail', { email: { password: 'another mail password' } }),
      await send('GET', '/channels'),
      await send('GET', '/channels/mail'),
      await send('GET', '/audit?action=createChannel'),
      await send('GET', '/audit?action=updateChannel'),
    ]
    for (const { status, text: answer } of answers) {
      assert.ok(status === 200 || status === 201, answer)
      assert.doesNotMatch(answer, /whsec_|mail password/)
    }
    assert.equal(answers.at(-1)?.json.items.length, 1)
    assert.deepEqual([answers[4]?.json.email.port, answers[4]?.json.email.tls], [587, 'starttls'])
    const rows = await store.tables<AdministrationTables>().selectFrom('admin_channel').selectAll().execute()
    assert.equal(rows.length, 2)
    assert.doesNotMatch(JSON.stringify(rows), /whsec_|mail password/)
    await served.close()
  })

  test('a password goes to no other mail server than the one that it was given for', async () => {
    const { served, send } = await started()
    const email = {
      host: 'localhost',
      username: 'ops',
      password: 'a mail password',
      from: 'a@b.c',
      to: ['d@e.f'],
    }
    await send('POST', '/channels', { name: 'mail', email })
    for (const elsewhere of [{ host: 'evil.example.org' }, { port: 26 }, { tls: 'none' }]) {
      const refused = await send('PATCH', '/channels/mail', { email: elsewhere })
      assert.deepEqual([refused.status, refused.json.parameter], [400, 'email.password'])
    }
    const moved = await send('PATCH', '/channels/mail', {
      email: { host: 'other.example.org', password: null },
    })
    assert.deepEqual([moved.status, moved.json.email.host], [200, 'other.example.org'])
    await served.close()
  })

  test('what cannot be is refused, and names what is wrong', async () => {
    const { served, send } = await started()
    await send('POST', '/channels', { name: 'ops', webhook: hook('/') })
    const refused: [string, string, object, number][] = [
      ['POST', '/channels', { name: 'ops', webhook: hook('/') }, 409],
      ['POST', '/channels', { name: 'none' }, 400],
      ['POST', '/channels', { name: 'two', webhook: hook('/'), syslog: { host: 'x' } }, 400],
      ['POST', '/channels', { name: 'file', syslog: { host: 'x', caFile: '/etc/passwd' } }, 400],
      ['POST', '/channels', { name: 'other', webhook: { url: 'file:///etc/passwd', secret } }, 400],
      ['PATCH', '/channels/ops', { syslog: { host: 'x' } }, 400],
      ['POST', '/routes', { channels: ['nowhere'] }, 400],
      ['POST', '/routes', { channels: [] }, 400],
      [
        'POST',
        '/routes',
        { channels: ['ops'], quietHours: { from: '22:00', to: '06:00', timeZone: 'Europe/Atlantis' } },
        400,
      ],
    ]
    for (const [method, path, body, status] of refused) {
      const answer = await send(method, path, body)
      assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`)
    }
    const { headers } = await send('GET', '/channels/ops')
    await send('PATCH', '/channels/ops', { webhook: { url: `${base}/other` } })
    const late = await send('PATCH', '/channels/ops', { webhook: { url: base } }, String(headers.etag))
    assert.equal(late.status, 412)
    await served.close()
  })

  test('what a file manages is changed there; what it names no more is gone, and nothing else', async (t) => {
    const notifications = {
      channels: [{ name: 'file', webhook: hook('/file') }],
      routes: [{ channels: ['file'], groupSeconds: 0 }],
      forbiddenAddresses: [],
    }
    const { served, send } = await started({ configuration: { notifications } })
    await send('POST', '/channels', { name: 'own', webhook: hook('/own') })
    const [channels, routes] = [await send('GET', '/channels'), await send('GET', '/routes')]
    assert.deepEqual(
      channels.json.items.map(({ name, managedBy }: Record<string, string>) => [name, managedBy]),
      [
        ['file', 'palisade.yaml'],
        ['own', null],
      ],
    )
    const [route] = routes.json.items
    for (const path of ['/channels/file', `/routes/${route.id}`]) {
      for (const answer of [await send('PATCH', path, {}), await send('DELETE', path)]) {
        assert.deepEqual([answer.status, answer.text.includes('palisade.yaml')], [409, true])
      }
    }
    assert.equal((await send('POST', '/channels/file/test')).status, 202)
    await t.waitFor(() => assert.deepEqual(received, ['/file test']))

    await served.provision({ notifications: { channels: [], routes: [], forbiddenAddresses: [] } })
    assert.deepEqual(
      (await send('GET', '/channels')).json.items.map(({ name }: { name: string }) => name),
      ['own'],
    )
    assert.deepEqual((await send('GET', '/routes')).json.items, [])
    await served.close()
  })

  test('operators may change them and auditors only see them', async () => {
    const { served, session } = await started()
    const [ops, auditor] = [
      await operator(served, session, 'operator'),
      await operator(served, session, 'auditor'),
    ]
    const body = { name: 'ops', webhook: hook('/') }
    assert.equal((await served.as(auditor, 'POST', '/channels', { body })).status, 403)
    assert.equal((await served.as(ops, 'POST', '/channels', { body })).status, 201)
    assert.equal((await served.as(auditor, 'GET', '/channels/ops')).status, 200)
    assert.equal((await served.as(auditor, 'POST', '/routes', { body: { channels: ['ops'] } })).status, 403)
    await served.close()
  })
})
