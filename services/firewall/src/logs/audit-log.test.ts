import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Store } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import type { AuditedChange } from './audit-log.ts'
import { type ServedLogs, serveLogs } from './testing/served-logs.ts'

const who = { admin: 'ada', role: 'admin', address: '192.0.2.9' }

const change: AuditedChange = {
  ...who,
  transactionId: '17',
  changeType: 'Modify',
  objectType: 'Service',
  objectName: 'shop',
  variables: [
    { variable: 'port', oldValue: '80', newValue: '8080' },
    { variable: 'password', oldValue: '***', newValue: '***' },
  ],
}

onEveryStore('the audit log', (newStore) => {
  let store: Store
  let served: ServedLogs
  before(async () => {
    store = await newStore()
    served = await serveLogs(store)
  })
  after(() => served.stop())

  async function newest(limit: number): Promise<Record<string, string>[]> {
    const { json } = await served.get(`audit-logs?limit=${limit}`)
    return Object.values<Record<string, string>>(json.data ?? {})
  }

  test('has one entry for each member that a change touched', async () => {
    await store
      .tables()
      .transaction()
      .execute((transaction) => served.audit.writeWithin(transaction, served.audit.prepare([change])))
    const [password = {}, port = {}] = await newest(10)
    const { id, ...entry } = port
    assert.match(String(id), /^[0-9a-f]{11}-[0-9a-f]{10}$/)
    assert.deepEqual(entry, {
      time: String(served.clock.now()),
      admin: 'ada',
      role: 'admin',
      'login-ip': '192.0.2.9',
      'client-type': 'REST API',
      'transaction-id': '17',
      'transaction-type': 'Config',
      'change-type': 'Modify',
      'object-type': 'Service',
      'object-name': 'shop',
      variable: 'port',
      'old-value': '80',
      'new-value': '8080',
      'additional-data': '',
    })
    assert.equal(password.variable, 'password')
  })

  test('has one entry for a change without members', async () => {
    const deletion: AuditedChange = {
      ...change,
      changeType: 'Delete',
      variables: [],
      additionalData: 'and 2 servers',
    }
    await store
      .tables()
      .transaction()
      .execute((transaction) => served.audit.writeWithin(transaction, served.audit.prepare([deletion])))
    const [entry = {}, before = {}] = await newest(2)
    assert.equal(entry['change-type'], 'Delete')
    assert.equal(entry['additional-data'], 'and 2 servers')
    assert.equal(before['change-type'], 'Modify')
  })

  test('has nothing of a change that was not made', async () => {
    const count = (await served.logs.tallies()).get('audit')
    const failure = new Error('not acceptable')
    const failing = store
      .tables()
      .transaction()
      .execute(async (transaction) => {
        await served.audit.writeWithin(
          transaction,
          served.audit.prepare([{ ...change, transactionId: 'undone' }]),
        )
        throw failure
      })
    await assert.rejects(failing, failure)
    assert.notEqual((await newest(1))[0]?.['transaction-id'], 'undone')
    assert.deepEqual((await served.logs.tallies()).get('audit'), count)
  })

  test('tells who logged in and out', async () => {
    await served.audit.loggedIn(who)
    await served.audit.loggedOut(who)
    const types = (await newest(2)).map((entry) => [
      entry['transaction-type'],
      entry['change-type'],
      entry.admin,
    ])
    assert.deepEqual(types, [
      ['Logout', 'Success', 'ada'],
      ['Login', 'Success', 'ada'],
    ])
  })

  test('has an entry for each of twenty failed logins in a minute, and the number of the others', async () => {
    served.clock.advance(60_000)
    const before = (await served.logs.tallies()).get('audit')?.entries ?? 0
    for (let index = 0; index < 50; index++) {
      await served.audit.loginFailed({ username: `eve${'e'.repeat(200)}`, address: '198.51.100.4' })
    }
    assert.equal((await served.logs.tallies()).get('audit')?.entries, before + 20)
    served.clock.advance(60_000)
    await served.audit.loginFailed({ username: 'eve', address: '198.51.100.4' })
    const [last = {}, earlier = {}] = await newest(2)
    assert.equal(last['transaction-type'], 'Unsuccessful Login')
    assert.equal(last['login-ip'], '198.51.100.4')
    assert.equal(last['additional-data'], '30 failed logins before have no entry')
    assert.equal(earlier['additional-data'], '')
    assert.equal(earlier.admin?.length, 128)
  })
})
