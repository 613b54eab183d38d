import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import {
  logIn,
  password,
  protectByLogin,
  startLogins,
  stopLogins,
  twoWorkers,
} from './support/firewall/protected-by-login.ts'
import { type Management, ProxyProcess } from './support/firewall/proxy.ts'
import type { Server } from './support/programs/server.ts'

let server: Server
let management: Management
let proxy: ProxyProcess
before(async () => {
  ;({ server, management, proxy } = await startLogins())
})
after(stopLogins)

function protect(name: string, more?: Parameters<typeof protectByLogin>[2]) {
  return protectByLogin(management, name, more)
}

test('a login by form leads back to what was asked for, counts in every worker and after a restart, and ends', async () => {
  const { origin, asked, visitor } = await protect('form')
  const ada = visitor()
  assert.equal((await ada.open(`${origin}/public`)).body, 'asked for /public')
  const wrong = await logIn(ada, origin, { secret: 'wrong' })
  assert.equal(wrong.status, 403)
  assert.match(wrong.body, /Not logged in/)
  assert.equal(asked.length, 1)
  const right = await logIn(ada, origin)
  assert.equal(right.status, 302)
  assert.equal(right.location, `${origin}/inside/page?a=1`)
  for (let round = 0; round < 8; round++) {
    const page = await ada.open(right.location)
    assert.equal(page.body, 'asked for /inside/page?a=1')
    assert.equal(page.headers['cache-control'], 'private, max-age=60')
  }
  assert.ok(asked.every(({ headers }) => !(headers.cookie ?? '').includes('ps_login')))

  await proxy.program.stop()
  proxy = await ProxyProcess.start(server, proxy.folder, twoWorkers)
  assert.equal((await ada.open(right.location)).status, 200)

  const stolen = visitor()
  for (const [name, value] of ada.cookiesOf(origin)) stolen.cookiesOf(origin).set(name, value)
  assert.equal((await stolen.open(right.location)).status, 200)
  const out = await ada.open(`${origin}/nclogin.submit?f_method=LOGOUT`)
  assert.match(out.body, /Logged out/)
  assert.equal(ada.cookiesOf(origin).size, 0)
  assert.equal((await ada.open(right.location)).status, 302)
})

test('no spelling of an address, and nothing that clients make up, gets past the login', async () => {
  const { origin, asked, visitor } = await protect('bypass', { policy: { 'login-method': 'HTML Form' } })
  const spellings = [
    '/inside/page',
    '/INSIDE/page',
    '/%69nside/page',
    '/inside%2fpage',
    '//inside/page',
    '/./inside/page',
    '/public/../inside/page',
    '/public/%2e%2e/inside/page',
    '/public/..%2finside/page',
    '/inside;a=b/page',
    '/public/..;/inside/page',
    '/inside\\page',
    '/%2569nside/page',
    '/inside/./../inside/',
  ]
  for (const path of spellings) {
    const answer = await visitor().open(origin, { path })
    assert.ok([302, 400].includes(answer.status), `${path}: ${answer.status}`)
  }
  for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    assert.equal((await visitor().open(`${origin}/inside/page`, { method })).status, 302, method)
  }
  const made = [
    { cookie: 'ps_login=AAAA' },
    { cookie: 'ps_login=' },
    { cookie: `ps_login=${Buffer.from('{"user":"ada"}').toString('base64url')}` },
    { authorization: `Basic ${Buffer.from(`ada:${password}`).toString('base64')}` },
    { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
    { 'x-original-url': '/public', 'x-rewrite-url': '/public' },
    {
      upgrade: 'websocket',
      connection: 'upgrade',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'x3JJHMbDL1EzLkh9GBhXDw==',
    },
  ]
  for (const headers of made) {
    const answer = await visitor().open(`${origin}/inside/page`, { headers })
    assert.equal(answer.status, 302, JSON.stringify(headers))
  }
  // What is known of somebody who is about to log in is no login, and a login of one service is none of another.
  const begun = visitor()
  await begun.open(`${origin}/inside/page`)
  const beginning = begun.cookiesOf(origin).get('ps_login_begun') ?? ''
  assert.notEqual(beginning, '')
  assert.equal(
    (await visitor().open(`${origin}/inside/page`, { headers: { cookie: `ps_login=${beginning}` } })).status,
    302,
  )
  const other = await protect('bypass-other')
  const ada = other.visitor()
  assert.equal((await logIn(ada, other.origin)).status, 302)
  const cookie = `ps_login=${ada.cookiesOf(other.origin).get('ps_login')}`
  assert.equal((await visitor().open(`${other.origin}/inside/page`, { headers: { cookie } })).status, 200)
  assert.equal((await visitor().open(`${origin}/inside/page`, { headers: { cookie } })).status, 302)
  const twice = `ps_login=x; ${cookie}; ps_login=y`
  assert.equal(
    (await visitor().open(`${other.origin}/inside/page`, { headers: { cookie: twice } })).status,
    200,
  )
  assert.equal(asked.length, 0)
})

test('the form is taken from the page alone that was shown, and leads nowhere else', async () => {
  const { origin, visitor } = await protect('forms')
  const form = { f_username: 'ada', f_passwd: password }
  const submit = `${origin}/nclogin.submit`
  const withoutPage = await visitor().open(submit, { form })
  assert.deepEqual([withoutPage.status, withoutPage.location], [302, `${submit}?f_method=LOGIN`])
  assert.ok(!withoutPage.setCookies.some((cookie) => cookie.startsWith('ps_login=')))
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: `${origin}1` },
  ]) {
    const victim = visitor()
    await victim.open(submit)
    assert.equal((await victim.open(submit, { form, headers })).status, 403, JSON.stringify(headers))
  }
  for (const path of ['//evil.example/inside/', '/\\evil.example/inside/', '/inside/../../\\evil.example']) {
    const ada = visitor()
    const sent = await ada.open(origin, { path })
    if (sent.status !== 302) continue
    const done = await ada.open(submit, { form, headers: { origin } })
    const { host } = new URL(done.location || origin)
    assert.equal(host, new URL(origin).host, path)
    assert.ok(!/^\/[/\\]/.test(done.headers.location ?? ''), path)
  }
  // A picture of a page is nowhere to go after the login.
  const ada = visitor()
  await ada.open(`${origin}/inside/page`, { headers: { 'sec-fetch-dest': 'document' } })
  await ada.open(`${origin}/inside/picture`, { headers: { 'sec-fetch-dest': 'image' } })
  const done = await ada.open(submit, { form, headers: { origin, 'sec-fetch-site': 'same-origin' } })
  assert.equal(done.location, `${origin}/inside/page`)
  const [login = ''] = done.setCookies.filter((cookie) => cookie.startsWith('ps_login='))
  assert.match(login, /; Path=\/; HttpOnly; SameSite=Lax$/)
  for (const path of ['/nclogin.submit', '/nclogin.submit?f_method=LOGIN']) {
    const { headers } = await visitor().open(`${origin}${path}`)
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['cache-control'], 'no-store')
  }
})

test('whoever may not pass is told so, and servers are told who has logged in and with what', async () => {
  const { origin, asked, visitor } = await protect('rights', {
    policy: { 'allow-any-authenticated-user': 'No', 'allowed-groups': 'staff', 'send-basic-auth': 'Yes' },
  })
  await management.call('POST', 'services/rights/authorization-policies', {
    name: 'accounts',
    url: '/accounts/*',
    'allowed-users': 'bob,carl',
    'access-denied-url': '/no-entry.html',
    'use-persistent-cookie': 'Yes',
    'cookie-timeout': 30,
  })
  await management.call('POST', 'services/rights/http-request-rewrite-rules', {
    name: 'user',
    'sequence-number': 1,
    action: 'Insert Header',
    header: 'X-User',
    'rewrite-value': '$AUTH_USER',
    'continue-processing': 'Yes',
  })
  await management.call('POST', 'services/rights/http-request-rewrite-rules', {
    name: 'groups',
    'sequence-number': 2,
    action: 'Insert Header',
    header: 'X-Groups',
    'rewrite-value': '$AUTH_GROUPS',
  })
  await management.untilHealth('services/rights', 'Up', /carl/)
  const own = { 'x-user': 'root', x_groups: 'root', authorization: 'Basic cm9vdDpyb290' }
  const ada = visitor()
  await logIn(ada, origin, { path: '/inside/' })
  await ada.open(`${origin}/inside/`, { headers: own })
  const basic = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`
  const told = () => {
    const { headers = {}, rawHeaders = [] }: Partial<IncomingMessage> = asked.at(-1) ?? {}
    assert.equal(rawHeaders.filter((name) => /^x[-_]user$|^x[-_]groups$/i.test(name)).length, 2)
    return [headers['x-user'], headers['x-groups'], headers.authorization]
  }
  assert.deepEqual(told(), ['ada', 'staff', basic])
  await visitor().open(`${origin}/public`, { headers: own })
  assert.deepEqual(told(), ['', '', own.authorization])
  const count = asked.length
  assert.equal((await ada.open(`${origin}/accounts/1`)).location, `${origin}/no-entry.html`)
  const bob = visitor()
  const done = await logIn(bob, origin, { path: '/accounts/2', user: 'bob' })
  assert.ok(done.setCookies.some((cookie) => /^ps_login=.*; Max-Age=1800; /.test(cookie)))
  assert.equal((await bob.open(done.location)).status, 200)
  const denied = await bob.open(`${origin}/inside/`)
  assert.equal(denied.status, 403)
  assert.match(denied.body, /No access/)
  assert.equal(asked.length, count + 1)
  const [entry] = await management.entries('access-logs', ({ url }) => url === '/accounts/2' && true, 2)
  assert.equal(entry?.['authenticated-user'], 'bob')

  await management.call('DELETE', 'local-users/bob')
  await management.call('POST', 'local-users', { name: 'bob', password: 'another password' })
  await management.untilHealth('services/rights', 'Up')
  assert.equal((await bob.open(`${origin}/accounts/2`)).status, 302)
  await management.call('DELETE', 'local-users/bob')
  await management.call('POST', 'local-users', { name: 'bob', password })
})

test('HTTP Basic Authentication asks, takes what is right, and tells servers nothing unless they are to be told', async () => {
  const { origin, asked, visitor } = await protect('basic', {
    policy: { 'login-method': 'HTTP Basic Authentication' },
  })
  const asAda = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`,
  })
  const address = `${origin}/inside/`
  const without = await visitor().open(address)
  assert.equal(without.status, 401)
  assert.match(String(without.headers['www-authenticate']), /^Basic realm=/)
  assert.equal((await visitor().open(address, { headers: asAda('wrong') })).status, 401)
  assert.equal((await visitor().open(address, { headers: { authorization: 'Basic !' } })).status, 401)
  assert.equal((await visitor().open(address, { headers: { authorization: 'Bearer x' } })).status, 401)
  assert.equal(asked.length, 0)
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => visitor().open(address, { headers: asAda(password) })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(6).fill(200),
  )
  assert.ok(asked.every(({ headers }) => headers.authorization === undefined))
})
