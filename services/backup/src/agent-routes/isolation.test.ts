/** One computer learns nothing of another's chunks: not what they hold, and not that they exist. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { agentPaths, isSet } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { isVaultFailure, nameChunk, openChunk, sealChunk } from '@palisade/vault'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent, someVolume } from '../testing/fake-agent.ts'

onEveryStore("another computer's chunks", (newStore) => {
  let service: TestService
  let victim: FakeAgent
  let prober: FakeAgent
  let backupId = ''
  let ids: Buffer = Buffer.alloc(0)
  const content = someContent(5)
  const volume = { ...someVolume, capacityBytes: content.length }
  before(async () => {
    service = await TestService.start(await newStore())
    const { baseUrl } = service.served
    victim = await (await FakeAgent.enrol(baseUrl)).connect()
    prober = await (await FakeAgent.enrol(baseUrl, { computer: '0002', enrolmentKey: 'enrol-two' })).connect()
    const { json } = await service.computer('POST', '/backups', { source: { path: '/dev/sdb' } })
    ids = (await victim.upload(json.data.id, content)).ids
    assert.equal((await victim.commit(json.data.id, ids, volume)).status, 200)
    const start = await service.call('POST', '/v2/accounts/acme/computers/0002/backups', {
      source: { path: '/dev/sdb' },
    })
    backupId = start.json.data.id
  })
  after(() => service.close())

  const missing = async (isMissing: Buffer) => {
    const reply = await prober.request('POST', agentPaths.missing(backupId), isMissing)
    assert.equal(reply.status, 200)
    const bitmap = Buffer.from(await reply.arrayBuffer())
    return Array.from({ length: isMissing.length / 32 }, (_, index) => isSet(bitmap, index))
  }

  test('are missing to whoever asks for them by their ids', async () => {
    const zero = 1
    assert.deepEqual(
      await missing(ids),
      [0, 1, 2, 3, 4].map((position) => position !== zero),
    )
  })

  test('have other ids for another computer, so that equal content is not noticed', async () => {
    const { keys, chunkSizeBytes } = await prober.keys()
    const plaintext = content.subarray(0, chunkSizeBytes)
    const id = nameChunk(plaintext, keys.naming)
    assert.equal(ids.includes(id), false)
    assert.deepEqual(await missing(id), [true])
  })

  test('cannot be put into a revision by naming them', async () => {
    const reply = await prober.commit(backupId, ids, volume)
    assert.equal(reply.status, 409)
    const listed = await service.call('GET', '/v2/accounts/acme/computers/0002/revisions')
    assert.deepEqual(listed.json, [])
  })

  test('are not replaced by what another computer uploads under their ids', async () => {
    const { keys } = await prober.keys()
    const id = ids.subarray(0, 32)
    const sealed = sealChunk(id, Buffer.from('something else'), keys)
    const header = Buffer.alloc(36)
    header.set(id)
    header.writeUInt32LE(sealed.length, 32)
    const upload = await prober.request('POST', agentPaths.chunks(backupId), Buffer.concat([header, sealed]))
    assert.equal(upload.status, 400, 'it is not what that name says')
    assert.match(service.loggedErrors.splice(0).join(), /a chunk that is not what its id names/)
    const [revision] = (await service.computer('GET', '/revisions')).json
    const restore = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [revision.Id],
    })
    await victim.download(String(restore.headers['x-restore-id']), revision.Id, content)
  })

  test('do not open with the keys of another computer', async () => {
    const [revision] = (await service.computer('GET', '/revisions')).json
    const { json } = await service.computer('GET', '/restores')
    const frames = await victim.chunks(json[0].id, revision.Id, 0, 5)
    assert.equal(frames.length, 4)
    const { keys, chunkSizeBytes } = await prober.keys()
    for (const { id, sealed } of frames) {
      assert.throws(
        () => openChunk(id, sealed, keys, { sizeMaxBytes: chunkSizeBytes }),
        (error) => isVaultFailure(error, 'damaged'),
      )
    }
  })
})
