import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@palisade/log'
import { send } from '../testing/send.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { serverCertificate } from './certificate.ts'
import { clientAddress } from './client-address.ts'
import { Listener } from './listener.ts'

/** A listener that answers with the address that it believes its caller to have. */
async function serveAddresses(
  t: import('node:test').TestContext,
  trustedProxies: readonly string[],
): Promise<string> {
  const envelopeAt = () => () => ({ body: {} })
  const listener = new Listener({ log: createLog('silent'), envelopeAt, trustedProxies })
  listener.app.get('/', async (request) => clientAddress(request))
  const certificate = await serverCertificate(temporaryDirectory(t), undefined, ['localhost'])
  const { http } = await listener.listen({ host: '127.0.0.1', http: 0, https: 0 }, certificate)
  t.after(() => listener.close(0))
  return `http://127.0.0.1:${http}/`
}

test('believes nobody about where a request came from when no proxy is trusted', async (t) => {
  const url = await serveAddresses(t, [])
  for (const from of ['127.0.0.1', '127.0.0.2']) {
    const { text } = await send(url, { from, headers: { 'x-forwarded-for': '192.0.2.1' } })
    assert.equal(text, from)
  }
})

test('believes trusted proxies only, and only as far as they form a chain', async (t) => {
  const url = await serveAddresses(t, ['127.0.0.2', '10.0.0.0/8'])
  const cases: [from: string, forwardedFor: string, expected: string][] = [
    ['127.0.0.1', '192.0.2.1', '127.0.0.1'],
    ['127.0.0.2', '192.0.2.1', '192.0.2.1'],
    ['127.0.0.2', '192.0.2.66, 192.0.2.1', '192.0.2.1'],
    ['127.0.0.2', '192.0.2.1, 10.1.2.3', '192.0.2.1'],
    ['127.0.0.2', '10.1.2.3', '10.1.2.3'],
  ]
  for (const [from, forwardedFor, expected] of cases) {
    const { text } = await send(url, { from, headers: { 'x-forwarded-for': forwardedFor } })
    assert.equal(text, expected, `${from} forwards for ${forwardedFor}`)
  }
})

test('spells every address in one way', async (t) => {
  const url = await serveAddresses(t, ['127.0.0.1'])
  const spellings = [
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['FE80::1%br-lan', 'fe80::1'],
    ['fe80::1%eth0.100', 'fe80::1'],
    ['fe80::1%wlan_0', 'fe80::1'],
    ['[fe80::1%br-lan]:4711', 'fe80::1'],
    ['::ffff:192.0.2.1%2', '192.0.2.1'],
  ]
  for (const [spelling = '', expected] of spellings) {
    assert.equal((await send(url, { headers: { 'x-forwarded-for': spelling } })).text, expected)
  }
})

test('leaves out the ports that some proxies write, of every address in the chain', async (t) => {
  const url = await serveAddresses(t, ['127.0.0.1', '10.0.0.0/8'])
  const cases = [
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:DB8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[::ffff:192.0.2.1]:4711', '192.0.2.1'],
    ['192.0.2.66:1, 192.0.2.1:2', '192.0.2.1'],
    ['192.0.2.1:4711,10.1.2.3:4712, 10.1.2.4', '192.0.2.1'],
  ]
  for (const [forwardedFor = '', expected] of cases) {
    const { text } = await send(url, { headers: { 'x-forwarded-for': forwardedFor } })
    assert.equal(text, expected, forwardedFor)
  }
})

test('takes a caller whose address the nearest proxy does not say for that proxy', async (t) => {
  const url = await serveAddresses(t, ['127.0.0.1', '10.0.0.0/8'])
  for (const unsaid of ['unknown', '_hidden', '_hidden:80', '192.0.2.1:http', '192.0.2:80', '[]:80']) {
    for (const [forwardedFor, proxy] of [
      [unsaid, '127.0.0.1'],
      [`192.0.2.1, ${unsaid}, 10.1.2.3:80`, '10.1.2.3'],
    ] as const) {
      const { text } = await send(url, { headers: { 'x-forwarded-for': forwardedFor } })
      assert.equal(text, proxy, forwardedFor)
    }
  }
})
