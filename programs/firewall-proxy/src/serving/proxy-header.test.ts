import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { carried } from '../testing/carried.ts'
import { http2Tls } from '../testing/http2-tls.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { ruleSetsOf } from '../testing/rules.ts'
import { proxyHeaderIn } from './proxy-header.ts'

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')

/** A header of version 2. */
function binary(versionAndCommand: number, family: number, rest: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(rest.length)
  return Buffer.concat([signature, Buffer.from([versionAndCommand, family]), length, rest])
}

const ipv4 = Buffer.from([192, 0, 2, 1, 192, 0, 2, 9, 0xdc, 0x04, 0x01, 0xbb])
const ipv6 = Buffer.concat([
  Buffer.from('20010db8000000000000000000000001', 'hex'),
  Buffer.from('20010db8000000000000000000000002', 'hex'),
  Buffer.from([0xdc, 0x04, 0x01, 0xbb]),
])

test('headers of both versions tell the client, whole and in pieces', () => {
  let ran = 0
  for (const [header, client] of [
    ['PROXY TCP4 192.0.2.1 192.0.2.9 56324 443\r\n', { address: '192.0.2.1', port: 56324 }],
    ['PROXY TCP6 2001:DB8:0::1 2001:db8::2 56324 443\r\n', { address: '2001:db8::1', port: 56324 }],
    ['PROXY TCP6 ::ffff:192.0.2.1 2001:db8::2 1 2\r\n', { address: '192.0.2.1', port: 1 }],
    ['PROXY UNKNOWN\r\n', undefined],
    ['PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n', undefined],
    [binary(0x21, 0x11, ipv4), { address: '192.0.2.1', port: 56324 }],
    [binary(0x21, 0x21, ipv6), { address: '2001:db8::1', port: 56324 }],
    // With a value behind the addresses, such as the name of a host.
    [
      binary(0x21, 0x11, Buffer.concat([ipv4, Buffer.from([2, 0, 1, 97])])),
      { address: '192.0.2.1', port: 56324 },
    ],
    [binary(0x20, 0x11, ipv4), undefined],
    [binary(0x20, 0x00, Buffer.alloc(0)), undefined],
    [binary(0x21, 0x31, Buffer.alloc(216)), undefined],
  ] as const) {
    const bytes = Buffer.from(header as string, 'latin1')
    const expected = { length: bytes.length, ...(client && { client }) }
    assert.deepEqual(
      proxyHeaderIn(Buffer.concat([bytes, Buffer.from('GET /')])),
      expected,
      bytes.toString('latin1'),
    )
    for (let length = 1; length < bytes.length; length++) {
      assert.equal(
        proxyHeaderIn(bytes.subarray(0, length)),
        'incomplete',
        `${length} of ${bytes.toString('latin1')}`,
      )
    }
    ran++
  }
  assert.equal(ran, 11)
})

test('everything else is no header, and is not waited for', () => {
  let ran = 0
  for (const bytes of [
    'GET / HTTP/1.1\r\n',
    'proxy TCP4 192.0.2.1 192.0.2.9 1 2\r\n',
    'PROXY TCP4 192.0.2.1 192.0.2.9 1 65536\r\n',
    'PROXY TCP4 192.0.2.256 192.0.2.9 1 2\r\n',
    'PROXY TCP4 2001:db8::1 2001:db8::2 1 2\r\n',
    'PROXY TCP6 192.0.2.1 192.0.2.9 1 2\r\n',
    'PROXY TCP4 192.0.2.1 192.0.2.9 1\r\n',
    'PROXY TCP4  192.0.2.1 192.0.2.9 1 2\r\n',
    'PROXY TCP4 192.0.2.1 192.0.2.9 1 2\n\r\n',
    'PROXY UDP4 192.0.2.1 192.0.2.9 1 2\r\n',
    `PROXY UNKNOWN ${'x'.repeat(200)}`,
    '\r\n\r\n\r\n',
    binary(0x11, 0x11, ipv4),
    binary(0x22, 0x11, ipv4),
    binary(0x21, 0x11, ipv4.subarray(0, 11)),
    binary(0x21, 0x21, ipv4),
    binary(0x21, 0x11, Buffer.alloc(5_000)),
    '\x16\x03\x01\x02\x00',
  ]) {
    assert.equal(proxyHeaderIn(Buffer.from(bytes as string, 'latin1')), undefined, bytes.toString())
    ran++
  }
  assert.equal(ran, 18)
})

const listed = { expectsProxyHeader: true, trustedProxies: ['127.0.0.1'] }
const header = 'PROXY TCP4 192.0.2.1 192.0.2.9 56324 443\r\n'
const request = 'GET /?a=evil HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
const trusted = { does: 'allow' as const, clients: ['192.0.2.1'] }
const rules = ruleSetsOf(`SecRule ARGS "@rx evil" "id:1,phase:2,deny,status:403,log,msg:'evil'"`)

/** What comes back for pieces that are sent one after the other. */
async function replyTo(port: number, pieces: readonly string[], localAddress = '127.0.0.1'): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  for (const piece of pieces) {
    socket.write(piece, 'latin1')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  if (!socket.closed) await once(socket, 'close')
  return text
}

async function served(t: Parameters<typeof carried>[0], service: object) {
  return carried(t, {
    application: ({ headers }, response) => response.end(JSON.stringify(headers)),
    rules,
    policy: testPolicy(),
    service: { inspection: { mode: 'active' }, checks: testChecks({ trusted }), ...service },
  })
}

test('the client that a trusted proxy tells counts as the one who has connected', async (t) => {
  const { port, exchanges } = await served(t, listed)
  for (const pieces of [[header + request], [header, request], [...header, request]]) {
    const reply = await replyTo(port, pieces)
    assert.match(reply, /^HTTP\/1\.1 200/, 'it is a trusted client')
    assert.match(reply, /"X-Forwarded-For":"192\.0\.2\.1"/i)
  }
  assert.deepEqual([exchanges[0]?.clientAddress, exchanges[0]?.clientPort], ['192.0.2.1', 56324])
  const other = header.replace('192.0.2.1 ', '192.0.2.7 ')
  assert.match(await replyTo(port, [other + request]), /^HTTP\/1\.1 403/)
  assert.match(await replyTo(port, [`PROXY UNKNOWN\r\n${request}`]), /^HTTP\/1\.1 403/)
})

test('without the header, or from somebody else than a trusted proxy, nothing is read', async (t) => {
  const { port, refused, exchanges } = await served(t, listed)
  assert.equal(await replyTo(port, [request]), '')
  assert.equal(await replyTo(port, [header + request], '127.0.0.2'), '')
  assert.equal(await replyTo(port, [request], '127.0.0.2'), '')
  assert.equal(exchanges.length, 0)
  assert.deepEqual(
    refused.map(({ clientAddress, violation }) => [clientAddress, violation.detail]),
    [
      ['127.0.0.1', 'The connection does not begin with a PROXY header.'],
      [
        '127.0.0.2',
        'PROXY headers are accepted from the proxies in proxy-list alone: add this address if it is a load balancer.',
      ],
      [
        '127.0.0.2',
        'PROXY headers are accepted from the proxies in proxy-list alone: add this address if it is a load balancer.',
      ],
    ],
  )
})

test('where nobody has said which proxies are trusted, a client can make itself no trusted one', async (t) => {
  const { port, exchanges } = await served(t, { expectsProxyHeader: true })
  assert.match(await replyTo(port, [header + request]), /^HTTP\/1\.1 403/)
  assert.deepEqual([exchanges[0]?.clientAddress, exchanges[0]?.peerAddress], ['192.0.2.1', '127.0.0.1'])
})

test('a connection that does not come to the end of its header is ended', async (t) => {
  const { port, refused } = await served(t, listed)
  assert.equal(await replyTo(port, ['PROXY TCP4 192.0.2.1']), '')
  assert.deepEqual(
    refused.map(({ violation }) => violation.detail),
    ['The connection ended within its PROXY header.'],
  )
})

test('a service that expects no header takes none', async (t) => {
  const { port } = await served(t, { trustedProxies: ['127.0.0.1'] })
  assert.match(await replyTo(port, [header + request]), /^HTTP\/1\.1 400/)
  const overTls = await served(t, { trustedProxies: ['127.0.0.1'], tls: http2Tls() })
  assert.doesNotMatch(await replyTo(overTls.port, [header + request]), /200/)
})
