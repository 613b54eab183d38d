import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore, type Store } from '@palisade/platform'
import { startPostgres } from '@palisade/platform/testing'
import type { FirewallTables } from '../tables.ts'
import { create } from '../testing/certificates-api.ts'
import { eventually, order, RenewingServer, withServices } from '../testing/renewing-servers.ts'

const dayMs = 86_400_000

/** So many that both servers renew several at once. `PALISADE_RENEWALS=1000` has as many renewed as a large installation has. */
const count = Number(process.env.PALISADE_RENEWALS ?? 12)

/** How many certificates are asked for at once. */
const callsAtOnce = 20

/** For how long nothing may happen, in milliseconds: a loaded machine takes its time. */
const stillMaxMs = 120_000

/** After how long something is tried again that has failed for the first time, at the latest. */
const retryMs = 10 * 60_000

test('two servers on one PostgreSQL renew each certificate once, spread over days, also when they are started again meanwhile', async (t) => {
  const postgres = await startPostgres()
  assert.ok(postgres, 'PostgreSQL is not installed: apt-get install postgresql')
  t.after(() => postgres.stop())
  const database = await postgres.newDatabase()
  const stores = [openStore(database, ''), openStore(database, '')] as const
  t.after(() => Promise.all(stores.map((store) => store.close())))
  const { clock, authority, servers, client } = await withServices(t, ...stores)

  const names = Array.from({ length: count }, (_, number) => `shop-${number}`)
  const asked = names.values()
  const obtainRest = async () => {
    for (const name of asked) await create(client, 'certificates/letsencrypt', order(name))
  }
  const obtaining = performance.now()
  const twice = [1, 2].map(() => client.call('POST', 'certificates/letsencrypt', order('twice')))
  await Promise.all(Array.from({ length: callsAtOnce }, obtainRest))
  const answers = await Promise.all(twice)
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409])
  const all = count + 1
  t.diagnostic(`${all} certificates were obtained in ${seconds(obtaining)} s`)
  assert.equal(authority.orders.length, all)

  /** What is in the queue once nothing is to be done now. What has failed, as on a loaded machine, is tried again. */
  const untilDone = async () => {
    let seen = ''
    for (let since = performance.now(); ; ) {
      const rows = await queueIn(stores[0])
      const now = clock.now()
      const isIdle = rows.every(({ due_at: due, lease_until: until }) => due > now && until <= now)
      if (isIdle && rows.length === all && rows.every(({ failures }) => failures === 0)) return rows
      // Leases would end with the clock, so it stands still while somebody has one.
      if (isIdle && rows.length === all) clock.advance(retryMs)
      const state = JSON.stringify([rows, authority.orders])
      if (state !== seen) since = performance.now()
      seen = state
      assert.ok(performance.now() < since + stillMaxMs, `nothing happens any more: ${state}`)
      await pause(100)
    }
  }

  const obtained = await untilDone()
  const daysLeft = obtained.map(({ renew_at: renewAt }) => (renewAt - clock.now()) / dayMs)
  const [first, last] = [Math.min(...daysLeft), Math.max(...daysLeft)]
  t.diagnostic(`they are to be renewed after ${first.toFixed(1)} to ${last.toFixed(1)} days`)
  assert.ok(first > 55 && last <= 60 && last - first > 1, `after ${daysLeft.join(', ')} days`)

  // All are due at once, as after days without a server. Both servers are started again, one after the other, before any has ended.
  const { isProven } = authority
  let isStartedAgain = false
  authority.isProven = (...proof) => isStartedAgain && isProven(...proof)
  clock.advance(61 * dayMs)
  const renewing = performance.now()
  for (const store of stores) {
    const answered = () => authority.orders.reduce((sum, { answers }) => sum + answers, 0)
    const before = answered()
    await eventually('a renewal that goes on', () => answered() > before, stillMaxMs)
    await servers.shift()?.close()
    servers.push(await RenewingServer.start(t, { store, clock, authority }))
  }
  isStartedAgain = true
  await untilDone()
  t.diagnostic(`${all} were renewed in ${seconds(renewing)} s`)

  const signed = authority.orders.filter(({ state }) => state === 'signed')
  for (const [name, { length }] of Map.groupBy(signed, ({ names: [first = ''] }) => first))
    assert.equal(length, 2, `${name} was signed ${length} times`)
  assert.equal(signed.length, 2 * all)
  for (const { proxy } of servers) {
    await eventually('the new certificates', () =>
      names.every((name) => {
        const chain = proxy.chainOf('secure', `${name}.example`)
        return (
          chain !== undefined && new X509Certificate(chain).validFromDate.getTime() > clock.now() - 7 * dayMs
        )
      }),
    )
  }
})

function queueIn(store: Store) {
  return store
    .tables<FirewallTables>()
    .selectFrom('firewall_acme_certificate')
    .select(['name', 'due_at', 'renew_at', 'lease_until', 'failures', 'problem'])
    .orderBy('name')
    .execute()
}

function seconds(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(0)
}
