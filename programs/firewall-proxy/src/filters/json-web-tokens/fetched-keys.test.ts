import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, globalAgent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { carried, exchangeBytes } from '../../testing/carried.ts'
import { http2Tls } from '../../testing/http2-tls.ts'
import { noRules } from '../../testing/no-rules.ts'
import { testChecks, testPolicy } from '../../testing/policies.ts'

const minute = 60_000
const now = Date.UTC(2030, 0, 1)
const first = generateKeyPairSync('rsa', { modulusLength: 2048 })
const second = generateKeyPairSync('rsa', { modulusLength: 2048 })

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function signedBy({ privateKey }: { readonly privateKey: KeyObject }, kid: string): string {
  const text = `${part({ alg: 'RS256', kid })}.${part({ sub: 'ann', exp: now / 1000 + 10 * 86_400 })}`
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

function jwk({ publicKey }: { readonly publicKey: KeyObject }, kid: string, more: object = {}): object {
  return { ...publicKey.export({ format: 'jwk' }), kid, ...more }
}

/** A service whose tokens are those of an issuer that gives its keys over HTTPS. */
async function issuer(t: TestContext) {
  const [certificate] = http2Tls().certificates
  assert.ok(certificate)
  globalAgent.options.ca = certificate.chain
  t.after(() => {
    delete globalAgent.options.ca
  })
  t.mock.timers.enable({ apis: ['Date'], now })
  const says = { status: 200, text: JSON.stringify({ keys: [jwk(first, 'one')] }) }
  let asked = 0
  const http = createServer({ cert: certificate.chain, key: certificate.privateKey }, (_, response) => {
    asked++
    response.writeHead(says.status, { location: '/elsewhere' }).end(says.text)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.after(() => http.close())
  const url = `https://localhost:${(http.address() as AddressInfo).port}/keys`
  const place = { name: 'api', host: '*', url: '/*', extendedMatch: '*', sequence: 0 }
  const service = await carried(t, {
    application: (_, response) => response.end('reached'),
    rules: noRules(),
    policy: testPolicy(),
    service: {
      inspection: { mode: 'active' },
      checks: testChecks({ tokenProfiles: [{ ...place, keys: [], fetchedKeys: { url } }] }),
    },
  })
  return {
    says,
    asked: () => asked,
    pass: (ms: number) => t.mock.timers.tick(ms),
    reasons: () => service.exchanges.flatMap(({ violations }) => violations.map(({ detail }) => detail)),
    statusWith: async (token: string) => {
      const lines = ['GET / HTTP/1.1', 'Host: shop', 'Connection: close', `Authorization: Bearer ${token}`]
      return Number((await exchangeBytes(service.port, `${lines.join('\r\n')}\r\n\r\n`)).slice(9, 12))
    },
  }
}

test('a key that is not known has the keys fetched anew, at most each half a minute', async (t) => {
  const { says, asked, pass, statusWith } = await issuer(t)
  const [old, fresh] = [signedBy(first, 'one'), signedBy(second, 'two')]
  assert.deepEqual([await statusWith(old), await statusWith(old), asked()], [200, 200, 1])
  for (let index = 0; index < 3; index++) assert.equal(await statusWith(fresh), 403)
  assert.equal(asked(), 1)
  pass(minute)
  says.text = JSON.stringify({ keys: [jwk(second, 'two')] })
  assert.deepEqual([await statusWith(fresh), asked()], [200, 2])
  // Its issuer has withdrawn it, though it was seen before.
  assert.equal(await statusWith(old), 403)
})

test('the last good keys count for a day while none can be fetched', async (t) => {
  const { says, pass, statusWith, reasons } = await issuer(t)
  const token = signedBy(first, 'one')
  assert.equal(await statusWith(token), 200)
  const hour = 60 * minute
  for (const [status, text] of [
    [503, ''],
    [302, ''],
    [200, '{"keys":['],
    [200, '{"keys":[]}'],
    [
      200,
      JSON.stringify({ keys: [jwk(first, 'one', { use: 'enc' }), { kty: 'oct', k: 'AAAA', kid: 'one' }] }),
    ],
    [200, ' '.repeat(2 * 1024 * 1024)],
  ] as const) {
    Object.assign(says, { status, text })
    pass(hour)
    assert.equal(await statusWith(token), 200, `${status} ${text.slice(0, 20)}`)
  }
  pass(20 * hour)
  assert.equal(await statusWith(token), 403)
  assert.match(
    reasons().at(-1) ?? '',
    /names a key that is not known\. The keys of https:.* could not be fetched: .*1048576 bytes\.$/,
  )
})
