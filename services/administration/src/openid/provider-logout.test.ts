import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Store } from '@palisade/platform'
import { memoryDirectory, onEveryStore, send } from '@palisade/platform/testing'
import { decodeJwt, type JWTPayload } from 'jose'
import { serveAdministration, type TestAdministration } from '../test-service.ts'
import { TestBrowser } from '../testing/browser.ts'
import { startProvider, type TestProvider, unsigned } from '../testing/openid-provider.ts'

const publicUrl = 'https://palisade.example.org'
const addresses = `${publicUrl}/admin/v1/login/company`
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

onEveryStore('logging out at the provider', (newStore) => {
  let store: Store
  let served: TestAdministration
  let otherServer: TestAdministration
  let company: TestProvider
  const directory = memoryDirectory('palisade-openid-logout-')
  before(async () => {
    company = await startProvider({
      secret: 'secret of the client',
      redirectUris: [`${addresses}/callback`],
      logoutUri: `${addresses}/logout`,
    })
    const clientSecretFile = join(directory, 'secret')
    writeFileSync(clientSecretFile, 'secret of the client', { mode: 0o600 })
    const provider = {
      name: 'company',
      issuer: company.issuer,
      clientId: 'palisade',
      clientSecretFile,
      scopes: ['profile', 'groups'],
      usernameClaim: 'preferred_username',
      grants: [{ claim: 'groups', value: 'audit', grants: [{ role: 'auditor' as const }] }],
    }
    const configuration = { publicUrl, openid: [provider] }
    store = await newStore()
    served = await serveAdministration(store, { configuration })
    otherServer = await serveAdministration(store, { configuration, owner: served.owner })
    company.toldAt = new URL(served.baseUrl).origin
  })
  after(async () => {
    await Promise.all([served.close(), otherServer.close(), company.close()])
    rmSync(directory, { recursive: true })
  })

  /** Somebody signs in. @returns his cookie, and what the provider calls his session */
  async function signIn(subject: string): Promise<{ cookie: string; sid: string }> {
    company.claims.set(subject, { preferred_username: subject, groups: ['audit'] })
    company.person = subject
    let sid = ''
    company.tamper = async (answer) => {
      sid = String(decodeJwt(answer.id_token).sid)
      return answer
    }
    const browser = new TestBrowser(new Map([[publicUrl, new URL(served.baseUrl).origin]]))
    await browser.follow(addresses, ({ pathname }) => pathname === '/')
    company.tamper = undefined
    const cookie = `__Host-palisade=${browser.cookiesOf(publicUrl).get('__Host-palisade')}`
    assert.equal(await statusOf(cookie), 200)
    assert.match(sid, /./)
    return { cookie, sid }
  }

  const statusOf = async (cookie: string, { baseUrl } = served) =>
    (await send(`${baseUrl}/session`, { headers: { cookie } })).status

  const tell = (token: string, { baseUrl } = served) =>
    send(`${baseUrl}/login/company/logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
    })

  let tokens = 0
  const nowSeconds = () => Math.floor(Date.now() / 1000)
  const claimsOf = (claims: Readonly<Record<string, unknown>>): JWTPayload => ({
    iss: company.issuer,
    aud: 'palisade',
    iat: nowSeconds(),
    exp: nowSeconds() + 120,
    jti: `token ${++tokens}`,
    events: { [logoutEvent]: {} },
    ...claims,
  })

  test('a logout token is believed when all of it is right', async () => {
    const { cookie, sid } = await signIn('careful')
    const wrong: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
      ['another issuer', { iss: 'https://elsewhere.example' }],
      ['another audience', { aud: 'somebody else' }],
      ['no audience', { aud: undefined }],
      ['expired', { exp: nowSeconds() - 300 }],
      ['no end', { exp: undefined }],
      ['old', { iat: nowSeconds() - 3600 }],
      ['no time', { iat: undefined }],
      ['from the future', { iat: nowSeconds() + 3600 }],
      ['no id', { jti: undefined }],
      ['no events', { events: undefined }],
      ['another event', { events: { 'https://example.org/event': {} } }],
      ['an event that says nothing', { events: { [logoutEvent]: true } }],
      ['events that are a list', { events: [logoutEvent] }],
      ['a nonce, as of an ID token', { nonce: 'n' }],
      ['nobody', { sub: undefined, sid: undefined }],
      ['a sid that is no text', { sid: 7 }],
    ]
    for (const [what, claims] of wrong) {
      const { status, json } = await tell(await company.sign(claimsOf({ sub: 'careful', sid, ...claims })))
      assert.deepEqual([status, json.parameter], [400, 'logout_token'], what)
    }
    const right = claimsOf({ sub: 'careful', sid })
    assert.equal((await tell(unsigned(right))).status, 400, 'no signature')
    assert.equal((await tell(await company.forge(right))).status, 400, 'a key of nobody')
    assert.equal((await tell('no token')).status, 400)
    assert.equal((await tell('')).status, 400)
    assert.equal(await statusOf(cookie), 200)
    assert.equal((await tell(await company.sign(right))).status, 200)
    assert.equal(await statusOf(cookie), 401)
  })

  test('a token counts once, on whichever server', async () => {
    const token = await company.sign(claimsOf({ sub: 'again' }))
    assert.equal((await tell(token)).status, 200)
    const { cookie } = await signIn('again')
    for (const server of [served, otherServer]) assert.equal((await tell(token, server)).status, 400)
    assert.equal(await statusOf(cookie), 200)
  })

  test('the provider itself ends the session that was logged out there, on every server, and no other one', async () => {
    const [one, two, stranger] = [await signIn('ada'), await signIn('ada'), await signIn('bob')]
    const owner = await served.logIn(served.owner.username, served.owner.password)
    assert.equal(await statusOf(one.cookie, otherServer), 200)
    await company.logOut('ada', one.sid)
    assert.equal(await statusOf(one.cookie), 401)
    assert.equal(await statusOf(one.cookie, otherServer), 401)
    for (const { cookie } of [two, stranger, owner]) assert.equal(await statusOf(cookie), 200)
    const query = `action=logOutByProvider&target=${encodeURIComponent('/operators/ada%40company')}`
    const { json } = await served.as(owner, 'GET', `/audit?${query}`)
    assert.deepEqual(
      json.items.map(({ actorKind, actor, address }: Record<string, string>) => [actorKind, actor, address]),
      [['system', 'openid/company', '127.0.0.1']],
    )
  })

  test('a token without a session ends all of its subject, and none of a login here or of another provider', async () => {
    const [one, two, stranger] = [await signIn('eve'), await signIn('eve'), await signIn('mallory')]
    assert.equal((await tell(await company.sign(claimsOf({ sub: 'eve' })))).status, 200)
    assert.deepEqual([await statusOf(one.cookie), await statusOf(two.cookie)], [401, 401])
    assert.equal(await statusOf(stranger.cookie), 200)
    assert.equal((await tell(await company.sign(claimsOf({ sub: 'nobody\0' })))).status, 200)
    const elsewhere = claimsOf({ sub: 'mallory', sid: 'a session of somebody else' })
    assert.equal((await tell(await company.sign(elsewhere))).status, 200)
    assert.equal(await statusOf(stranger.cookie), 200)
  })

  test('only forms are taken, and only of providers that there are', async () => {
    const url = `${served.baseUrl}/login/company/logout`
    const json = await send(url, { method: 'POST', body: { logout_token: 'x' } })
    assert.equal(json.status, 415)
    assert.equal(json.headers['cache-control'], 'no-store')
    assert.equal((await send(url)).status, 405)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const twice = await send(url, { method: 'POST', headers: form, body: 'logout_token=a&logout_token=b' })
    assert.deepEqual([twice.status, twice.json.parameter], [400, 'logout_token'])
    const nowhere = url.replace('company', 'nowhere')
    assert.equal((await send(nowhere, { method: 'POST', headers: form, body: 'logout_token=a' })).status, 404)
    assert.equal((await send(url, { method: 'POST', headers: form })).status, 400)
  })
})
