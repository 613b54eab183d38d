import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { request as requestOverTls } from 'node:https'
import { type TestContext, test } from 'node:test'
import type { SnapshotService } from '@palisade/proxy-protocol'
import { carried } from '../../testing/carried.ts'
import { http2Tls } from '../../testing/http2-tls.ts'
import { testChecks, testPolicy } from '../../testing/policies.ts'
import { ruleSetsOf } from '../../testing/rules.ts'

const rules = ruleSetsOf(`SecRule ARGS "@rx evil" "id:1,phase:2,deny,status:403,log,msg:'evil'"`)
const proxy = '127.0.0.2'
const farProxy = '127.0.0.3'
const stranger = '127.0.0.4'
const listed = { trustedProxies: [proxy, '127.0.0.3/32'] }

/** What clients have claimed, with what would be believed of a proxy. */
const claims = {
  'X-Forwarded-For': '192.0.2.1',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'shop.example',
  'X-Forwarded-Port': '8443',
  'X-Forwarded-Prefix': '/inside',
  'X-Forwarded-Ssl': 'on',
  'X-Real-IP': '192.0.2.1',
  Forwarded: 'for=192.0.2.1;proto=https',
  'X-Client-IP': '192.0.2.1',
  'True-Client-IP': '192.0.2.1',
  'X-Original-URL': '/admin',
  'X-Rewrite-URL': '/admin',
  'Front-End-HTTPS': 'on',
  'Client-Cert': ':MIIB:',
  'Client-Cert-Chain': ':MIIB:',
  'X-SSL-Client-Verify': 'SUCCESS',
  'SSL-Client-S-DN': 'CN=admin',
  'X-Client-Cert': 'MIIB',
  'X-ARR-ClientCert': 'MIIB',
} as const

/** Asks over a connection from an address of its own, and gives the status with the headers that the server headersAtServer. */
async function served(t: TestContext, service: Partial<SnapshotService>) {
  const { port } = await carried(t, {
    application: ({ headers }, response) => response.end(JSON.stringify(headers)),
    service,
    rules,
    policy: testPolicy(),
  })
  return async (from: string, headers: Record<string, string | string[]>, path = '/') => {
    const ask = service.tls ? requestOverTls : request
    const options = {
      host: '127.0.0.1',
      port,
      path,
      localAddress: from,
      agent: false,
      rejectUnauthorized: false,
    }
    const sent = ask({ ...options, headers: { Host: 'public.example', ...headers } }).end()
    const [response] = await once(sent, 'response')
    let text = ''
    for await (const chunk of response) text += chunk
    const headersAtServer: IncomingHttpHeaders = response.statusCode === 200 ? JSON.parse(text) : {}
    return { status: response.statusCode, headersAtServer }
  }
}

test('a server gets nothing of what a client says about proxies, and learns what is so', async (t) => {
  let ran = 0
  for (const service of [{}, listed, { checks: testChecks() }, { inspection: { mode: 'off' as const } }]) {
    const ask = await served(t, service)
    const { headersAtServer } = await ask(stranger, { ...claims, Proxy: 'http://evil.example' })
    assert.equal(headersAtServer['x-forwarded-for'], stranger)
    assert.equal(headersAtServer['x-forwarded-proto'], 'http')
    assert.equal(headersAtServer['x-forwarded-host'], 'public.example')
    assert.equal(headersAtServer['x-real-ip'], stranger)
    for (const name of Object.keys(claims)) {
      if (/^x-(?:forwarded-(?:for|proto|host)|real-ip)$/i.test(name)) continue
      assert.equal(headersAtServer[name.toLowerCase()], undefined, name)
      ran++
    }
    assert.equal(headersAtServer.proxy, undefined)
  }
  assert.equal(ran, 4 * 15)
})

test('a server behind TLS learns that it was TLS', async (t) => {
  const ask = await served(t, { tls: http2Tls() })
  const { headersAtServer } = await ask(stranger, { 'X-Forwarded-Proto': 'http' })
  assert.equal(headersAtServer['x-forwarded-proto'], 'https')
})

test('what a proxy of the list says reaches the server, and it is counted among those before it', async (t) => {
  const ask = await served(t, listed)
  const { headersAtServer } = await ask(proxy, { ...claims, Proxy: 'http://evil.example' })
  assert.equal(headersAtServer['x-forwarded-for'], `192.0.2.1, ${proxy}`)
  assert.equal(headersAtServer.forwarded, `for=192.0.2.1;proto=https, for=${proxy};proto=http`)
  assert.equal(headersAtServer.proxy, undefined)
  for (const [name, value] of Object.entries(claims)) {
    if (!/forwarded(?:-for)?$/i.test(name)) assert.equal(headersAtServer[name.toLowerCase()], value, name)
  }
  const silent = await ask(proxy, {})
  assert.equal(silent.headersAtServer['x-forwarded-proto'], 'http')
  assert.equal(silent.headersAtServer['x-real-ip'], proxy)
})

test('the address of a client is taken from a proxy of the list alone, past others of the list', async (t) => {
  const checks = testChecks({ clientAddressHeader: 'x-forwarded-for' })
  const ask = await served(t, { checks, ...listed })
  const addressFor = async (from: string, claim: string | string[]) =>
    (await ask(from, { 'X-Forwarded-For': claim })).headersAtServer['x-real-ip']
  assert.equal(await addressFor(stranger, '192.0.2.1'), stranger)
  assert.equal(await addressFor(proxy, '192.0.2.1'), '192.0.2.1')
  assert.equal(await addressFor(proxy, '192.0.2.9, 192.0.2.1'), '192.0.2.1', 'the first may be made up')
  assert.equal(await addressFor(proxy, `192.0.2.9, 192.0.2.1, ${farProxy}`), '192.0.2.1')
  assert.equal(await addressFor(proxy, ['192.0.2.9', '192.0.2.1']), '192.0.2.1')
  assert.equal(await addressFor(proxy, `nobody, ${farProxy}`), farProxy)
  assert.equal(await addressFor(proxy, farProxy), farProxy)
})

test('a header that tells an address of its own reaches the server from proxies of the list alone', async (t) => {
  const ask = await served(t, { checks: testChecks({ clientAddressHeader: 'x-my-client' }), ...listed })
  assert.equal(
    (await ask(stranger, { 'X-My-Client': '192.0.2.1' })).headersAtServer['x-my-client'],
    undefined,
  )
  assert.equal((await ask(proxy, { 'X-My-Client': '192.0.2.1' })).headersAtServer['x-my-client'], '192.0.2.1')
})

test('nobody is spared the rules by saying that he is a trusted client', async (t) => {
  const trusted = { does: 'allow' as const, clients: ['192.0.2.0/24', stranger] }
  const service = {
    inspection: { mode: 'active' as const },
    checks: testChecks({ clientAddressHeader: 'x-forwarded-for', trusted }),
  }
  const attack = '/?a=evil'
  const claim = (address: string) => ({ 'X-Forwarded-For': address })
  const unlisted = await served(t, service)
  assert.equal((await unlisted('127.0.0.5', claim('192.0.2.1'), attack)).status, 403)
  assert.equal((await unlisted(stranger, claim('198.51.100.1'), attack)).status, 403)
  assert.equal((await unlisted(stranger, {}, attack)).status, 200)
  const withList = await served(t, { ...service, ...listed })
  assert.equal((await withList('127.0.0.5', claim('192.0.2.1'), attack)).status, 403)
  assert.equal((await withList(proxy, claim('192.0.2.1'), attack)).status, 200)
})
