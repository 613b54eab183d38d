import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { memoryDirectory, onEveryStore, send } from '@palisade/platform/testing'
import { decodeJwt, type JWTPayload } from 'jose'
import { serveAdministration, type TestAdministration, type TestSession } from '../test-service.ts'
import { TestBrowser } from '../testing/browser.ts'
import { startProvider, type TestProvider, unsigned } from '../testing/openid-provider.ts'

const publicUrl = 'https://palisade.example.org'
const callback = `${publicUrl}/admin/v1/login/company/callback`
const password = 'correct horse battery'
const secret = 'the secret of the client palisade'

onEveryStore('single sign-on', (newStore) => {
  let served: TestAdministration
  let owner: TestSession
  let company: TestProvider
  let other: TestProvider
  const directory = memoryDirectory('palisade-openid-')
  before(async () => {
    const redirectUris = ['company', 'other'].map((name) => `${publicUrl}/admin/v1/login/${name}/callback`)
    company = await startProvider({
      secret,
      redirectUris,
      logoutUri: `${publicUrl}/admin/v1/login/company/logout`,
    })
    other = await startProvider({
      secret,
      redirectUris,
      logoutUri: `${publicUrl}/admin/v1/login/company/logout`,
    })
    const clientSecretFile = join(directory, 'secret')
    writeFileSync(clientSecretFile, `${secret}\n`, { mode: 0o600 })
    const common = {
      clientId: 'palisade',
      clientSecretFile,
      scopes: ['profile', 'groups'],
      usernameClaim: 'preferred_username',
      grants: [
        { claim: 'groups', value: 'admins', grants: [{ role: 'owner' as const }] },
        { claim: 'groups', value: 'audit', grants: [{ role: 'auditor' as const }] },
        {
          claim: 'realm_access.roles',
          value: 'backup',
          grants: [{ role: 'operator' as const, service: 'backup' as const }],
        },
      ],
    }
    served = await serveAdministration(await newStore(), {
      configuration: {
        publicUrl,
        openid: [
          { ...common, name: 'company', issuer: company.issuer },
          { ...common, name: 'other', issuer: other.issuer },
          { ...common, name: 'gone', issuer: 'http://127.0.0.1:9' },
        ],
      },
    })
    owner = await served.logIn(served.owner.username, served.owner.password)
  })
  afterEach(() => {
    company.tamper = undefined
  })
  after(async () => {
    await Promise.all([served.close(), company.close(), other.close()])
    rmSync(directory, { recursive: true })
  })

  const newBrowser = () => new TestBrowser(new Map([[publicUrl, new URL(served.baseUrl).origin]]))

  /** Somebody whom the company knows. */
  function person(subject: string, claims: Readonly<Record<string, unknown>>): string {
    company.claims.set(subject, { preferred_username: subject, ...claims })
    return subject
  }

  /** Goes to a provider and comes back as far as the address of the callback, which is not opened. */
  async function comeBack(subject: string, browser = newBrowser(), name = 'company'): Promise<string> {
    company.person = subject
    other.person = subject
    const { next, reply } = await browser.follow(
      `${publicUrl}/admin/v1/login/${name}?return=/console`,
      ({ pathname }) => pathname.endsWith('/callback'),
    )
    assert.match(next, /callback\?code=/, reply.text)
    return next
  }

  async function signIn(subject: string, browser = newBrowser()) {
    return browser.open(await comeBack(subject, browser))
  }

  /** The session of somebody who signs in. */
  async function sessionOf(subject: string): Promise<TestSession> {
    const browser = newBrowser()
    const reply = await signIn(subject, browser)
    assert.equal(reply.status, 303, reply.text)
    const cookie = `__Host-palisade=${browser.cookiesOf(publicUrl).get('__Host-palisade')}`
    const { json } = await send(`${served.baseUrl}/session`, { headers: { cookie } })
    return { cookie, csrfToken: json.csrfToken }
  }

  test('whoever has a grant by his claims gets an operator, a session and his page', async () => {
    const subject = person('ada', { name: 'Ada Lovelace', groups: ['audit', 'chess'] })
    const browser = newBrowser()
    assert.deepEqual((await browser.open(`${publicUrl}/admin/v1/login`)).json, {
      providers: ['company', 'other', 'gone'],
      hasPasskeys: true,
    })
    const begun = await browser.open(`${publicUrl}/admin/v1/login/company`)
    assert.match(
      begun.headers['set-cookie']?.join() ?? '',
      /^__Host-palisade-login=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const asked = Object.fromEntries(new URL(begun.headers.location ?? '').searchParams)
    assert.deepEqual(
      [asked.redirect_uri, asked.scope, asked.code_challenge_method, asked.response_type],
      [callback, 'openid profile groups', 'S256', 'code'],
    )
    assert.ok([asked.state, asked.nonce, asked.code_challenge].every((value) => value?.length === 43))

    const reply = await signIn(subject, browser)
    assert.deepEqual([reply.status, reply.headers.location], [303, `${publicUrl}/console`], reply.text)
    assert.match(
      reply.headers['set-cookie']?.join() ?? '',
      /__Host-palisade-login=; Max-Age=0.*__Host-palisade=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict/,
    )
    const { json } = await browser.open(`${publicUrl}/admin/v1/session`)
    assert.deepEqual(
      [json.username, json.displayName, json.grants],
      ['ada@company', 'Ada Lovelace', [{ role: 'auditor' }]],
    )
    const operator = await served.as(owner, 'GET', '/operators/ada@company')
    assert.deepEqual(operator.json.identity, { issuer: company.issuer, subject: 'ada' })
    assert.equal(operator.json.hasPassword, false)
    const { json: audit } = await served.as(owner, 'GET', '/audit?limit=1000')
    const entries = audit.items
      .filter(({ actor, target }: Record<string, string>) => `${actor} ${target}`.includes('company'))
      .map(({ actor, action, after: what }: Record<string, object>) => [actor, action, what])
    assert.deepEqual(entries.map(([actor, action]: unknown[]) => [actor, action]).sort(), [
      ['ada@company', 'logIn'],
      ['openid/company', 'createOperator'],
    ])
  })

  test('grants follow the claims at each sign-in, lists in objects too; whoever loses all of them is out at once', async () => {
    const subject = person('grace', { groups: ['admins'] })
    const first = await sessionOf(subject)
    assert.equal((await served.as(first, 'GET', '/operators')).status, 200)
    person('grace', { realm_access: { roles: ['backup'] }, groups: 'audit' })
    const second = await sessionOf(subject)
    const { json } = await served.as(second, 'GET', '/session')
    assert.deepEqual(json.grants, [{ role: 'auditor' }, { role: 'operator', service: 'backup' }])
    const changed = await served.as(first, 'POST', '/operators', { body: { username: 'x', grants: [] } })
    assert.equal(changed.status, 403, 'the session before has the grants of now')
    person('grace', { groups: ['chess'] })
    assert.equal((await signIn(subject)).status, 403)
    assert.equal((await served.as(second, 'GET', '/session')).status, 401)
    assert.deepEqual((await served.as(owner, 'GET', '/operators/grace@company')).json.grants, [])
  })

  test('claims without a grant make no operator', async () => {
    const reply = await signIn(person('stranger', { groups: ['chess', 'admin', 'ADMINS'] }))
    assert.deepEqual([reply.status, reply.headers['set-cookie']?.length], [403, 1])
    assert.equal((await served.as(owner, 'GET', '/operators/stranger@company')).status, 404)
  })

  test('a person whose sign-in fails is sent back to where he began and is told why there; a program is told itself', async () => {
    const subject = person('nobody-special', { groups: ['chess'] })
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const browser = newBrowser()
    const refused = await browser.open(await comeBack(subject, browser), { accept })
    assert.deepEqual([refused.status, refused.headers.location], [303, `${publicUrl}/console`], refused.text)
    const cookies = refused.headers['set-cookie'] ?? []
    const [, sentence = ''] = /__Host-palisade-refusal=([^;]+)/.exec(cookies.join()) ?? []
    assert.equal((await signIn(subject)).json.detail, decodeURIComponent(sentence))
    assert.ok(!cookies.some((cookie) => /^__Host-palisade=./.test(cookie)), 'no session begins')
    assert.match(
      cookies.join(),
      /__Host-palisade-refusal=[^;]+; Max-Age=60; Path=\/; Secure; SameSite=Strict/,
    )

    const gone = `${publicUrl}/admin/v1/login/gone?return=/console/audit`
    const away = await newBrowser().open(gone, { accept })
    assert.deepEqual([away.status, away.headers.location], [303, `${publicUrl}/console/audit`])
    assert.equal((await newBrowser().open(gone)).status, 503)
    const elsewhere = await newBrowser().open(gone.replace('/console/audit', '//evil.example'), { accept })
    assert.equal(elsewhere.status, 400)
  })

  test('a browser returns to a path of this server and nowhere else, whatever its Host says', async () => {
    for (const [given, parameter] of [
      ['https://evil.example', 'return'],
      ['//evil.example', 'return'],
      ['/\\evil.example', 'return'],
      ['/\t/evil.example', 'return'],
      ['/.//evil.example', 'return'],
      ['/%2e//evil.example', 'return'],
      ['/..//evil.example', 'return'],
      ['javascript:alert(1)', 'return'],
      ['console', 'return'],
      ['', 'return'],
    ] as const) {
      const url = `${served.baseUrl}/login/company?return=${encodeURIComponent(given)}`
      const { status, json } = await send(url)
      assert.deepEqual([status, json.parameter], [400, parameter], given)
    }
    assert.equal((await send(`${served.baseUrl}/login/company?return=/a&return=/b`)).status, 400)
    const hostile = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    }
    const browser = newBrowser()
    const begun = await browser.open(`${publicUrl}/admin/v1/login/company?return=/a?b%23c`, hostile)
    assert.equal(new URL(begun.headers.location ?? '').searchParams.get('redirect_uri'), callback)
    company.person = person('host', { groups: ['audit'] })
    const { next } = await browser.follow(begun.headers.location ?? '', ({ origin }) => origin === publicUrl)
    const reply = await browser.open(next, hostile)
    assert.deepEqual([reply.status, reply.headers.location], [303, `${publicUrl}/a?b#c`])
  })

  test('a code counts in the browser that has begun, once, and for ten minutes', async () => {
    const subject = person('codes', { groups: ['audit'] })
    const [attacker, victim] = [newBrowser(), newBrowser()]
    const back = await comeBack(subject, attacker)
    assert.equal((await victim.open(back)).status, 401, 'a browser that has begun nothing')
    await comeBack(subject, victim)
    assert.equal((await victim.open(back)).status, 401, 'a browser that has begun something else')

    const browser = newBrowser()
    const url = await comeBack(subject, browser)
    const ticket = browser.cookiesOf(publicUrl).get('__Host-palisade-login') ?? ''
    assert.equal((await browser.open(url)).status, 303)
    assert.equal((await browser.open(url)).status, 401, 'the ticket was withdrawn')
    browser.cookiesOf(publicUrl).set('__Host-palisade-login', ticket)
    assert.equal((await browser.open(url)).status, 401, 'the code was used')
    // The provider gives two codes for one beginning: both are good, and the ticket is for one of them.
    const twice = newBrowser()
    const begun = await twice.open(`${publicUrl}/admin/v1/login/company`)
    const sealed = twice.cookiesOf(publicUrl).get('__Host-palisade-login') ?? ''
    for (const [status, who] of [
      [303, 'the first'],
      [401, 'the second'],
    ] as const) {
      const { next } = await twice.follow(begun.headers.location ?? '', ({ origin }) => origin === publicUrl)
      twice.cookiesOf(publicUrl).set('__Host-palisade-login', sealed)
      assert.equal((await twice.open(next)).status, status, who)
    }

    const late = newBrowser()
    const lateUrl = await comeBack(subject, late)
    served.clock.advance(10 * 60_000)
    assert.equal((await late.open(lateUrl)).status, 401)
    const altered = newBrowser()
    const alteredUrl = await comeBack(subject, altered)
    const whole = altered.cookiesOf(publicUrl).get('__Host-palisade-login') ?? ''
    altered.cookiesOf(publicUrl).set('__Host-palisade-login', `${whole.slice(0, 40)}AAAA${whole.slice(44)}`)
    assert.equal((await altered.open(alteredUrl)).status, 401)
  })

  test('an answer is taken from the provider that was asked, and from no other', async () => {
    const subject = person('mixed', { groups: ['admins'] })
    other.claims.set(subject, { groups: ['admins'], preferred_username: subject })
    const answers: readonly [string, (url: URL) => void][] = [
      ['another issuer', (url) => url.searchParams.set('iss', other.issuer)],
      ['no issuer', (url) => url.searchParams.delete('iss')],
      ['two issuers', (url) => url.searchParams.append('iss', other.issuer)],
      ['another state', (url) => url.searchParams.set('state', 'x'.repeat(43))],
      ['no state', (url) => url.searchParams.delete('state')],
      ['another code', (url) => url.searchParams.set('code', 'x'.repeat(43))],
      ['a failure', (url) => url.searchParams.set('error', 'access_denied')],
      ['the address of another provider', (url) => (url.pathname = url.pathname.replace('company', 'other'))],
    ]
    for (const [what, change] of answers) {
      const browser = newBrowser()
      const url = new URL(await comeBack(subject, browser))
      change(url)
      const { status, headers } = await browser.open(url.href)
      assert.equal(status, 401, what)
      assert.equal(headers['set-cookie']?.length, 1, what)
    }
    assert.equal((await served.as(owner, 'GET', '/operators/mixed@company')).status, 404)
    // The same subject of another issuer is somebody else.
    await sessionOf(subject)
    const browser = newBrowser()
    assert.equal((await browser.open(await comeBack(subject, browser, 'other'))).status, 303)
    assert.equal((await browser.open(`${publicUrl}/admin/v1/session`)).json.username, 'mixed@other')
  })

  test('an ID token is believed when all of it is right', async () => {
    const subject = person('token', { groups: ['admins'] })
    const changed = (change: (claims: JWTPayload) => JWTPayload, make = company.sign) => {
      return async (idToken: string) => make(change(decodeJwt(idToken)))
    }
    const now = Math.floor(Date.now() / 1000)
    const tokens: readonly [string, (idToken: string) => Promise<string>][] = [
      ['another nonce', changed((claims) => ({ ...claims, nonce: 'x'.repeat(43) }))],
      ['no nonce', changed(({ nonce: _, ...claims }) => claims)],
      ['another issuer', changed((claims) => ({ ...claims, iss: other.issuer }))],
      ['another audience', changed((claims) => ({ ...claims, aud: 'another client' }))],
      [
        'several audiences, for another',
        changed((claims) => ({ ...claims, aud: ['palisade', 'x'], azp: 'x' })),
      ],
      ['expired', changed((claims) => ({ ...claims, iat: now - 7200, exp: now - 3600 }))],
      ['no subject', changed(({ sub: _, ...claims }) => claims)],
      ['a subject that the access token is not of', changed((claims) => ({ ...claims, sub: 'ada' }))],
      [
        'no signature',
        changed(
          (claims) => claims,
          async (claims) => unsigned(claims),
        ),
      ],
      ['the signature of somebody else', changed((claims) => claims, company.forge)],
      ['altered', async (idToken) => `${idToken.slice(0, -8)}AAAAAAAA`],
    ]
    for (const [what, change] of tokens) {
      company.tamper = async (answer) => ({ ...answer, id_token: await change(answer.id_token) })
      const { status, text } = await signIn(subject)
      assert.equal(status, 401, what)
      assert.doesNotMatch(text, /eyJ/, what)
    }
    assert.equal((await served.as(owner, 'GET', '/operators/token@company')).status, 404)
    company.tamper = async (answer) => ({
      ...answer,
      id_token: await changed((claims) => claims)(answer.id_token),
    })
    assert.equal((await signIn(subject)).status, 303, 'the same token signed anew')
  })

  test('a removed operator is out at once, and stays out until an owner adds his identity', async () => {
    const subject = person('removed', { groups: ['admins'] })
    const session = await sessionOf(subject)
    const anyState = { headers: { 'if-match': '*' } }
    const path = '/operators/removed@company'
    assert.equal(
      (await served.as(owner, 'PATCH', path, { ...anyState, body: { isDisabled: true } })).status,
      200,
    )
    assert.equal((await served.as(session, 'GET', '/session')).status, 401)
    assert.equal((await signIn(subject)).status, 403)
    assert.equal(
      (await served.as(owner, 'PATCH', path, { ...anyState, body: { isDisabled: false } })).status,
      200,
    )
    const again = await sessionOf(subject)
    assert.equal((await served.as(owner, 'DELETE', path, anyState)).status, 204)
    assert.equal((await served.as(again, 'GET', '/session')).status, 401)
    assert.equal((await signIn(subject)).status, 403)
    assert.equal((await served.as(owner, 'GET', path)).status, 404)

    const identity = { issuer: company.issuer, subject }
    const body = { username: 'readded', grants: [], identity }
    const withPassword = await served.as(owner, 'POST', '/operators', { body: { ...body, password } })
    assert.deepEqual([withPassword.status, withPassword.json.parameter], [400, 'password'])
    const added = await served.as(owner, 'POST', '/operators', { body })
    assert.deepEqual([added.status, added.json.identity], [201, identity], added.text)
    const { json } = await served.as(await sessionOf(subject), 'GET', '/session')
    assert.deepEqual([json.username, json.grants], ['readded', [{ role: 'owner' }]])
    const twice = await served.as(owner, 'POST', '/operators', { body: { ...body, username: 'twice' } })
    assert.deepEqual([twice.status, twice.json.parameter], [409, 'identity'])
    assert.equal((await served.as(owner, 'GET', '/operators/twice')).status, 404)
  })

  test('an operator with a password is taken over by no name and no mail address', async () => {
    const grants = [{ role: 'owner' }]
    for (const username of ['taken@company', 'boss@example.org']) {
      const { status } = await served.as(owner, 'POST', '/operators', {
        body: { username, password, grants },
      })
      assert.equal(status, 201)
    }
    assert.equal((await signIn(person('taken', { groups: ['audit'] }))).status, 403)
    const email = 'boss@example.org'
    const session = await sessionOf(person('boss', { preferred_username: email, email, groups: ['audit'] }))
    const { json } = await served.as(session, 'GET', '/session')
    assert.deepEqual([json.username, json.grants], ['boss@example.org@company', [{ role: 'auditor' }]])
    for (const username of ['taken@company', 'boss@example.org']) {
      assert.equal((await served.as(owner, 'GET', `/operators/${username}`)).json.identity, null)
      await served.logIn(username, password)
    }
  })

  test('what the provider decides is changed there: neither grants nor a password are given here, and he is no last owner', async () => {
    await sessionOf(person('provided', { groups: ['admins'] }))
    for (const [field, value] of [
      ['grants', [{ role: 'operator' }]],
      ['password', password],
      ['password', null],
    ] as const) {
      const { status, json } = await served.as(owner, 'PATCH', '/operators/provided@company', {
        headers: { 'if-match': '*' },
        body: { [field]: value },
      })
      assert.deepEqual([status, json.parameter], [409, field])
    }
    const login = { username: 'provided@company', password: '' }
    assert.equal((await send(`${served.baseUrl}/session`, { method: 'POST', body: login })).status, 401)
    for (const { username } of (await served.as(owner, 'GET', '/operators?limit=1000')).json.items) {
      const { hasPassword } = (await served.as(owner, 'GET', `/operators/${username}`)).json
      if (!hasPassword || username === 'admin') continue
      const headers = { 'if-match': '*' }
      assert.equal((await served.as(owner, 'DELETE', `/operators/${username}`, { headers })).status, 204)
    }
    const last = await served.as(owner, 'DELETE', '/operators/admin', { headers: { 'if-match': '*' } })
    assert.equal(last.status, 409, 'the provider may take ownership from the others at any time')
  })

  test('a session that an attacker has planted is not taken over by a sign-in, and the one before ends', async () => {
    const subject = person('fixed', { groups: ['audit'] })
    const browser = newBrowser()
    const planted = 'a'.repeat(43)
    browser.cookiesOf(publicUrl).set('__Host-palisade', planted)
    assert.equal((await signIn(subject, browser)).status, 303)
    const first = browser.cookiesOf(publicUrl).get('__Host-palisade') ?? ''
    assert.notEqual(first, planted)
    assert.equal((await signIn(subject, browser)).status, 303)
    const cookie = `__Host-palisade=${first}`
    assert.equal((await send(`${served.baseUrl}/session`, { headers: { cookie } })).status, 401)
  })

  test('whoever logs out here is told where to log out at the provider', async () => {
    const session = await sessionOf(person('leaves', { groups: ['audit'] }))
    const { status, json } = await served.as(session, 'DELETE', '/session')
    assert.equal(status, 200)
    const url = new URL(json.logoutUrl)
    assert.equal(`${url.origin}${url.pathname}`, `${company.issuer}/session/end`)
    assert.equal(decodeJwt(url.searchParams.get('id_token_hint') ?? '').sub, 'leaves')
    assert.equal((await new TestBrowser(new Map()).open(url.href)).status, 200)
    assert.equal((await served.as(session, 'GET', '/session')).status, 401)
  })

  test('a provider that is away or unknown stops nobody else', async () => {
    assert.equal((await send(`${served.baseUrl}/login/gone`)).status, 503)
    assert.equal((await send(`${served.baseUrl}/login/nobody`)).status, 404)
    assert.equal((await send(`${served.baseUrl}/login/nobody/callback`)).status, 404)
    await sessionOf(person('others', { groups: ['audit'] }))
  })
})
