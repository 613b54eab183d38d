import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { agentPaths } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { AdministeredService } from '../testing/administered-service.ts'
import { configuration } from '../testing/backup-service.ts'
import { FakeAgent } from '../testing/fake-agent.ts'

const accounts = '/backup/accounts'
const computers = `${accounts}/acme/computers`

onEveryStore('what the administration of backup refuses', (newStore) => {
  let admin: AdministeredService
  before(async () => {
    admin = await AdministeredService.start(await newStore())
  })
  after(() => admin.close())

  const refuses = async (status: number, method: string, path: string, body?: unknown) => {
    const reply = await admin.call(method, path, body)
    assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`)
    return reply.text === '' ? {} : reply.json
  }

  test('accounts and computers that are not there', async () => {
    await refuses(404, 'GET', `${accounts}/nobody`)
    await refuses(404, 'GET', `${accounts}/nobody/computers`)
    await refuses(404, 'POST', `${accounts}/nobody/computers`, { id: '1', name: 'x' })
    await refuses(404, 'GET', `${computers}/0009`)
    await refuses(404, 'DELETE', `${computers}/0009`)
    for (const action of ['enrolment-key', 'revoke', 'undelete']) {
      await refuses(404, 'POST', `${computers}/0009/${action}`)
    }
  })

  test('ids that are taken, and such as no address can have', async () => {
    assert.equal((await refuses(409, 'POST', accounts, { id: 'acme' })).parameter, 'id')
    assert.equal((await refuses(409, 'POST', computers, { id: '0001', name: 'x' })).parameter, 'id')
    for (const id of ['', '..', 'a b', 'a/b', 'x'.repeat(129)]) {
      await refuses(400, 'POST', accounts, { id })
      await refuses(400, 'POST', computers, { id, name: 'x' })
    }
    await refuses(400, 'POST', computers, { id: 'new', name: '' })
    await refuses(400, 'POST', computers, { id: 'new', name: 'x', enrolmentKey: 'chosen by somebody' })
    await refuses(400, 'PATCH', `${computers}/0001`, { id: 'other' })
  })

  test('filters and orders that there are not', async () => {
    assert.equal((await refuses(400, 'GET', `${computers}?deleted=maybe`)).parameter, 'deleted')
    assert.equal((await refuses(400, 'GET', `${accounts}?deleted=1`)).parameter, 'deleted')
    await refuses(400, 'GET', `${computers}?order=hostName`)
  })

  test('to take back what is not deleted', async () => {
    await refuses(409, 'POST', `${accounts}/acme/undelete`)
    await refuses(409, 'POST', `${computers}/0001/undelete`)
  })

  test('everything about a deleted computer but to take it back', async () => {
    await refuses(201, 'POST', computers, { id: 'gone', name: 'x' })
    await refuses(204, 'DELETE', `${computers}/gone`)
    await refuses(409, 'DELETE', `${computers}/gone`)
    await refuses(409, 'PATCH', `${computers}/gone`, { name: 'y' })
    await refuses(409, 'POST', `${computers}/gone/enrolment-key`)
    await refuses(409, 'POST', `${computers}/gone/revoke`)
    assert.match((await refuses(409, 'POST', computers, { id: 'gone', name: 'x' })).detail, /deleted/)
  })

  test('computers in a deleted account, and to take one back before its account', async () => {
    await refuses(201, 'POST', accounts, { id: 'closed' })
    await refuses(201, 'POST', `${accounts}/closed/computers`, { id: '1', name: 'x' })
    await refuses(204, 'DELETE', `${accounts}/closed`)
    await refuses(409, 'DELETE', `${accounts}/closed`)
    await refuses(409, 'POST', accounts, { id: 'closed' })
    await refuses(409, 'POST', `${accounts}/closed/computers`, { id: '2', name: 'x' })
    await refuses(409, 'POST', `${accounts}/closed/computers/1/undelete`)
  })

  test('to delete what a restore reads, until its end is wished', async () => {
    const agent = await (await FakeAgent.enrol(admin.service.served.baseUrl)).connect()
    const backup = await admin.service.computer('POST', '/backups', { source: { path: '/dev/sdb' } })
    const { id } = await agent.heard('start-backup')
    assert.equal(id, backup.json.data.id)
    const revision = await agent.backUp(id, Buffer.alloc(4096, 'x'))
    const restore = await admin.service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [revision],
    })
    const restoreId = String(restore.headers['x-restore-id'])
    for (const path of [`${computers}/0001`, `${accounts}/acme`]) {
      assert.match((await refuses(409, 'DELETE', path)).detail, new RegExp(restoreId))
      assert.match((await refuses(200, 'DELETE', `${path}?preview=true`)).losses[0], new RegExp(restoreId))
    }
    assert.equal((await agent.request('GET', agentPaths.keys)).status, 200, 'nothing has changed')
    await admin.service.computer('POST', `/restores/${restoreId}/cancel`)
    await refuses(204, 'DELETE', `${computers}/0001`)
    await refuses(200, 'POST', `${computers}/0001/undelete`)
    const ended = await admin.service.computer('GET', `/restores/${restoreId}`)
    assert.equal(ended.json.state, 'CANCELED')
  })

  test('what a configuration file manages, which it names, but for shutting an agent out', async () => {
    await admin.restart({ configurationFile: 'palisade.yaml' })
    for (const [method, path, body] of [
      ['DELETE', `${accounts}/acme`],
      ['DELETE', `${computers}/0002`],
      ['PATCH', `${computers}/0002`, { name: 'x' }],
      ['POST', `${computers}/0002/enrolment-key`],
    ] as const) {
      assert.match((await refuses(409, method, path, body)).detail, /palisade\.yaml/)
    }
    assert.equal((await admin.computer('GET', '', '0002')).json.managedBy, 'palisade.yaml')
    const revoked = await admin.computer('POST', '/revoke', '0002')
    assert.equal(revoked.status, 200, revoked.text)
    const [acme, ...others] = configuration.accounts
    assert.ok(acme)
    const withoutSecond = [{ ...acme, computers: acme.computers.slice(0, 1) }, ...others]
    await admin.restart({
      configurationFile: 'palisade.yaml',
      configuration: { ...configuration, accounts: withoutSecond },
    })
    assert.equal((await admin.computer('GET', '', '0002')).json.managedBy, null, 'it stays')
    assert.equal((await admin.computer('GET')).json.managedBy, 'palisade.yaml')
    await refuses(204, 'DELETE', `${computers}/0002`)
  })

  test('operators whose grants are for another account, and those who may only read', async () => {
    const theirs = await admin.callerWith({ role: 'operator', service: 'backup', account: 'other' })
    const listed = await theirs('GET', accounts)
    assert.deepEqual(
      listed.json.items.map(({ id }: { id: string }) => id),
      ['other'],
    )
    assert.equal((await theirs('GET', `${accounts}/acme`)).status, 404)
    assert.equal((await theirs('GET', computers)).status, 404)
    assert.equal((await theirs('POST', `${computers}/0001/revoke`)).status, 404)
    assert.equal((await theirs('POST', accounts, { id: 'new' })).status, 403)
    assert.equal((await theirs('GET', `${accounts}/other/computers`)).json.items.length, 1)
    const auditor = await admin.callerWith({ role: 'auditor', service: 'backup' })
    assert.equal((await auditor('GET', computers)).status, 200)
    assert.equal((await auditor('DELETE', `${computers}/0001`)).status, 403)
    assert.equal((await auditor('POST', `${computers}/0001/enrolment-key`)).status, 403)
    const ofEmail = await admin.callerWith({ role: 'operator', service: 'email' })
    assert.equal((await ofEmail('GET', computers)).status, 404)
    assert.equal((await ofEmail('GET', accounts)).status, 403)
  })
})
