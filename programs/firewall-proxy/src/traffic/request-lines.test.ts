import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { type TestContext, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import type { SnapshotPolicy, SnapshotService } from '@palisade/proxy-protocol'
import { accessEntry } from '../logs/access-entry.ts'
import { violationEntries } from '../logs/violation-entries.ts'
import { carried, exchangeBytes, serverAt } from '../testing/carried.ts'
import { http2Tls } from '../testing/http2-tls.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { rawApplication } from '../testing/raw-application.ts'
import { emptyRuleSets, ruleSetsOf } from '../testing/rules.ts'
import { openedTls, serverTls } from '../testing/servers.ts'

/** Those that Node's parser does not know: of Outlook Anywhere, of RFC 3253, of debuggers, of RTSP, of nobody, of all objects. */
const unusual = [
  'RPC_IN_DATA',
  'RPC_OUT_DATA',
  'VERSION-CONTROL',
  'BASELINE-CONTROL',
  'DEBUG',
  'PLAY',
  "x!#$%&'*+-.^_`|~9",
  'get',
  'constructor',
  '__proto__',
]

const head = (line: string, ...lines: string[]) => `${[line, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`

async function carriedRaw(t: TestContext, settings: Partial<SnapshotService>, policy?: SnapshotPolicy) {
  const { port, received } = await rawApplication(t)
  const proxy = await carried(t, {
    application: (_, response) => response.end(),
    rules: emptyRuleSets,
    service: { servers: [serverAt(port)], ...settings },
    ...(policy ? { policy } : {}),
  })
  return { ...proxy, received }
}

/** A policy that allows these methods. */
function allowing(methods: readonly string[]): SnapshotPolicy {
  const policy = testPolicy()
  assert.ok(policy.urlProtection)
  return { ...policy, urlProtection: { ...policy.urlProtection, methods } }
}

test('a method that nobody has heard of reaches the server where nobody refuses it, with its body', async (t) => {
  for (const mode of ['off', 'passive', 'active'] as const) {
    const { port, received, exchanges, masking, refused } = await carriedRaw(t, { inspection: { mode } })
    const sent = unusual.map((method) => head(`${method} /a?b=c HTTP/1.1`, 'Content-Length: 4'))
    const answers = await exchangeBytes(port, sent.map((one) => `${one}GET `).join(''), 500)
    assert.equal(answers.match(/HTTP\/1\.1 200 OK/g)?.length, unusual.length, mode)
    assert.deepEqual(
      received,
      unusual.map((method) => ({ line: `${method} /a?b=c HTTP/1.1`, body: 'GET ' })),
      mode,
    )
    assert.deepEqual(
      exchanges.map((exchange) => accessEntry(exchange, masking, 0).method),
      unusual,
    )
    assert.deepEqual(refused, [])
  }
})

test('a policy says which methods there are, whoever has heard of them, and tells them apart by case', async (t) => {
  const policy = allowing(['GET', 'RPC_IN_DATA'])
  const { port, received, exchanges, masking } = await carriedRaw(
    t,
    { inspection: { mode: 'active' }, checks: testChecks() },
    policy,
  )
  const statuses: string[] = []
  for (const method of ['GET', 'RPC_IN_DATA', 'RPC_OUT_DATA', 'get', 'rpc_in_data', 'GETS']) {
    const answer = await exchangeBytes(port, head(`${method} / HTTP/1.1`))
    statuses.push(`${method} ${answer.slice(9, 12)} ${answer.includes('refused: method-not-allowed')}`)
  }
  assert.deepEqual(statuses, [
    'GET 200 false',
    'RPC_IN_DATA 200 false',
    'RPC_OUT_DATA 403 true',
    'get 403 true',
    'rpc_in_data 403 true',
    'GETS 403 true',
  ])
  assert.deepEqual(
    received.map(({ line }) => line),
    ['GET / HTTP/1.1', 'RPC_IN_DATA / HTTP/1.1'],
  )
  assert.equal(
    exchanges.flatMap((exchange) => violationEntries(exchange, masking))[0]?.method,
    'RPC_OUT_DATA',
  )
})

test('rules see the method that was sent, and no part of what stands for it', async (t) => {
  const { port } = await rawApplication(t)
  const proxy = await carried(t, {
    application: (_, response) => response.end(),
    rules: ruleSetsOf(`
      SecRule REQUEST_METHOD "@streq DEBUG" "id:1,phase:1,deny,status:403"
      SecRule REQUEST_LINE|REQUEST_URI|REQUEST_URI_RAW|REQUEST_FILENAME "@rx POST|[0-9a-f]{8}" "id:2,phase:1,deny,status:418"
      SecRule REQUEST_LINE "!@streq BREW /a HTTP/1.1" "id:3,phase:1,deny,status:419"
    `),
    service: { servers: [serverAt(port)], inspection: { mode: 'active' } },
  })
  assert.match(await exchangeBytes(proxy.port, head('DEBUG /a HTTP/1.1')), /^HTTP\/1\.1 403 /)
  assert.match(await exchangeBytes(proxy.port, head('BREW /a HTTP/1.1')), /^HTTP\/1\.1 200 /)
})

test('over TLS and HTTP/2, to servers and from clients, a method is what it is', async (t) => {
  const tls = http2Tls()
  const { port, received } = await carriedRaw(t, { tls })
  const client = connectTls({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  })
  client.write(`${head('DEBUG /1 HTTP/1.1')}DEB`)
  client.resume()
  while (received.length < 1) await new Promise((resolve) => setTimeout(resolve, 5))
  client.write(`UG /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  await once(client, 'close')
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  const stream = session.request({ ':method': 'DEBUG', ':path': '/3' }, { endStream: true }).resume()
  await once(stream, 'end')
  session.close()
  assert.deepEqual(
    received.map(({ line }) => line),
    ['DEBUG /1 HTTP/1.1', 'DEBUG /2 HTTP/1.1', 'DEBUG /3 HTTP/1.1'],
  )
  const http2Server = await openedTls(t, ({ method, httpVersion }, response) =>
    response.end(`${method} over ${httpVersion}`),
  )
  const other = await carried(t, {
    application: (_, response) => response.end(),
    service: { servers: [serverAt(http2Server, { tls: serverTls, offersHttp2: true })] },
  })
  assert.match(await exchangeBytes(other.port, head('DEBUG / HTTP/1.1')), /DEBUG over 2\.0/)
})

test('an address in bytes that are no letters of ASCII is taken, percent-encoded, by whoever reads it', async (t) => {
  const { port, received, exchanges, masking } = await carriedRaw(t, {
    inspection: { mode: 'passive' },
    maskedParameters: ['geheim'],
  })
  await exchangeBytes(port, head('GET /caf\xe9/\xe4\xba\xac?n=\xfc&geheim=\xc3\xa4\x80 HTTP/1.1'))
  assert.deepEqual(received, [{ line: 'GET /caf%E9/%E4%BA%AC?n=%FC&geheim=%C3%A4%80 HTTP/1.1', body: '' }])
  const [exchange] = exchanges
  assert.ok(exchange)
  const { url, 'query-string': query } = accessEntry(exchange, masking, 0)
  assert.equal(url, '/caf%E9/%E4%BA%AC')
  assert.match(String(query), /^n=%FC&geheim=[^&%\x80-\xff]*$/)
})

test('a rule about an address counts for it in bytes as for the same percent-encoded', async (t) => {
  const { port, received } = await carriedRaw(
    t,
    {
      inspection: { mode: 'active' },
      checks: testChecks({
        urlAcls: [
          {
            name: 'closed',
            host: '*',
            url: '/café/*',
            extendedMatch: '*',
            sequence: 1,
            does: 'deny',
            logs: true,
            denial: { kind: 'page', page: { status: 403, headers: {}, body: '' } },
          },
        ],
      }),
    },
    testPolicy(),
  )
  for (const path of ['/caf%C3%A9/a', '/caf\xc3\xa9/a']) {
    assert.match(await exchangeBytes(port, head(`GET ${path} HTTP/1.1`)), /^HTTP\/1\.1 403 /, path)
  }
  assert.deepEqual(received, [])
})
