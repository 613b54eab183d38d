import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { DnsServer, withoutDnsServer, type Zone } from '../testing/dns-server.ts'
import { call, serveEmail } from '../testing/email-service.ts'
import { check, domains, oneDomain, read, type Status, zoneOf } from '../testing/unverified-domains.ts'

describe('the records of a domain', { skip: withoutDnsServer }, () => {
  onEveryStore('by a real name server', (newStore) => {
    let dns: DnsServer
    before(async () => {
      dns = await DnsServer.start()
    })
    after(() => dns.stop())

    test('a TXT record among others verifies, its value alone and whole', async () => {
      const served = await serveEmail(await newStore(), oneDomain(dns))
      const [{ value }] = (await read(served)).records
      await dns.serve([])
      assert.equal((await check(served)).failure, 'DNS has no domain a.example.')
      await dns.serve(['--mx-host=a.example,mx.a.example,10'])
      assert.equal((await check(served)).failure, 'There is no TXT record at a.example.')
      const wrong = [
        value.slice(0, -1),
        `${value}0`,
        value.toUpperCase(),
        value.replace(/.*=/, ''),
        `"${value} "`,
      ]
      await dns.serve([
        ...wrong.map((text: string) => `--txt-record=a.example,${text}`),
        `--txt-record=b.a.example,${value}`,
      ])
      const missing = await check(served)
      assert.equal(missing.status, 'UNVERIFIED')
      assert.match(
        missing.failure,
        /^No TXT record at a\.example has the value\. There is: (".+"(, )?){3}\.$/,
      )
      await dns.serve([`--txt-record=a.example,${'x'.repeat(81)}\u00e9`])
      const { failure } = await check(served)
      assert.equal(failure, `No TXT record at a.example has the value. There is: "${'x'.repeat(80)}…".`)
      await dns.serve(['--txt-record=a.example,v=spf1 -all', `--txt-record=a.example,${value}`])
      const outcome = await check(served)
      const now = new Date(served.clock.now()).toISOString()
      assert.deepEqual(
        [outcome.status, outcome.verifiedAt, outcome.lookedAt, outcome.failure],
        ['VERIFIED', now, now, null],
      )
      const { json } = await call(served, '5584599/ess/domains')
      const record = { domainId: 1, domainName: 'a.example', status: 'VERIFIED', type: 'ESS' }
      assert.deepEqual(json.results, [record])
      assert.deepEqual((await call(served, '5584599/ess/domains/1')).json, record)
      await served.close()
    })

    test('an MX record verifies where a mail host is configured, in any case', async () => {
      const store = await newStore()
      const without = await serveEmail(store, oneDomain(dns))
      const mx = domains(dns, { '5584599': { 'a.example': 'UNVERIFIED' } }, { mailHost: 'Mail.Example.net.' })
      const served = await serveEmail(store, mx, without.clock)
      const [txt, record] = (await read(served)).records
      assert.deepEqual([record.type, record.name, record.preference], ['MX', 'a.example', 65_535])
      assert.equal(record.value, `${txt.value.replace(/.*=/, '')}.mail.example.net`)
      await dns.serve(['--mx-host=a.example,mx.a.example,10'])
      const { failure } = await check(served)
      assert.equal(
        failure,
        'There is no TXT record at a.example. No MX record at a.example has the value. There is: "mx.a.example".',
      )
      await dns.serve([
        '--mx-host=a.example,mx.a.example,10',
        `--mx-host=a.example,${record.value.toUpperCase()},65535`,
      ])
      assert.equal((await check(without)).status, 'UNVERIFIED')
      assert.equal((await check(served)).status, 'VERIFIED')
      await without.close()
      await served.close()
    })

    test('a name with other letters is asked for as DNS writes it', async () => {
      const served = await serveEmail(
        await newStore(),
        domains(dns, { '5584599': { 'Bücher.example': 'UNVERIFIED' } }),
      )
      const verification = await read(served, '5584599/ess/domains/1')
      assert.equal(verification.records[0].name, 'xn--bcher-kva.example')
      await dns.serve(zoneOf(verification))
      assert.equal((await check(served, '5584599/ess/domains/1')).status, 'VERIFIED')
      await served.close()
    })

    test('a record that was gone in three checks in a row ends it, and no failure to ask does', async () => {
      const served = await serveEmail(await newStore(), oneDomain(dns))
      const verification = await read(served)
      const zone = zoneOf(verification)
      await dns.serve(zone)
      assert.equal((await check(served)).status, 'VERIFIED')
      const checks: [zone: Zone | undefined, status: Status, failure: RegExp | null][] = [
        [[], 'VERIFIED', /^DNS has no domain a\.example\.$/],
        [[], 'VERIFIED', /no domain/],
        [
          undefined,
          'VERIFIED',
          /^The TXT records at a\.example are not known: no name server can be reached\.$/,
        ],
        [zone, 'VERIFIED', null],
        [['--txt-record=a.example,other'], 'VERIFIED', /has the value/],
        [undefined, 'VERIFIED', /can be reached/],
        [[], 'VERIFIED', /no domain/],
        [undefined, 'VERIFIED', /can be reached/],
        [['--mx-host=a.example,mx.a.example,10'], 'UNVERIFIED', /no TXT record/],
        [undefined, 'UNVERIFIED', /can be reached/],
        [zone, 'VERIFIED', null],
      ]
      for (const [step, [serves, status, failure]] of checks.entries()) {
        await (serves ? dns.serve(serves) : dns.stop())
        const outcome = await check(served)
        assert.equal(outcome.status, status, `check ${step}`)
        if (failure) assert.match(outcome.failure, failure, `check ${step}`)
        else assert.equal(outcome.failure, null, `check ${step}`)
        assert.equal(outcome.verifiedAt !== null, status === 'VERIFIED')
      }
      await served.close()
    })
  })
})
