import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AdministeredService } from '@palisade/administration/testing'
import { onEveryStore } from '@palisade/platform/testing'
import { DnsServer, withoutDnsServer } from '../testing/dns-server.ts'
import { serveEmail, type TestService } from '../testing/email-service.ts'
import { check, domains, zoneOf } from '../testing/unverified-domains.ts'

describe('with a name server', { skip: withoutDnsServer }, () => {
  onEveryStore('domains that operators add', (newStore) => {
    let dns: DnsServer
    let email: AdministeredService<TestService>
    before(async () => {
      dns = await DnsServer.start()
      const store = await newStore()
      const service = await serveEmail(store, domains(dns, { '5584599': {}, other: {} }))
      email = await AdministeredService.serve(store, '/email', service)
    })
    after(async () => {
      await email.close()
      await dns.stop()
    })

    test('are VERIFIED by DNS until they get another name, or the name is set as another account’s', async () => {
      const path = '/accounts/5584599/domains/1'
      const { json } = await email.send('POST', '/accounts/5584599/domains', { name: 'a.example' })
      await dns.serve(zoneOf(json.verification))
      assert.equal((await check(email.service)).status, 'VERIFIED')
      const verified = await email.send('GET', path)
      assert.equal(verified.json.status, 'VERIFIED')
      assert.notEqual(verified.json.verification.verifiedAt, null)

      const typed = await email.send('PATCH', path, { type: 'CPL', status: 'UNVERIFIED' })
      assert.deepEqual(typed.json, { ...verified.json, type: 'CPL' })

      const domain = { name: 'A.example', status: 'VERIFIED' }
      assert.equal((await email.send('POST', '/accounts/other/domains', domain)).status, 201)
      const lost = await email.send('GET', path)
      assert.equal(lost.json.status, 'UNVERIFIED')
      assert.equal(lost.json.verification.verifiedAt, null)

      assert.equal((await email.send('DELETE', '/accounts/other/domains/1')).status, 204)
      assert.equal((await check(email.service)).status, 'VERIFIED')
      const renamed = await email.send('PATCH', path, { name: 'b.example' })
      assert.equal(renamed.json.status, 'UNVERIFIED')
      assert.equal(renamed.json.verification.verifiedAt, null)
    })
  })
})
