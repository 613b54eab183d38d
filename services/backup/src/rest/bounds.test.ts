/** How much a caller may wish of one computer before what he wished has ended. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'

onEveryStore('what is wished of one computer is bounded', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  let revision = 0
  const backUp = (path: string) => service.computer('POST', '/backups', { source: { path } })
  const counted = (replies: readonly { status: number }[], status: number) =>
    replies.filter((reply) => reply.status === status).length
  before(async () => {
    service = await TestService.start(await newStore())
    agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    revision = await agent.backUp((await backUp('/dev/first')).json.data.id, someContent())
  })
  after(async () => {
    await agent.disconnect()
    await service.close()
  })

  test('a source has one backup that runs and one behind it, also of those that are started at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => backUp('/dev/sdb')))
    assert.deepEqual([counted(replies, 202), counted(replies, 409)], [2, 18])
    const refused = replies.find(({ status }) => status === 409)
    assert.match(
      refused?.json.errors[0],
      /^2 backups of this source have not ended, such as [0-9a-f-]{36}: wait/,
    )
    const [first] = replies.filter(({ status }) => status === 202)
    await agent.finish('backup', first?.json.data.id, { state: 'CANCELED' })
    assert.equal((await backUp('/dev/sdb')).status, 202)
    assert.equal((await backUp('/dev/sdb')).status, 409)
  })

  test('a computer has 64 backups of any sources', async () => {
    const replies = await Promise.all(Array.from({ length: 70 }, (_, index) => backUp(`/dev/other${index}`)))
    assert.deepEqual([counted(replies, 202), counted(replies, 409)], [62, 8])
    assert.match((await backUp('/dev/more')).json.errors[0], /^64 backups of this computer have not ended/)
  })

  test('a computer has 64 restores', async () => {
    const wish = { destination: { path: '/x' }, diskFormat: 'Vhdx', revisions: [revision] }
    const replies = await Promise.all(Array.from({ length: 70 }, () => service.restoreDisks(wish)))
    assert.deepEqual([counted(replies, 204), counted(replies, 409)], [64, 6])
  })

  test('a revision has one verification, and a computer eight comparisons', async () => {
    const verifications = await Promise.all(
      Array.from({ length: 10 }, () => service.computer('POST', `/revisions/${revision}/verify`, {})),
    )
    assert.ok(counted(verifications, 409) > 0)
    assert.equal(counted(verifications, 202) + counted(verifications, 409), 10)
    for (const { status, json } of verifications) if (status === 202) await service.ended(json.data.id)
    assert.equal((await service.computer('POST', `/revisions/${revision}/verify`, {})).status, 202)
    const comparisons = await Promise.all(
      Array.from({ length: 10 }, () =>
        service.computer('POST', `/revisions/${revision}/compare`, { path: '/x.vhdx' }),
      ),
    )
    assert.deepEqual([counted(comparisons, 202), counted(comparisons, 409)], [8, 2])
  })
})
