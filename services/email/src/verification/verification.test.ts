import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import { call, configuration, serveEmail, type TestService, tokenFor } from '../testing/email-service.ts'

onEveryStore('domains and their verification', (newStore) => {
  let served: TestService
  before(async () => {
    served = await serveEmail(await newStore())
  })
  after(() => served.close())

  /** The three addresses of a domain, with the method and the scope of each. */
  const operations = [
    ['GET', '', 'ess:account:read'],
    ['GET', '/verification', 'ess:account:read'],
    ['POST', '/verification/check', 'ess:account:write'],
  ] as const

  const ask = (method: string, path: string, token?: string) =>
    send(`${served.baseUrl}/beta/accounts/${path}`, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })

  test('refuses in the order token, scope, account, domain', async () => {
    const powerless = await tokenFor(served, 'powerless', 'p0wer')
    const checker = await tokenFor(served, 'checker', 'ch3ck')
    for (const [method, path, scope] of operations) {
      const unknown = `nowhere/ess/domains/nothing${path}`
      const without = await ask(method, unknown)
      assert.equal(without.status, 401)
      assert.equal(without.headers['www-authenticate'], 'Bearer realm="palisade"')
      assert.equal((await ask(method, unknown, 'no-token')).status, 401)

      const refused = await ask(method, unknown, powerless)
      assert.equal(refused.status, 403)
      const challenge = `Bearer realm="palisade", error="insufficient_scope", scope="${scope}"`
      assert.equal(refused.headers['www-authenticate'], challenge)

      const noAccount = await ask(method, unknown, checker)
      assert.deepEqual([noAccount.status, noAccount.json.detail], [404, 'There is no such account.'])
      const noDomain = await ask(method, `5584599/ess/domains/nothing${path}`, checker)
      assert.deepEqual([noDomain.status, noDomain.json.detail], [404, 'There is no such domain.'])
      assert.equal(noDomain.headers['content-type'], 'application/problem+json; charset=utf-8')
    }
  })

  test('lets nobody who may only read have DNS asked', async () => {
    const reader = await tokenFor(served, 'reader', 'r3ad')
    const path = '5584599/ess/domains/491/verification'
    assert.equal((await ask('GET', path, reader)).status, 200)
    assert.equal((await ask('POST', `${path}/check`, reader)).status, 403)
  })

  test('answers every domain that is not there with the same 404', async () => {
    const names = [
      '5',
      '00',
      '9007199254740993',
      '1e3',
      '-4',
      '+4',
      '4 ',
      'Example.org',
      'example.org.',
      '\0',
    ]
    const others = ['zebra.example2', "' OR ''='", 'x'.repeat(1500), `${'9'.repeat(400)}`, ' 4']
    const token = await tokenFor(served, 'checker', 'ch3ck')
    const first = await ask('GET', '5584599/ess/domains/6', token)
    for (const name of [...names, ...others]) {
      const { status, text } = await ask('GET', `5584599/ess/domains/${encodeURIComponent(name)}`, token)
      assert.deepEqual([status, text], [404, first.text], name)
    }
    assert.equal((await ask('GET', 'other/ess/domains/4', token)).text, first.text)
  })

  test('answers to the methods of each address only', async () => {
    for (const [method, path] of operations) {
      for (const other of ['GET', 'POST', 'PUT', 'DELETE'].filter((one) => one !== method)) {
        const { status, headers } = await ask(other, `5584599/ess/domains/4${path}`)
        assert.deepEqual([status, headers.allow], [405, method], `${other} ${path}`)
      }
    }
  })

  test('"one domain record, no envelope", by its id or by its name', async () => {
    const record = { domainId: 4, domainName: 'example.org', status: 'VERIFIED', type: 'ESS' }
    for (const domain of ['4', '004', 'example.org']) {
      const { status, json } = await call(served, `5584599/ess/domains/${domain}`)
      assert.deepEqual([status, json], [200, record], domain)
    }
  })

  test('does not ask DNS for a domain whose status is configured', async () => {
    for (const [domain, status] of [
      ['example.org', 'VERIFIED'],
      ['zebra.example', 'DISABLED'],
    ]) {
      const path = `5584599/ess/domains/${domain}/verification`
      const { json } = await call(served, path)
      assert.deepEqual([json.status, json.records], [status, []])
      const never = { requestedAt: null, lookedAt: null, nextLookAt: null, verifiedAt: null, failure: null }
      for (const [member, value] of Object.entries(never)) assert.equal(json[member], value, member)
      const refused = await call(served, `${path}/check`, 'POST')
      assert.deepEqual([refused.status, refused.json.title], [409, 'Conflict'])
    }
  })

  test('says which record to set, and when it will be looked for', async () => {
    const { status, json } = await call(served, '5584599/ess/domains/491/verification')
    assert.equal(status, 200)
    const { records, nextLookAt, ...others } = json
    assert.deepEqual(others, {
      domainId: 491,
      domainName: 'a.example.org',
      status: 'UNVERIFIED',
      requestedAt: '2030-01-01T00:00:00.000Z',
      lookedAt: null,
      verifiedAt: null,
      failure: null,
    })
    assert.deepEqual(
      records.map(({ type, name }: Record<string, unknown>) => [type, name]),
      [['TXT', 'a.example.org']],
    )
    assert.match(records[0].value, /^palisade-domain-verification=[0-9a-f]{40}$/)
    const wait = Date.parse(nextLookAt) - served.clock.now()
    assert.ok(wait > 0 && wait <= 15 * 60_000, nextLookAt)
  })

  test('keeps as a sentence that nobody answered, and asks once in a minute at most', async () => {
    const path = '5584599/ess/domains/491/verification/check'
    const { status, json } = await call(served, path, 'POST')
    assert.equal(status, 200)
    assert.deepEqual(
      [json.status, json.lookedAt, json.failure],
      [
        'UNVERIFIED',
        new Date(served.clock.now()).toISOString(),
        'The TXT records at a.example.org are not known: no name server can be reached.',
      ],
    )
    served.clock.advance(59_001)
    const refused = await call(served, path, 'POST')
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
    assert.equal(refused.json.title, 'Too Many Requests')
    served.clock.advance(999)
    assert.equal((await call(served, path, 'POST')).status, 200)
  })

  test('says so when DNS can have no domain of the name', async () => {
    const [account] = configuration.accounts
    assert.ok(account)
    const domains = [{ id: 1, name: 'no name', status: 'UNVERIFIED', type: 'ESS' } as const]
    const odd = await serveEmail(await newStore(), {
      ...configuration,
      accounts: [{ ...account, domains }],
    })
    const { json } = await call(odd, '5584599/ess/domains/no%20name/verification/check', 'POST')
    assert.deepEqual([json.records, json.failure], [[], 'DNS can have no domain of this name.'])
    await odd.close()
  })
})
