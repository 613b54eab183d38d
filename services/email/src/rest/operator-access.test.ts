import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AdministeredService, type TestSession } from '@palisade/administration/testing'
import { onEveryStore, send } from '@palisade/platform/testing'
import { serveEmail, type TestService, tokenFor } from '../testing/email-service.ts'
import { messages } from '../testing/mail-reports.ts'

const dayMs = 86_400_000
const domains = '/beta/accounts/5584599/ess/domains'
const statistics = `${domains}/4/statistics`

onEveryStore('operators at the email API', (newStore) => {
  let email: AdministeredService<TestService>
  /** A second server on the same database. */
  let other: TestService
  before(async () => {
    const store = await newStore()
    email = await AdministeredService.serve(store, '/email', await serveEmail(store))
    other = await serveEmail(store)
  })
  after(async () => {
    await other.close()
    await email.close()
  })

  const call = (
    headers: Record<string, string>,
    path: string,
    method = 'GET',
    body?: object,
    at = email.service,
  ) => send(`${at.baseUrl}${path}`, { method, headers, ...(body ? { body } : {}) })
  const withSession = ({ cookie, csrfToken }: TestSession) => ({ cookie, 'x-csrf-token': csrfToken })
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const client = async (id: string, secret: string) => bearer(await tokenFor(email.service, id, secret))
  const newReport = () => {
    const at = new Date(email.service.clock.now()).toISOString()
    return { report: crypto.randomUUID(), counts: [messages(at)] }
  }

  /** An API token of a new operator, and where the administration has both. */
  const tokenOf = async (operatorGrants: object[], tokenGrants = operatorGrants, lifetimeDays = 1) => {
    const who = { username: `operator-${crypto.randomUUID()}`, password: 'correct horse battery' }
    const { administration, owner } = email
    await administration.as(owner, 'POST', '/operators', { body: { ...who, grants: operatorGrants } })
    const session = await administration.logIn(who.username, who.password)
    const operator = `/operators/${who.username}`
    const created = await administration.as(session, 'POST', `${operator}/tokens`, {
      body: { name: 'console', grants: tokenGrants, lifetimeDays },
    })
    assert.equal(created.status, 201, created.text)
    return {
      headers: bearer(created.json.token),
      session,
      username: who.username,
      operator,
      token: `${operator}/tokens/${created.json.id}`,
    }
  }
  const change = (method: string, path: string, body?: object) =>
    email.administration.as(email.owner, method, path, {
      headers: { 'if-match': '*' },
      ...(body ? { body } : {}),
    })

  test('a session changes nothing without its CSRF token, or from another site', async () => {
    const { cookie, csrfToken } = email.owner
    const stranger = (await email.operator({ role: 'owner' })).csrfToken
    for (const forged of [
      { cookie },
      { cookie, 'x-csrf-token': stranger },
      { cookie, 'x-csrf-token': csrfToken, 'sec-fetch-site': 'cross-site' },
      { cookie, 'x-csrf-token': csrfToken, 'sec-fetch-site': 'same-site' },
    ]) {
      const { status, json } = await call(forged, statistics, 'POST', newReport())
      assert.equal(status, 403, JSON.stringify(json))
    }
    assert.equal((await call({ cookie }, domains)).status, 200, 'reading needs no CSRF token')
    const allowed = await call(withSession(email.owner), statistics, 'POST', newReport())
    assert.equal(allowed.status, 200, allowed.text)
  })

  test('an auditor reads, and changes nothing', async () => {
    for (const grant of [
      { role: 'auditor' },
      { role: 'auditor', service: 'email' },
      { role: 'auditor', service: 'email', account: '5584599' },
    ] as const) {
      const headers = withSession(await email.operator(grant))
      assert.equal((await call(headers, domains)).status, 200)
      const refused = await call(headers, statistics, 'POST', newReport())
      assert.equal(refused.status, 403, refused.text)
      assert.equal(refused.json.detail, 'Your grants do not allow you to change this.')
    }
  })

  test('an account that he may not see is answered as one that an API client may not see', async () => {
    const reader = await client('reader', 'r3ad')
    const one = withSession(await email.operator({ role: 'operator', service: 'email', account: '5584599' }))
    const elsewhere = withSession(await email.operator({ role: 'operator', service: 'backup' }))
    for (const path of ['/beta/accounts/other/ess/domains', '/beta/accounts/other/ess/domains/4']) {
      const expected = await call(reader, path)
      assert.equal(expected.status, 404)
      for (const headers of [one, elsewhere]) {
        const refused = await call(headers, path)
        const ofNobody = await call(headers, path.replace('other', 'nobody'))
        for (const { status, text, headers: replied } of [refused, ofNobody]) {
          assert.deepEqual([status, text], [expected.status, expected.text])
          assert.deepEqual(Object.keys(replied), Object.keys(expected.headers))
        }
      }
    }
    const written = await call(one, '/beta/accounts/other/ess/domains/4/statistics', 'POST', newReport())
    assert.equal(written.status, 404)
    assert.equal((await call(one, statistics, 'POST', newReport())).status, 200)
    assert.equal((await call(elsewhere, '/beta/accounts/ess')).status, 403)
  })

  test('the listing of accounts has those that he may see', async () => {
    const listed = async (headers: Record<string, string>) => {
      const { json } = await call(headers, '/beta/accounts/ess')
      return [json.itemsTotal, json.results.map(({ accountId }: { accountId: string }) => accountId)]
    }
    assert.deepEqual(await listed(withSession(email.owner)), [2, ['5584599', 'other']])
    const auditor = await email.operator({ role: 'auditor', service: 'email', account: 'other' })
    assert.deepEqual(await listed(withSession(auditor)), [1, ['other']])
  })

  test('a token opens what its own grants and those of its operator both allow', async () => {
    const ofOne = [{ role: 'operator', service: 'email', account: 'other' }]
    const narrow = await tokenOf([{ role: 'operator' }], ofOne)
    assert.equal((await call(narrow.headers, domains)).status, 404)
    assert.equal((await call(narrow.headers, '/beta/accounts/other/ess/domains')).status, 200)
    const wide = await tokenOf([{ role: 'auditor', service: 'email' }], [{ role: 'operator' }])
    assert.equal((await call(wide.headers, domains)).status, 200)
    assert.equal((await call(wide.headers, statistics, 'POST', newReport())).status, 403)
  })

  test('what is taken from an operator is gone with the next call, on every server', async () => {
    const grants = [{ role: 'operator', service: 'email' }]
    const both = (headers: Record<string, string>) =>
      Promise.all(
        [email.service, other].map(async (at) => (await call(headers, domains, 'GET', undefined, at)).status),
      )
    const withdrawn = await tokenOf(grants)
    assert.deepEqual(await both(withdrawn.headers), [200, 200])
    await change('DELETE', withdrawn.token)
    assert.deepEqual(await both(withdrawn.headers), [401, 401])

    const removed = await tokenOf(grants)
    assert.deepEqual(await both(removed.headers), [200, 200])
    assert.deepEqual(await both({ cookie: removed.session.cookie }), [200, 200])
    await change('DELETE', removed.operator)
    assert.deepEqual(await both(removed.headers), [401, 401])
    assert.deepEqual(await both({ cookie: removed.session.cookie }), [401, 401])

    const disabled = await tokenOf(grants)
    await change('PATCH', disabled.operator, { isDisabled: true })
    assert.deepEqual(await both(disabled.headers), [401, 401])

    const degraded = await tokenOf(grants)
    await change('PATCH', degraded.operator, {
      grants: [{ role: 'operator', service: 'email', account: 'other' }],
    })
    assert.deepEqual(await both(degraded.headers), [404, 404])
  })

  test('a token of a client opens nothing of the administration, and a wrong one of an operator nothing here', async () => {
    const ofClient = await tokenFor(email.service, 'checker', 'ch3ck')
    assert.equal((await email.administration.with(ofClient, 'GET', '/email/accounts')).status, 401)
    const wrong = await call(bearer('palisade_wrong'), domains)
    assert.equal(wrong.status, 401)
    assert.equal(wrong.headers['www-authenticate'], 'Bearer realm="palisade", error="invalid_token"')
    const beside = await call({ ...bearer('wrong'), cookie: email.owner.cookie }, domains)
    assert.equal(beside.status, 401, 'a cookie makes no wrong token right')
  })

  test('a token that has expired opens nothing any more', async () => {
    const { headers } = await tokenOf([{ role: 'operator' }])
    email.service.clock.advance(dayMs - 1)
    assert.equal((await call(headers, domains)).status, 200)
    email.service.clock.advance(1)
    assert.equal((await call(headers, domains)).status, 401)
  })
})
