import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import { AdministeredService } from '../testing/administered-service.ts'
import { eventually } from '../testing/eventually.ts'

const dayMs = 86_400_000
const clients = '/backup/api-clients'

onEveryStore('API clients of backup', (newStore) => {
  let admin: AdministeredService
  before(async () => {
    admin = await AdministeredService.start(await newStore(), { lookEveryMs: 20 })
  })
  after(() => admin.close())

  const make = (clientId: string, accounts: readonly string[]) =>
    admin.call('POST', clients, { clientId, accounts, scopes: ['computers_read'] })
  const listed = async (client: { client_id: string; client_secret: string }, account: string) => {
    const headers = await admin.service.authorise(client.client_id, client)
    return send(`${admin.service.served.baseUrl}/v2/accounts/${account}/computers`, { headers })
  }

  test('one is made for an account that was added at run time, and sees its computers', async () => {
    assert.equal((await make('early', ['later'])).status, 400, 'the account has to be there')
    await admin.call('POST', '/backup/accounts', { id: 'later' })
    await admin.call('POST', '/backup/accounts/later/computers', { id: '1', name: 'first' })
    const { status, json, text } = await make('reports', ['later'])
    assert.equal(status, 201, text)
    const client = { client_id: 'reports', client_secret: json.clientSecret }
    const reply = await listed(client, 'later')
    assert.deepEqual(
      reply.json.map(({ name }: { name: string }) => name),
      ['first'],
    )
    assert.equal((await listed(client, 'acme')).status, 404)
    assert.equal((await admin.call('GET', `${clients}/automation`)).status, 200, 'those of the configuration')
  })

  test('one loses an account that is deleted, for good when that is removed', async () => {
    await admin.call('POST', '/backup/accounts', { id: 'short' })
    const { json } = await make('shorter', ['short', 'acme'])
    const client = { client_id: 'shorter', client_secret: json.clientSecret }
    assert.equal((await listed(client, 'short')).status, 200)
    const { losses } = (await admin.call('DELETE', '/backup/accounts/short?preview=true')).json
    assert.ok(losses.includes('what API client shorter may ask about the account'), losses)
    await admin.call('DELETE', '/backup/accounts/short')
    assert.equal((await listed(client, 'short')).status, 404)
    assert.equal((await make('another', ['short'])).status, 400, 'a deleted account is given to nobody')
    await admin.call('POST', '/backup/accounts/short/undelete')
    assert.equal((await listed(client, 'short')).status, 200)
    await admin.call('DELETE', '/backup/accounts/short')
    await admin.pass(31 * dayMs)
    await eventually(async () =>
      assert.equal((await admin.call('GET', '/backup/accounts/short')).status, 404),
    )
    await admin.call('POST', '/backup/accounts', { id: 'short' })
    assert.equal((await listed(client, 'short')).status, 404, 'another account of the same name')
    assert.deepEqual((await admin.call('GET', `${clients}/shorter`)).json.accounts, ['acme'])
  })
})
