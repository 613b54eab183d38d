import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { DnsServer, withoutDnsServer } from '../testing/dns-server.ts'
import { serveEmail } from '../testing/email-service.ts'
import { check, domains, oneDomain, read, type Status, zoneOf } from '../testing/unverified-domains.ts'

describe('names that DNS has verified', { skip: withoutDnsServer }, () => {
  onEveryStore('by a real name server', (newStore) => {
    let dns: DnsServer
    before(async () => {
      dns = await DnsServer.start()
    })
    after(() => dns.stop())

    test('a name is VERIFIED for one account only, and for the next when that one gives it up', async () => {
      const both = domains(dns, {
        '5584599': { 'a.example': 'UNVERIFIED' },
        other: { 'A.example': 'UNVERIFIED' },
      })
      const served = await serveEmail(await newStore(), both)
      const [first, second] = [await read(served), await read(served, 'other/ess/domains/1')]
      assert.notEqual(first.records[0].value, second.records[0].value)
      await dns.serve(zoneOf(first, second))
      const results = await Promise.all([check(served), check(served, 'other/ess/domains/1')])
      assert.deepEqual(results.map(({ status }) => status).sort(), ['UNVERIFIED', 'VERIFIED'])
      const late = results.find(({ status }) => status === 'UNVERIFIED')
      assert.equal(
        late?.failure,
        'The record is there, but the name is VERIFIED elsewhere already, and it can be so for one account only.',
      )
      const isFirst = results[0]?.status === 'VERIFIED'
      const [holder, waiting] = isFirst
        ? ['5584599/ess/domains/1', 'other/ess/domains/1']
        : ['other/ess/domains/1', '5584599/ess/domains/1']
      await dns.serve(zoneOf(isFirst ? second : first))
      for (const expected of ['VERIFIED', 'VERIFIED', 'UNVERIFIED']) {
        assert.equal((await check(served, waiting)).status, 'UNVERIFIED')
        assert.equal((await check(served, holder)).status, expected)
      }
      assert.equal((await check(served, waiting)).status, 'VERIFIED')
      await served.close()
    })

    test('a name that the configuration gives to another account is taken back', async () => {
      const store = await newStore()
      const first = await serveEmail(store, oneDomain(dns))
      await dns.serve(zoneOf(await read(first)))
      assert.equal((await check(first)).status, 'VERIFIED')
      await first.close()
      const both = domains(dns, {
        other: { 'a.example': 'VERIFIED' },
        '5584599': { 'a.example': 'UNVERIFIED' },
      })
      const second = await serveEmail(store, both, first.clock)
      const { status, failure } = await read(second)
      assert.equal(status, 'UNVERIFIED')
      assert.match(failure, /VERIFIED elsewhere/)
      assert.equal((await check(second)).status, 'UNVERIFIED')
      await second.close()
    })

    test('restarts keep the token, the schedule and what DNS gave', async () => {
      const store = await newStore()
      const first = await serveEmail(store, oneDomain(dns))
      const before = await read(first)
      await first.close()
      const second = await serveEmail(store, oneDomain(dns), first.clock)
      assert.deepEqual(await read(second), before)
      await dns.serve(zoneOf(before))
      const verified = await check(second)
      assert.equal(verified.status, 'VERIFIED')
      await second.close()
      const third = await serveEmail(store, oneDomain(dns), first.clock)
      assert.deepEqual(await read(third), verified)
      await third.close()
    })

    test('another name, or a status that was configured meanwhile, begins anew with another token', async () => {
      const store = await newStore()
      const first = await serveEmail(store, oneDomain(dns))
      const verification = await read(first)
      await dns.serve(zoneOf(verification))
      assert.equal((await check(first)).status, 'VERIFIED')
      await first.close()
      const steps: [name: string, status: Status][] = [
        ['b.example', 'UNVERIFIED'],
        ['a.example', 'UNVERIFIED'],
        ['a.example', 'DISABLED'],
        ['a.example', 'VERIFIED'],
        ['a.example', 'UNVERIFIED'],
      ]
      const values = new Set([verification.records[0].value])
      for (const [name, status] of steps) {
        const served = await serveEmail(store, domains(dns, { '5584599': { [name]: status } }), first.clock)
        const now = await read(served, '5584599/ess/domains/1')
        assert.equal(now.status, status, `${name} ${status}`)
        assert.equal(now.records.length, status === 'UNVERIFIED' ? 1 : 0)
        for (const { value } of now.records) {
          assert.equal(values.has(value), false)
          values.add(value)
        }
        await served.close()
      }
    })
  })
})
