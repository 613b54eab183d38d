import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, importPKCS8, SignJWT } from 'jose'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { cleanUp, Server } from './support/programs/server.ts'

/** Judges what comes to one service, which blocks, by tokens of `jose` and sockets of `ws`. */
let server: Server
let management: Management
let port: number
before(async () => {
  server = await Server.start()
  await ProxyProcess.start(server)
  management = await Management.connect(server)
  const shop = await application((request, response) => response.end(`reached ${request.url}`))
  port = await management.protect('shop', shop)
  await management.call('PUT', 'services/shop/basic-security', { mode: 'Active' })
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

const rs = await generateKeyPair('RS256', { extractable: true })
const es = await generateKeyPair('ES256', { extractable: true })

function signed(alg: string, key: Parameters<SignJWT['sign']>[0], kid?: string): Promise<string> {
  const header = { alg, typ: 'JWT', ...(kid ? { kid } : {}) }
  return new SignJWT({ scope: 'orders' })
    .setProtectedHeader(header)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key)
}

async function statusWith(token: string | undefined, path = '/api/orders'): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status
}

test('requests for an API pass with tokens of jose, by keys in PEM, a set of keys and a shared one', async () => {
  const secret = 'a secret that the issuer of tokens shares with the firewall'
  const set = { keys: [{ ...(await exportJWK(es.publicKey)), kid: 'es-1', alg: 'ES256', use: 'sig' }] }
  await management.call('POST', 'jwt-public-keys', {
    'public-keys-name': 'rsa',
    'key-contents': await exportSPKI(rs.publicKey),
  })
  await management.call('POST', 'jwt-public-keys', {
    'public-keys-name': 'set',
    'key-contents': JSON.stringify(set),
  })
  await management.call('POST', 'jwt-validator-endpoints', {
    name: 'issuer',
    'verify-public-keys': ['rsa', 'set'],
    'public-keys-kid': ['rs-1'],
    'verify-shared-keys': secret,
    'shared-keys-kid': 'hs-1',
  })
  await management.call('POST', 'services/shop/jwt-url-profiles', {
    name: 'api',
    'host-match': '*',
    url: '/api/*',
    'extended-match': '*',
    'validator-policy': 'issuer',
  })
  await management.untilHealth('services/shop', 'Up')
  const shared = new TextEncoder().encode(secret)
  const good = [
    await signed('RS256', rs.privateKey, 'rs-1'),
    await signed('PS384', await importPKCS8(await exportPKCS8(rs.privateKey), 'PS384'), 'rs-1'),
    await signed('ES256', es.privateKey, 'es-1'),
    await signed('HS512', shared, 'hs-1'),
    await signed('RS256', rs.privateKey),
  ]
  // Every worker of the proxy, with a token that it has seen and with one that it has not.
  for (const token of [...good, ...good, ...good]) assert.equal(await statusWith(token), 200)
  const refused = [
    undefined,
    await signed('RS256', (await generateKeyPair('RS256')).privateKey, 'rs-1'),
    await signed('ES256', es.privateKey, 'rs-1'),
    await signed('HS256', new TextEncoder().encode(await exportSPKI(rs.publicKey)), 'rs-1'),
  ]
  for (const token of refused) assert.equal(await statusWith(token), 403)
  assert.equal(await statusWith(undefined, '/shop'), 200)
  const [entry] = await management.entries(
    'web-firewall-logs',
    ({ attack }) => attack === 'jwt-validation-failed',
    4,
  )
  assert.deepEqual([entry?.action, entry?.rule, entry?.['attack-category']], ['DENY', 'api', 'Auth Attacks'])
})

test('the status of a service says of profiles for tokens what they do not do', async () => {
  await management.call('PUT', 'jwt-validator-endpoints/issuer', {
    'verify-jwks-uri': 'https://login.example.com/keys',
  })
  await management.untilHealth('services/shop', 'Up', /profile api .* knows the given keys alone/)
  await management.call('PUT', 'jwt-validator-endpoints/issuer', { type: 'External' })
  await management.untilHealth('services/shop', 'Up', /profile api .* asks for no token: .* External/)
  assert.equal(await statusWith(undefined), 200)
  await management.call('POST', 'jwt-validator-endpoints', { name: 'nothing' })
  await management.call('PUT', 'services/shop/jwt-url-profiles/api', { 'validator-policy': 'nothing' })
  await management.untilHealth('services/shop', 'Up', /profile api .* takes no token for a good one/)
  assert.equal(await statusWith(await signed('RS256', rs.privateKey)), 403)
  await management.call('PUT', 'services/shop/jwt-url-profiles/api', { status: 'Off' })
  await management.untilHealth('services/shop', 'Up')
  assert.equal(await statusWith(undefined), 200)
})
