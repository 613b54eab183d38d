import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, type TestContext, test } from 'node:test'
import { startProvider, type TestProvider, unsigned } from '@palisade/administration/testing/openid-provider'
import { startRadiusServer } from '@palisade/firewall-proxy/testing'
import {
  logIn,
  password,
  protectByLogin,
  startLogins,
  stopLogins,
} from './support/firewall/protected-by-login.ts'
import { freePort, type Management } from './support/firewall/proxy.ts'
import { Visitor } from './support/firewall/visitor.ts'
import { eventually } from './support/programs/calls.ts'
import type { Server } from './support/programs/server.ts'

let server: Server
let management: Management
before(async () => {
  ;({ server, management } = await startLogins())
})
after(stopLogins)

function protect(name: string, more?: Parameters<typeof protectByLogin>[2]) {
  return protectByLogin(management, name, more)
}

test('a user and an address have so many attempts, in all workers together', async () => {
  const { origin, asked, visitor } = await protect('guessing', {
    authentication: { 'enable-bruteforce-prevention': 'Yes', 'max-failed-attempts': 4, 'count-window': 3600 },
    policy: { 'login-method': 'HTTP Basic Authentication' },
  })
  const guess = async (user: string, secret: string, address?: string) => {
    const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
    const headers = { authorization, ...(address === undefined ? {} : { 'x-client': address }) }
    return (await visitor().open(`${origin}/inside/`, { headers })).status
  }
  // What one worker counts the others count a moment later.
  const refusedEverywhere = (user: string, address: string) =>
    eventually(`no attempts of ${user} in any worker`, async () => {
      const statuses = await Promise.all([1, 2, 3, 4].map(() => guess(user, 'mistaken', address)))
      return statuses.every((status) => status === 429) ? true : undefined
    })
  await management.call('PUT', 'services/guessing/basic-security', { 'client-ip-addr-header': 'X-Client' })
  await management.untilHealth('services/guessing', 'Up')
  // From anywhere: the fifth attempt with the name is not made, not even with the right password.
  const statuses: number[] = []
  for (let number = 1; statuses.at(-1) !== 429; number++) {
    assert.ok(number < 30, 'attempts without end')
    statuses.push(await guess('bob', `mistaken ${number}`, `192.0.2.${number}`))
  }
  assert.ok(statuses.length <= 9, `${statuses.length} attempts`)
  await refusedEverywhere('bob', '192.0.2.200')
  assert.equal(await guess('bob', password, '198.51.100.1'), 429)
  assert.equal(await guess('ada', password, '198.51.100.1'), 200)
  // With any name: whoever comes from one network of IPv6 is one client.
  const ofNetwork: number[] = []
  for (let number = 1; ofNetwork.at(-1) !== 429; number++) {
    assert.ok(number < 30, 'attempts without end')
    ofNetwork.push(await guess(`nobody ${number}`, 'mistaken', `2001:db8::${number}`))
  }
  await refusedEverywhere('nobody', '2001:db8::ffff')
  assert.equal(asked.length, 1)
  for (const attack of ['brute-force-from-all-sources', 'brute-force-from-ip']) {
    await management.entries(
      'web-firewall-logs',
      (entry) => entry['service-name'] === 'guessing' && entry.attack === attack,
    )
  }
  const text = JSON.stringify(await management.call('GET', 'web-firewall-logs?limit=1000'))
  assert.ok(!text.includes('mistaken') && !text.includes(password))
})

test('services of one domain share logins and logouts, and a login is bound to its client where that is asked for', async () => {
  const shared = { 'cookie-domain': 'example.test' }
  const one = await protect('shared-one', { authentication: shared })
  const two = await protect('shared-two', { authentication: shared })
  const bound = await protect('bound', { authentication: { 'session-replay-protection-status': 'On' } })
  const ada = one.visitor()
  const done = await logIn(ada, one.origin)
  assert.ok(done.setCookies.some((cookie) => /^ps_login=.*; Domain=example\.test; /.test(cookie)))
  const cookie = `ps_login=${ada.cookiesOf(one.origin).get('ps_login')}`
  const atTwo = () => new Visitor({ cookie }).open(`${two.origin}/inside/`)
  assert.equal((await atTwo()).status, 200)
  await ada.open(`${one.origin}/nclogin.submit`, { form: { f_method: 'LOGOUT' } })
  await eventually('the logout in every worker', async () =>
    (await Promise.all([atTwo(), atTwo(), atTwo(), atTwo()])).every(({ status }) => status === 302)
      ? true
      : undefined,
  )

  const bob = new Visitor({ 'user-agent': 'one' })
  await logIn(bob, bound.origin)
  assert.equal((await bob.open(`${bound.origin}/inside/`)).status, 200)
  const replayed = `ps_login=${bob.cookiesOf(bound.origin).get('ps_login')}`
  const elsewhere = new Visitor({ 'user-agent': 'two', cookie: replayed })
  assert.equal((await elsewhere.open(`${bound.origin}/inside/`)).status, 302)
})

test('a service refuses what nobody can log in for, and says why; clients that are exempted need no login', async () => {
  await management.call('POST', 'ldap-services', { name: 'directory' })
  const refused = await protect('directory', { authentication: { 'authentication-service': 'directory' } })
  const answer = await refused.visitor().open(`${refused.origin}/inside/`)
  assert.equal(answer.status, 503)
  assert.match(answer.body, /Nobody can log in at the moment/)
  assert.equal((await refused.visitor().open(`${refused.origin}/public`)).status, 200)
  assert.equal(refused.asked.length, 1)
  await management.untilHealth(
    'services/directory',
    'Up',
    /refused with 503\. The realm directory has no ldap-servers\./,
  )
  const { status } = await fetch(`${server.services}/readyz`)
  assert.equal(status, 200)
  await management.call('POST', 'ldap-services/directory/ldap-servers', {
    'ip-address': '127.0.0.1',
    'base-dn': 'dc=example,dc=org',
    'bind-dn': 'cn=firewall,dc=example,dc=org',
    'bind-password': 'of the service account',
    'secure-connection-type': 'None',
  })
  await management.untilHealth(
    'services/directory',
    'Up',
    /Passwords travel readable to the directory 127\.0\.0\.1/,
  )
  const login = await eventually('logins', async () => {
    const { status, location } = await refused.visitor().open(`${refused.origin}/inside/`)
    return status === 302 ? location : undefined
  })
  assert.match(login, /nclogin\.submit/)
  await management.call('PUT', 'services/directory/authentication', { status: 'Off' })
  await management.untilHealth(
    'services/directory',
    'Up',
    /protect nothing: the status of authentication is Off/,
  )
  assert.equal((await refused.visitor().open(`${refused.origin}/inside/`)).status, 200)

  await management.call('POST', 'trusted-host-groups', { name: 'monitors' })
  await management.call('POST', 'trusted-host-groups/monitors/trusted-hosts', {
    name: 'here',
    version: 'IPv4',
    'ip-address': '127.0.0.1',
    mask: '255.255.255.255',
  })
  const exempted = await protect('exempted', { authentication: { groups: 'monitors', action: 'Allow' } })
  assert.equal((await exempted.visitor().open(`${exempted.origin}/inside/`)).status, 200)
})

test('a RADIUS server says who somebody is, for realms of RADIUS and of one-time codes', async (t) => {
  const sharedSecret = 'a secret of both sides'
  const radius = await startRadiusServer(
    sharedSecret,
    'ada Cleartext-Password := "123456"\n\tFilter-Id := "staff"\n',
  )
  t.after(() => radius.stop())
  for (const [realms, servers] of [
    ['radius-services', 'radius-servers'],
    ['rsa-securid-services', 'rsa-securid-servers'],
  ] as const) {
    await management.call('POST', realms, { name: realms })
    const { origin, visitor } = await protect(realms, {
      authentication: { 'authentication-service': realms },
      policy: {
        'login-method': 'HTTP Basic Authentication',
        'allow-any-authenticated-user': 'No',
        'allowed-groups': 'staff',
      },
    })
    const ask = async (code: string) => {
      const authorization = `Basic ${Buffer.from(`ada:${code}`).toString('base64')}`
      return (await visitor().open(`${origin}/inside/`, { headers: { authorization } })).status
    }
    assert.equal(await ask('123456'), 503)
    await management.untilHealth(
      `services/${realms}`,
      'Up',
      /refused with 503\. The realm \S+ has no servers\./,
    )
    await management.call('POST', `${realms}/${realms}/${servers}`, {
      'ip-address': '127.0.0.1',
      port: radius.port,
      'shared-secret': sharedSecret,
    })
    await management.untilHealth(`services/${realms}`, 'Up', /^$/)
    await eventually('logins', async () => ((await ask('123456')) === 200 ? true : undefined))
    assert.equal(await ask('654321'), 401)
  }
})

/** A provider, a realm that asks it, and a service of that realm. */
async function openId(t: TestContext, policy: object, authentication: object = {}) {
  const service = `openid-${randomUUID().slice(0, 8)}`
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const provider = await startProvider({
    secret: 'the secret of the client',
    redirectUris: [`${origin}/openid/return`],
    logoutUri: `${origin}/logout`,
  })
  t.after(() => provider.close())
  const { issuer } = provider
  await management.call('POST', 'openidc-services', { name: service })
  await management.call('POST', `openidc-services/${service}/openidc-identity-providers`, {
    name: 'company',
    'openidc-issuer': issuer,
    'client-id': 'palisade',
    'client-secret': 'the secret of the client',
    'endpoint-configuration': 'Discovery URL',
    'metadata-url': `${issuer}/.well-known/openid-configuration`,
    'auth-endpoint': `${issuer}/auth`,
    'token-endpoint': `${issuer}/token`,
    'jwks-url': `${issuer}/jwks`,
  })
  const { asked, visitor } = await protect(service, {
    service: { port },
    policy: { 'openidc-scope': 'profile groups', ...policy },
    authentication: {
      'authentication-service': service,
      'openidc-redirect-url': '/openid/return',
      ...authentication,
    },
  })
  return { origin, asked, visitor, provider, service }
}

test('an OpenID provider says who somebody is, and groups and attributes say what he may see', async (t) => {
  const { origin, asked, visitor, provider, service } = await openId(t, {
    'allow-any-authenticated-user': 'No',
    'allowed-groups': 'staff',
  })
  await management.call('POST', `services/${service}/access-rules`, {
    name: 'editors',
    'attribute-names': ['role', 'realm'],
    'attribute-values': ['editor', 'press'],
  })
  await management.call('POST', `services/${service}/authorization-policies`, {
    name: 'press',
    url: '/press/*',
    'access-rules': ['editors'],
    'openidc-scope': 'profile groups',
  })
  await management.untilHealth(`services/${service}`, 'Up')
  provider.claims.set('1', { preferred_username: 'ada', groups: ['staff', 'others'] })
  provider.claims.set('2', { preferred_username: 'eve', groups: ['staff '] })
  provider.person = '1'
  const ada = visitor()
  const page = await ada.follow(`${origin}/inside/page?a=1`)
  assert.deepEqual([page.status, page.body], [200, 'asked for /inside/page?a=1'])
  assert.equal((await ada.open(`${origin}/press/`)).status, 403)
  provider.person = '2'
  const eve = visitor()
  assert.equal((await eve.follow(`${origin}/inside/page`)).status, 403)
  assert.ok(asked.every(({ headers }) => headers.cookie === undefined))
  const entries = await management.entries(
    'access-logs',
    ({ url, 'authenticated-user': user }) => url === '/inside/page' && user === 'ada',
  )
  assert.ok(entries.length > 0)
})

test('what a provider did not say, or said to somebody else, lets nobody in', async (t) => {
  const { origin, asked, visitor, provider } = await openId(t, {})
  provider.person = '1'
  const untilReturn = async (somebody: Visitor) => {
    let visited = await somebody.open(`${origin}/inside/`)
    for (let hop = 0; hop < 5 && !visited.location.startsWith(origin); hop++)
      visited = await somebody.open(visited.location)
    return visited.location
  }
  const ada = visitor()
  const address = await untilReturn(ada)
  // Somebody else's browser, which has begun as well.
  const eve = visitor()
  await eve.open(`${origin}/inside/`)
  assert.equal((await eve.open(address)).status, 403)
  assert.equal((await visitor().open(address)).status, 403)
  const parts = new URL(address)
  const changed = (name: string, value: string) => {
    const url = new URL(parts)
    url.searchParams.set(name, value)
    return url.href
  }
  assert.equal((await ada.open(changed('code', 'x'))).status, 403)
  assert.equal((await ada.open(changed('iss', 'https://evil.example'))).status, 403)
  assert.equal((await ada.open(changed('state', `${parts.searchParams.get('state')}A`))).status, 403)
  assert.equal((await ada.open(`${address}&state=x`)).status, 403)
  for (const [what, tamper] of Object.entries(tampered(provider))) {
    provider.tamper = tamper
    const somebody = visitor()
    const answer = await somebody.open(await untilReturn(somebody))
    assert.equal(answer.status, 403, what)
    assert.match(answer.body, /Not logged in/)
    assert.ok(!somebody.cookiesOf(origin).has('ps_login'), what)
  }
  provider.tamper = undefined
  assert.equal(asked.length, 0)
  const bob = visitor()
  assert.equal((await bob.follow(`${origin}/inside/`)).status, 200)

  const returning = visitor()
  const unanswered = await untilReturn(returning)
  provider.tamper = () => Promise.reject(new Error('the provider is broken'))
  const away = await returning.open(unanswered)
  assert.equal(away.status, 503)
  assert.match(away.body, /Nobody can log in at the moment/)
  assert.equal((await bob.open(`${origin}/inside/`)).status, 200)
})

/** What a token endpoint may answer that is not to be believed. */
function tampered(provider: TestProvider): Record<string, NonNullable<TestProvider['tamper']>> {
  const withClaims =
    (more: object, sign = provider.sign): NonNullable<TestProvider['tamper']> =>
    async (answer) => ({ ...answer, id_token: await sign({ ...claimsIn(answer.id_token), ...more }) })
  const now = Math.floor(Date.now() / 1000)
  return {
    'a key of nobody': withClaims({}, provider.forge),
    'another issuer': withClaims({ iss: 'https://evil.example' }),
    'another client': withClaims({ aud: 'other' }),
    'another nonce': withClaims({ nonce: 'other' }),
    'an old token': withClaims({ exp: now - 3600, iat: now - 7200 }),
    'no signature': async (answer) => ({ ...answer, id_token: unsigned(claimsIn(answer.id_token)) }),
    'no ID token': async ({ id_token: _, ...answer }) => answer as never,
  }
}

function claimsIn(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
}
