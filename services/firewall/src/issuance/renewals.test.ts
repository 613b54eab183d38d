import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { onEveryStore } from '@palisade/platform/testing'
import { renewalName } from '../acme/index.ts'
import { create } from '../testing/certificates-api.ts'
import { FakeAuthority } from '../testing/fake-authority.ts'
import { firewallConfiguration } from '../testing/firewall.ts'
import { eventually, lookMs, order, RenewingServer, withServices } from '../testing/renewing-servers.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

onEveryStore(
  'certificates that were obtained',
  (newStore) => {
    test('are renewed at two thirds of their lives, by whichever server is there, and the old one serves until then', async (t) => {
      const { store, clock, authority, servers, first, client } = await withServices(t, await newStore())
      await create(client, 'certificates/letsencrypt', order('shop'))
      await create(client, 'certificates/letsencrypt', order('forgotten', { 'auto-renew-cert': 'No' }))
      await eventually(
        'the new certificate',
        () => first.serial('shop.example') !== first.serial('other.example'),
      )
      const old = first.proxy.chainOf('secure', 'shop.example') ?? ''
      const oldSerial = first.serial('shop.example')
      await first.close()
      clock.advance(55 * dayMs)
      const second = await RenewingServer.start(t, { store, clock, authority })
      servers.splice(0, 1, second)
      await pause(2 * lookMs)
      assert.equal(authority.orders.length, 2)
      await second.close()
      clock.advance(6 * dayMs)
      const third = await RenewingServer.start(t, { store, clock, authority })
      servers.splice(0, 1, third)
      await eventually('a snapshot', () => third.serial('shop.example'))
      assert.equal(third.serial('shop.example'), oldSerial)
      await eventually('the renewal', () => third.serial('shop.example') !== oldSerial)
      assert.deepEqual(
        authority.orders.map(({ names }) => names[0]),
        ['shop.example', 'forgotten.example', 'shop.example'],
      )
      assert.equal(authority.orders.at(-1)?.replaces, undefined)
      assert.notEqual(third.proxy.chainOf('secure', 'shop.example'), old)
      const again = await third.logIn()
      const { json } = await again.get('audit-logs?limit=1000')
      assert.match(JSON.stringify(json), /\(certificate renewal\)/)
      const { json: shown } = await again.get('signed-certificate/shop')
      assert.equal(shown.data.shop.serial, third.serial('shop.example'))
    })

    test('are renewed at the authority that they were ordered from when the configuration names another one meanwhile', async (t) => {
      const { clock, authority, first, client } = await withServices(t, await newStore())
      const other = await FakeAuthority.start(t, clock)
      await create(client, 'certificates/letsencrypt', order('shop'))
      await first.untilBound('shop.example')
      const oldSerial = first.serial('shop.example')
      const answer = Promise.withResolvers<void>()
      authority.answersAfter = answer.promise
      clock.advance(61 * dayMs)
      await eventually('the order of a renewal', () => authority.orders.length === 2)
      const { directory, caFile } = other
      await first.service.provisioning.apply({
        ...firewallConfiguration,
        acme: { directory, caFile, challenges: ['http-01'] },
      })
      const again = await first.logIn()
      await create(again, 'certificates/letsencrypt', order('later'))
      assert.deepEqual(
        other.orders.map(({ names, state }) => [names[0], state]),
        [['later.example', 'signed']],
      )
      assert.equal(authority.orders[1]?.state, 'open')
      answer.resolve()
      await eventually('the renewal', () => first.serial('shop.example') !== oldSerial)
      assert.equal(authority.orders[1]?.state, 'signed')
      assert.deepEqual([authority.orders.length, other.orders.length], [2, 1])

      clock.advance(61 * dayMs)
      await eventually('renewals at the other authority', () => other.orders.length === 3)
      assert.equal(authority.orders.length, 2)
    })

    test('are renewed so many days before their end as somebody chooses while they serve', async (t) => {
      const { clock, authority, first, client } = await withServices(t, await newStore())
      await create(client, 'certificates/letsencrypt', order('shop'))
      await first.untilBound('shop.example')
      const oldSerial = first.serial('shop.example')
      // After half of its life, before which nothing is renewed, and before two thirds, when it would be renewed otherwise.
      clock.advance(52 * dayMs)
      await pause(2 * lookMs)
      assert.equal(authority.orders.length, 1)
      const again = await first.logIn()
      const { status, text } = await again.call('PUT', 'signed-certificate/shop', {
        'schedule-renewal-day': '60 days',
      })
      assert.equal(status, 200, text)
      await eventually('the renewal', () => first.serial('shop.example') !== oldSerial)
      assert.equal(authority.orders.length, 2)
    })

    test('are renewed when the authority says so, which is told what is replaced', async (t) => {
      const { clock, authority, first, client } = await withServices(t, await newStore())
      authority.suggested = { from: clock.now() + 30 * dayMs, to: clock.now() + 31 * dayMs }
      await create(client, 'certificates/letsencrypt', order('shop'))
      await eventually('the question', () => authority.askedForSuggestions > 0)
      await first.untilBound('shop.example')
      const old = first.proxy.chainOf('secure', 'shop.example') ?? ''
      authority.suggested = { from: clock.now() - dayMs, to: clock.now() }
      clock.advance(7 * hourMs)
      await eventually('the renewal', () => authority.orders[1]?.state === 'signed')
      assert.equal(authority.orders[1]?.replaces, renewalName(old))
      await eventually('the new one', () => first.proxy.chainOf('secure', 'shop.example') !== old)
    })

    test('that cannot be renewed go on, are told of, and are tried again later and later', async (t) => {
      const { clock, authority, first, client } = await withServices(t, await newStore())
      await create(client, 'certificates/letsencrypt', order('shop'))
      await first.untilBound('shop.example')
      const oldSerial = first.serial('shop.example')
      const attention = async () =>
        ((await first.service.attention?.()) ?? []).filter(
          ({ condition }) => condition === 'certificate-not-renewed',
        )
      assert.deepEqual(await attention(), [])
      authority.refusal = { type: 'rateLimited', detail: 'too many certificates', retryAfterSeconds: 3600 }
      clock.advance(61 * dayMs)
      await eventually('the failure', async () => (await attention()).length === 1)
      const [told] = await attention()
      assert.equal(told?.severity, 'warning')
      assert.equal(told?.subject, 'certificate shop')
      assert.match(
        told?.message ?? '',
        /^It could not be renewed, once by now, .* The authority refuses it: too many certificates\.$/,
      )
      assert.equal(first.serial('shop.example'), oldSerial)
      authority.refusal = { type: 'serverInternal', detail: 'it is broken' }
      clock.advance(hourMs / 2)
      await pause(2 * lookMs)
      assert.match((await attention())[0]?.message ?? '', /once by now/)
      clock.advance(hourMs)
      await eventually('the second failure', async () =>
        /2 times.*it is broken/.test((await attention())[0]?.message ?? ''),
      )
      authority.refusal = undefined
      clock.advance(hourMs)
      await eventually('the renewal', () => first.serial('shop.example') !== oldSerial)
      await eventually('the end of it', async () => (await attention()).length === 0)
    })

    test('that a server is stopped over are renewed by another one, which goes on with the order', async (t) => {
      const { store, clock, authority, servers, first, client } = await withServices(t, await newStore())
      await create(client, 'certificates/letsencrypt', order('shop'))
      await first.untilBound('shop.example')
      const oldSerial = first.serial('shop.example')
      const answer = Promise.withResolvers<void>()
      authority.answersAfter = answer.promise
      clock.advance(61 * dayMs)
      await eventually('an order that is not answered yet', () => authority.orders.length === 2)
      const closed = first.close()
      await pause(500)
      answer.resolve()
      await closed
      const second = await RenewingServer.start(t, { store, clock, authority })
      servers.splice(0, 1, second)
      await second.untilBound('shop.example')
      await eventually('the renewal', () => second.serial('shop.example') !== oldSerial)
      assert.deepEqual(
        authority.orders.map(({ state }) => state),
        ['signed', 'signed'],
      )
    })

    test('are ordered anew at once where the authority has looked while no server was there', async (t) => {
      const { store, clock, authority, servers, first, client } = await withServices(t, await newStore())
      const { isProven } = authority
      await create(client, 'certificates/letsencrypt', order('shop'))
      await first.untilBound('shop.example')
      const oldSerial = first.serial('shop.example')
      authority.isProven = (...proof) => authority.orders.length > 2 && isProven(...proof)
      clock.advance(61 * dayMs)
      await eventually('the answer to a challenge', () => authority.orders[1]?.answers === 1)
      await first.close()
      const second = await RenewingServer.start(t, { store, clock, authority })
      servers.splice(0, 1, second)
      await eventually('another answer to it', () => authority.orders[1]?.answers === 2)
      assert.ok(authority.orders[1])
      authority.reject(authority.orders[1])
      await second.untilBound('shop.example')
      await eventually('the renewal', () => second.serial('shop.example') !== oldSerial)
      assert.deepEqual(
        authority.orders.map(({ state }) => state),
        ['signed', 'invalid', 'signed'],
      )
      assert.deepEqual(await second.service.attention?.(), [])
    })
  },
  { concurrency: true },
)
