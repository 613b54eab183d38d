import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { SnapshotCaching, SnapshotService } from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../../testing/carried.ts'
import { http2Tls } from '../../testing/http2-tls.ts'
import { testChecks } from '../../testing/policies.ts'
import { StoredAnswers } from './stored-answers.ts'

const settings: SnapshotCaching = {
  extensions: ['css', 'txt'],
  sizeMin: 1,
  sizeMax: 100_000,
  ageSeconds: 60,
  keepsErrors: false,
  ignoresRequestHeaders: false,
  ignoresResponseHeaders: false,
}

/** A service that keeps answers, and how often its application was asked. */
async function keeping(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  caching: Partial<SnapshotCaching> = {},
  service: Partial<SnapshotService> = {},
) {
  let count = 0
  const { port } = await carried(t, {
    application: (request, response) => {
      count++
      response.setHeader('x-count', String(count))
      request.resume()
      answer(request, response)
    },
    service: { caching: { ...settings, ...caching }, ...service },
  })
  const send = async (line: string, headers: readonly string[] = []) => {
    const text = await exchangeBytes(
      port,
      `${[`${line} HTTP/1.1`, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`,
    )
    const at = text.indexOf('\r\n\r\n')
    return { status: Number(text.slice(9, 12)), head: text.slice(0, at), body: text.slice(at + 4) }
  }
  return { send, requestCount: () => count }
}

const css =
  (headers: Record<string, string | string[]> = {}, status = 200) =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'text/css', 'content-length': 6, ...headers })
    response.end('p{b:c}')
  }

test('an answer is given to further clients as long as it is fresh', async (t) => {
  const { send, requestCount } = await keeping(
    t,
    css({ etag: '"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }),
  )
  const first = await send('GET /a.css?x=1')
  const second = await send('GET /a.css?x=1', ['Cookie: sid=1'])
  assert.deepEqual([first.body, second.body, requestCount()], ['p{b:c}', 'p{b:c}', 1])
  assert.match(second.head, /\r\nAge: \d\r\n/)
  assert.match(second.head, /x-count: 1/)
  await send('GET /a.css?x=2')
  assert.equal(requestCount(), 2)
})

test('a client that has it already is told so', async (t) => {
  const { send, requestCount } = await keeping(
    t,
    css({ etag: 'W/"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }),
  )
  await send('GET /a.css')
  for (const [header, status] of [
    ['If-None-Match: "0", "1"', 304],
    ['If-None-Match: *', 304],
    ['If-None-Match: "2"', 200],
    ['If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT', 304],
    ['If-Modified-Since: Wed, 31 Dec 2025 00:00:00 GMT', 200],
  ] as const) {
    const reply = await send('GET /a.css', [header])
    assert.equal(reply.status, status, header)
    assert.equal(reply.body, status === 304 ? '' : 'p{b:c}')
  }
  assert.equal(requestCount(), 1)
})

test('a client that has a style sheet with encrypted links is told so, too', async (t) => {
  const rule = { name: 'all', host: '*', url: '/*', allowsPlainRequests: true, excludedUrls: [] }
  const keys = [{ id: 1, secret: Buffer.alloc(32, 1).toString('base64url') }]
  const { send, requestCount } = await keeping(
    t,
    css({ etag: '"1"' }),
    {},
    { urlEncryption: { keys, rules: [rule] } },
  )
  const [, tag = ''] = /ETag: (\S+)/i.exec((await send('GET /a.css')).head) ?? []
  assert.match(tag, /~enc~/)
  const headers = ['Accept: text/css', `If-None-Match: ${tag}`]
  assert.deepEqual([(await send('GET /a.css', headers)).status, requestCount()], [304, 1])
})

test('what is private, sets cookies, is forbidden to keep or no success is not kept', async (t) => {
  for (const [headers, status] of [
    [{ 'cache-control': 'max-age=60, private' }, 200],
    [{ 'cache-control': 'Max-Age=60, Private' }, 200],
    [{ 'cache-control': 'max-age=60; private' }, 200],
    [{ 'cache-control': 'max-age=60, private="x-user"' }, 200],
    [{ 'set-cookie': 'a=1' }, 200],
    [{ 'set-cookie': 'a=1', 'cache-control': 'public, max-age=60' }, 200],
    [{ 'content-range': 'bytes 0-5/6', 'cache-control': 'max-age=60' }, 200],
    [{ 'cache-control': 'no-store' }, 200],
    [{ 'cache-control': 'max-age=60, NO-STORE' }, 200],
    [{ 'cache-control': 'no-cache' }, 200],
    [{ 'cache-control': 'max-age=60, no-cache="set-cookie, x-user"' }, 200],
    [{ 'cache-control': 'max-age=0' }, 200],
    [{ 'cache-control': 'max-age=0, max-age=60' }, 200],
    [{ 'cache-control': 'max-age=60, s-maxage=0' }, 200],
    [{ 'cache-control': 'max-age=60x' }, 200],
    [{ expires: '0' }, 200],
    [{ expires: '3600' }, 200],
    [{ pragma: 'no-cache' }, 200],
    [{ vary: 'Accept, *' }, 200],
    [{ age: '60' }, 200],
    [{}, 404],
    [{}, 500],
  ] as const) {
    const { send, requestCount } = await keeping(t, css(headers, status))
    await send('GET /a.css')
    await send('GET /a.css')
    assert.equal(requestCount(), 2, JSON.stringify([headers, status]))
  }
})

test('requests with credentials, for parts, with other methods or for other files ask the server', async (t) => {
  const { send, requestCount } = await keeping(t, css())
  let expected = 0
  for (const [line, ...headers] of [
    ['GET /a.css', 'Authorization: Basic eDp5'],
    ['GET /a.css', 'Range: bytes=0-1'],
    ['POST /a.css', 'Content-Length: 0'],
    ['GET /a.png'],
    ['GET /a'],
  ] as const) {
    await send(line, headers)
    await send(line, headers)
    expected += 2
    assert.equal(requestCount(), expected, line)
  }
  await send('GET /a.css')
  await send('GET /a.css', ['Cache-Control: no-cache'])
  assert.equal(requestCount(), expected + 2)
  await send('POST /a.css', ['Content-Length: 0'])
  await send('GET /a.css')
  assert.equal(requestCount(), expected + 4)
})

test('what an application answers to the body of a GET over HTTP/2, of which no header tells, is given to nobody else', async (t) => {
  const { port } = await carried(t, {
    application: async (request, response) => {
      response.setHeader('content-type', 'text/css').end(`got ${await text(request)}`)
    },
    service: { caching: settings, tls: http2Tls() },
  })
  const session = connect(`https://localhost:${port}`, { rejectUnauthorized: false })
  t.after(() => session.close())
  const get = (body?: string) => {
    const stream = session.request({ ':path': '/a.css' }, { endStream: body === undefined })
    if (body !== undefined) stream.end(body)
    return text(stream)
  }
  assert.deepEqual([await get('evil'), await get(), await get('evil')], ['got evil', 'got ', 'got evil'])
})

test('members say whether headers of requests and answers count, and errors are kept', async (t) => {
  const ignoring = await keeping(t, css({ 'cache-control': 'no-store' }), {
    ignoresRequestHeaders: true,
    ignoresResponseHeaders: true,
  })
  for (const headers of [[], ['Cache-Control: no-cache']]) await ignoring.send('GET /a.css', headers)
  assert.equal(ignoring.requestCount(), 1)
  const never = await keeping(t, css({ 'set-cookie': 'a=1' }), { ignoresResponseHeaders: true })
  for (const _ of [1, 2]) await never.send('GET /a.css')
  assert.equal(never.requestCount(), 2)
  const errors = await keeping(t, css({}, 404), { keepsErrors: true })
  for (const _ of [1, 2]) assert.equal((await errors.send('GET /a.css')).status, 404)
  assert.equal(errors.requestCount(), 1)
})

test('with every file named, answers to clients with cookies are kept only if they are for everybody', async (t) => {
  const some = await keeping(t, css(), { extensions: ['*'] })
  await some.send('GET /page', ['Cookie: sid=1'])
  await some.send('GET /page')
  assert.equal(some.requestCount(), 2)
  const open = await keeping(t, css({ 'cache-control': 'public, max-age=9' }), { extensions: ['*'] })
  await open.send('GET /page', ['Cookie: sid=1'])
  await open.send('GET /page')
  assert.equal(open.requestCount(), 1)
})

/** An application that has an account for each cookie, whatever is behind `/account`, as many routers find it. */
function account(headers: Record<string, string> = {}) {
  return (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers })
    response.end(`account of ${request.headers.cookie ?? request.headers['x-token'] ?? 'nobody'}`)
  }
}

const once = 'Connection: close'

const spellings = [
  '/account/x.css',
  '/account/x.css?a=1',
  '/account/x.CSS',
  '/account;x.css',
  '/account/;x.css',
  '/account;a=b/x.css',
  '/account%2fx.css',
  '/account/%2e%2e/x.css',
  '/account%3bx.css',
  '/account%3fx.css',
  '/account%23x.css',
  '/account%00x.css',
  '/account%0ax.css',
  '/account%5cx.css',
  '/account/x%2ecss',
  '/account/%78.css',
  '/account%253fx.css',
  '/static/..%2faccount/x.css',
]

test('the page of one client is given to no other, however its address is spelt', async (t) => {
  let ran = 0
  for (const [headers, type] of [
    [['Cookie: victim'], 'text/html'],
    [['Cookie: victim'], 'text/css'],
    [['X-Token: victim'], 'text/html'],
    [['X-Token: victim'], 'text/css'],
  ] as const) {
    const { send } = await keeping(t, account({ 'content-type': type }))
    for (const path of spellings) {
      assert.match((await send(`GET ${path}`, [...headers, once])).body, /victim/, path)
      assert.match((await send(`GET ${path}`, [once])).body, /nobody/, path)
      ran++
    }
  }
  assert.equal(ran, 4 * spellings.length)
})

test('a page in a disguise is not kept where the service keeps every file, or passes headers over', async (t) => {
  let ran = 0
  for (const caching of [
    { extensions: ['*'] },
    { ignoresRequestHeaders: true, ignoresResponseHeaders: true },
  ]) {
    const { send } = await keeping(t, account(), caching)
    for (const path of spellings) {
      await send(`GET ${path}`, ['Cookie: victim', once])
      assert.match((await send(`GET ${path}`, [once])).body, /nobody/, path)
      ran++
    }
  }
  assert.equal(ran, 2 * spellings.length)
})

test('what a client gets for a key, a token or a session of its own is kept for nobody', async (t) => {
  let ran = 0
  for (const name of ['X-API-Key', 'Api-Key', 'X-Auth-Token', 'X-Session-Id', 'X-Amz-Security-Token']) {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(request.headers[name.toLowerCase()] ?? 'nobody'))
    }
    const { send } = await keeping(t, answer, { extensions: ['json', '*'] })
    for (const path of ['/me.json', '/me']) {
      assert.match((await send(`GET ${path}`, [`${name}: victim`])).body, /victim/)
      assert.match((await send(`GET ${path}`)).body, /nobody/, `${name} ${path}`)
      ran++
    }
  }
  assert.equal(ran, 10)
})

test('what a server calls public is kept for clients with cookies, and of another type than its extension', async (t) => {
  for (const control of ['public, max-age=60', 's-maxage=60']) {
    const { send, requestCount } = await keeping(t, account({ 'cache-control': control }))
    await send('GET /a.css', ['Cookie: sid=1'])
    await send('GET /a.css', ['Cookie: sid=2'])
    assert.equal(requestCount(), 1, control)
  }
})

test('answers that depend on headers are kept apart', async (t) => {
  const { send, requestCount } = await keeping(t, (request, response) => {
    response.writeHead(200, { vary: 'Accept-Language', 'content-length': 2, 'content-type': 'text/plain' })
    response.end(request.headers['accept-language'])
  })
  for (const language of ['de', 'en', 'de', 'en']) {
    assert.equal((await send('GET /a.txt', [`Accept-Language: ${language}`])).body, language)
  }
  assert.equal(requestCount(), 2)
})

test('what an application answers to another method, or by what a proxy says, is not given to others', async (t) => {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const method = request.headers['x-http-method-override'] ?? request.headers['x-method-override'] ?? 'GET'
    response.setHeader('content-type', 'text/css')
    response.end(`${method} ${request.headers['x-forwarded-proto']} ${request.headers.forwarded ?? ''}`)
  }
  const { send, requestCount } = await keeping(t, answer, {}, { trustedProxies: ['127.0.0.1'] })
  for (const name of ['X-HTTP-Method-Override', 'X-Method-Override', 'x-http-method']) {
    await send('GET /a.css', [`${name}: POST`])
    assert.equal((await send('GET /a.css')).body, 'GET http ', name)
  }
  await send('GET /b.css', ['X-Forwarded-Proto: https', 'X-Forwarded-For: 192.0.2.1'])
  assert.equal((await send('GET /b.css')).body, 'GET http ')
  const before = requestCount()
  const again = await send('GET /b.css', ['X-Forwarded-Proto: https', 'X-Forwarded-For: 192.0.2.2'])
  assert.equal(again.body, 'GET https ')
  assert.equal(requestCount(), before, 'who asks does not matter')
  await send('GET /c.css', ['Forwarded: for=192.0.2.1;host=evil.example'])
  assert.match((await send('GET /c.css', ['Forwarded: for=192.0.2.2'])).body, /for=192\.0\.2\.2/)
})

test('answers that are too small or too large pass and are not kept', async (t) => {
  const { send, requestCount } = await keeping(t, css(), { sizeMin: 7 })
  for (const _ of [1, 2]) assert.equal((await send('GET /a.css')).body, 'p{b:c}')
  assert.equal(requestCount(), 2)
  const large = await keeping(t, css(), { sizeMax: 5 })
  for (const _ of [1, 2]) assert.equal((await large.send('GET /a.css')).body, 'p{b:c}')
  assert.equal(large.requestCount(), 2)
})

test('a kept answer is compressed for those who take it so', async (t) => {
  const text = 'the same again. '.repeat(1000)
  const { send, requestCount } = await keeping(
    t,
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/css', 'content-length': text.length })
      response.end(text)
    },
    {},
    { compression: { contentTypes: ['text[/]css'], unknownTypes: false, sizeMin: 100 } },
  )
  assert.ok((await send('GET /a.css')).body === text)
  for (const _ of [1, 2]) {
    const { head, body } = await send('GET /a.css', ['Accept-Encoding: gzip'])
    assert.match(head, /Content-Encoding: gzip/)
    assert.match(head, /Vary: Accept-Encoding/)
    assert.ok(gunzipSync(Buffer.from(body, 'latin1')).toString() === text)
  }
  assert.ok((await send('GET /a.css')).body === text)
  assert.equal(requestCount(), 1)
})

/** An answer that was kept at the beginning of time, for 100 milliseconds. */
const stored = (size: number, dependsOn: ReadonlyMap<string, string> = new Map()) => ({
  status: 200,
  message: '',
  headers: [],
  body: Buffer.alloc(size),
  keptAt: 0,
  freshUntil: 100,
  judge: '',
  dependsOn,
})

test('kept answers never take more than their size, and those go that nobody asks for', () => {
  const cache = new StoredAnswers(10_000)
  for (let count = 0; count < 50; count++) {
    cache.keep(`/${count}`, stored(1_000))
    cache.find('/0', () => true, 1)
    assert.ok(cache.size <= 10_000)
  }
  assert.ok(cache.find('/0', () => true, 1))
  assert.equal(
    cache.find('/1', () => true, 1),
    undefined,
  )
  assert.equal(
    cache.find('/0', () => true, 100),
    undefined,
  )
  for (let count = 0; count < 50; count++) cache.forget(`/${count}`)
  assert.equal(cache.size, 0)
})

test('long addresses and headers of clients count, too', () => {
  const cache = new StoredAnswers(10_000)
  const addresses = Array.from({ length: 20 }, (_, index) => `/${index}?${'x'.repeat(3_000)}`)
  for (const address of addresses) cache.keep(address, stored(1))
  const keptOf = (all: readonly string[]) => all.filter((address) => cache.find(address, () => true, 1))
  assert.deepEqual(keptOf(addresses), addresses.slice(-2))
  for (const address of addresses) cache.forget(address)
  assert.equal(cache.size, 0)
  const sizes = Array.from({ length: 4 }, (_, index) => {
    cache.keep('/', stored(1, new Map([['user-agent', `${index}${'x'.repeat(3_000)}`]])))
    return cache.size
  })
  assert.ok(Math.max(...sizes) > 6_000, 'headers count')
  assert.ok(Math.max(...sizes) <= 10_000)
})

test('what a content rule says of it counts for its requests, and what clients are led to is kept apart', async (t) => {
  const rule = {
    name: 'files',
    host: '*',
    url: '/files/*',
    extendedMatch: '*',
    sequence: 1,
    servers: [],
    balancing: { algorithm: 'round-robin', whenServerFails: 'another' },
    logsAccess: true,
  } as const
  const { send, requestCount } = await keeping(
    t,
    (request, response) => {
      response.setHeader('content-type', request.url?.endsWith('.png') ? 'image/png' : 'text/css')
      response.end(request.url)
    },
    {},
    {
      contentRules: [
        { ...rule, caching: { ...settings, extensions: ['png'] } },
        { ...rule, name: 'none', url: '/none/*' },
      ],
      rewriting: {
        requests: [
          {
            does: 'rewrite-url',
            condition: 'Header X-Country eq at',
            oldValue: '/shop.css',
            newValue: '/at.css',
            continues: true,
          },
        ],
        responses: [],
        bodies: [],
        translations: [],
        secureHosts: [],
      },
    },
  )
  let expected = 0
  for (const [path, times] of [
    ['/files/a.png', 1],
    ['/files/a.css', 2],
    ['/none/a.css', 2],
    ['/a.css', 1],
  ] as const) {
    await send(`GET ${path}`)
    await send(`GET ${path}`)
    expected += times
    assert.equal(requestCount(), expected, path)
  }
  assert.match((await send('GET /shop.css')).body, /shop/)
  assert.match((await send('GET /shop.css', ['X-Country: AT'])).body, /at\.css/)
  assert.match((await send('GET /shop.css')).body, /shop/)
})

test('what a trusted client got, with which less is done, is not kept for others', async (t) => {
  const checks = testChecks({
    clientAddressHeader: 'x-client',
    trusted: { does: 'allow', clients: ['192.0.2.1'] },
  })
  const { send, requestCount } = await keeping(t, css(), {}, { checks, trustedProxies: ['127.0.0.1'] })
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    await send('GET /a.css', [`X-Client: ${client}`])
  assert.equal(requestCount(), 2)
})
