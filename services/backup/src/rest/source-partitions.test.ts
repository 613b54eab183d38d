import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'

const path = '/images/web.raw'

onEveryStore('a partition is # and its number behind a path, or the number apart', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  before(async () => {
    service = await TestService.start(await newStore())
    agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
  })
  after(async () => {
    await agent.disconnect()
    await service.close()
  })

  test('in a backup, and both are one source', async () => {
    const ids: string[] = []
    for (const source of [{ path: `${path}#2` }, { path, partition: 2 }]) {
      const { status, json } = await service.computer('POST', '/backups', { source })
      assert.equal(status, 202)
      const id: string = json.data.id
      const heard = await agent.heard('start-backup', (message) => message.id === id)
      assert.deepEqual(heard.source, { path, partition: 2 })
      assert.deepEqual((await service.computer('GET', `/backups/${id}`)).json.source, { path, partition: 2 })
      ids.push(id)
    }
    const third = await service.computer('POST', '/backups', { source: { path: `${path}#2`, partition: 2 } })
    assert.equal(third.status, 409, 'a third backup of one source waits for nothing')
    for (const id of ids) await agent.finish('backup', id, { state: 'CANCELED' })
  })

  test('in a comparison', async () => {
    const { json } = await service.computer('POST', '/backups', { source: { path } })
    const revision = await agent.backUp(json.data.id, someContent())
    for (const disk of [{ path: `${path}#2` }, { path, partition: 2 }, { path: `${path}#2`, partition: 2 }]) {
      const reply = await service.computer('POST', `/revisions/${revision}/compare`, disk)
      assert.equal(reply.status, 202)
      const { id, ...heard } = await agent.heard('compare-disk')
      assert.deepEqual([heard.path, heard.partition], [path, 2])
      agent.say({ type: 'compared', id, comparison: { failure: 'not now' } })
    }
  })

  test('in a set', async () => {
    const set = {
      name: 'images',
      type: 'Disk_Image',
      selection: [{ path: `${path}#1` }, { path: `${path}#2` }],
      exclusions: [{ path, partition: 2 }],
    }
    const { status, json } = await service.computer('POST', '/backupsets', set)
    assert.equal(status, 201, JSON.stringify(json))
    const backupSet = (await service.computer('GET', `/backupsets/${json.data.id}`)).json
    const { selection, exclusions } = backupSet.data ?? backupSet
    assert.deepEqual(selection, [
      { path, partition: 1 },
      { path, partition: 2 },
    ])
    assert.deepEqual(exclusions, [{ path, partition: 2 }])
  })

  test('and what names two, or none, is refused before anything is asked of the agent', async () => {
    const revision = 1
    for (const [source, message] of [
      [{ path: `${path}#2`, partition: 3 }, /names partition 2, and partition 3 is asked for/],
      [{ path: `${path}#0` }, /counted from 1/],
    ] as const) {
      for (const [at, body] of [
        ['/backups', { source }],
        [`/revisions/${revision}/compare`, source],
        ['/backupsets', { name: 'x', type: 'Disk_Image', selection: [source] }],
      ] as const) {
        const { status, json } = await service.computer('POST', at, body)
        assert.equal(status, 400, `${at}: ${JSON.stringify(json)}`)
        assert.match(json.errors.join(), message)
      }
    }
  })
})
