import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { compareAsEnglish, onEveryStore, send } from '@palisade/platform/testing'
import { configuration, serveEmail, type TestService, tokenFor } from './testing/email-service.ts'

onEveryStore('the paged listing of domains', (newStore) => {
  let served: TestService
  let token: string
  before(async () => {
    served = await serveEmail(await newStore())
    token = await tokenFor(served, 'both', 'b0th')
  })
  after(() => served.close())

  const address = (account: string, query = '') =>
    `${served.baseUrl}/beta/accounts/${account}/ess/domains${query}`
  const list = (query = '', account = '5584599') =>
    send(address(account, query), { headers: { authorization: `Bearer ${token}` } })

  test('refuses a call without a valid token, and says how to get in (RFC 6750, section 3)', async () => {
    const cases: [headers: Record<string, string>, challenge: string][] = [
      [{}, 'Bearer realm="palisade"'],
      [{ authorization: '' }, 'Bearer realm="palisade"'],
      [{ authorization: 'Bearer' }, 'Bearer realm="palisade"'],
      [{ authorization: `Basic ${token}` }, 'Bearer realm="palisade"'],
      [{ authorization: token }, 'Bearer realm="palisade"'],
      [{ authorization: `Bearer ${token} ${token}` }, 'Bearer realm="palisade"'],
      [{ authorization: `Bearer ${token.toUpperCase()}` }, 'Bearer realm="palisade", error="invalid_token"'],
      [{ authorization: `Bearer ${token}x` }, 'Bearer realm="palisade", error="invalid_token"'],
      [{ authorization: 'Bearer \'" OR 1=1' }, 'Bearer realm="palisade"'],
      [{ authorization: "Bearer '--" }, 'Bearer realm="palisade", error="invalid_token"'],
    ]
    for (const [headers, challenge] of cases) {
      const reply = await send(address('5584599'), { headers })
      assert.equal(reply.status, 401, JSON.stringify(headers))
      assert.equal(reply.headers['www-authenticate'], challenge, JSON.stringify(headers))
      assert.equal(reply.headers['content-type'], 'application/problem+json; charset=utf-8')
      assert.deepEqual(Object.keys(reply.json), ['type', 'title', 'status', 'detail'])
    }
    assert.equal((await send(address('5584599', `?access_token=${token}`))).status, 401)
  })

  test('refuses a token without the scope', async () => {
    const powerless = await tokenFor(served, 'powerless', 'p0wer')
    const { status, headers, json } = await send(address('5584599'), {
      headers: { authorization: `Bearer ${powerless}` },
    })
    assert.equal(status, 403)
    assert.equal(
      headers['www-authenticate'],
      'Bearer realm="palisade", error="insufficient_scope", scope="ess:account:read"',
    )
    assert.equal(json.title, 'Forbidden')
  })

  test('answers a foreign account and an unknown one with the same 404', async () => {
    const reader = await tokenFor(served, 'reader', 'r3ad')
    const ask = (account: string, by: string) =>
      send(address(account), { headers: { authorization: `Bearer ${by}` } })
    const unknown = await ask('nowhere', reader)
    assert.equal(unknown.status, 404)
    for (const [account, by] of [
      ['other', reader],
      ['gone', token],
      ['%00', token],
      ['5584599%20', token],
      ['5584599%2F..%2F5584599', token],
      ["'%20OR%20''='", token],
    ] as const) {
      const { status, text } = await ask(account, by)
      assert.deepEqual([status, text], [404, unknown.text], account)
    }
  })

  test('checks token, then account, then paging', async () => {
    assert.equal((await send(address('other', '?page=x'))).status, 401)
    assert.equal((await list('?page=x', 'nowhere')).status, 404)
    assert.equal((await list('?page=x')).status, 400)
  })

  test('refuses page and size that are no integers in their limits, naming the parameter', async () => {
    const wrong = [
      '-1',
      '101',
      '1000000000000',
      '1.0',
      '1.5',
      '1e1',
      '0x1',
      '+1',
      '%2B1',
      '-0',
      'a',
      'null',
      '',
      '%20',
      '1%20',
      '1,2',
      '%00',
      '%D9%A1',
      'true',
      '[1]',
    ]
    let ran = 0
    for (const name of ['page', 'size']) {
      for (const value of [...wrong, ...(name === 'size' ? ['0', '00'] : [])]) {
        const { status, json, headers } = await list(`?${name}=${value}`)
        assert.equal(status, 400, `${name}=${value}`)
        assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
        const limits = name === 'page' ? '0 to 100' : '1 to 100'
        assert.deepEqual(json, {
          type: 'about:blank',
          title: 'Bad Request',
          status: 400,
          detail: `The parameter ${name} must be an integer from ${limits}.`,
          parameter: name,
        })
        ran++
      }
      for (const query of [`?${name}=1&${name}=1`, `?${name}=1&${name}=2`, `?${name}=&${name}=1`]) {
        const { status, json } = await list(query)
        assert.deepEqual([status, json.parameter], [400, name], query)
        assert.equal(json.detail, `The parameter ${name} may be given once only.`)
      }
    }
    assert.equal(ran, 2 * wrong.length + 2)
  })

  test('answers to GET only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) {
      const { status, headers } = await send(address('5584599'), { method })
      assert.deepEqual([status, headers.allow], [405, 'GET'], method)
    }
    const { status, json } = await send(`${served.baseUrl}/v2/accounts/5584599/ess/domains`)
    assert.deepEqual([status, json.title], [404, 'Not Found'])
  })

  test('"4 items give 1 page at the default size and 2 pages at size 2"', async () => {
    const { status, headers, json } = await list()
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(json, {
      resultsCount: 4,
      pageNum: 0,
      itemsTotal: 4,
      pagesTotal: 1,
      results: [
        { domainId: 491, domainName: 'a.example.org', status: 'UNVERIFIED', type: 'ESS' },
        { domainId: 4, domainName: 'example.org', status: 'VERIFIED', type: 'ESS' },
        { domainId: 1000, domainName: 'mail.example.com', status: 'VERIFIED', type: 'ESS' },
        { domainId: 2346, domainName: 'zebra.example', status: 'DISABLED', type: 'CPL' },
      ],
    })
    const first = await list('?size=2')
    assert.deepEqual(
      [first.json.resultsCount, first.json.pageNum, first.json.itemsTotal, first.json.pagesTotal],
      [2, 0, 4, 2],
    )
    const second = await list('?page=1&size=2')
    assert.deepEqual([second.json.resultsCount, second.json.pageNum, second.json.pagesTotal], [2, 1, 2])
    assert.deepEqual([...first.json.results, ...second.json.results], json.results)
  })

  test('"resultsCount: number of items in this page", on the last page and past the end', async () => {
    const third = (await list('?page=1&size=3')).json
    assert.deepEqual(
      [third.resultsCount, third.itemsTotal, third.pagesTotal, third.results.length],
      [1, 4, 2, 1],
    )
    for (const page of [1, 4, 100]) {
      const { status, json } = await list(`?page=${page}`)
      assert.equal(status, 200)
      assert.deepEqual(json, { resultsCount: 0, pageNum: page, itemsTotal: 4, pagesTotal: 1, results: [] })
    }
  })

  test('"page: default 0, minimum 0, maximum 100", "size: default 10, minimum 1, maximum 100"', async () => {
    for (const query of [
      '?page=0',
      '?page=100',
      '?size=1',
      '?size=100',
      '?page=100&size=100',
      '?page=00&size=010',
    ]) {
      assert.equal((await list(query)).status, 200, query)
    }
    assert.deepEqual((await list('?page=0&size=10')).json, (await list()).json)
    assert.equal((await list('?size=1')).json.pagesTotal, 4)
  })

  test('lists an account without domains as no pages', async () => {
    const expected = { resultsCount: 0, pageNum: 0, itemsTotal: 0, pagesTotal: 0, results: [] }
    assert.deepEqual((await list('', 'other')).json, expected)
  })

  test('"Paging is optional", and other parameters change nothing', async () => {
    assert.deepEqual((await list('?pages=9&Page=9&page[]=9&__proto__=9')).json, (await list()).json)
  })

  test('"Authorization with the value Bearer", whose case does not matter', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
      const { status } = await send(address('5584599'), { headers: { authorization: `${scheme} ${token}` } })
      assert.equal(status, 200, scheme)
    }
  })

  test('visits each of many domains once when paged through, whatever the size', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `d${(index * 37) % 101}.example.net`)
    const domains = names.map((name, index) => ({
      id: index + 1,
      name,
      status: 'VERIFIED' as const,
      type: 'ESS' as const,
    }))
    const many = await serveEmail(await newStore(), {
      ...configuration,
      accounts: [{ id: '5584599', name: 'Many', region: 'US', domains }],
    })
    const reader = await tokenFor(many, 'reader', 'r3ad')
    for (const size of [7, 10, 100]) {
      const visited: string[] = []
      for (let page = 0, pages = 1; page < pages; page++) {
        const url = `${many.baseUrl}/beta/accounts/5584599/ess/domains?page=${page}&size=${size}`
        const { json } = await send(url, { headers: { authorization: `Bearer ${reader}` } })
        pages = json.pagesTotal
        visited.push(...json.results.map((domain: { domainName: string }) => domain.domainName))
      }
      assert.deepEqual(visited, [...names].sort(), `size ${size}`)
    }
    await many.close()
  })

  test('orders names by their characters, whatever language the database was made for', async () => {
    const names = ['B.example', 'a-b.example', 'a.b.example', 'ab.example', 'b.example', 'ä.example']
    const domains = names.map(
      (name, index) => ({ id: index + 1, name, status: 'VERIFIED', type: 'ESS' }) as const,
    )
    const store = await newStore()
    const sorted = await serveEmail(store, {
      ...configuration,
      accounts: [{ id: '5584599', name: 'Sorted', region: 'US', domains: domains.toReversed() }],
    })
    await compareAsEnglish(store, 'email_domain', 'name')
    const { json } = await send(`${sorted.baseUrl}/beta/accounts/5584599/ess/domains`, {
      headers: { authorization: `Bearer ${await tokenFor(sorted, 'reader', 'r3ad')}` },
    })
    assert.deepEqual(
      json.results.map(({ domainName }: { domainName: string }) => domainName),
      names,
    )
    await sorted.close()
  })

  test('describes itself with the limits of the specification', () => {
    const document = JSON.parse(JSON.stringify(served.openApiDocument()))
    const { parameters } = document.paths['/beta/accounts/{account_id}/ess/domains'].get
    const paging = parameters
      .filter((parameter: { in: string }) => parameter.in === 'query')
      .map((parameter: { name: string; required: boolean; schema: object }) => [
        parameter.name,
        parameter.required,
        parameter.schema,
      ])
    assert.deepEqual(paging, [
      ['page', false, { type: 'integer', default: 0, minimum: 0, maximum: 100 }],
      ['size', false, { type: 'integer', default: 10, minimum: 1, maximum: 100 }],
    ])
  })
})
