import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'

const general = 'Could not create item.'
const revisions = '[revisions] is missing or invalid; [revisions] must be a valid list of id integers'

onEveryStore('disks that are served', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  let older: number
  let newer: number
  before(async () => {
    service = await TestService.start(await newStore())
    agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    const backUp = async (seed: number) => {
      const source = { path: '/dev/sdb1' }
      const { json } = await service.computer('POST', '/backups', { source })
      await agent.heard('start-backup')
      return agent.backUp(json.data.id, someContent(seed))
    }
    older = await backUp(1)
    newer = await backUp(2)
  })
  after(() => service.close())

  const ask = (body: unknown) => service.computer('POST', '/restore/diskimage/standard/nbd', body)
  const show = async (id: string) => (await service.computer('GET', `/restores/${id}`)).json

  test('are of several revisions of one volume, which can be fetched until it ends', async () => {
    const { status, headers } = await ask({ revisions: [older, newer] })
    assert.equal(status, 204)
    const id = String(headers['x-restore-id'])
    const message = await agent.heard('serve-disks')
    assert.deepEqual(
      [message.id, message.revisions.map(({ revisionId }) => revisionId)],
      [id, [older, newer]],
    )
    await agent.download(id, older, someContent(1))
    agent.say({ type: 'disks-served', id, served: { socketPath: '/run/a.sock', failures: 0 } })
    await eventually(async () =>
      assert.deepEqual((await show(id)).served, {
        socketPath: '/run/a.sock',
        failures: 0,
        lastFailure: null,
      }),
    )
    assert.equal((await service.computer('DELETE', `/revisions/${older}`)).status, 409)
    const progress = { task: 'restore', step: 'serving', bytesDone: 7, bytesTotal: 100 } as const
    agent.say({ type: 'progress', id, ...progress })
    await agent.finish('restore', id, { state: 'SUCCESS' })
    const ended = await show(id)
    assert.deepEqual([ended.state, ended.bytesDone, ended.bytesTotal], ['SUCCESS', 7, 100])
    const late = await agent.request('GET', `/agent/v1/restores/${id}/revisions/${older}/presence`)
    assert.equal(late.status, 404)
  })

  test('are not told of what was damaged that it is whole, since most of it was not read', async () => {
    const { headers } = await ask({ revisions: [newer] })
    const id = String(headers['x-restore-id'])
    await agent.heard('serve-disks')
    await agent.finish('restore', id, { state: 'SUCCESS' })
    const { json } = await service.computer('GET', `/revisions/${newer}`)
    assert.equal(json.Verification, null)
  })

  test('are refused with a word about what is wrong', async () => {
    for (const [body, errors] of [
      [{}, [general, revisions]],
      [{ revisions: 'all' }, [general, revisions]],
      [
        { revisions: [999] },
        [general, '[revisions] is missing or invalid: 999 is not a revision of this computer'],
      ],
    ] as const) {
      const { status, json } = await ask(body)
      assert.deepEqual([status, json], [400, { errors }])
    }
    await agent.disconnect()
    await eventually(async () => {
      const { status, json } = await ask({ revisions: [older] })
      assert.deepEqual([status, json], [400, { errors: ['Agent cannot be reached or is offline'] }])
    })
  })

  test('are not asked of an agent that cannot serve them', async () => {
    agent.servesDisks = false
    await agent.connect()
    const { status, json } = await ask({ revisions: [older] })
    assert.equal(status, 400)
    assert.match(json.errors[1], /the agent of this computer cannot serve disks/)
    assert.deepEqual(
      agent.unheard.filter(({ type }) => type === 'serve-disks'),
      [],
    )
  })
})
