import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'

const computer = '/v2/accounts/acme/computers/0001'
const reading = [
  '/v2/accounts/acme/computers',
  computer,
  `${computer}/backups`,
  `${computer}/backups/no-such-backup`,
  `${computer}/restores`,
  `${computer}/restores/no-such-restore`,
  `${computer}/restore/diskimage/standard/browse/volumes`,
  `${computer}/restore/diskimage/standard/browse/revisions?deviceId=x`,
  `${computer}/backupsets`,
  `${computer}/backupsets/no-such-set`,
  `${computer}/backupsets/1/info`,
  `${computer}/action/1/status`,
  `${computer}/revisions`,
  `${computer}/revisions/1`,
]
const writing = [
  `${computer}/backups`,
  `${computer}/backups/no-such-backup/cancel`,
  `${computer}/restores/no-such-restore/cancel`,
  `${computer}/restore/diskimage/standard/vhd`,
  `${computer}/backupsets`,
  `${computer}/backupsets/run`,
  `${computer}/backupsets/toggle`,
  `${computer}/backupsets/delete`,
  `${computer}/revisions/1/verify`,
  `${computer}/revisions/1/pin`,
]
const ending = [
  `${computer}/credential`,
  `${computer}/end-to-end-key`,
  `${computer}/revisions/1`,
  `${computer}/revisions/1/pin`,
]
const everything = [
  ...reading.map((path) => ['GET', path] as const),
  ...writing.map((path) => ['POST', path] as const),
  ...ending.map((path) => ['DELETE', path] as const),
]

onEveryStore('the REST side refuses', (newStore) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(await newStore())
  })
  after(() => service.close())

  const isEnvelope = ({ json, headers }: { json: unknown; headers: Record<string, unknown> }) => {
    assert.match(String(headers['content-type']), /^application\/json/)
    const { errors, ...rest } = json as { errors: unknown[] }
    assert.deepEqual(rest, {})
    assert.ok(errors.length > 0 && errors.every((error) => typeof error === 'string'))
    return true
  }

  test('a request without a token, or with one that is unknown, before anything else', async () => {
    for (const [method, path] of everything) {
      for (const authorization of [undefined, 'Bearer nonsense', 'Basic YTpi', 'Bearer']) {
        const headers = authorization === undefined ? {} : { authorization }
        const reply = await send(`${service.served.baseUrl}${path}`, { method, headers })
        assert.equal(reply.status, 401, `${method} ${path} ${authorization}`)
        assert.match(String(reply.headers['www-authenticate']), /^Bearer /)
        assert.ok(isEnvelope(reply))
      }
    }
  })

  test('a token without the scope, naming it', async () => {
    const [reader, writer] = [await service.authorise('reader'), await service.authorise('writer')]
    for (const path of reading) {
      const reply = await service.call('GET', path, undefined, writer)
      assert.deepEqual(
        [reply.status, reply.json],
        [403, { errors: ['The access token lacks the scope computers_read.'] }],
      )
    }
    for (const [method, path] of everything.filter(([verb]) => verb !== 'GET')) {
      const reply = await service.call(method, path, undefined, reader)
      assert.deepEqual(
        [reply.status, reply.json],
        [403, { errors: ['The access token lacks the scope computers_write.'] }],
      )
    }
  })

  test('accounts that are foreign or do not exist, and computers that do not, alike', async () => {
    for (const [method, path] of everything) {
      const accounts = ['other', 'nobody', '%00', '%ED%A0%80', 'acme%20', encodeURIComponent("' OR 1=1 --")]
      for (const account of accounts) {
        const reply = await service.call(method, path.replace('acme', account))
        assert.equal(reply.status, account === '%ED%A0%80' ? 400 : 404, `${method} ${account}`)
        if (reply.status === 404) assert.deepEqual(reply.json, { errors: ['There is no such account.'] })
      }
      if (path === '/v2/accounts/acme/computers') continue
      for (const id of ['0003', '1', '%00', 'x'.repeat(1000)]) {
        const reply = await service.call(method, path.replace('0001', id))
        assert.deepEqual([reply.status, reply.json], [404, { errors: ['There is no such computer.'] }])
      }
    }
  })

  test('backups and restores that do not exist, also under strange names', async () => {
    for (const id of ['1', '%00', '..%2F..', 'x'.repeat(500)]) {
      for (const kind of ['backup', 'restore']) {
        for (const [method, rest] of [
          ['GET', ''],
          ['POST', '/cancel'],
        ] as const) {
          const reply = await service.computer(method, `/${kind}s/${id}${rest}`)
          assert.deepEqual([reply.status, reply.json], [404, { errors: [`There is no such ${kind}.`] }])
        }
      }
    }
  })

  test('methods and addresses that are not served, in its own envelope', async () => {
    const patched = await service.computer('PATCH', '/backups')
    assert.deepEqual([patched.status, patched.headers.allow], [405, 'GET, POST'])
    assert.ok(isEnvelope(patched))
    const missing = await service.call('GET', '/v2/nothing')
    assert.equal(missing.status, 404)
    assert.ok(isEnvelope(missing))
    const plain = await service.call('GET', '/agent/v1/link')
    assert.equal(plain.status, 401)
    assert.ok(isEnvelope(plain))
  })

  test('bodies that are not what is expected, and never with 500', async () => {
    const json = { 'content-type': 'application/json' }
    const cases: [what: string, body: string | Buffer, headers: Record<string, string>, status: number][] = [
      ['broken JSON', '{"destination":', json, 400],
      ['no JSON at all', 'hello', json, 400],
      ['a number', '7', json, 400],
      ['null', 'null', json, 400],
      ['a list', '[]', json, 400],
      ['nothing', '', json, 400],
      ['bad UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json, 400],
      ['__proto__', '{"__proto__":{"path":"/x"},"destination":{}}', json, 400],
      ['constructor.prototype', '{"constructor":{"prototype":{"path":"/x"}}}', json, 400],
      ['a form', 'destination=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      ['text', '{}', { 'content-type': 'text/plain' }, 415],
      ['no content type', '{}', {}, 415],
      ['bytes', '{}', { 'content-type': 'application/octet-stream' }, 415],
      ['ten megabytes', `{"x":"${'x'.repeat(10_000_000)}"}`, json, 413],
      ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, json, 400],
    ]
    let ran = 0
    for (const [what, body, headers, status] of cases) {
      for (const path of ['/restore/diskimage/standard/vhd', '/backups']) {
        const reply = await service.call('POST', `${computer}${path}`, body, headers)
        assert.equal(reply.status, status, `${what}: ${reply.text}`)
        assert.ok(isEnvelope(reply))
        ran++
      }
    }
    assert.equal(ran, cases.length * 2)
  })

  test('a backup of something that is no source, naming the member', async () => {
    const sources = [
      {},
      { path: 7 },
      { path: '' },
      { path: `/${'a'.repeat(4096)}` },
      { path: '/x', partition: 0 },
      { path: '/x', more: 1 },
      '/x',
    ]
    for (const source of sources) {
      const reply = await service.computer('POST', '/backups', { source })
      assert.equal(reply.status, 400)
      assert.match(reply.json.errors[0], /source/)
    }
  })

  test('a backup of a path that no file can have, before the agent is looked for', async () => {
    for (const path of ['/x\0y', '\0', 'C:\\x\ud800']) {
      const { status, json } = await service.computer('POST', '/backups', { source: { path } })
      assert.deepEqual([status, json], [400, { errors: ['[source][path] is invalid'] }])
    }
  })

  test('queries that make no sense', async () => {
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=1&limit=2', 'limit=-1', 'limit=']) {
      const reply = await service.computer('GET', `/backups?${query}`)
      assert.deepEqual(
        [reply.status, reply.json],
        [400, { errors: ['[limit] must be an integer from 1 to 1000'] }],
      )
    }
    for (const query of ['page=0', 'page=1000001', 'page=x', 'page=1&page=2']) {
      const reply = await service.computer('GET', `/restores?${query}`)
      assert.deepEqual(
        [reply.status, reply.json],
        [400, { errors: ['[page] must be an integer from 1 to 1000000'] }],
      )
    }
    for (const query of ['', 'deviceId=', 'deviceId=a&deviceId=b']) {
      const reply = await service.computer('GET', `/restore/diskimage/standard/browse/revisions?${query}`)
      assert.deepEqual([reply.status, reply.json], [400, { errors: ['[deviceid] is missing or invalid'] }])
    }
    const unknown = await service.computer(
      'GET',
      '/restore/diskimage/standard/browse/revisions?deviceId=%00%ff',
    )
    assert.deepEqual([unknown.status, unknown.json], [200, []])
  })

  test('a start while the agent is offline, and nothing is left of it', async () => {
    const alone = { errors: ['Agent cannot be reached or is offline'] }
    const backup = await service.computer('POST', '/backups', { source: { path: '/dev/sdb' } })
    assert.deepEqual([backup.status, backup.json], [400, alone])
    const restore = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhd',
      revisions: [1],
    })
    assert.deepEqual([restore.status, restore.json], [400, alone])
    assert.deepEqual((await service.computer('GET', '/backups')).json, [])
    assert.deepEqual((await service.computer('GET', '/restores')).json, [])
  })

  test('but takes both schemes, both grant types and scopes with a plus', async () => {
    const token = (await service.authorise('automation', { grant_type: 'none' })).authorization.slice(7)
    for (const scheme of ['Bearer', 'bearer', 'OAuth', 'Oauth', 'oauth', 'OAUTH']) {
      const reply = await service.call('GET', computer, undefined, { authorization: `${scheme} ${token}` })
      assert.equal(reply.status, 200, scheme)
    }
    const both = await service.authorise('automation', { scope: 'computers_read+computers_write' })
    assert.equal((await service.call('GET', computer, undefined, both)).status, 200)
    const readOnly = await service.authorise('automation', { scope: 'computers_read' })
    assert.equal((await service.call('POST', `${computer}/backups`, undefined, readOnly)).status, 403)
  })

  test('and lists what is there', async () => {
    const { json } = await service.call('GET', '/v2/accounts/acme/computers')
    const never = {
      online: false,
      lastSeen: null,
      agentVersion: null,
      platform: null,
      hostName: null,
      endToEnd: false,
      endToEndKeyCheck: null,
      restoreTo: null,
    }
    assert.deepEqual(json, [
      { id: '0001', name: 'files01', ...never },
      { id: '0002', name: 'mail01', ...never },
    ])
  })
})
