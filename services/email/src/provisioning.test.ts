import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import { Compile } from 'typebox/compile'
import { type EmailConfiguration, EmailConfigurationSchema } from './configuration.ts'
import {
  fourDomains,
  serveEmail,
  type TestService,
  tokenFor,
  configuration as wholeConfiguration,
} from './testing/email-service.ts'

const configuration: EmailConfiguration = {
  ...wholeConfiguration,
  apiClients: wholeConfiguration.apiClients.filter(({ clientId }) => clientId === 'reader'),
}

const form = Compile(EmailConfigurationSchema)

async function listed(served: TestService): Promise<[id: number, name: string, status: string][]> {
  const token = await tokenFor(served, 'reader', 'r3ad')
  const url = `${served.baseUrl}/beta/accounts/5584599/ess/domains`
  const { json } = await send(url, { headers: { authorization: `Bearer ${token}` } })
  return json.results.map(({ domainId, domainName, status }: Record<string, unknown>) => [
    domainId,
    domainName,
    status,
  ])
}

/** The usual configuration with other domains in its first account. */
function withDomains(domains: typeof fourDomains): EmailConfiguration {
  const [account, ...others] = configuration.accounts
  assert.ok(account)
  return { ...configuration, accounts: [{ ...account, domains }, ...others] }
}

const [example, ...rest] = fourDomains
assert.ok(example)

onEveryStore('provisioning of mail accounts', (newStore) => {
  test('refuses what is given twice, and names the place', async () => {
    const store = await newStore()
    const [account] = configuration.accounts
    assert.ok(account)
    const cases: [EmailConfiguration, RegExp][] = [
      [{ ...configuration, accounts: [account, account] }, /email\.accounts\.1 repeats an id/],
      [withDomains([example, { ...example, name: 'b' }]), /email\.accounts\.0\.domains\.1 repeats an id/],
      [
        withDomains([...rest, example, { ...example, id: 9 }]),
        /email\.accounts\.0\.domains\.4 repeats a name/,
      ],
    ]
    for (const [invalid, message] of cases) await assert.rejects(serveEmail(store, invalid), message)
  })

  test('takes every id of a domain that is told exactly, and no larger one', async () => {
    const largest = withDomains([{ ...example, id: Number.MAX_SAFE_INTEGER }])
    assert.equal(form.Check({ ...largest, apiClients: [] }), true)
    assert.equal(
      form.Check({ ...withDomains([{ ...example, id: Number.MAX_SAFE_INTEGER + 1 }]), apiClients: [] }),
      false,
    )
    const served = await serveEmail(await newStore(), largest)
    assert.deepEqual(await listed(served), [[Number.MAX_SAFE_INTEGER, example.name, example.status]])
    await served.close()
  })

  test('refuses to give a domain another id than it has', async () => {
    const store = await newStore()
    await (await serveEmail(store, configuration)).close()
    await assert.rejects(serveEmail(store, withDomains([{ ...example, id: 9 }])), {
      message:
        'The configuration of email is not valid:\n' +
        '  email.accounts.0.domains.0.id must be 4, which the domain has in the database',
    })
    const served = await serveEmail(store, configuration)
    assert.equal((await listed(served)).length, 4)
    await served.close()
  })

  test('gives domains the names of others, in whatever order they are named', async () => {
    const store = await newStore()
    const named = (...names: string[]) =>
      withDomains(names.map((name, index) => ({ ...example, id: index + 1, name })))
    for (const names of [
      ['a.example', 'b.example', 'c.example'],
      ['b.example', 'c.example', 'd.example'],
      ['c.example', 'd.example', 'b.example'],
    ]) {
      const served = await serveEmail(store, named(...names))
      const byId = (await listed(served)).toSorted(([one], [other]) => one - other)
      assert.deepEqual(
        byId.map(([, name]) => name),
        names,
      )
      await served.close()
    }
  })

  test('gives a client the accounts that it is given, however their ids are written', async () => {
    const ids = ['acme', 'corp', 'acme corp', ' ', '"acme"', '["acme"]', 'acme,corp', 'ünïcö\t🔑']
    const accounts = ids.map((id) => ({ id, name: id, region: 'US', domains: [] }))
    const scopes = ['ess:account:read' as const]
    const clients = ids.map((id) => ({
      clientId: `of ${id}`,
      clientSecret: 's3cret',
      accounts: [id],
      scopes,
    }))
    const served = await serveEmail(await newStore(), { ...configuration, accounts, apiClients: clients })
    for (const own of ids) {
      const token = await tokenFor(served, `of ${own}`, 's3cret')
      for (const id of ids) {
        const { status } = await send(
          `${served.baseUrl}/beta/accounts/${encodeURIComponent(id)}/ess/domains`,
          { headers: { authorization: `Bearer ${token}` } },
        )
        assert.equal(status, id === own ? 200 : 404, `${own} lists ${id}`)
      }
    }
    await served.close()
  })

  test('changes nothing when it is applied again, and tokens stay valid', async () => {
    const store = await newStore()
    const first = await serveEmail(store, configuration)
    const before = await listed(first)
    const token = await tokenFor(first, 'reader', 'r3ad')
    await first.close()
    const second = await serveEmail(store, configuration, first.clock)
    assert.deepEqual(await listed(second), before)
    const url = `${second.baseUrl}/beta/accounts/5584599/ess/domains`
    assert.equal((await send(url, { headers: { authorization: `Bearer ${token}` } })).status, 200)
    await second.close()
  })

  test('updates what it names, adds what is new and deletes nothing', async () => {
    const store = await newStore()
    await (await serveEmail(store, configuration)).close()
    const served = await serveEmail(
      store,
      withDomains([
        { ...example, name: 'renamed.example', status: 'DISABLED' },
        { id: 5, name: 'new.example', status: 'UNVERIFIED', type: 'ESS' },
      ]),
    )
    assert.deepEqual(await listed(served), [
      [491, 'a.example.org', 'UNVERIFIED'],
      [1000, 'mail.example.com', 'VERIFIED'],
      [5, 'new.example', 'UNVERIFIED'],
      [4, 'renamed.example', 'DISABLED'],
      [2346, 'zebra.example', 'DISABLED'],
    ])
    await served.close()
  })

  test('takes twenty thousand domains in some seconds, and changes none when it is applied again', async () => {
    const store = await newStore()
    const many = withDomains(
      Array.from({ length: 20_000 }, (_, index) => ({
        id: index + 1,
        name: `d${index}.example`,
        status: index % 10 === 0 ? ('UNVERIFIED' as const) : ('VERIFIED' as const),
        type: 'ESS' as const,
      })),
    )
    const since = performance.now()
    await (await serveEmail(store, many)).close()
    const served = await serveEmail(store, many)
    const tookMs = performance.now() - since
    const { json } = await send(`${served.baseUrl}/beta/accounts/5584599/ess/domains?page=1&size=100`, {
      headers: { authorization: `Bearer ${await tokenFor(served, 'reader', 'r3ad')}` },
    })
    assert.equal(json.itemsTotal, 20_000)
    assert.equal(json.results.length, 100)
    // One statement for each domain took 14 s on PostgreSQL.
    assert.ok(tookMs < 8_000, `${tookMs} ms`)
    await served.close()
  })

  test('ends the tokens of a client whose secret it changes', async () => {
    const store = await newStore()
    const first = await serveEmail(store, configuration)
    const token = await tokenFor(first, 'reader', 'r3ad')
    await first.close()
    const apiClients = configuration.apiClients.map((client) => ({
      ...client,
      clientSecret: `${client.clientSecret}!`,
    }))
    const second = await serveEmail(store, { ...configuration, apiClients }, first.clock)
    const url = `${second.baseUrl}/beta/accounts/5584599/ess/domains`
    assert.equal((await send(url, { headers: { authorization: `Bearer ${token}` } })).status, 401)
    await second.close()
  })

  test('keeps the same domain of two accounts apart', async () => {
    const store = await newStore()
    const accounts = ['5584599', 'other'].map((id) => ({
      id,
      name: id,
      region: 'US',
      domains: [{ ...example }],
    }))
    const served = await serveEmail(store, { ...configuration, accounts })
    assert.deepEqual(await listed(served), [[4, 'example.org', 'VERIFIED']])
    await served.close()
  })
})
