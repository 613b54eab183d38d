import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { onEveryStore, type ReceivedReply, type ServedService, send } from '@palisade/platform/testing'
import { basic, type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

const mebibyte = 1024 * 1024

/** Requests that nobody should send, each to an address below the version, with the status that answers them. */
const cases: [
  what: string,
  method: string,
  path: string,
  body: string | Buffer | undefined,
  status: number,
  type?: string,
][] = [
  ['JSON that breaks off', 'POST', 'services', '{"name":"x"', 415],
  ['JSON with a comment', 'PUT', 'services/shop', '{} // nothing', 415],
  ['no body', 'POST', 'services', undefined, 415],
  ['an empty body', 'PUT', 'services/shop', '', 415],
  ['bytes that are not UTF-8', 'POST', 'services', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 415],
  ['a wrong content type', 'POST', 'services', '{"name":"x"}', 415, 'text/xml'],
  ['a form', 'POST', 'services', 'name=x', 415, 'application/x-www-form-urlencoded'],
  ['a multipart form', 'POST', 'services', '--x--', 415, 'multipart/form-data; boundary=x'],
  ['a content type that is none', 'POST', 'services', '{}', 415, ';;;'],
  ['a list', 'POST', 'services', '[]', 406],
  ['null', 'PUT', 'services/shop', 'null', 406],
  ['a number', 'PUT', 'services/shop', '12', 406],
  ['__proto__', 'POST', 'services', '{"name":"x","__proto__":{"admin":true}}', 415],
  ['constructor.prototype', 'POST', 'services', '{"constructor":{"prototype":{"admin":true}}}', 415],
  ['a member twice', 'POST', 'services', '{"name":"x","port":80,"name":"y"}', 400],
  ['a member twice, once in escapes', 'PUT', 'services/shop', '{"port":81,"\\u0070ort":82}', 400],
  ['a member twice in two spellings', 'PUT', 'services/shop', '{"ip-address":"::1","ip_address":"::2"}', 406],
  ['toString as a member', 'POST', 'services', '{"name":"x","toString":"y","hasOwnProperty":"z"}', 406],
  ['members of prototypes as names of members', 'PUT', 'services/shop', '{"valueOf":1}', 406],
  ['null as the name', 'POST', 'services', '{"name":null}', 406],
  ['an object as a value', 'POST', 'services', '{"name":{"a":1}}', 406],
  ['true as a value', 'PUT', 'services/shop', '{"status":true}', 406],
  ['a list in a list', 'PUT', 'services/shop', '{"secure-site-domain":[["a"]]}', 406],
  ['a number that is too large', 'PUT', 'services/shop', '{"port":1e400}', 406],
  ['half a port', 'PUT', 'services/shop', '{"port":80.5}', 406],
  ['a port in hexadecimal', 'PUT', 'services/shop', '{"port":"0x50"}', 406],
  ['control characters', 'PUT', 'services/shop', '{"comments":"a\\u0000b"}', 406],
  ['half a surrogate pair', 'PUT', 'services/shop', '{"comments":"\\ud800"}', 406],
  ['an over-long name', 'POST', 'services', JSON.stringify({ name: 'x'.repeat(65) }), 406],
  [
    'a name of a hundred thousand characters',
    'POST',
    'services',
    JSON.stringify({ name: 'x'.repeat(100_000) }),
    406,
  ],
  ['a name that ends with a blank', 'POST', 'geo-pools', '{"name":"x "}', 406],
  ['a name of a blank', 'POST', 'services/shop/url-optimizers', '{"name":" ","start-token":"a"}', 406],
  ['a name that steps up', 'POST', 'services/shop/url-optimizers', '{"name":"..","start-token":"a"}', 406],
  ['an over-long comment', 'PUT', 'services/shop', JSON.stringify({ comments: 'x'.repeat(4097) }), 406],
  [
    'a member of a hundred thousand characters',
    'PUT',
    'services/shop',
    JSON.stringify({ ['y'.repeat(100_000)]: 1 }),
    406,
  ],
  [
    'ten thousand unknown members',
    'PUT',
    'services/shop',
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`m${i}`, i]))),
    406,
  ],
  [
    'a number of more digits than numbers keep',
    'PUT',
    'services/shop',
    '{"comments":12345678901234567890}',
    406,
  ],
  ['a number beyond all numbers', 'PUT', 'services/shop', '{"comments":1e400}', 406],
  ['very deep nesting', 'PUT', 'services/shop', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 406],
  ['deep objects', 'PUT', 'services/shop', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, 406],
  ['ten mebibytes', 'POST', 'services', Buffer.alloc(10 * mebibyte, ' '), 413],
  ['ten mebibytes for a missing object', 'PUT', 'services/nobody', Buffer.alloc(10 * mebibyte, ' '), 404],
  ['an address with nothing', 'GET', '', undefined, 404],
  ['an unknown address', 'GET', 'no/such/thing', undefined, 404],
  ['an unknown section', 'GET', 'services/shop/no-such-section', undefined, 404],
  ['something below a section', 'GET', 'services/shop/url-encryption/status', undefined, 404],
  ['an unknown address with broken JSON', 'POST', 'no/such/thing', '{', 404],
  ['a name that is too long for anything', 'GET', `services/${'x'.repeat(3000)}`, undefined, 404],
  ['names of prototype members as addresses', 'GET', '__proto__/constructor', undefined, 404],
  ['names of prototype members as names', 'GET', 'services/__proto__', undefined, 404],
  ['a path that climbs', 'GET', 'services/..%2f..%2fetc%2fpasswd', undefined, 404],
  ['a NUL in a name', 'GET', 'services/%00', undefined, 404],
  ['an encoding that breaks off', 'GET', 'services/%E0%A4%A', undefined, 400],
  ['an encoding that is not UTF-8', 'GET', 'services/%ff%fe', undefined, 400],
  ['PATCH', 'PATCH', 'services/shop', '{}', 405],
  ['DELETE of a list', 'DELETE', 'services', undefined, 405],
  ['DELETE of a section', 'DELETE', 'services/shop/url-encryption', undefined, 405],
  ['POST to an object', 'POST', 'services/shop', '{}', 405],
  ['HEAD', 'HEAD', 'services', undefined, 405],
  ['a method of WebDAV', 'PROPFIND', 'services', undefined, 405],
  ['a method of WebDAV for an object', 'PROPFIND', 'services/shop', undefined, 405],
  ['a method of WebDAV for login', 'PROPFIND', 'login', undefined, 405],
  ['a method of WebDAV at an unknown address', 'PROPFIND', 'nothing', undefined, 404],
]

/** The methods that some address of the API answers to. */
const allowed = /^(?:GET|POST|PUT|DELETE)(?:, (?:GET|POST|PUT|DELETE))*$/

onEveryStore('bad input', (newStore) => {
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
    client = await logIn(served.baseUrl)
    await client.call('POST', 'services', { name: 'shop' })
  })
  after(() => served.close())

  function assertRefusal({ status, json, headers }: ReceivedReply, expected: number): void {
    assert.equal(status, expected)
    assert.match(headers['content-type'] ?? '', /^application\/json/)
    assert.deepEqual(json.error, { status: String(expected), type: json.error.type, msg: json.msg })
    assert.deepEqual(json.errors, json.error)
    assert.ok(json.msg.length > 10)
  }

  test('gets the right status in the API’s own words, and never 500', async () => {
    let ran = 0
    for (const [what, method, path, body, expected, type = 'application/json'] of cases) {
      const reply = await send(`${served.baseUrl}/restapi/v3.2/${path}`, {
        method,
        headers: { ...basic(`${client.token}:`), ...(body === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined ? {} : { body }),
      })
      assert.equal(reply.status, expected, what)
      if (method !== 'HEAD') assertRefusal(reply, expected)
      if (expected === 415) assert.match(reply.json.msg, /^Invalid JSON data specified\./, what)
      if (expected === 405) assert.match(reply.headers.allow ?? '', allowed, what)
      ran++
    }
    assert.equal(ran, cases.length)
    const { json } = await client.get('services')
    assert.deepEqual(Object.keys(json.data), ['shop'], 'nothing of it had an effect')
  })

  test('in an address is answered with the segment that was probably meant, where one is near', async () => {
    for (const [path, question] of [
      ['servces', ' Did you mean "services"?'],
      ['services/shop/url-encrytion?parameters=status', ' Did you mean "url-encryption"?'],
      ['no/such/thing', ''],
    ] as const) {
      const { status, json } = await client.get(path)
      assert.deepEqual([status, json.msg], [404, `Nothing is found at this address.${question}`])
    }
  })

  test('is answered in the same words outside of every version', async () => {
    for (const path of ['/', '/restapi', '/restapi/v9/services', '/favicon.ico', `/${'x'.repeat(5000)}`]) {
      assertRefusal(await send(`${served.baseUrl}${path}`), 404)
    }
  })

  test('is not read before its sender is known', async () => {
    const reply = await send(`${served.baseUrl}/restapi/v3.2/services`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(10 * mebibyte),
    })
    assertRefusal(reply, 401)
  })

  test('is answered even when it is not HTTP', async () => {
    const { port, hostname } = new URL(served.baseUrl)
    for (const [line, status] of [
      ['GET /restapi/v3.2/services with blanks HTTP/1.1\r\n\r\n', 400],
      ['hello\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ] as const) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(line)
      const reply = await text(socket)
      assert.match(reply, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.equal(JSON.parse(reply.split('\r\n\r\n')[1] ?? '').error.status, String(status))
    }
  })
})
