import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareAsEnglish, onEveryStore } from '@palisade/platform/testing'
import { configuration, TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'

onEveryStore('listings', (newStore) => {
  test('are given by pages, newest first, each record on one of them', async () => {
    const service = await TestService.start(await newStore())
    const agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    const [backups, revisions, restores]: string[][] = [[], [], []]
    for (let count = 0; count < 5; count++) {
      service.clock.advance(1000)
      const { json } = await service.computer('POST', '/backups', { source: { path: '/x' } })
      backups?.unshift(json.data.id)
      const revision = await agent.backUp(json.data.id, someContent())
      revisions?.unshift(String(revision))
      const destination = { path: '/y' }
      const restore = await service.restoreDisks({ destination, diskFormat: 'Vhd', revisions: [revision] })
      restores?.unshift(String(restore.headers['x-restore-id']))
    }
    let ran = 0
    for (const [path, ids] of Object.entries({ backups, revisions, restores })) {
      for (const [query, expected] of [
        ['', ids],
        ['limit=2', ids?.slice(0, 2)],
        ['limit=2&page=2', ids?.slice(2, 4)],
        ['limit=2&page=3', ids?.slice(4)],
        ['page=2', []],
      ] as const) {
        const { json } = await service.computer('GET', `/${path}?${query}`)
        const listed = (json as { id?: string; Id?: number }[]).map(({ id, Id }) => id ?? String(Id))
        assert.deepEqual(listed, expected, `${path}?${query}`)
        ran++
      }
    }
    assert.equal(ran, 15)
    await agent.disconnect()
    await service.close()
  })

  test('are ordered by their characters, whatever language the database was made for', async () => {
    const names = ['B', 'a-b', 'a.b', 'ab', 'b', 'ä']
    const computers = names.toReversed().map((id) => ({ id, name: id, enrolmentKey: id }))
    const accounts = [{ id: 'acme', computers: [...computers, { id: '0001', name: 'n', enrolmentKey: 'k' }] }]
    const store = await newStore()
    const service = await TestService.start(store, { configuration: { ...configuration, accounts } })
    await compareAsEnglish(store, 'backup_computer', 'id')
    await compareAsEnglish(store, 'backup_set', 'name')
    for (const name of names.toReversed()) {
      await service.computer('POST', '/backupsets', { name, type: 'Disk_Image', selection: ['%All%'] })
    }
    const listed = (listing: readonly { id: string; name: string }[]) => listing.map(({ name }) => name)
    const all = await service.call('GET', '/v2/accounts/acme/computers')
    assert.deepEqual(listed(all.json), ['n', ...names])
    assert.deepEqual(listed((await service.computer('GET', '/backupsets')).json), names)
    await service.close()
  })
})
