import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLog } from '@palisade/platform'
import {
  onEveryStore,
  type ServedService,
  send,
  serveOnLoopback,
  settableClock,
} from '@palisade/platform/testing'
import { basic, type Client, logIn } from '../testing/client.ts'
import { everyOperation, statusBeforeBody } from '../testing/every-operation.ts'
import { everyRow } from '../testing/every-row.ts'
import { firewallService } from '../testing/firewall.ts'

/** What may be read, but not by those who may only read. */
const refusedReads = ['backup/generate-encryptionkey']

/** What reading writes: tokens in the place of those that get old. */
const isOfTokens = (table: string) => ['firewall_token', 'firewall_session'].includes(table)

const forms: readonly (readonly [path: string, body: object])[] = [
  ['configuration-checkpoints', { name: 'mine' }],
  ['configuration-checkpoints/kept/rollback', { 'dry-run': 'Yes' }],
  ['ops/export-configuration', {}],
  ['ops/import-configuration', {}],
  ['services', { name: 'another', 'ip-address': '192.0.2.2', port: '80', type: 'HTTP' }],
]

const uploads = [
  'certificates',
  'ops/import-configuration',
  'certificates/signed-certificate',
  'services/shop',
]

onEveryStore('a token of an operator who may only read', (newStore) => {
  async function serve(t: TestContext) {
    const store = await newStore()
    const clock = settableClock()
    const rights = { read: true, write: true }
    const service = await firewallService({
      store,
      clock,
      operators: { mayStill: async (kind) => rights[kind] },
    })
    const served = await serveOnLoopback(service, { log: createLog('silent') })
    t.after(() => served.close())
    const tokenFor = async (mayChange: boolean): Promise<string> => {
      const [action] = service.administered?.[0]?.actions ?? []
      assert.equal(action?.name, 'token')
      const caller = {
        isHimself: false,
        mayChange,
        sessionId: undefined,
        credential: 'token:1',
        address: '127.0.0.1',
      }
      const write = await action.perform({ administrator: 'admin' }, undefined, caller)
      return String((await store.serializably((tables) => write(tables)))?.token)
    }
    const admin = await logIn(served.baseUrl)
    await create(admin, 'services', { name: 'shop', 'ip-address': '192.0.2.1', port: '80', type: 'HTTP' })
    await create(admin, 'configuration-checkpoints', { name: 'kept' })
    return { store, clock, rights, served, admin, tokenFor }
  }

  test('is refused every operation that is no reading, before its body and its address are looked at, and changes nothing', async (t) => {
    const { store, served, tokenFor } = await serve(t)
    const headers = basic(`${await tokenFor(false)}:`)
    const before = await everyRow(store, isOfTokens)
    const changes = everyOperation(served).filter(([method]) => method !== 'GET')
    for (const [method, path] of changes) {
      for (const named of new Set([path, path.replace('default', 'shop')])) {
        const status = await statusBeforeBody(served, [method, named], headers)
        assert.equal(status, 403, `${method} ${named}`)
      }
    }
    assert.ok(changes.length > 380, `${changes.length} operations`)
    for (const method of ['HEAD', 'PATCH', 'OPTIONS', 'POST', 'PUT', 'DELETE']) {
      for (const path of ['no-such-thing', 'services/nobody', 'services/shop', 'SERVICES/shop/']) {
        const status = await statusBeforeBody(served, [method, path], headers)
        assert.equal(status, 403, `${method} ${path}`)
      }
    }
    assert.equal(await everyRow(store, isOfTokens), before)
  })

  test('is refused checkpoints, imports, exports, downloads and uploads, with a sentence in the words of the API', async (t) => {
    const { store, served, admin, tokenFor } = await serve(t)
    const reader = clientOf(served, await tokenFor(false))
    const certificate = { name: 'one', 'common-name': 'one.example.com', 'country-code': 'DE' }
    await admin.call('POST', 'certificates/self-signed-certificate', certificate)
    const before = await everyRow(store, isOfTokens)
    for (const [path, body] of forms) await assertRefused(reader('POST', path, body), path)
    const download = 'certificates/self-signed-certificate/one?operation=download'
    await assertRefused(reader('PUT', download, { 'download-type': 'pem' }), download)
    for (const version of ['v1', 'v3', 'v3.1', 'v3.2']) {
      for (const path of uploads) {
        const reply = send(`${served.baseUrl}/restapi/${version}/${path}`, {
          method: 'POST',
          headers: { ...basic(`${reader.token}:`), 'content-type': 'multipart/form-data; boundary=x' },
          body: '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\none\r\n--x--\r\n',
        })
        await assertRefused(reply, `${version} ${path}`)
      }
    }
    assert.equal(await everyRow(store, isOfTokens), before)
  })

  test('reads whatever an administrator reads, but for what is named here', async (t) => {
    const { store, served, admin, tokenFor } = await serve(t)
    const reader = clientOf(served, await tokenFor(false))
    const reads = everyOperation(served).filter(([method]) => method === 'GET')
    const before = await everyRow(store, isOfTokens)
    const refused: string[] = []
    let found = 0
    for (const [, path] of reads) {
      const named = path.replace(/^services\/default/, 'services/shop')
      const { status } = await reader('GET', named)
      if (status === 403) refused.push(path)
      else assert.equal(status, (await admin.get(named)).status, named)
      if (status === 200) found++
    }
    assert.deepEqual(refused, refusedReads)
    assert.ok(reads.length > 300, `${reads.length} operations`)
    assert.ok(found > 150, `${found} of them were found`)
    assert.equal(await everyRow(store, isOfTokens), before)
  })

  test('gives successors that only read as well, on every server, and ends by a logout', async (t) => {
    const { store, clock, served, tokenFor } = await serve(t)
    const other = await serveOnLoopback(
      await firewallService({ store, clock, operators: { mayStill: async () => true } }),
      {
        log: createLog('silent'),
      },
    )
    t.after(() => other.close())
    const first = clientOf(served, await tokenFor(false))
    const { json } = await first('GET', 'services')
    for (const token of [first.token, String(json.token)]) {
      for (const server of [served, other]) {
        const reader = clientOf(server, token)
        assert.equal((await reader('GET', 'services')).status, 200)
        await assertRefused(reader('DELETE', 'services/shop'), 'services/shop')
      }
    }
    assert.equal((await first('DELETE', 'logout')).status, 202)
    assert.equal((await first('GET', 'services')).status, 401)
  })

  test('and one that changes is told apart: that of who may change ends when he may only read', async (t) => {
    const { clock, rights, served, tokenFor } = await serve(t)
    const changing = clientOf(served, await tokenFor(true))
    const reader = clientOf(served, await tokenFor(false))
    assert.equal((await changing('PUT', 'services/shop', { comments: 'changed' })).status, 200)
    rights.write = false
    clock.advance(1_000)
    assert.equal((await changing('GET', 'services')).status, 401)
    assert.equal((await reader('GET', 'services')).status, 200)
    rights.read = false
    clock.advance(1_000)
    assert.equal((await reader('GET', 'services')).status, 401)
  })
})

type Caller = ((method: string, path: string, body?: unknown) => ReturnType<Client['call']>) & {
  readonly token: string
}

function clientOf({ baseUrl }: ServedService, token: string): Caller {
  const call = (method: string, path: string, body?: unknown) =>
    send(`${baseUrl}/restapi/v3.2/${path}`, {
      method,
      headers: basic(`${token}:`),
      ...(body === undefined ? {} : { body }),
    })
  return Object.assign(call, { token })
}

async function create(admin: Client, path: string, body: object): Promise<void> {
  const { status, text } = await admin.call('POST', path, body)
  assert.equal(status, 201, text)
}

async function assertRefused(reply: ReturnType<Client['call']>, what: string): Promise<void> {
  const { status, json } = await reply
  assert.equal(status, 403, what)
  assert.match(json.msg, /^You may only read the firewall\. To change it you need the role operator/, what)
  assert.deepEqual(json.error, { status: '403', type: 'forbidden', msg: json.msg }, what)
}
