import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { awarenessToken, basic, bearer, firewallToken } from './support/programs/calls.ts'
import { cleanUp, Server } from './support/programs/server.ts'

after(cleanUp)

interface Target {
  readonly service: string
  /** An operation that takes a JSON body. */
  readonly post: string
  /** An address that exists, and a method that it does not answer to. */
  readonly wrongMethod: readonly [method: string, path: string]
  readonly unknown: string
  readonly headers: () => Promise<Record<string, string>>
  /** Whether a body is an error in this service's own envelope. */
  readonly isEnvelope: (body: Record<string, unknown>, status: number) => boolean
}

let server: Server
before(async () => {
  server = await Server.start()
})
after(() => server.remove())

const targets: readonly Target[] = [
  {
    service: 'firewall',
    post: '/restapi/v3.2/services',
    wrongMethod: ['PATCH', '/restapi/v3.2/services'],
    unknown: '/restapi/v3.2/no-such-thing',
    headers: async () => basic(await firewallToken(server)),
    isEnvelope: (body) => typeof body.msg === 'string',
  },
  {
    service: 'awareness',
    post: '/awareness/authenticate',
    wrongMethod: ['DELETE', '/awareness/authenticate'],
    unknown: '/awareness/no-such-thing',
    headers: async () => ({ access_token: await awarenessToken(server) }),
    isEnvelope: (body, status) =>
      body.status === status && body.entity === 'unknown' && Array.isArray(body.data),
  },
  {
    service: 'backup',
    post: '/backup/v2/accounts/acme/computers/0001/restore/diskimage/standard/vhd',
    wrongMethod: [
      'DELETE',
      '/backup/v2/accounts/acme/computers/0001/restore/diskimage/standard/browse/volumes',
    ],
    unknown: '/backup/v2/no-such-thing',
    headers: () => bearer(server, 'backup'),
    isEnvelope: (body) => Array.isArray(body.errors),
  },
  {
    service: 'email',
    post: '/email/beta/accounts/5584599/ess/domains/4/statistics',
    wrongMethod: ['POST', '/email/beta/accounts/5584599/ess/domains'],
    unknown: '/email/no-such-thing',
    headers: () => bearer(server, 'email'),
    isEnvelope: (body, status) => body.status === status && typeof body.detail === 'string',
  },
]

interface Reply {
  readonly status: number
  readonly text: string
}

/** Sends exactly these bytes; fetch would mend some of them. */
function send(target: Target, method: string, path: string, headers: object, body?: Buffer): Promise<Reply> {
  const base = new URL(target.service === 'firewall' ? server.firewall : server.services)
  return new Promise((resolve, reject) => {
    const call = request(
      { host: base.hostname, port: base.port, method, path, headers: { ...headers } },
      (reply) => {
        const pieces: Buffer[] = []
        reply.on('data', (piece: Buffer) => pieces.push(piece))
        reply.on('end', () =>
          resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
        )
        reply.on('error', reject)
      },
    )
    // A server that refuses a large body early may close while we still write; the reply counts.
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error)
    })
    call.end(body)
  })
}

const json = { 'content-type': 'application/json' }
const bodies: readonly [
  what: string,
  headers: Record<string, string>,
  body: Buffer,
  statuses: readonly number[],
][] = [
  ['a wrong content type', { 'content-type': 'text/plain' }, Buffer.from('{}'), [415]],
  ['broken JSON', json, Buffer.from('{"name": '), [400, 415]],
  ['JSON that is no object', json, Buffer.from('[1,2]'), [400, 406]],
  ['a body of 10 MB', json, Buffer.alloc(10_000_000, 32), [413]],
  ['__proto__ as a member', json, Buffer.from('{"__proto__": {"isAdmin": true}}'), [400, 406, 415]],
  [
    'constructor.prototype as a member',
    json,
    Buffer.from('{"constructor": {"prototype": {"isAdmin": true}}}'),
    [400, 406, 415],
  ],
  [
    'bytes that are not UTF-8',
    json,
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    [400, 415],
  ],
  [
    'arrays nested 100,000 deep',
    json,
    Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)),
    [400, 406, 413],
  ],
  ['an empty body', json, Buffer.alloc(0), [400, 406, 415]],
]

for (const target of targets) {
  describe(`${target.service}, given bad input`, () => {
    const answers = async (reply: Reply, statuses: readonly number[]) => {
      assert.ok(statuses.includes(reply.status), `${reply.status}: ${reply.text.slice(0, 200)}`)
      assert.ok(target.isEnvelope(JSON.parse(reply.text), reply.status), reply.text.slice(0, 200))
      assert.doesNotMatch(reply.text, /node_modules|\.ts:|\.js:/, 'no stack trace')
      assert.equal((await fetch(`${server.services}/healthz`)).status, 200, 'the server goes on')
    }

    for (const [what, headers, body, statuses] of bodies) {
      test(`answers ${what} in its own words`, async () => {
        const all = { ...(await target.headers()), ...headers, 'content-length': String(body.length) }
        await answers(await send(target, 'POST', target.post, all, body), statuses)
      })
    }

    test('names the member that a body has twice, however it is spelt', async () => {
      const repeated = [
        '{"given-twice":1,"given-twice":1}',
        '{"a":[{"given-twice":1,"given-\\u0074wice":{}}]}',
      ]
      for (const text of repeated) {
        const body = Buffer.from(text)
        const all = { ...(await target.headers()), ...json, 'content-length': String(body.length) }
        const reply = await send(target, 'POST', target.post, all, body)
        await answers(reply, [400])
        assert.match(reply.text, /given-twice.* more than once/)
      }
    })

    test('answers an unknown path with 404', async () => {
      await answers(await send(target, 'GET', target.unknown, await target.headers()), [404])
    })

    test('answers a wrong method with 405', async () => {
      const [method, path] = target.wrongMethod
      await answers(await send(target, method, path, await target.headers()), [405])
    })

    test('answers a path with a broken percent escape', async () => {
      await answers(await send(target, 'GET', `${target.unknown}/%zz`, await target.headers()), [400, 404])
    })

    test('refuses who does not say who they are', async () => {
      const [, path] = target.wrongMethod
      const protectedPath = target.service === 'awareness' ? '/awareness/campaigns' : path
      await answers(await send(target, 'GET', protectedPath, {}), [401])
    })
  })
}

test('every service was given bad input', () => {
  assert.deepEqual(targets.map(({ service }) => service).sort(), ['awareness', 'backup', 'email', 'firewall'])
})
