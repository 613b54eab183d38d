import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import type { FirewallTables } from '../tables.ts'
import { create } from '../testing/certificates-api.ts'
import { eventually, lookMs, order, RenewingServer, withServices } from '../testing/renewing-servers.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** How many certificates a server renews at once. */
const atOnce = 8

const hourlyLimit = { type: 'rateLimited', detail: 'too many certificates', retryAfterSeconds: 3600 }

onEveryStore(
  'an authority that refuses something for a limit',
  (newStore) => {
    test('is asked for no other certificate for a quarter of an hour, and for that one when it has said', async (t) => {
      const { store, clock, authority, servers, first, client } = await withServices(t, await newStore())
      const names = Array.from({ length: atOnce + 1 }, (_, number) => `shop-${number}`)
      await Promise.all(names.map((name) => create(client, 'certificates/letsencrypt', order(name))))
      await eventually('all in the queue', async () => (await renewalTimes(store)).length === names.length)
      authority.refusal = hourlyLimit
      clock.advance(61 * dayMs)
      const isIdle = async () => (await leasedCount(store, clock.now())) === 0
      await eventually('the refusals', async () => authority.refusedCount > 0 && (await isIdle()))
      const refused = authority.refusedCount
      assert.ok(refused <= atOnce, `${refused} orders were refused`)

      await first.close()
      const second = await RenewingServer.start(t, { store, clock, authority })
      servers.splice(0, 1, second)
      clock.advance(14 * minuteMs)
      await pause(2 * lookMs)
      assert.equal(authority.refusedCount, refused)

      authority.refusal = undefined
      clock.advance(2 * minuteMs)
      const signed = () => authority.orders.filter(({ state }) => state === 'signed').length - names.length
      await eventually('the renewal of the others', () => signed() === names.length - refused)
      await pause(2 * lookMs)
      assert.equal(authority.orders.length, 2 * names.length - refused)
      clock.advance(46 * minuteMs)
      await eventually('the renewal of those that were refused', () => signed() === names.length)
    })

    test('is not asked to renew either when somebody has asked for a new certificate', async (t) => {
      const { store, clock, authority, first, client } = await withServices(t, await newStore())
      await create(client, 'certificates/letsencrypt', order('shop'))
      await eventually('the queue', async () => (await renewalTimes(store)).length === 1)
      const [renewAt = 0] = await renewalTimes(store)
      clock.advance(renewAt - clock.now() - 5 * minuteMs)
      authority.refusal = hourlyLimit
      const reply = await (await first.logIn()).call('POST', 'certificates/letsencrypt', order('other'))
      assert.equal(reply.status, 400)
      assert.match(reply.text, /The authority refuses it: too many certificates/)
      assert.equal(reply.headers['retry-after'], '3600')
      clock.advance(6 * minuteMs)
      await pause(2 * lookMs)
      assert.equal(authority.refusedCount, 1)
      authority.refusal = undefined
      clock.advance(10 * minuteMs)
      await eventually('the renewal', () => authority.orders[1]?.state === 'signed')
    })

    test('is left alone for five minutes when it does not say for how long', async (t) => {
      const { store, clock, authority, first, client } = await withServices(t, await newStore())
      await create(client, 'certificates/letsencrypt', order('shop'))
      await eventually('the queue', async () => (await renewalTimes(store)).length === 1)
      const [renewAt = 0] = await renewalTimes(store)
      clock.advance(renewAt - clock.now() - 2 * minuteMs)
      authority.refusal = { type: 'rateLimited', detail: 'too many certificates' }
      const reply = await (await first.logIn()).call('POST', 'certificates/letsencrypt', order('other'))
      assert.equal(reply.headers['retry-after'], undefined)
      authority.refusal = undefined
      clock.advance(4 * minuteMs)
      await pause(2 * lookMs)
      assert.equal(authority.orders.length, 1)
      clock.advance(2 * minuteMs)
      await eventually('the renewal', () => authority.orders[1]?.state === 'signed')
    })
  },
  { concurrency: true },
)

/** When the certificates are renewed whose time is known. */
async function renewalTimes(store: Store): Promise<number[]> {
  const rows = await store
    .tables<FirewallTables>()
    .selectFrom('firewall_acme_certificate')
    .select('renew_at')
    .whereRef('due_at', '=', 'renew_at')
    .where('lease_until', '=', 0)
    .execute()
  return rows.map(({ renew_at: renewAt }) => renewAt)
}

/** How many certificates somebody is at. */
async function leasedCount(store: Store, now: number): Promise<number> {
  const rows = await store
    .tables<FirewallTables>()
    .selectFrom('firewall_acme_certificate')
    .select('name')
    .where('lease_until', '>', now)
    .execute()
  return rows.length
}
