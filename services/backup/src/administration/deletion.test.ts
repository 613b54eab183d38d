import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { agentPaths } from '@palisade/agent-protocol'
import { onEveryStore, send } from '@palisade/platform/testing'
import { deriveEndToEndKeys } from '@palisade/vault'
import { configuration } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, someVolume } from '../testing/fake-agent.ts'
import { quick, RunTimeComputers } from '../testing/run-time-computers.ts'

const dayMs = 86_400_000

onEveryStore('a computer that is deleted', (newStore) => {
  let computers: RunTimeComputers
  let admin: RunTimeComputers['admin']
  before(async () => {
    computers = await RunTimeComputers.start(await newStore())
    admin = computers.admin
  })
  after(() => computers.close())

  test('is told first what goes with it, and when', async () => {
    const agent = await computers.add('told')
    await computers.backUp('told', agent)
    await computers.publicly('POST', 'told', '/backupsets', {
      name: 's',
      type: 'Disk_Image',
      selection: ['C:'],
    })
    await computers.startBackup('told', agent)
    const { json } = await admin.computer('DELETE', '?preview=true', 'told')
    const until = new Date(computers.now + 30 * dayMs).toISOString()
    assert.deepEqual(json.losses, [
      '1 revision, of 2,621,440 bytes as they were backed up',
      '1 backup set',
      '1 unfinished backup or restore, cancelled at once',
      'the connection of its agent, at once',
      `what is in the vault is removed after ${until}, and can be taken back until then`,
    ])
    assert.equal((await computers.publicly('GET', 'told')).status, 200, 'nothing was deleted')
    const revisions = await computers.publicly('GET', 'told', '/revisions')
    assert.equal(
      (await computers.publicly('POST', 'told', `/revisions/${revisions.json[0].Id}/pin`)).status,
      204,
    )
    const pinned = await admin.computer('DELETE', '?preview=true', 'told')
    assert.equal(
      pinned.json.losses[0],
      '1 revision, of 2,621,440 bytes as they were backed up, 1 of them pinned',
    )
    await agent.disconnect()
  })

  test('shuts its agent out at once, and is not there for whoever asks; taken back, all of it is as before', async () => {
    const agent = await computers.add('back')
    const content = computers.newContent()
    const revision = await computers.backUp('back', agent, content)
    const running = await computers.startBackup('back', agent)
    await agent.upload(running, computers.newContent())
    const set = await computers.publicly('POST', 'back', '/backupsets', {
      name: 'daily',
      type: 'Disk_Image',
      selection: [{ path: '/dev/sdb' }],
    })
    const closed = once(agent.socket, 'close')
    await computers.delete('back')
    assert.equal((await closed)[0], 1008)
    for (const path of [agentPaths.keys, agentPaths.link]) {
      assert.equal((await agent.request('GET', path)).status, 401)
    }
    assert.equal((await agent.request('POST', agentPaths.missing(running), Buffer.alloc(32))).status, 401)
    for (const path of ['', '/backups', '/revisions', `/revisions/${revision}`, '/backupsets']) {
      assert.equal((await computers.publicly('GET', 'back', path)).status, 404, path)
    }
    assert.equal((await computers.publicly('DELETE', 'back', `/revisions/${revision}`)).status, 404)
    const listed = await admin.service.call('GET', '/v2/accounts/acme/computers')
    assert.ok(!listed.text.includes('"back"'))
    const { items } = (await admin.call('GET', `${computers.path}?deleted=true`)).json
    const deletedAt = new Date(computers.now).toISOString()
    const purgeAt = new Date(computers.now + 30 * dayMs).toISOString()
    assert.deepEqual(
      items.map((item: Record<string, unknown>) => [item.id, item.deletedAt, item.purgeAt, item.online]),
      [['back', deletedAt, purgeAt, false]],
    )
    assert.ok(!(await admin.call('GET', computers.path)).text.includes('"back"'))

    await admin.pass(29 * dayMs)
    await computers.looked()
    await admin.restart(quick)
    const reply = await computers.undelete('back')
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual([reply.json.deletedAt, reply.json.purgeAt], [null, null])
    const same = await agent.at(computers.baseUrl).connect()
    assert.deepEqual(same.unheard, [], 'the backup that was under way is not begun again')
    await computers.restore('back', same, revision, content)
    const cancelled = await computers.publicly('GET', 'back', `/backups/${running}`)
    assert.equal(cancelled.json.state, 'CANCELED')
    const backupSet = await computers.publicly('GET', 'back', `/backupsets/${set.json.data.id}`)
    assert.ok(Date.parse(backupSet.json.nextRun) > computers.now, backupSet.text)
    await same.disconnect()
  })

  test('is in no figure, and in no history of its account', async () => {
    await admin.restart({ ...quick, configuration: { ...configuration, metricsByComputer: true } })
    const client = await admin.call('POST', '/backup/api-clients', {
      clientId: 'historian',
      accounts: ['acme'],
      scopes: ['accounts_read'],
    })
    const form = { client_id: 'historian', client_secret: client.json.clientSecret }
    const agent = await computers.add('counted')
    await computers.backUp('counted', agent)
    const set = { name: 's', type: 'Disk_Image', selection: ['C:'] }
    await computers.publicly('POST', 'counted', '/backupsets', set)
    const mentions = async () => {
      const { body } = await admin.service.metrics.text()
      const headers = await admin.service.authorise('historian', form)
      const history = await send(`${computers.baseUrl}/v1/accounts/acme/action_history`, { headers })
      assert.equal(history.status, 200, history.text)
      return [body.match(/computer="counted"/g)?.length, history.text.match(/"counted"/g)?.length]
    }
    assert.deepEqual(await mentions(), [2, 1])
    await computers.delete('counted')
    assert.deepEqual(await mentions(), [undefined, undefined])
    await admin.restart(quick)
  })

  test('runs no set, though it is due', async () => {
    const agent = await computers.add('sets')
    const set = await computers.publicly('POST', 'sets', '/backupsets', {
      name: 'hourly',
      type: 'Disk_Image',
      selection: [{ path: '/dev/sdb' }],
      schedule: [{ type: 'hourly', interval: 1 }],
    })
    assert.equal(set.status, 201, set.text)
    const requested = await computers.publicly('POST', 'sets', '/backupsets/run', {
      backupSetId: set.json.data.id,
    })
    await agent.heard('start-backup')
    await computers.delete('sets')
    await admin.pass(3 * dayMs)
    await computers.looked()
    const runs = await computers.actionsOf('sets')
    assert.deepEqual(
      runs.map(({ id, state, reason }) => [id, state, reason]),
      [[Number(requested.json.data.id), 'ERROR', 'the computer was deleted']],
    )
    assert.equal((await computers.undelete('sets')).status, 200)
    const same = await agent.at(computers.baseUrl).connect()
    await admin.pass(3_600_000)
    await same.heard('start-backup')
    await same.disconnect()
  })

  test('stays the one whose backups are sealed with its own key', async () => {
    const endToEnd = deriveEndToEndKeys(Buffer.alloc(32, 3), 'acme/sealed')
    const agent = await computers.add('sealed', { endToEnd })
    const content = computers.newContent()
    const revision = await computers.backUp('sealed', agent, content)
    await computers.delete('sealed')
    await computers.undelete('sealed')
    const same = agent.at(computers.baseUrl)
    same.endToEnd = endToEnd
    await same.connect()
    assert.equal((await admin.computer('GET', '', 'sealed')).json.isEndToEnd, true)
    await computers.restore('sealed', same, revision, content)
    same.endToEnd = undefined
    const backup = await computers.startBackup('sealed', same)
    const zeros = { ...someVolume, capacityBytes: 4096 }
    const refused = await same.commit(backup, Buffer.alloc(32), zeros)
    assert.match(await refused.text(), /sealed end to end, with another key/)
    assert.equal(refused.status, 400)
    await same.disconnect()
  })

  test('of which a restore begins at the same time is deleted, or restored, and never both', async () => {
    const agent = await computers.add('race')
    const revision = await computers.backUp('race', agent)
    for (let round = 0; round < 8; round++) {
      const [restore, deletion] = await Promise.all([
        computers.startRestore('race', revision),
        admin.computer('DELETE', '', 'race'),
      ])
      if (deletion.status === 204) {
        assert.equal(restore.status, 404, restore.text)
        assert.equal((await computers.undelete('race')).status, 200)
        await agent.connect()
        continue
      }
      assert.equal(deletion.status, 409, deletion.text)
      assert.equal(restore.status, 204, restore.text)
      const { id } = await agent.heard('start-restore')
      await agent.finish('restore', id, { state: 'CANCELED' })
    }
    await agent.disconnect()
  })

  test('goes with its account, and comes back with it; one that was deleted before does not', async () => {
    await admin.call('POST', '/backup/accounts', { id: 'leaving' })
    const theirs = '/backup/accounts/leaving/computers'
    const enrolled = await Promise.all(
      ['1', '2'].map(async (computer) => {
        const { json } = await admin.call('POST', theirs, { id: computer, name: 'x' })
        const who = { account: 'leaving', computer, enrolmentKey: json.enrolmentKey }
        return (await FakeAgent.enrol(computers.baseUrl, who)).connect()
      }),
    )
    const [first, second] = enrolled
    assert.ok(first && second)
    assert.equal((await admin.call('DELETE', `${theirs}/2`)).status, 204)
    const { json } = await admin.call('DELETE', '/backup/accounts/leaving?preview=true')
    assert.ok(json.losses.includes('1 computer'), json.losses)
    const closed = once(first.socket, 'close')
    assert.equal((await admin.call('DELETE', '/backup/accounts/leaving')).status, 204)
    assert.equal((await closed)[0], 1008)
    assert.equal((await first.request('GET', agentPaths.keys)).status, 401)
    assert.deepEqual(
      (await admin.call('GET', '/backup/accounts?deleted=true')).json.items.map(
        ({ id }: { id: string }) => id,
      ),
      ['leaving'],
    )
    assert.equal((await admin.call('GET', `${theirs}?deleted=true`)).json.items.length, 2)
    assert.equal((await admin.call('POST', '/backup/accounts/leaving/undelete')).status, 200)
    assert.equal((await first.request('GET', agentPaths.keys)).status, 200)
    assert.equal((await second.request('GET', agentPaths.keys)).status, 401)
    assert.equal((await admin.call('DELETE', '/backup/accounts/leaving')).status, 204)
    await admin.pass(31 * dayMs)
    await eventually(async () =>
      assert.equal((await admin.call('GET', '/backup/accounts/leaving')).status, 404),
    )
    assert.equal((await admin.call('POST', '/backup/accounts', { id: 'leaving' })).status, 201)
  })
})
