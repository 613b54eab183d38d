import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '../database/migrate.ts'
import type { Store } from '../database/store.ts'
import { Passwords } from '../secrets/passwords.ts'
import { digestOf } from '../secrets/tokens.ts'
import { settableClock } from '../testing/settable-clock.ts'
import { onEveryStore } from '../testing/stores.ts'
import { apiClientResource } from './api-client-resource.ts'
import {
  type ApiClient,
  ClientCredentials,
  type IssuedToken,
  type TokenFailure,
} from './client-credentials.ts'
import { type OAuthTables, oauthMigrations } from './tables.ts'

const passwords = new Passwords()
const hourMs = 3_600_000

const client: ApiClient = {
  clientId: 'robot',
  clientSecret: 'correct',
  accounts: ['acme', '5584599'],
  scopes: ['read', 'write'],
}

async function credentialsOn(store: Store, service = 'demo') {
  await migrate(store, 'oauth', oauthMigrations)
  const clock = settableClock()
  return { clock, credentials: new ClientCredentials({ service, store, passwords, clock }) }
}

function tokenOf(issued: IssuedToken | TokenFailure): string {
  assert.ok(typeof issued !== 'string', String(issued))
  return issued.accessToken
}

onEveryStore('client credentials', (newStore) => {
  test('refuse a client that is unknown or says the wrong secret', async () => {
    const { credentials } = await credentialsOn(await newStore())
    await credentials.provision([client])
    for (const [id, secret] of [
      ['robot', 'wrong'],
      ['robot', ''],
      ['nobody', 'correct'],
      ['', ''],
      ['robot\0', 'correct'],
      ['\ud800', 'correct'],
      ['Robot', 'correct'],
    ] as const) {
      assert.equal(await credentials.issue(id, secret, []), 'invalid_client', JSON.stringify([id, secret]))
    }
  })

  test('refuse a scope that the client may not have', async () => {
    const { credentials } = await credentialsOn(await newStore())
    await credentials.provision([client])
    for (const scopes of [['admin'], ['read', 'admin'], ['READ'], ['read write']]) {
      assert.equal(await credentials.issue('robot', 'correct', scopes), 'invalid_scope', String(scopes))
    }
  })

  test('know nothing of a token that was made up, or of another service', async () => {
    const store = await newStore()
    const { credentials } = await credentialsOn(store)
    const { credentials: others } = await credentialsOn(store, 'other')
    await credentials.provision([client])
    await others.provision([client])
    const token = tokenOf(await credentials.issue('robot', 'correct', []))
    assert.equal(await others.grantOf(token), undefined)
    for (const guess of ['', 'x', '\0', token.slice(1), digestOf(token)]) {
      assert.equal(await credentials.grantOf(guess), undefined, JSON.stringify(guess))
    }
  })

  test('issue tokens for an hour with the scopes that were asked for, or with all', async () => {
    const { credentials, clock } = await credentialsOn(await newStore())
    await credentials.provision([client])
    const issued = await credentials.issue('robot', 'correct', ['write', 'write'])
    assert.ok(typeof issued !== 'string')
    assert.deepEqual([issued.expiresInSeconds, issued.scopes], [3600, ['write']])
    assert.match(issued.accessToken, /^[\w-]{43}$/)
    const all = tokenOf(await credentials.issue('robot', 'correct', []))
    const { expiresAt: _, ...grant } = { expiresAt: 0, ...(await credentials.grantOf(all)) }
    assert.deepEqual(grant, { clientId: 'robot', accounts: ['acme', '5584599'], scopes: ['read', 'write'] })

    clock.advance(hourMs - 1)
    assert.deepEqual((await credentials.grantOf(issued.accessToken))?.scopes, ['write'])
    clock.advance(1)
    assert.equal(await credentials.grantOf(issued.accessToken), undefined)
    assert.equal(await credentials.grantOf(all), undefined)
  })

  test('refuse a token that a clock issued which was ahead once the clock is right', async () => {
    const { credentials, clock } = await credentialsOn(await newStore())
    await credentials.provision([client])
    clock.advance(24 * hourMs)
    const late = tokenOf(await credentials.issue('robot', 'correct', []))
    clock.advance(-60_000)
    assert.ok(await credentials.grantOf(late), 'clocks of servers may differ by a minute')
    clock.advance(-1)
    assert.equal(await credentials.grantOf(late), undefined)
  })

  test('store neither secrets nor tokens, and clear out what has expired', async () => {
    const store = await newStore()
    const { credentials, clock } = await credentialsOn(store)
    await credentials.provision([client])
    const first = tokenOf(await credentials.issue('robot', 'correct', []))
    const tables = store.tables<OAuthTables>()
    const stored = JSON.stringify([
      await tables.selectFrom('oauth_client').selectAll().execute(),
      await tables.selectFrom('oauth_token').selectAll().execute(),
    ])
    assert.doesNotMatch(stored, /correct/)
    assert.ok(!stored.includes(first) && stored.includes(digestOf(first)))
    clock.advance(hourMs)
    const second = tokenOf(await credentials.issue('robot', 'correct', []))
    const left = await tables.selectFrom('oauth_token').select('digest').execute()
    assert.deepEqual(
      left.map(({ digest }) => digest),
      [digestOf(second)],
    )
  })

  test('keep tokens when the same is provisioned again, and serve them after a restart', async () => {
    const store = await newStore()
    const { credentials } = await credentialsOn(store)
    await credentials.provision([client])
    const token = tokenOf(await credentials.issue('robot', 'correct', []))
    await credentials.provision([client])
    assert.ok(await credentials.grantOf(token))
    const { credentials: restarted } = await credentialsOn(store)
    await restarted.provision([client])
    assert.deepEqual((await restarted.grantOf(token))?.accounts, client.accounts)
  })

  test('refuse clients that are given twice, and name each of them', async () => {
    const { credentials } = await credentialsOn(await newStore())
    const other = { ...client, clientSecret: 'other' }
    await assert.rejects(credentials.provision([client, { ...client, clientId: 'another' }, other, other]), {
      message: [
        'The configuration of demo is not valid:',
        '  demo.apiClients.2 repeats a clientId',
        '  demo.apiClients.3 repeats a clientId',
      ].join('\n'),
    })
    assert.equal(await credentials.issue('robot', 'correct', []), 'invalid_client')
  })

  test('issue no token for a secret that another server changes while it is checked', async () => {
    const store = await newStore()
    const { credentials, clock } = await credentialsOn(store)
    await credentials.provision([client])
    const changed = { ...client, clientSecret: 'changed' }
    class Slow extends Passwords {
      override async matches(password: string, stored: string | undefined) {
        const matched = await super.matches(password, stored)
        await credentials.provision([changed])
        return matched
      }
    }
    const slow = new ClientCredentials({ service: 'demo', store, passwords: new Slow(), clock })
    assert.equal(await slow.issue('robot', 'correct', []), 'invalid_client')
    assert.ok(tokenOf(await slow.issue('robot', 'changed', [])))
  })

  test('end a token with the former secret also when the secret is changed while it is checked', async () => {
    const store = await newStore()
    const { credentials, clock } = await credentialsOn(store)
    await credentials.provision([client])
    const existingAccounts = async (_tables: unknown, accounts: readonly string[]) => new Set(accounts)
    const deps = { service: 'demo', scopes: client.scopes, credentials, passwords, clock, existingAccounts }
    const [action] = apiClientResource(deps).actions ?? []
    assert.ok(action)
    const changeSecret = async () =>
      store.serializably(
        await action.perform(
          { client: 'robot' },
          { overlapHours: 0.5 },
          {
            isHimself: false,
            mayChange: true,
            sessionId: undefined,
            credential: 'token:1',
            address: '127.0.0.1',
          },
        ),
      )
    class Slow extends Passwords {
      override async matches(password: string, stored: string | undefined) {
        const matched = await super.matches(password, stored)
        await changeSecret()
        return matched
      }
    }
    const slow = new ClientCredentials({ service: 'demo', store, passwords: new Slow(), clock })
    const issued = await slow.issue('robot', 'correct', [])
    assert.ok(typeof issued !== 'string', String(issued))
    assert.equal(issued.expiresInSeconds, 1800)
    clock.advance(hourMs / 2)
    assert.equal(await credentials.grantOf(issued.accessToken), undefined)
  })

  test('believe no token that was read before they were told to forget', async () => {
    const store = await newStore()
    const { credentials } = await credentialsOn(store)
    await credentials.provision([client])
    const token = tokenOf(await credentials.issue('robot', 'correct', []))
    const reading = credentials.grantOf(token)
    credentials.forget()
    assert.ok(await reading)
    await store.tables<OAuthTables>().deleteFrom('oauth_client').execute()
    assert.equal(await credentials.grantOf(token), undefined)
  })

  test('end the tokens of a client whose secret changed, and only those', async () => {
    const { credentials } = await credentialsOn(await newStore())
    const other = { ...client, clientId: 'other' }
    await credentials.provision([client, other])
    const token = tokenOf(await credentials.issue('robot', 'correct', []))
    const otherToken = tokenOf(await credentials.issue('other', 'correct', []))
    assert.ok(await credentials.grantOf(token))
    await credentials.provision([{ ...client, clientSecret: 'changed' }])
    assert.equal(await credentials.grantOf(token), undefined)
    assert.ok(await credentials.grantOf(otherToken))
    assert.equal(await credentials.issue('robot', 'correct', []), 'invalid_client')
    assert.ok(tokenOf(await credentials.issue('robot', 'changed', [])))
  })

  test('take from a token at once what its client may no longer do', async () => {
    const { credentials } = await credentialsOn(await newStore())
    await credentials.provision([client])
    const token = tokenOf(await credentials.issue('robot', 'correct', []))
    await credentials.provision([{ ...client, accounts: ['acme'], scopes: ['read', 'new'] }])
    const grant = await credentials.grantOf(token)
    assert.deepEqual([grant?.accounts, grant?.scopes], [['acme'], ['read']])
  })

  test('hold the list of accounts once for all tokens of a client, and the new one when it changes', async () => {
    const { credentials } = await credentialsOn(await newStore())
    await credentials.provision([client])
    const grantOfNew = async () =>
      credentials.grantOf(tokenOf(await credentials.issue('robot', 'correct', [])))
    const [first, second] = [await grantOfNew(), await grantOfNew()]
    assert.deepEqual(first?.accounts, client.accounts)
    assert.equal(first?.accounts, second?.accounts)
    await credentials.provision([{ ...client, accounts: ['acme'] }])
    assert.deepEqual((await grantOfNew())?.accounts, ['acme'])
  })

  test('give no account to who was stored with several, or with one that has a blank, until it is provisioned', async () => {
    const store = await newStore()
    const { '0001-clients-and-tokens': first } = oauthMigrations
    assert.ok(first)
    await migrate(store, 'oauth', { '0001-clients-and-tokens': first })
    const tables = store.tables<Record<string, Record<string, string | number>>>()
    const row = { service: 'demo', secret_hash: await passwords.hash('correct'), scopes: 'read write' }
    const stored = { several: 'acme corp', one: 'a"c\\me', none: '' }
    for (const [client_id, accounts] of Object.entries(stored)) {
      await tables
        .insertInto('oauth_client')
        .values({ ...row, client_id, accounts })
        .execute()
      await tables
        .insertInto('oauth_token')
        .values({
          service: 'demo',
          client_id,
          digest: digestOf(client_id),
          scopes: 'read',
          expires_at: hourMs,
        })
        .execute()
    }
    const clock = settableClock(0)
    await migrate(store, 'oauth', oauthMigrations)
    const credentials = new ClientCredentials({ service: 'demo', store, passwords, clock })
    const accountsOf = async (token: string) => (await credentials.grantOf(token))?.accounts
    assert.deepEqual(await accountsOf('several'), [])
    assert.deepEqual(await accountsOf('one'), ['a"c\\me'])
    assert.deepEqual(await accountsOf('none'), [])
    await credentials.provision([
      { clientId: 'several', clientSecret: 'correct', accounts: ['acme', 'a b'], scopes: ['read'] },
    ])
    assert.deepEqual(await accountsOf('several'), ['acme', 'a b'])
  })

  test('issue many tokens at once, all different', async () => {
    const { credentials } = await credentialsOn(await newStore())
    await credentials.provision([client])
    const issued = await Promise.all(
      Array.from({ length: 20 }, () => credentials.issue('robot', 'correct', [])),
    )
    const tokens = issued.map(tokenOf)
    assert.equal(new Set(tokens).size, 20)
    for (const token of tokens) assert.ok(await credentials.grantOf(token))
  })
})
