import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import type { AwarenessTables } from './tables.ts'
import { credentials, serveAwareness } from './test-service.ts'

const callsPerHour = 50
const configuration = { callsPerHour }

onEveryStore('the hour of a user', (newStore) => {
  /** Servers on one database: one on SQLite, and three on PostgreSQL, each of which knows the others. */
  async function serversOn(store: Store) {
    const servers = [await serveAwareness(store, { configuration })]
    const [{ clock }] = servers as [(typeof servers)[number]]
    if (store.kind === 'postgres') {
      for (let more = 0; more < 2; more++) servers.push(await serveAwareness(store, { configuration, clock }))
      // The first ones hear of the last within two seconds.
      await new Promise((resolve) => setTimeout(resolve, 2_500))
    }
    return servers
  }

  test('is exact in a burst at all servers together', async () => {
    const servers = await serversOn(await newStore())
    const tokens = await Promise.all(servers.map((server) => server.tokenFor(credentials)))
    const calls = Array.from({ length: 2 * callsPerHour }, (_, index) => {
      const place = index % servers.length
      return servers[place]?.get('/campaigns', tokens[place] ?? '')
    })
    const statuses = (await Promise.all(calls)).map((reply) => reply?.status)
    assert.equal(statuses.filter((status) => status === 200).length, callsPerHour - servers.length)
    assert.equal(statuses.filter((status) => status === 429).length, callsPerHour + servers.length)
    for (const server of servers) await server.close()
  })

  test('is counted also while the servers cannot keep in step', async () => {
    const store = await newStore()
    const [server, ...others] = await serversOn(store)
    assert.ok(server)
    const token = await server.tokenFor(credentials)
    const { schema } = store.tables<AwarenessTables>()
    await schema.alterTable('awareness_call').renameTo('away').execute()
    assert.equal((await server.get('/campaigns', token)).status, 200)
    await schema.alterTable('away').renameTo('awareness_call').execute()
    assert.equal((await server.get('/campaigns', token)).status, 200)
    for (const one of [server, ...others]) await one.close()
    const { count } = await store
      .tables<AwarenessTables>()
      .selectFrom('awareness_server')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    assert.equal(count, 0, 'servers that have ended are not waited for')
  })
})
