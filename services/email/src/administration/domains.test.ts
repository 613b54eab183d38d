import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AdministeredService } from '@palisade/administration/testing'
import { onEveryStore } from '@palisade/platform/testing'
import { call, serveEmail, type TestService } from '../testing/email-service.ts'
import { messages, report } from '../testing/mail-reports.ts'

const path = '/accounts/other/domains'

onEveryStore('domains of email', (newStore) => {
  let email: AdministeredService<TestService>
  before(async () => {
    const store = await newStore()
    email = await AdministeredService.serve(store, '/email', await serveEmail(store))
  })
  after(() => email.close())

  const create = async (body: object) => {
    const { status, json, text } = await email.send('POST', path, body)
    assert.equal(status, 201, text)
    return json
  }

  test('a new domain is listed to clients, and DNS verifies it', async () => {
    const created = await email.send('POST', path, { name: 'New.example' })
    assert.equal(created.status, 201, created.text)
    const { verification, ...members } = created.json
    assert.deepEqual(members, {
      id: 1,
      name: 'New.example',
      status: 'UNVERIFIED',
      type: 'ESS',
      managedBy: null,
    })
    assert.equal(created.headers.location, `/admin/v1/email${path}/1`)
    const { json } = await call(email.service, 'other/ess/domains/1/verification')
    const { domainId: _id, domainName: _name, status: _status, ...asked } = json
    assert.deepEqual(verification, asked)
    assert.equal(verification.records[0].name, 'new.example')
    assert.deepEqual((await email.send('GET', `${path}/1`)).json, created.json)
    assert.deepEqual((await email.send('GET', path)).json.items, [created.json])
    const next = await create({ name: 'set.example', status: 'VERIFIED', type: 'CPL' })
    assert.deepEqual(next, {
      id: 2,
      name: 'set.example',
      status: 'VERIFIED',
      type: 'CPL',
      verification: null,
      managedBy: null,
    })
  })

  test('another name has another token; a status that is set ends the verification', async () => {
    const { id, verification } = await create({ name: 'renamed.example' })
    const one = `${path}/${id}`
    const { headers } = await email.send('GET', one)
    const typed = await email.send('PATCH', one, { type: 'CPL' }, { 'if-match': headers.etag ?? '' })
    assert.deepEqual(typed.json.verification, verification)
    assert.equal(
      (await email.send('PATCH', one, { type: 'CPL' }, { 'if-match': headers.etag ?? '' })).status,
      412,
    )
    const renamed = await email.send('PATCH', one, { name: 'renamed-again.example' })
    assert.equal(renamed.json.status, 'UNVERIFIED')
    assert.equal(renamed.json.verification.records[0].name, 'renamed-again.example')
    assert.notEqual(renamed.json.verification.records[0].value, verification.records[0].value)
    const disabled = await email.send('PATCH', one, { status: 'DISABLED' })
    assert.deepEqual([disabled.json.status, disabled.json.verification], ['DISABLED', null])
    assert.equal((await email.send('PATCH', one, { name: 'third.example' })).json.status, 'DISABLED')
    const again = await email.send('PATCH', one, { status: 'UNVERIFIED' })
    assert.ok(again.json.verification)
  })

  test('an entity tag does not change when DNS is asked and says nothing new', async () => {
    const { id } = await create({ name: 'looked-at.example' })
    const tag = async () => (await email.send('GET', `${path}/${id}`)).headers.etag
    const before = await tag()
    email.service.clock.advance(60_000)
    const { json } = await call(email.service, `other/ess/domains/${id}/verification/check`, 'POST')
    assert.notEqual(json.failure, null)
    assert.equal(await tag(), before)
  })

  test('with a domain go its verification and statistics', async () => {
    const { id } = await create({ name: 'leaving.example' })
    const at = new Date(email.service.clock.now()).toISOString()
    await report(
      email.service,
      [messages(at, 1200), messages(at, 34, { direction: 'outbound' })],
      `other/ess/domains/${id}`,
    )
    const preview = await email.send('DELETE', `${path}/${id}?preview=true`)
    assert.deepEqual(preview.json, {
      losses: ['its verification by DNS', 'the statistics of 1,234 messages'],
    })
    assert.equal((await email.send('DELETE', `${path}/${id}`)).status, 204)
    assert.equal((await call(email.service, `other/ess/domains/${id}`)).status, 404)
    assert.equal((await email.send('GET', `${path}/${id}`)).status, 404)
    const again = await create({ id, name: 'leaving.example', status: 'DISABLED' })
    assert.equal(again.id, id)
    assert.deepEqual((await email.send('DELETE', `${path}/${id}?preview=true`)).json, { losses: [] })
  })

  test('what makes no sense is refused with the member at fault', async () => {
    await create({ id: 700, name: 'taken.example' })
    const domain = { name: 'wrong.example' }
    const wrong: readonly [object, string][] = [
      [{}, 'name'],
      [{ name: 'a b.example' }, 'name'],
      [{ name: '192.0.2.1' }, 'name'],
      [{ name: 'nul\0.example' }, 'name'],
      [{ name: `${'x'.repeat(300)}.example` }, 'name'],
      [{ ...domain, id: 0 }, 'id'],
      [{ ...domain, id: '1' }, 'id'],
      [{ ...domain, status: 'LOST' }, 'status'],
      [{ ...domain, type: 'MTA' }, 'type'],
    ]
    for (const [body, parameter] of wrong) {
      const { status, json } = await email.send('POST', path, body)
      assert.deepEqual([status, json.parameter], [400, parameter], JSON.stringify([body, json]))
    }
    for (const [method, at, body, parameter] of [
      ['POST', path, { ...domain, id: 700 }, 'id'],
      ['POST', path, { id: 701, name: 'taken.example' }, 'name'],
      ['PATCH', '/accounts/5584599/domains/4', { name: 'a.example.org' }, 'name'],
    ] as const) {
      const { status, json } = await email.send(method, at, body)
      assert.deepEqual([status, json.parameter], [409, parameter])
    }
    assert.equal((await email.send('PATCH', `${path}/700`, { name: 'taken.example' })).status, 200)
    for (const id of ['9999', 'taken.example', '0', '-1', '9'.repeat(30)]) {
      assert.equal((await email.send('GET', `${path}/${id}`)).status, 404, id)
      assert.equal((await email.send('DELETE', `${path}/${id}`)).status, 404, id)
    }
  })

  test('a listing is in the order of names, and of one status', async () => {
    const listing = '/accounts/5584599/domains'
    const idsOf = async (query: string) => {
      const ids: number[] = []
      for (let after = ''; ; ) {
        const { status, json, text } = await email.send('GET', `${listing}?limit=1&${query}${after}`)
        assert.equal(status, 200, text)
        ids.push(...json.items.map(({ id }: { id: number }) => id))
        if (json.next === null) return ids
        after = `&after=${json.next}`
      }
    }
    assert.deepEqual(await idsOf(''), [491, 4, 1000, 2346])
    assert.deepEqual(await idsOf('order=-name'), [2346, 1000, 4, 491])
    assert.deepEqual(await idsOf('status=VERIFIED&order=-name'), [1000, 4])
    assert.deepEqual(await idsOf('name=example'), [4])
  })
})
