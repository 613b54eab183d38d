import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { onEveryStore, settableClock } from '@palisade/platform/testing'
import { DnsServer, withoutDnsServer } from '../testing/dns-server.ts'
import { serveEmail, type TestService } from '../testing/email-service.ts'
import { check, domains, oneDomain, read, type Status, zoneOf } from '../testing/unverified-domains.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

describe('checks on the schedule', { skip: withoutDnsServer }, () => {
  onEveryStore('by a real name server', (newStore) => {
    let dns: DnsServer
    before(async () => {
      dns = await DnsServer.start()
    })
    after(() => dns.stop())

    test('what is due is checked by itself, every quarter of an hour and then daily', async (t) => {
      const served = await serveEmail(await newStore(), oneDomain(dns), settableClock(), { lookEveryMs: 20 })
      await dns.serve([])
      const seenAt = (now: number, status: Status) =>
        t.waitFor(
          async () => {
            const verification = await read(served)
            assert.deepEqual(
              [verification.lookedAt, verification.status],
              [new Date(now).toISOString(), status],
            )
          },
          { timeout: 30_000 },
        )
      assert.equal((await read(served)).lookedAt, null)
      served.clock.advance(15 * minuteMs)
      await seenAt(served.clock.now(), 'UNVERIFIED')
      await dns.serve(zoneOf(await read(served)))
      served.clock.advance(15 * minuteMs)
      await seenAt(served.clock.now(), 'VERIFIED')
      await dns.serve([])
      assert.deepEqual(await attentionOf(served), [])
      for (const status of ['VERIFIED', 'VERIFIED', 'UNVERIFIED'] as const) {
        served.clock.advance(dayMs)
        await seenAt(served.clock.now(), status)
        const condition = status === 'VERIFIED' ? 'domain-record-missing' : 'domain-unverified'
        assert.deepEqual(await attentionOf(served), [[condition, 'domain 5584599/a.example']])
      }
      await served.close()
    })

    test('two servers on one store check each domain once', async (t) => {
      const names = Array.from({ length: 20 }, (_, index) => `d${index}.example`)
      const many = domains(dns, { '5584599': Object.fromEntries(names.map((name) => [name, 'UNVERIFIED'])) })
      await dns.serve([])
      const store = await newStore()
      const clock = settableClock()
      const servers = [
        await serveEmail(store, many, clock, { lookEveryMs: 10 }),
        await serveEmail(store, many, clock, { lookEveryMs: 10 }),
      ]
      clock.advance(15 * minuteMs)
      const [served] = servers
      assert.ok(served)
      for (const name of names) {
        await t.waitFor(
          async () => {
            const { lookedAt } = await read(served, `5584599/ess/domains/${name}`)
            assert.notEqual(lookedAt, null)
          },
          { timeout: 60_000 },
        )
      }
      await Promise.all(servers.map((server) => server.close()))
      const questions = () => dns.questions.filter((question) => question.startsWith('TXT d'))
      await t.waitFor(
        () => assert.deepEqual([...new Set(questions())].sort(), names.map((name) => `TXT ${name}`).sort()),
        {
          timeout: 30_000,
        },
      )
      // A question may be sent again; two checks of each domain would be twice as many.
      assert.ok(questions().length < 1.5 * names.length, String(questions()))
    })

    test('a clock that was years ahead puts nothing off', async (t) => {
      const store = await newStore()
      const ahead = await serveEmail(store, oneDomain(dns), settableClock(Date.UTC(2050, 0, 1)))
      await dns.serve([])
      await check(ahead)
      await ahead.close()
      const served = await serveEmail(store, oneDomain(dns), settableClock(), { lookEveryMs: 20 })
      const now = new Date(served.clock.now()).toISOString()
      await t.waitFor(async () => assert.equal((await read(served)).lookedAt, now), { timeout: 30_000 })
      await served.close()
    })

    test('a service that ends in the middle of a check leaves nothing of it behind', async (t) => {
      const silent = createSocket('udp4').bind(0, '127.0.0.1')
      t.after(() => silent.close())
      await once(silent, 'listening')
      const nameServers = [`127.0.0.1:${silent.address().port}`]
      const configured = domains(dns, { '5584599': { 'a.example': 'UNVERIFIED' } }, { nameServers })
      const store = await newStore()
      const first = await serveEmail(store, configured, settableClock(), { lookEveryMs: 20 })
      first.clock.advance(15 * minuteMs)
      await once(silent, 'message')
      await first.close()
      await dns.serve([])
      first.clock.advance(minuteMs)
      const second = await serveEmail(store, oneDomain(dns), first.clock)
      const { lookedAt, failure } = await read(second)
      assert.deepEqual([lookedAt, failure], [null, null])
      assert.equal((await check(second)).failure, 'DNS has no domain a.example.')
      await second.close()
    })
  })
})

/** What needs attention: conditions and subjects. */
async function attentionOf({ service }: TestService) {
  const attention = (await service.attention?.()) ?? []
  return attention.map(({ condition, subject }) => [condition, subject])
}
