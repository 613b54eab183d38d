import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:http2'
import { type TestContext, test } from 'node:test'
import type { SnapshotTokenKey, SnapshotTokenProfile } from '@palisade/proxy-protocol'
import { type Carried, carried, exchangeBytes } from '../../testing/carried.ts'
import { http2Tls } from '../../testing/http2-tls.ts'
import { noRules } from '../../testing/no-rules.ts'
import { testChecks, testPolicy } from '../../testing/policies.ts'
import { judgeToken } from './signed-token.ts'
import { TokenKeys } from './token-keys.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const ed25519 = generateKeyPairSync('ed25519')

const now = Math.floor(Date.now() / 1000)
const inAnHour = { sub: 'ann', exp: now + 3_600 }

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** @param signed makes the signature of what is signed */
function token(header: object, claims: object, signed: (bytes: Buffer) => Buffer): string {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${signed(Buffer.from(text)).toString('base64url')}`
}

function rs256(claims: object = inAnHour, key: KeyObject = rsa.privateKey, header: object = {}): string {
  return token({ alg: 'RS256', ...header }, claims, (bytes) => sign('sha256', bytes, key))
}

function es(alg: string, hash: string, key: KeyObject): string {
  return token({ alg }, inAnHour, (bytes) => sign(hash, bytes, { key, dsaEncoding: 'ieee-p1363' }))
}

function hs256(secret: string, header: object = {}): string {
  return token({ alg: 'HS256', ...header }, inAnHour, (bytes) =>
    createHmac('sha256', secret).update(bytes).digest(),
  )
}

function pem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

function publicKey(key: KeyObject, more: { readonly keyId?: string; readonly algorithm?: string } = {}) {
  return { publicKey: pem(key), ...more }
}

function profile(more: Partial<SnapshotTokenProfile> = {}): SnapshotTokenProfile {
  const keys = [publicKey(rsa.publicKey)]
  return { name: 'api', host: '*', url: '/api/*', extendedMatch: '*', sequence: 0, keys, ...more }
}

/** A service in front of an application that answers "reached". */
function guarded(
  t: TestContext,
  tokenProfiles: readonly SnapshotTokenProfile[],
  more: object = {},
): Promise<Carried> {
  return carried(t, {
    application: (_, response) => response.end('reached'),
    rules: noRules(),
    policy: testPolicy(),
    service: { inspection: { mode: 'active' }, checks: testChecks({ tokenProfiles }), ...more },
  })
}

/** The status of the answer to a request with these header lines. */
async function statusOf(
  { port }: Carried,
  headers: readonly string[],
  path = '/api/orders',
): Promise<number> {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: shop', 'Connection: close', ...headers, '', ''].join('\r\n')
  return Number((await exchangeBytes(port, lines)).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
}

test('a request passes with a token that a key of the profile has signed, again and again, and elsewhere without one', async (t) => {
  const service = await guarded(t, [profile()])
  const good = rs256()
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
    assert.equal(await statusOf(service, [`Authorization: ${scheme} ${good}`]), 200, scheme)
  }
  assert.equal(await statusOf(service, [], '/shop'), 200)
})

test('nothing that is not one good token gets a request past the profile', async (t) => {
  const service = await guarded(t, [profile()])
  const good = rs256()
  const [head = '', claims = '', signature = ''] = good.split('.')
  const bearer = (text: string) => [`Authorization: Bearer ${text}`]
  const refused: Readonly<Record<string, readonly string[]>> = {
    'no token': [],
    'a token in a cookie': [`Cookie: token=${good}`],
    'another scheme': [`Authorization: Basic ${good}`],
    'no scheme': [`Authorization: ${good}`],
    'a tab behind the scheme': [`Authorization: Bearer\t${good}`],
    'two headers, both good': [...bearer(good), ...bearer(good)],
    'a good one and a bad one': [...bearer('a.b.c'), ...bearer(good)],
    'two tokens in one header': bearer(`${good}, Bearer ${good}`),
    'two tokens between blanks': bearer(`${good} ${good}`),
    'a look-alike header': [`X-Authorization: Bearer ${good}`],
    'a header that Connection declares': ['Connection: Authorization'],
    'other claims under the signature': bearer(`${head}.${part({ ...inAnHour, sub: 'eve' })}.${signature}`),
    'no signature': bearer(`${head}.${claims}.`),
    'two parts': bearer(`${head}.${claims}`),
    'five parts, as an encrypted one': bearer(`${good}.a.b`),
    'a padded signature': bearer(`${good}==`),
    'a signature in Base64 with a plus': bearer(`${head}.${claims}.+${signature.slice(1)}`),
    'alg none without signature': bearer(`${part({ alg: 'none' })}.${claims}.`),
    'alg none with one': bearer(`${part({ alg: 'None' })}.${claims}.${signature}`),
    'no alg': bearer(`${part({})}.${claims}.${signature}`),
    'the public key as a secret': bearer(hs256(pem(rsa.publicKey))),
    'the public key as a secret, trimmed': bearer(hs256(pem(rsa.publicKey).trim())),
    'an empty secret': bearer(hs256('')),
    'the key of somebody else': bearer(rs256(inAnHour, otherRsa.privateKey)),
    'a key that the token brings': bearer(
      rs256(inAnHour, otherRsa.privateKey, { jwk: otherRsa.publicKey.export({ format: 'jwk' }) }),
    ),
    'a key at an address': bearer(
      rs256(inAnHour, otherRsa.privateKey, { jku: 'http://127.0.0.1/keys', x5u: 'http://127.0.0.1/x' }),
    ),
    'a key id that is a path': bearer(rs256(inAnHour, otherRsa.privateKey, { kid: '../../dev/null' })),
    'a key id that is no text': bearer(rs256(inAnHour, rsa.privateKey, { kid: ['a'] })),
    'members to be understood': bearer(rs256(inAnHour, rsa.privateKey, { crit: ['b64'], b64: false })),
    'an expired one': bearer(rs256({ exp: now - 60 })),
    'one that is not valid yet': bearer(rs256({ ...inAnHour, nbf: now + 600 })),
    'one issued in the future': bearer(rs256({ ...inAnHour, iat: now + 600 })),
    'a time that is a text': bearer(rs256({ exp: String(now + 600) })),
    'a time that is null': bearer(rs256({ exp: null })),
    'claims that are a list': bearer(rs256([inAnHour])),
    'a token that is very long': bearer(rs256({ ...inAnHour, more: 'x'.repeat(20_000) })),
  }
  let ran = 0
  for (const [what, headers] of Object.entries(refused)) {
    assert.equal(await statusOf(service, headers), 403, what)
    ran++
  }
  assert.ok(ran > 30)
  assert.equal(await statusOf(service, [], `/api/orders?access_token=${good}`), 403)
  const told = service.exchanges.flatMap(({ violations }) => violations)
  assert.ok(
    told.every(
      ({ attack, rule, action }) => attack === 'jwt-validation-failed' && rule === 'api' && action === 'DENY',
    ),
  )
  assert.ok(told.every(({ detail }) => !detail.includes(head) && !detail.includes(signature)))
  assert.equal(await statusOf(service, bearer(good)), 200)
})

test('no spelling of an address gets around a profile', async (t) => {
  const service = await guarded(t, [profile()])
  const spellings = [
    '/API/orders',
    '/%61pi/orders',
    '/%2561pi/orders',
    '//api/orders',
    '/./api/orders',
    '/shop/../api/orders',
    '/shop/..%2fapi/orders',
    '/shop/..;/api/orders',
    '/api;a=b/orders',
    '/shop\\..\\api\\orders',
    '/api%00/orders',
    'http://shop/api/orders',
  ]
  for (const path of spellings) assert.notEqual(await statusOf(service, [], path), 200, path)
})

test('a profile is asked over HTTP/2 as well, and two headers are two there', async (t) => {
  const { port } = await guarded(t, [profile()], { tls: http2Tls() })
  // The types do not know yet that headers may be repeated.
  const options = { rejectUnauthorized: false, strictSingleValueFields: false }
  const session = connect(`https://localhost:${port}`, options)
  t.after(() => session.destroy())
  const status = async (...authorizations: string[]) => {
    const pairs = authorizations.flatMap((value) => ['authorization', value])
    const stream = session.request([':path', '/api/orders', ...pairs])
    const [headers] = await once(stream.end(), 'response')
    stream.resume()
    return headers[':status']
  }
  const good = `Bearer ${rs256()}`
  assert.equal(await status(good), 200)
  assert.equal(await status(), 403)
  assert.equal(await status(good, good), 403)
  assert.equal(await status(`Bearer ${rs256({ exp: now - 60 })}`), 403)
})

test('passive services log what they would refuse; what a trusted client or an access rule lets pass is not asked', async (t) => {
  const passive = await guarded(t, [profile()], { inspection: { mode: 'passive' } })
  assert.equal(await statusOf(passive, []), 200)
  const [violation] = passive.exchanges.flatMap(({ violations }) => violations)
  assert.deepEqual([violation?.attack, violation?.action], ['jwt-validation-failed', 'LOG'])
  const trusted = { does: 'allow', clients: ['127.0.0.0/8'] } as const
  const checks = testChecks({ tokenProfiles: [profile()], trusted })
  assert.equal(await statusOf(await guarded(t, [], { checks }), []), 200)
})

test('of profiles for one address the condition decides, and all have to be content where an address could be two', async (t) => {
  const service = await guarded(t, [
    profile({ name: 'writes', url: '/api/*', extendedMatch: '(Method neq OPTIONS)' }),
    profile({ name: 'admin', url: '/admin/*', keys: [publicKey(otherRsa.publicKey)] }),
  ])
  const path = '/api/..;/admin/x'
  assert.notEqual(await statusOf(service, [`Authorization: Bearer ${rs256()}`], path), 200)
  const preflight = ['OPTIONS /api/orders HTTP/1.1', 'Host: shop', 'Connection: close', '', ''].join('\r\n')
  assert.match(await exchangeBytes(service.port, preflight), /^HTTP\/1\.1 200 /)
  const overriding = preflight.replace('Host: shop', 'Host: shop\r\nX-HTTP-Method-Override: POST')
  assert.doesNotMatch(await exchangeBytes(service.port, overriding), /^HTTP\/1\.1 200 /)
})

test('a token says by its kid which key is meant, and keys without a name are for tokens that name none of the others', () => {
  const named = { keyId: 'one' }
  const problem = (keys: readonly SnapshotTokenKey[], given: string) => {
    const judged = judgeToken(given, new TokenKeys(keys), Date.now())
    return 'problem' in judged ? judged.problem : undefined
  }
  const both = [publicKey(rsa.publicKey, named), publicKey(otherRsa.publicKey)]
  assert.equal(problem(both, rs256(inAnHour, rsa.privateKey, { kid: 'one' })), undefined)
  assert.equal(problem(both, rs256(inAnHour, otherRsa.privateKey, { kid: 'two' })), undefined)
  assert.equal(problem(both, rs256(inAnHour, otherRsa.privateKey)), undefined)
  assert.match(problem(both, rs256(inAnHour, otherRsa.privateKey, { kid: 'one' })) ?? '', /signature/)
  assert.match(problem(both, rs256(inAnHour, rsa.privateKey, { kid: 'two' })) ?? '', /signature/)
  assert.match(
    problem([publicKey(rsa.publicKey, named)], rs256(inAnHour, rsa.privateKey, { kid: 'x' })) ?? '',
    /not known/,
  )
  assert.match(problem([publicKey(rsa.publicKey, { algorithm: 'PS256' })], rs256()) ?? '', /algorithm/)
  assert.match(problem([], rs256()) ?? '', /not known/)
})

test('each sort of key verifies its own algorithms alone', () => {
  const isGood = (key: SnapshotTokenKey, given: string) =>
    !('problem' in judgeToken(given, new TokenKeys([key]), Date.now()))
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const eddsa = token({ alg: 'EdDSA' }, inAnHour, (bytes) => sign(null, bytes, ed25519.privateKey))
  const der = token({ alg: 'ES256' }, inAnHour, (bytes) => sign('sha256', bytes, p256.privateKey))
  assert.ok(isGood(publicKey(p256.publicKey), es('ES256', 'sha256', p256.privateKey)))
  assert.ok(isGood(publicKey(p384.publicKey), es('ES384', 'sha384', p384.privateKey)))
  assert.ok(isGood(publicKey(ed25519.publicKey), eddsa))
  assert.ok(
    isGood({ secret: 'a secret of thirty-two characters' }, hs256('a secret of thirty-two characters')),
  )
  assert.ok(!isGood(publicKey(p256.publicKey), der))
  assert.ok(!isGood(publicKey(p384.publicKey), es('ES256', 'sha256', p384.privateKey)))
  assert.ok(!isGood(publicKey(ed25519.publicKey), hs256(pem(ed25519.publicKey))))
  assert.ok(!isGood({ secret: pem(rsa.publicKey) }, rs256()))
  assert.ok(!isGood(publicKey(short.publicKey), rs256(inAnHour, short.privateKey)))
  // Zeros were once a signature of ECDSA for everything (CVE-2022-21449).
  assert.ok(
    !isGood(
      publicKey(p256.publicKey),
      token({ alg: 'ES256' }, inAnHour, () => Buffer.alloc(64)),
    ),
  )
})
