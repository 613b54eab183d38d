import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareAsEnglish, onEveryStore, send } from '@palisade/platform/testing'
import type { EmailConfiguration } from './configuration.ts'
import { configuration, serveEmail, type TestService, tokenFor } from './testing/email-service.ts'

type Account = EmailConfiguration['accounts'][number]

async function list(served: TestService, query = '', who: [string, string] = ['both', 'b0th']) {
  return send(`${served.baseUrl}/beta/accounts/ess${query}`, {
    headers: { authorization: `Bearer ${await tokenFor(served, ...who)}` },
  })
}

onEveryStore('the paged listing of accounts', (newStore) => {
  /** The service with these accounts, all of which the client "both" has a part in. */
  const serveAccounts = async (accounts: Account[], ids = accounts.map(({ id }) => id)) => {
    const apiClients = configuration.apiClients.map((client) =>
      client.clientId === 'both' ? { ...client, accounts: ids } : client,
    )
    const store = await newStore()
    return { store, served: await serveEmail(store, { ...configuration, accounts, apiClients }) }
  }

  test('has the accounts of the client that exist, and no others', async () => {
    const served = await serveEmail(await newStore())
    const example = { accountName: 'Example', accountId: '5584599', region: 'US', status: 'ACTIVE' }
    const other = { accountName: 'Other', accountId: 'other', region: 'UK', status: 'ACTIVE' }
    const envelope = { pageNum: 0, pagesTotal: 1 }
    const both = await list(served)
    assert.equal(both.status, 200)
    assert.equal(both.headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(both.json, { ...envelope, resultsCount: 2, itemsTotal: 2, results: [example, other] })
    const one = await list(served, '', ['reader', 'r3ad'])
    assert.deepEqual(one.json, { ...envelope, resultsCount: 1, itemsTotal: 1, results: [example] })
    await served.close()
  })

  test('refuses a call without a token, without the scope, or with a wrong page; in this order', async () => {
    const served = await serveEmail(await newStore())
    const url = `${served.baseUrl}/beta/accounts/ess?page=x`
    const anonymous = await send(url)
    assert.equal(anonymous.status, 401)
    assert.equal(anonymous.headers['www-authenticate'], 'Bearer realm="palisade"')
    const powerless = await list(served, '?page=x', ['powerless', 'p0wer'])
    assert.equal(powerless.status, 403)
    assert.match(String(powerless.headers['www-authenticate']), /insufficient_scope.*ess:account:read/)
    for (const [query, parameter] of [
      ['?page=x', 'page'],
      ['?page=101', 'page'],
      ['?size=0', 'size'],
      ['?size=1&size=1', 'size'],
    ]) {
      const { status, json } = await list(served, query)
      assert.deepEqual([status, json.parameter], [400, parameter], query)
    }
    const { status, headers } = await send(url, { method: 'POST' })
    assert.deepEqual([status, headers.allow], [405, 'GET'])
    await served.close()
  })

  test('is empty for a client that has no account, or none that could exist', async () => {
    for (const ids of [[], ['\0'], ['gone', '\ud800']]) {
      const { served } = await serveAccounts([], ids)
      const empty = { resultsCount: 0, pageNum: 0, itemsTotal: 0, pagesTotal: 0, results: [] }
      const { status, json } = await list(served)
      assert.deepEqual([status, json], [200, empty])
      await served.close()
    }
  })

  test('has no addresses below an account that cannot exist, also for a client that names it', async () => {
    const { served } = await serveAccounts([], ['\0'])
    const headers = { authorization: `Bearer ${await tokenFor(served, 'both', 'b0th')}` }
    const { status, json } = await send(`${served.baseUrl}/beta/accounts/%00/ess/domains`, { headers })
    assert.deepEqual([status, json.detail], [404, 'There is no such account.'])
    await served.close()
  })

  test('visits each account once, by name and then by id, whatever the size and the language', async () => {
    const names = ['B', 'a b', 'a-b', 'ab', 'same', 'same', 'same', 'ä']
    const accounts = names.map((name, index) => ({ id: `id ${index}`, name, region: 'US', domains: [] }))
    const { store, served } = await serveAccounts(accounts.toReversed())
    await compareAsEnglish(store, 'email_account', 'name')
    for (const size of [1, 3, 8]) {
      const visited: string[] = []
      for (let page = 0, pages = 1; page < pages; page++) {
        const { json } = await list(served, `?page=${page}&size=${size}`)
        pages = json.pagesTotal
        visited.push(...json.results.map(({ accountId }: { accountId: string }) => accountId))
      }
      const ids = accounts.map(({ id }) => id)
      assert.deepEqual(visited, ids, `size ${size}`)
    }
    await served.close()
  })

  test('has all accounts of a client that has a part in very many', async () => {
    const account = { id: 'last', name: 'Last', region: 'US', domains: [] }
    const ids = [...Array.from({ length: 70_000 }, (_, index) => `account ${index}`), 'last']
    const { served } = await serveAccounts([account], ids)
    const { status, json } = await list(served)
    assert.deepEqual([status, json.itemsTotal, json.results?.[0]?.accountName], [200, 1, 'Last'])
    await served.close()
  })

  test('tells the status that is configured: ACTIVE, with the id for a name, where nothing is said', async () => {
    const { served } = await serveAccounts([
      { id: '1', region: 'UK', domains: [] },
      { id: '2', name: 'Late payer', region: 'US', status: 'SUSPENDED', domains: [] },
    ])
    const { json } = await list(served)
    assert.deepEqual(json.results, [
      { accountName: '1', accountId: '1', region: 'UK', status: 'ACTIVE' },
      { accountName: 'Late payer', accountId: '2', region: 'US', status: 'SUSPENDED' },
    ])
    await served.close()
  })

  test('leaves an account whose id is ess its own addresses', async () => {
    const { served } = await serveAccounts([{ id: 'ess', region: 'US', domains: [] }])
    const headers = { authorization: `Bearer ${await tokenFor(served, 'both', 'b0th')}` }
    const { status, json } = await send(`${served.baseUrl}/beta/accounts/ess/ess/domains`, { headers })
    assert.deepEqual([status, json.itemsTotal], [200, 0])
    await served.close()
  })
})
