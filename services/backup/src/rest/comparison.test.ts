import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentPaths, type DiskComparison } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'

onEveryStore('comparing a disk with a revision', (newStore) => {
  const started = async () => {
    const service = await TestService.start(await newStore())
    const agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    const { json } = await service.computer('POST', '/backups', { source: { path: '/x' } })
    const revision = await agent.backUp(json.data.id, someContent())
    return { service, agent, revision }
  }
  const compare = (service: TestService, revision: number, body: object = { path: '/disk.vhdx' }) =>
    service.computer('POST', `/revisions/${revision}/compare`, body)
  const ended = async (service: TestService, id: string) => {
    const { kind, state, reason } = await service.ended(id)
    return [kind, state, reason]
  }

  test('ends as the agent says', async () => {
    const { service, agent, revision } = await started()
    const cases: [DiskComparison, state: string, reason: string][] = [
      [{ chunksCompared: 5, chunksDifferent: 0, firstDifferences: [] }, 'SUCCESS', ''],
      [
        { chunksCompared: 5, chunksDifferent: 2, firstDifferences: [0, 4096] },
        ...(['ERROR', '2 of 5 chunks differ, at bytes 0, 4096 of the volume'] as const),
      ],
      [
        { chunksCompared: 5, chunksDifferent: 2, firstDifferences: [0] },
        ...(['ERROR', '2 of 5 chunks differ, at bytes 0 of the volume and further on'] as const),
      ],
      [{ failure: 'no such\nfile' }, 'ERROR', 'the disk cannot be compared: no such file'],
    ]
    for (const [comparison, state, reason] of cases) {
      const reply = await compare(service, revision, { path: '/disk.vhdx', partition: 2 })
      assert.equal(reply.status, 202)
      const question = await agent.heard('compare-disk')
      assert.deepEqual(
        [question.path, question.partition, question.revision.revisionId],
        ['/disk.vhdx', 2, revision],
      )
      agent.say({ type: 'compared', id: question.id, comparison })
      assert.deepEqual(await ended(service, reply.json.data.id), ['compare-disk', state, reason])
    }
    await agent.disconnect()
    await service.close()
  })

  test('ends with the link of the agent, and with the server', async () => {
    const { service, agent, revision } = await started()
    const missing = await compare(service, revision)
    await agent.heard('compare-disk')
    await agent.disconnect()
    const [, state, reason] = await ended(service, missing.json.data.id)
    assert.deepEqual([state, reason], ['ERROR', 'the agent went away before it had compared the disk'])
    const refused = await eventually(async () => {
      const reply = await compare(service, revision)
      assert.equal(reply.status, 400)
      return reply.json
    })
    assert.deepEqual(refused, { errors: ['Agent cannot be reached or is offline'] })
    await service.close()
  })

  test('is refused for what is no revision, and for what is no disk', async () => {
    const { service, agent, revision } = await started()
    for (const id of ['999', 'x', '9'.repeat(20)]) {
      assert.equal((await service.computer('POST', `/revisions/${id}/compare`, { path: '/x' })).status, 404)
    }
    for (const body of [
      {},
      { path: 1 },
      { path: '' },
      { path: `/${'a'.repeat(4096)}` },
      { path: '/x', partition: 0 },
      { path: '/x', more: 1 },
    ]) {
      assert.equal((await compare(service, revision, body)).status, 400)
    }
    await agent.disconnect()
    await service.close()
  })

  test('an agent gets the names of the chunks of its own computer only', async () => {
    const { service, agent, revision } = await started()
    const path = (from: number, to: number) => `${agentPaths.revisionIds(revision)}?from=${from}&to=${to}`
    const ids = await agent.request('GET', path(1, 3))
    assert.deepEqual([ids.status, (await ids.arrayBuffer()).byteLength], [200, 64])
    assert.equal((await agent.request('GET', path(0, 1000))).status, 400)
    const other = await FakeAgent.enrol(service.served.baseUrl, {
      computer: '0002',
      enrolmentKey: 'enrol-two',
    })
    assert.equal((await other.request('GET', path(1, 3))).status, 404)
    await agent.disconnect()
    await service.close()
  })
})
