import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changingOperations, onEveryStore } from '@palisade/platform/testing'
import { call, configuration, serveEmail } from '../testing/email-service.ts'
import { domain, messages, sendReport } from '../testing/mail-reports.ts'

onEveryStore('the audit log of the email API', (newStore) => {
  test('every operation that changes something has an entry with what was there before and after', async (t) => {
    const served = await serveEmail(await newStore(), {
      ...configuration,
      accounts: [
        {
          id: '5584599',
          name: 'Example',
          region: 'US',
          domains: [
            { id: 4, name: 'example.org', status: 'VERIFIED', type: 'ESS' },
            { id: 5, name: 'new.example', status: 'UNVERIFIED', type: 'ESS' },
          ],
        },
      ],
    })
    t.after(() => served.close())
    const report = { report: 'mx1/1', counts: [messages(new Date(served.clock.now()).toISOString(), 3)] }
    for (const isNew of [true, false]) {
      assert.equal((await sendReport(served, report)).status, 200)
      const entry = served.audited.at(-1)
      assert.deepEqual(
        [entry?.action, entry?.target, entry?.before, entry?.after],
        ['reportDomainMail', `/email/beta/accounts/${domain}/statistics`, null, { ...report, isNew }],
      )
    }
    const unverified = '5584599/ess/domains/5/verification'
    const before = (await call(served, unverified)).json
    served.clock.advance(60_000)
    const after = (await call(served, `${unverified}/check`, 'POST')).json
    assert.ok(before.lookedAt !== after.lookedAt, 'DNS was asked')
    const entry = served.audited.at(-1)
    assert.deepEqual([entry?.action, entry?.before, entry?.after], ['checkDomainVerification', before, after])

    const actions = new Set(served.audited.map(({ action }) => action))
    assert.deepEqual([...actions].sort(), changingOperations(served.openApiDocument()))
    assert.equal(actions.size, 2)
    for (const { actor, service } of served.audited) {
      assert.deepEqual([actor, service], [{ kind: 'client', name: 'checker', address: '127.0.0.1' }, 'email'])
    }
  })
})
