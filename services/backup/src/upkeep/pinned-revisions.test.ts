import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import type { TestService } from '../testing/backup-service.ts'
import { ManualSets } from '../testing/manual-sets.ts'

onEveryStore('a pinned revision', (newStore) => {
  let service: TestService
  let sets: ManualSets
  before(async () => {
    sets = await ManualSets.start(await newStore())
    service = sets.service
  })
  after(() => service.close())

  const revision = (method: string, id: number | string, rest = '') =>
    service.computer(method, `/revisions/${id}${rest}`)
  const pin = async (id: number) => {
    const { status, text } = await revision('POST', id, '/pin')
    assert.deepEqual([status, text], [204, ''])
  }
  /** The revisions that are there, oldest first, and of those the pinned ones. */
  const shownOf = async (deviceId: string) => {
    const { json } = await service.computer('GET', '/revisions')
    const of = (json as { Id: number; DeviceId: string; Pinned: boolean }[])
      .filter(({ DeviceId }) => DeviceId === deviceId)
      .reverse()
    return { all: of.map(({ Id }) => Id), pinned: of.filter(({ Pinned }) => Pinned).map(({ Id }) => Id) }
  }

  test('is deleted by no caller until it is unpinned, and shows so in every listing', async () => {
    const set = await sets.create({})
    const [id, other] = [await sets.run(set), await sets.run(set)]
    await pin(id)
    await pin(id)
    const refused = await revision('DELETE', id)
    assert.deepEqual(
      [refused.status, refused.json],
      [409, { errors: ['This revision is pinned: unpin it before you delete it.'] }],
    )
    assert.deepEqual(await shownOf(set), { all: [id, other], pinned: [id] })
    assert.equal((await revision('GET', id)).json.Pinned, true)
    const browse = `/restore/diskimage/standard/browse/revisions?deviceId=${set}`
    const browsed = (await service.computer('GET', browse)).json as { Pinned: boolean }[]
    assert.deepEqual(
      browsed.map(({ Pinned }) => Pinned),
      [false, true],
    )
    await sets.restart()
    assert.deepEqual((await shownOf(set)).pinned, [id], 'it is in the store')
    for (const time of [1, 2]) assert.equal((await revision('DELETE', id, '/pin')).status, 204, `${time}`)
    assert.equal((await revision('DELETE', id)).status, 204)
    assert.deepEqual(await shownOf(set), { all: [other], pinned: [] })
  })

  test('outlives the retention of its set, whose preview says so, and goes with the next run when it is unpinned', async () => {
    const set = await sets.create({ retention: { keepLast: 1 } })
    const first = await sets.run(set)
    await pin(first)
    const second = await sets.run(set)
    assert.deepEqual((await shownOf(set)).all, [first, second])
    const preview = async () => (await service.computer('POST', `/backupsets/${set}/retention`, {})).json.data
    assert.deepEqual(await preview(), { kept: [first, second], deleted: [] })
    const third = await sets.run(set)
    assert.deepEqual((await shownOf(set)).all, [first, third])
    await revision('DELETE', first, '/pin')
    assert.deepEqual(await preview(), { kept: [third], deleted: [first] })
    const fourth = await sets.run(set)
    assert.deepEqual((await shownOf(set)).all, [fourth])
  })

  test('stays when its set is deleted with its data, and the action says so', async () => {
    const set = await sets.create({})
    const [pinned, restored] = [await sets.run(set), await sets.run(set)]
    await sets.run(set)
    await pin(pinned)
    const restore = { destination: { path: '/x' }, diskFormat: 'Vhdx', revisions: [restored] }
    assert.equal((await service.restoreDisks(restore)).status, 204)
    const { json } = await service.computer('POST', '/backupsets/delete', {
      backupSetId: set,
      deleteData: true,
    })
    const { state, reason } = await service.ended(json.data.id)
    assert.deepEqual(
      [state, reason],
      [
        'WARNING',
        `these revisions are pinned and stay: ${pinned}; these revisions are being restored and stay: ${restored}`,
      ],
    )
    assert.deepEqual(await shownOf(set), { all: [pinned, restored], pinned: [pinned] })
    const { id } = await sets.agent.heard('start-restore')
    await sets.agent.finish('restore', id, { state: 'CANCELED' })
  })

  test('is either pinned or deleted when both are asked at the same time', async () => {
    const set = await sets.create({})
    const content = sets.newContent()
    for (let round = 0; round < 10; round++) {
      const id = await sets.run(set, content)
      const [pinned, deleted] = await Promise.all([revision('POST', id, '/pin'), revision('DELETE', id)])
      const isThere = (await revision('GET', id)).status === 200
      const outcome = `${pinned.status} ${deleted.status}`
      assert.equal(outcome, isThere ? '204 409' : '404 204')
    }
  })

  test('cannot be one that is not there, or is of another computer', async () => {
    const id = await sets.run(await sets.create({}))
    for (const method of ['POST', 'DELETE']) {
      for (const strange of [id + 1000, '0', 'x', '%00', '9'.repeat(20)]) {
        const { status, json } = await revision(method, strange, '/pin')
        assert.deepEqual([status, json], [404, { errors: ['There is no such revision.'] }], `${strange}`)
      }
      const foreign = `/v2/accounts/acme/computers/0002/revisions/${id}/pin`
      assert.equal((await service.call(method, foreign)).status, 404)
    }
    assert.equal((await revision('GET', id)).json.Pinned, false)
  })
})
