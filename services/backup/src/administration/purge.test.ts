import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { agentPaths } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { DirectoryBackend, VaultFailure } from '@palisade/vault'
import { configuration } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent } from '../testing/fake-agent.ts'
import { quick, RunTimeComputers } from '../testing/run-time-computers.ts'

const dayMs = 86_400_000

/** The configuration, with a computer that it did not name before. */
function naming(id: string) {
  const [acme, ...others] = configuration.accounts
  assert.ok(acme)
  const computer = { id, name: 'Named again', enrolmentKey: 'of the file' }
  return { ...configuration, accounts: [{ ...acme, computers: [...acme.computers, computer] }, ...others] }
}

onEveryStore('a deleted computer whose time comes', (newStore) => {
  let computers: RunTimeComputers
  let admin: RunTimeComputers['admin']
  before(async () => {
    computers = await RunTimeComputers.start(await newStore())
    admin = computers.admin
  })
  after(() => computers.close())

  test('keeps what it has until its time has come; then the vault is freed of it and of nothing else', async () => {
    const [agent, other] = [await computers.add('purged'), await computers.add('stays')]
    const content = computers.newContent()
    const revisions = [await computers.backUp('purged', agent), await computers.backUp('purged', agent)]
    const revision = await computers.backUp('stays', other, content)
    assert.ok(
      (await admin.service.call('GET', '/v2/accounts/acme/computers/purged/revisions')).text.includes(
        `${revisions[0]}`,
      ),
    )
    await computers.publicly('POST', 'purged', '/backupsets', {
      name: 's',
      type: 'Disk_Image',
      selection: ['C:'],
    })
    await computers.delete('purged')
    await admin.pass(30 * dayMs - 1000)
    await computers.looked()
    assert.deepEqual(await computers.rowsOf('purged'), [1, 2, 2, 1, 0])
    const before = computers.packBytes()
    await admin.pass(15 * 60_000 + 1000)
    await eventually(async () => assert.deepEqual(await computers.rowsOf('purged'), [0, 0, 0, 0, 0]))
    await admin.pass(2 * dayMs)
    await eventually(async () =>
      assert.ok(computers.packBytes() < before - 1024 * 1024, `${computers.packBytes()} of ${before}`),
    )
    assert.equal((await computers.undelete('purged')).status, 404)
    assert.ok(!(await admin.call('GET', `${computers.path}?deleted=true`)).text.includes('purged'))
    const audit = await admin.call(
      'GET',
      `/audit?target=${encodeURIComponent(`${computers.path}/purged`)}&action=purgeComputer`,
    )
    assert.deepEqual(
      audit.json.items.map(({ actorKind, actor }: Record<string, string>) => [actorKind, actor]),
      [['system', 'palisade']],
    )
    await other.disconnect()
    await computers.restore('stays', await other.connect(), revision, content)
    const anew = await computers.add('purged')
    assert.equal((await agent.request('GET', agentPaths.keys)).status, 401, 'the agent before is nobody')
    await admin.restart(quick)
    assert.deepEqual((await computers.publicly('GET', 'purged', '/revisions')).json, [])
    await anew.at(computers.baseUrl).connect()
  })

  test('of an account that goes ends the grants for it: another account of its id is open to nobody who had one', async () => {
    const account = '/backup/accounts/reborn'
    await admin.call('POST', '/backup/accounts', { id: 'reborn' })
    const grants = [
      { role: 'operator', service: 'backup', account: 'reborn' },
      { role: 'auditor', service: 'email', account: 'reborn' },
    ]
    const operator = { username: 'tenant', password: 'a very long secret', grants }
    assert.equal((await admin.call('POST', '/operators', operator)).status, 201)
    const made = await admin.call('POST', '/operators/tenant/tokens', {
      name: 'program',
      grants,
      lifetimeDays: 90,
    })
    const { token } = made.json
    const opens = async () => {
      const headers = { authorization: `Bearer ${token}` }
      const own = await admin.administration.with(token, 'GET', account)
      return [
        own.status,
        (await admin.service.call('GET', '/v2/accounts/reborn/computers', undefined, headers)).status,
      ]
    }
    assert.deepEqual(await opens(), [200, 200])
    const { losses } = (await admin.call('DELETE', `${account}?preview=true`)).json
    assert.equal(losses.at(-1), 'the grants of 1 operator and of 1 API token for the account')
    assert.equal((await admin.call('DELETE', account)).status, 204)
    assert.deepEqual(
      (await admin.call('GET', '/operators/tenant')).json.grants,
      grants,
      'it may be taken back',
    )
    await admin.pass(30 * dayMs)
    await eventually(async () =>
      assert.equal((await admin.call('POST', '/backup/accounts', { id: 'reborn' })).status, 201),
    )
    assert.deepEqual((await admin.call('GET', '/operators/tenant')).json.grants, grants.slice(1))
    const [left] = (await admin.call('GET', '/operators/tenant/tokens')).json.items
    assert.deepEqual(left.grants, grants.slice(1))
    assert.deepEqual(await opens(), [404, 404])
  })

  test('keeps what it has while the clock that says that its time has come is doubted', async () => {
    const agent = await computers.add('doubted')
    const content = computers.newContent()
    const revision = await computers.backUp('doubted', agent, content)
    await computers.delete('doubted')
    const { clock } = admin.service
    let isDoubted = true
    const agingClock = { now: () => clock.now() - (isDoubted ? 700 * dayMs : 0) }
    await admin.restart({ ...quick, agingClock })
    await admin.pass(700 * dayMs)
    await computers.looked()
    assert.equal((await computers.undelete('doubted')).status, 200)
    await computers.restore('doubted', await agent.at(computers.baseUrl).connect(), revision, content)
    await computers.delete('doubted')
    await admin.pass(31 * dayMs)
    isDoubted = false
    await admin.pass(15 * 60_000 + 1000)
    await eventually(async () => assert.deepEqual(await computers.rowsOf('doubted'), [0, 0, 0, 0, 0]))
    await admin.restart(quick)
  })

  test('whose removal a crash interrupts is removed by the next start, and cannot be taken back', async () => {
    const agent = await computers.add('halfway')
    await computers.backUp('halfway', agent)
    await computers.delete('halfway')
    await computers.interruptPurge('halfway')
    assert.match((await computers.undelete('halfway')).json.detail, /too late/)
    await admin.restart(quick)
    await eventually(async () => assert.equal((await computers.rowsOf('halfway'))[1], 0))
    await admin.pass(15 * 60_000)
    await eventually(async () => assert.deepEqual(await computers.rowsOf('halfway'), [0, 0, 0, 0, 0]))
  })

  test('is taken back by a configuration file that names it again, whether its time has come or not', async () => {
    const agent = await computers.add('named')
    const content = computers.newContent()
    const revision = await computers.backUp('named', agent, content)
    await computers.delete('named')
    await admin.service.served.close()
    admin.service.clock.advance(31 * dayMs)
    await admin.restart({
      ...quick,
      configurationFile: 'palisade.yaml',
      configuration: naming('named'),
    })
    await admin.pass(0)
    await computers.looked()
    const computer = (await admin.computer('GET', '', 'named')).json
    assert.deepEqual(
      [computer.deletedAt, computer.managedBy, computer.isEnrolled],
      [null, 'palisade.yaml', true],
    )
    const same = await agent.at(computers.baseUrl).connect()
    await computers.restore('named', same, revision, content)
    await same.disconnect()
    await admin.restart(quick)
  })

  test('that is named anew while what it had is removed is another one', async () => {
    const agent = await computers.add('anew')
    await computers.backUp('anew', agent)
    await computers.delete('anew')
    await computers.interruptPurge('anew')
    await admin.restart({ ...quick, configuration: naming('anew') })
    const computer = (await admin.computer('GET', '', 'anew')).json
    assert.deepEqual([computer.deletedAt, computer.isEnrolled, computer.hostName], [null, false, null])
    assert.equal((await agent.at(computers.baseUrl).request('GET', agentPaths.keys)).status, 401)
    assert.deepEqual((await computers.publicly('GET', 'anew', '/revisions')).json, [])
    const another = await FakeAgent.enrol(computers.baseUrl, {
      computer: 'anew',
      enrolmentKey: 'of the file',
    })
    await another.connect()
    const content = computers.newContent()
    const revision = await computers.backUp('anew', another, content)
    await admin.pass(15 * 60_000)
    await computers.looked()
    await computers.restore('anew', another, revision, content)
    await another.disconnect()
    await admin.restart(quick)
  })

  test('of which the vault has more than an older database knows has its grace period again', async () => {
    const agent = await computers.add('older')
    const content = computers.newContent()
    const revision = await computers.backUp('older', agent, content)
    await computers.delete('older')
    await computers.forgetRevision(revision)
    await admin.pass(30 * dayMs - 60_000)
    await admin.restart(quick)
    await admin.pass(16 * 60_000)
    await computers.looked()
    const computer = (await admin.computer('GET', '', 'older')).json
    assert.equal(computer.purgeAt, new Date(computers.now + 30 * dayMs - 16 * 60_000).toISOString())
    assert.equal((await computers.undelete('older')).status, 200)
    const same = await agent.at(computers.baseUrl).connect()
    await computers.restore('older', same, revision, content)
    await same.disconnect()
  })

  test('that an older database does not have is named by what needs attention, and has its revisions as soon as it is added', async () => {
    const content = computers.newContent()
    const before = await computers.add('unlisted')
    const revision = await computers.backUp('unlisted', before, content)
    await before.disconnect()
    await computers.forgetComputer('unlisted')
    await admin.restart(quick)
    const ownerless = async () =>
      (await admin.service.attention())?.filter(({ condition }) => condition === 'revisions-without-computer')
    const [told, ...more] = (await ownerless()) ?? []
    assert.match(told?.message ?? '', /not in the database: acme\/unlisted \(1\)\./)
    assert.equal(told?.remedy, 'palisade backup enrol --account acme --computer unlisted')
    assert.deepEqual(more, [])
    const agent = await computers.add('unlisted')
    assert.deepEqual(await ownerless(), [])
    await computers.restore('unlisted', agent, revision, content)
    await agent.disconnect()
  })

  test('while the server was stopped is left alone for a quarter of an hour after its start', async () => {
    const agent = await computers.add('slept')
    const content = computers.newContent()
    const revision = await computers.backUp('slept', agent, content)
    await computers.delete('slept')
    await admin.service.served.close()
    admin.service.clock.advance(31 * dayMs)
    await admin.restart(quick)
    await admin.pass(14 * 60_000)
    await computers.looked()
    assert.equal((await computers.undelete('slept')).status, 200)
    await computers.restore('slept', await agent.at(computers.baseUrl).connect(), revision, content)
    await computers.delete('slept')
  })

  test('which the vault cannot let go stays for the next time, and comes back to nobody', async (t) => {
    const agent = await computers.add('held')
    await computers.backUp('held', agent)
    await computers.delete('held')
    const refusal = t.mock.method(DirectoryBackend.prototype, 'delete', async () => {
      throw new VaultFailure('storage', 'the folder is read-only')
    })
    await admin.pass(31 * dayMs)
    await eventually(async () => assert.ok(refusal.mock.callCount() > 0))
    await computers.looked()
    assert.match(admin.service.loggedErrors.splice(0).join(), /cannot be deleted yet/)
    assert.equal((await computers.undelete('held')).status, 409)
    assert.equal((await computers.rowsOf('held'))[0], 1)
    refusal.mock.restore()
    await admin.pass(15 * 60_000)
    await eventually(async () => assert.deepEqual(await computers.rowsOf('held'), [0, 0, 0, 0, 0]))
  })

  test('is taken back or removed, and never both, when its time comes meanwhile', async () => {
    const content = computers.newContent()
    let bytes = 0
    for (let round = 0; round < 6; round++) {
      const id = `close-${round}`
      const agent = await computers.add(id)
      const revision = await computers.backUp(id, agent, content)
      await computers.delete(id)
      await admin.pass(31 * dayMs)
      if (round > 2) await new Promise((resolve) => setTimeout(resolve, 5 * round))
      const { status } = await computers.undelete(id)
      if (status !== 200) {
        assert.ok(status === 409 || status === 404, `${status}`)
        await eventually(async () => assert.equal((await computers.rowsOf(id))[0], 0))
        continue
      }
      bytes++
      await computers.looked()
      await agent.connect()
      await computers.restore(id, agent, revision, content)
      await agent.disconnect()
    }
    assert.ok(bytes < 6, 'some of them were removed')
  })

  test('goes at once where there is no grace period', async () => {
    await admin.restart({ ...quick, configuration: { ...configuration, deletionGraceDays: 0 } })
    const agent = await computers.add('hasty')
    await computers.backUp('hasty', agent)
    const { json } = await admin.computer('DELETE', '?preview=true', 'hasty')
    assert.match(json.losses.at(-1), /cannot be taken back/)
    await computers.delete('hasty')
    await eventually(async () => assert.deepEqual(await computers.rowsOf('hasty'), [0, 0, 0, 0, 0]))
  })
})
