import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:http2'
import { type TestContext, test } from 'node:test'
import { hash } from '@node-rs/argon2'
import type { SnapshotAuthentication, SnapshotTls } from '@palisade/proxy-protocol'
import { carried } from '../../testing/carried.ts'
import { http2Tls } from '../../testing/http2-tls.ts'

const key = (id: number) => ({ id, secret: Buffer.alloc(32, id).toString('base64url') })

/** A service on which Ada logs in for everything below `/inside/`; the clock stands still until it is told to go on. */
async function withLogin(t: TestContext, tls?: SnapshotTls) {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) })
  const authentication: SnapshotAuthentication = {
    by: 'local-users',
    realm: 'internal',
    users: [
      { name: 'ada', groups: [], passwordHash: await hash('secret', { memoryCost: 1_024, timeCost: 1 }) },
    ],
    keys: [key(1), key(2)],
    exemptedClients: [],
    idleSeconds: 600,
    lifetimeSeconds: 1_800,
    bindsToClient: false,
    cookiePath: '/',
    updateSeconds: 30,
    limitsFailures: false,
    failuresMax: 10,
    failureWindowSeconds: 60,
    loginPath: '/login',
    pages: {},
    policies: [
      {
        name: 'inside',
        host: '*',
        url: '/inside/*',
        extendedMatch: '*',
        sequence: 1,
        allowsEverybody: true,
        users: [],
        groups: [],
        accessRules: [],
        loginMethod: 'form',
        isPersistent: false,
        sendsPassword: false,
      },
    ],
  }
  const { plane, service, port } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: { authentication, ...(tls === undefined ? {} : { tls }) },
  })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
  const cookieIn = (answer: Response, name: string) =>
    answer.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith(`${name}=`))
      ?.split(';', 1)[0]
  const logIn = async () => {
    const cookie = cookieIn(await ask('/login'), 'ps_login_begun') ?? ''
    const body = new URLSearchParams({ f_username: 'ada', f_passwd: 'secret' })
    return cookieIn(await ask('/login', { method: 'POST', body, headers: { cookie } }), 'ps_login') ?? ''
  }
  const reapply = (changed: Partial<SnapshotAuthentication>) =>
    plane.apply({ services: [{ ...service, authentication: { ...authentication, ...changed } }] })
  const inside = (cookie: string) => ask('/inside/', { headers: { cookie } })
  return {
    port,
    policies: authentication.policies,
    ask,
    logIn,
    inside,
    cookieIn,
    reapply,
    pass: (seconds: number) => t.mock.timers.tick(seconds * 1_000),
  }
}

test('a login ends after a while without requests, and in any case after its time', async (t) => {
  const { logIn, inside, cookieIn, pass } = await withLogin(t)
  const first = await logIn()
  assert.equal((await inside(first)).status, 200)
  pass(599)
  const prolonged = cookieIn(await inside(first), 'ps_login') ?? ''
  assert.notEqual(prolonged, '')
  assert.equal(cookieIn(await inside(prolonged), 'ps_login'), undefined)
  pass(1)
  assert.equal((await inside(first)).status, 302)
  pass(598)
  const again = cookieIn(await inside(prolonged), 'ps_login') ?? ''
  pass(599)
  const last = cookieIn(await inside(again), 'ps_login') ?? ''
  assert.equal((await inside(last)).status, 200)
  pass(3)
  assert.equal((await inside(last)).status, 302)
})

test('keys that have turned open what they sealed, and others open nothing', async (t) => {
  const { logIn, inside, reapply } = await withLogin(t)
  const login = await logIn()
  await reapply({ keys: [key(2), key(1)] })
  assert.equal((await inside(login)).status, 200)
  await reapply({ keys: [key(2), { ...key(3), id: 1 }] })
  assert.equal((await inside(login)).status, 302)
})

test('a login of another realm is none, nor is one of a user who is gone', async (t) => {
  const { logIn, inside, reapply } = await withLogin(t)
  const login = await logIn()
  assert.equal((await inside(login)).status, 200)
  await reapply({ realm: 'other' })
  assert.equal((await inside(login)).status, 302)
  await reapply({ users: [] })
  assert.equal((await inside(login)).status, 302)
  await reapply({ by: 'nobody' })
  assert.equal((await inside(login)).status, 503)
})

test('a login that a method needs is asked for where an application may take the request for one with that method', async (t) => {
  const { ask, reapply, policies } = await withLogin(t)
  await reapply({ policies: policies.map((one) => ({ ...one, extendedMatch: '(Method eq DELETE)' })) })
  const post = (query: string, headers: Record<string, string> = {}) =>
    ask(`/inside/1${query}`, { method: 'POST', headers })
  assert.equal((await post('')).status, 200)
  assert.equal((await post('', { 'x-http-method-override': 'DELETE' })).status, 302)
  assert.equal((await post('?_method=delete')).status, 302)
})

test('over HTTP/2 a login is asked for, made, and found in one of several cookie fields', async (t) => {
  const { port } = await withLogin(t, http2Tls())
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  t.after(() => session.close())
  const ask = async (path: string, headers: object = {}, body?: string) => {
    const stream = session.request({
      ':path': path,
      ':method': body === undefined ? 'GET' : 'POST',
      ...headers,
    })
    stream.end(body)
    const [answer] = await once(stream, 'response')
    stream.resume()
    await once(stream, 'end')
    return {
      status: answer[':status'],
      cookies: [answer['set-cookie'] ?? []].flat().map((one) => one.split(';', 1)[0]),
    }
  }
  const asked = await ask('/inside/')
  assert.equal(asked.status, 302)
  const form = { 'content-type': 'application/x-www-form-urlencoded', cookie: asked.cookies[0] }
  const done = await ask('/login', form, 'f_username=ada&f_passwd=secret')
  assert.equal(done.status, 302)
  const [login] = done.cookies
  assert.equal((await ask('/inside/', { cookie: ['a=1', login, 'b=2'] })).status, 200)
  assert.equal((await ask('/inside/', { cookie: ['a=1', 'b=2'] })).status, 302)
  assert.equal((await ask('/INSIDE//./', {})).status, 302)
})
