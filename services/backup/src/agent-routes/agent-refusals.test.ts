import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { agentPaths, uploadHeader, type VolumeDescription } from '@palisade/agent-protocol'
import { onEveryStore, send } from '@palisade/platform/testing'
import { nameChunk, sealChunk } from '@palisade/vault'
import { WebSocket } from 'ws'
import { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, someContent, someVolume, vaultChunkSizeBytes } from '../testing/fake-agent.ts'

onEveryStore("the agents' side refuses", (newStore) => {
  let service: TestService
  let agent: FakeAgent
  let other: FakeAgent
  let foreign: FakeAgent
  let backupId = ''
  let restoreId = ''
  let revisionId = 0
  const content = someContent()

  const startBackup = async (): Promise<string> => {
    const { json } = await service.computer('POST', '/backups', { source: { path: '/dev/sdb' } })
    await agent.heard('start-backup', ({ id }) => id === json.data.id)
    return json.data.id
  }
  const startRestore = async (revision: number): Promise<string> => {
    const reply = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [revision],
    })
    assert.equal(reply.status, 204, reply.text)
    return String(reply.headers['x-restore-id'])
  }
  before(async () => {
    service = await TestService.start(await newStore())
    const { baseUrl } = service.served
    agent = await (await FakeAgent.enrol(baseUrl)).connect()
    other = await FakeAgent.enrol(baseUrl, { computer: '0002', enrolmentKey: 'enrol-two' })
    foreign = await FakeAgent.enrol(baseUrl, { account: 'other', enrolmentKey: 'enrol-other' })
    revisionId = await agent.backUp(await startBackup(), content)
    backupId = await startBackup()
    restoreId = await startRestore(revisionId)
  })
  after(async () => {
    await agent.disconnect()
    await service.close()
  })

  const routes = (backup: string, restore: string, revision: number) =>
    [
      ['POST', agentPaths.missing(backup), Buffer.alloc(32)],
      ['POST', agentPaths.chunks(backup), Buffer.alloc(0)],
      ['POST', agentPaths.commit(backup), Buffer.alloc(4)],
      ['GET', agentPaths.presence(restore, revision), undefined],
      ['GET', `${agentPaths.revisionChunks(restore, revision)}?from=0&to=1`, undefined],
    ] as const

  test('an enrolment with a wrong key, of a foreign or unknown computer, with the same words', async () => {
    const cases: object[] = [
      { enrolmentKey: 'enrol-two' },
      { enrolmentKey: '' },
      { computer: '0003' },
      { account: 'nobody' },
      { account: 'other' },
      { account: '\0' },
      { computer: '\ud800' },
    ]
    for (const [index, wrong] of cases.entries()) {
      const body = {
        account: 'acme',
        computer: '0001',
        enrolmentKey: 'enrol-one',
        agentVersion: '',
        hostName: '',
        platform: '',
        ...wrong,
      }
      const reply = await send(service.served.baseUrl + agentPaths.enrol, {
        method: 'POST',
        body,
        from: `127.0.1.${index + 1}`,
      })
      assert.deepEqual(
        [reply.status, reply.json],
        [401, { errors: ['There is no such computer, or the enrolment key is wrong.'] }],
      )
    }
    const incomplete = await send(service.served.baseUrl + agentPaths.enrol, {
      method: 'POST',
      body: { account: 'acme' },
    })
    assert.equal(incomplete.status, 400)
    const large = await send(service.served.baseUrl + agentPaths.enrol, {
      method: 'POST',
      body: { account: 'acme', computer: 'x'.repeat(16 * 1024) },
    })
    assert.equal(large.status, 413)
  })

  test('to be guessed at: twenty wrong keys a minute, at once or not, then nothing more from that address', async () => {
    const body = { account: 'acme', computer: '0001', agentVersion: '', hostName: '', platform: '' }
    const enrol = (enrolmentKey: string, from: string) =>
      send(service.served.baseUrl + agentPaths.enrol, {
        method: 'POST',
        body: { ...body, computer: '0002', enrolmentKey },
        from,
      })
    const crowd = await Promise.all(
      Array.from({ length: 60 }, (_, guess) => enrol(`guess ${guess}`, '127.0.2.1')),
    )
    assert.equal(crowd.filter(({ status }) => status === 401).length, 20)
    assert.equal(crowd.filter(({ status }) => status === 429).length, 40)
    const refused = await enrol('enrol-two', '127.0.2.1')
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '60'])
    service.clock.advance(60_000)
    assert.equal((await enrol('guess', '127.0.2.1')).status, 401)
    assert.equal((await enrol('guess', '127.0.2.2')).status, 401)
  })

  test('every route and the link without the credential of an agent, before reading anything', async () => {
    const wrong = [undefined, 'Bearer ', 'Bearer nonsense', 'Basic eDp5', `Basic ${agent.credential}`]
    const token = (await service.authorise('automation')).authorization
    for (const authorization of [...wrong, token]) {
      const headers = authorization === undefined ? {} : { authorization }
      const all = [
        ['GET', agentPaths.keys],
        ['GET', agentPaths.link],
        ...routes(backupId, restoreId, revisionId),
      ]
      for (const [method, path] of all as [string, string][]) {
        const reply = await send(service.served.baseUrl + path, { method, headers })
        assert.deepEqual(
          [reply.status, reply.json],
          [401, { errors: ['The credential of an enrolled agent is required.'] }],
          `${method} ${path}`,
        )
      }
      const socket = new WebSocket(service.served.baseUrl.replace('http', 'ws') + agentPaths.link, {
        headers,
      })
      const [request, response] = await once(socket, 'unexpected-response')
      assert.equal(response.statusCode, 401)
      request.destroy()
    }
  })

  test("another computer's backups, restores and revisions, of the same account or a foreign one", async () => {
    for (const stranger of [other, foreign]) {
      for (const [method, path, body] of routes(backupId, restoreId, revisionId)) {
        const reply = await stranger.request(method, path, body)
        assert.equal(reply.status, 404, `${method} ${path}`)
        assert.match(await reply.text(), /There is no such unfinished/)
      }
    }
  })

  test('backups and restores that do not exist or have ended, and revisions that are not restored', async () => {
    for (const id of ['nothing', '%00', '..%2F..', encodeURIComponent("' OR 1=1")]) {
      for (const [method, path, body] of routes(id, id, revisionId)) {
        assert.equal((await agent.request(method, path, body)).status, 404, `${method} ${path}`)
      }
    }
    for (const [method, path, body] of routes(restoreId, backupId, revisionId)) {
      assert.equal((await agent.request(method, path, body)).status, 404, 'a backup is no restore')
    }
    for (const revision of [revisionId + 1, 0, -1, Number.NaN]) {
      for (const [method, path] of routes(backupId, restoreId, revision).slice(3)) {
        assert.equal((await agent.request(method, path)).status, 404)
      }
    }
    const [endedBackup, endedRestore] = [await startBackup(), await startRestore(revisionId)]
    await agent.finish('backup', endedBackup, { state: 'CANCELED' })
    await agent.finish('restore', endedRestore, { state: 'CANCELED' })
    for (const [method, path, body] of routes(endedBackup, endedRestore, revisionId)) {
      assert.equal((await agent.request(method, path, body)).status, 404)
    }
  })

  test('ids that are cut off, and bodies of another kind', async () => {
    assert.equal((await agent.request('POST', agentPaths.missing(backupId), Buffer.alloc(33))).status, 400)
    const tooMany = await agent.request('POST', agentPaths.missing(backupId), Buffer.alloc(32 * 65_537))
    assert.equal(tooMany.status, 413)
    for (const path of [
      agentPaths.missing(backupId),
      agentPaths.chunks(backupId),
      agentPaths.commit(backupId),
    ]) {
      const headers = { authorization: `Bearer ${agent.credential}` }
      const json = await send(service.served.baseUrl + path, { method: 'POST', headers, body: {} })
      assert.equal(json.status, 400)
      const none = await send(service.served.baseUrl + path, { method: 'POST', headers })
      assert.equal(none.status, 400)
      const form = { ...headers, 'content-type': 'text/plain' }
      assert.equal(
        (await send(service.served.baseUrl + path, { method: 'POST', headers: form, body: 'x' })).status,
        415,
      )
    }
  })

  test('uploads that are not chunks', async () => {
    const { keys } = await agent.keys()
    const plaintext = Buffer.from('a chunk')
    const id = nameChunk(plaintext, keys.naming)
    const frame = (idBytes: Buffer, sealed: Uint8Array, length = sealed.length) => {
      const header = Buffer.alloc(36)
      header.set(idBytes)
      header.writeUInt32LE(length, 32)
      return Buffer.concat([header, sealed])
    }
    const good = frame(id, sealChunk(id, plaintext, keys))
    const bad: [what: string, body: Buffer][] = [
      ['half a header', good.subarray(0, 20)],
      ['half a chunk', good.subarray(0, good.length - 1)],
      ['a second one cut off', Buffer.concat([good, good.subarray(0, 40)])],
      ['a chunk of nothing', frame(id, Buffer.alloc(0))],
      ['an enormous chunk', frame(id, Buffer.alloc(100), 0xffff_ffff)],
      ['a chunk larger than any can be', frame(id, Buffer.alloc(100), vaultChunkSizeBytes + 31)],
      ['bytes that were never sealed', frame(id, Buffer.alloc(100, 0x5a))],
      ['the id of zeros', frame(Buffer.alloc(32), sealChunk(id, plaintext, keys))],
    ]
    for (const [what, body] of bad) {
      const reply = await agent.request('POST', agentPaths.chunks(backupId), body)
      const text = await reply.text()
      assert.ok(reply.status === 400 || reply.status === 409, `${what}: ${reply.status} ${text}`)
      assert.ok(Array.isArray(JSON.parse(text).errors))
    }
    assert.equal((await agent.request('POST', agentPaths.chunks(backupId), good)).status, 204)
    assert.match(service.loggedErrors.splice(0).join(), /a chunk that is not what its id names/)
  })

  test('chunks that are not what their ids name, which then are missing still', async () => {
    const { keys } = await agent.keys()
    const { marking } = (await (await agent.request('GET', agentPaths.keys)).json()) as { marking: string }
    const own = { naming: Buffer.alloc(32, 1), sealing: Buffer.alloc(32, 2) }
    const endToEnd = { ...own, marking: Buffer.from(marking, 'base64') }
    const rubbish = Buffer.from('something else')
    const poisons: [what: string, seal: (id: Buffer, bytes: Buffer) => Uint8Array][] = [
      ['other content, sealed with the right keys', (id) => sealChunk(id, rubbish, keys)],
      ['the content with other keys', (id, bytes) => sealChunk(id, bytes, { ...keys, sealing: own.sealing })],
      ['what unfolds to forty chunks', (id) => sealChunk(id, Buffer.alloc(vaultChunkSizeBytes * 40), keys)],
      ['the form of a sealed chunk alone', () => Buffer.concat([Buffer.from([1, 0]), Buffer.alloc(90, 7)])],
      ['what the vault cannot open, with a mark', (id) => sealChunk(id, rubbish, endToEnd)],
    ]
    for (const [what, seal] of poisons) {
      const plaintext = Buffer.from(`what the next backup will have, but for ${what}`)
      const id = nameChunk(plaintext, keys.naming)
      const sealed = seal(id, plaintext)
      const body = Buffer.concat([uploadHeader(id, sealed.length), sealed])
      const reply = await agent.request('POST', agentPaths.chunks(backupId), body)
      assert.equal(reply.status, 400, `${what}: ${await reply.text()}`)
      assert.equal(await agent.uploadMissing(backupId, [{ id, plaintext }]), 1, what)
      assert.equal(await agent.uploadMissing(backupId, [{ id, plaintext }]), 0, what)
    }
    const logged = service.loggedErrors.splice(0)
    assert.equal(logged.length, poisons.length - 1, 'the last is refused by its form')
    for (const line of logged) assert.match(line, /a chunk that is not what its id names/)
    const { body } = await service.metrics.text()
    assert.match(body, /^palisade_backup_chunks_refused_total [1-9]/m)
  })

  test('an upload that goes wrong at its beginning, so that the agent reads why although it is still sending', async () => {
    const body = Buffer.alloc(40 * 1024 * 1024, 0xff)
    for (const path of [
      agentPaths.chunks(backupId),
      agentPaths.commit(backupId),
      agentPaths.missing(backupId),
    ]) {
      const reply = await send(service.served.baseUrl + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${agent.credential}`,
          'content-type': 'application/octet-stream',
          'content-length': String(body.length),
        },
        body,
      })
      assert.ok(reply.status === 400 || reply.status === 413, `${path}: ${reply.status}`)
      assert.equal(reply.json.errors.length, 1)
    }
  })

  test('an agent that goes away in the middle of an upload, without a trace in the service', async () => {
    const request = http.request(service.served.baseUrl + agentPaths.chunks(backupId), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${agent.credential}`,
        'content-type': 'application/octet-stream',
        'content-length': '1000000',
      },
    })
    request.on('error', () => undefined)
    const ended = new Promise((resolve) => request.once('close', resolve))
    request.write(Buffer.alloc(100_000, 1), () => request.destroy())
    await ended
    assert.equal(
      (await agent.upload(backupId, content)).ids.length,
      Math.ceil(content.length / vaultChunkSizeBytes) * 32,
    )
  })

  test('more uploads at once than an agent has, which would fill the memory, until those before have ended', async () => {
    for (const [path, uploadsMax, statusOfEmpty] of [
      [agentPaths.chunks(backupId), 64, 204],
      [agentPaths.missing(backupId), 64, 200],
      [agentPaths.screenshot('none'), 8, 400],
    ] as const) {
      const upload = async () => (await agent.request('POST', path, Buffer.alloc(0))).status
      const open = Array.from({ length: uploadsMax }, () => {
        const request = http.request(service.served.baseUrl + path, {
          method: 'POST',
          agent: false,
          headers: {
            authorization: `Bearer ${agent.credential}`,
            'content-type': 'application/octet-stream',
            'content-length': '1000',
          },
        })
        request.on('error', () => undefined)
        request.write('x')
        return request
      })
      await eventually(async () => assert.equal(await upload(), 429))
      for (const request of open) request.destroy()
      await eventually(async () => assert.equal(await upload(), statusOfEmpty))
    }
  })

  test('commits that make no sense, and leaves the backup as it was', async () => {
    const volume: VolumeDescription = { ...someVolume, capacityBytes: content.length }
    const { ids } = await agent.upload(backupId, content)
    const cases: [what: string, commit: () => Promise<Response>][] = [
      ['no ids', () => agent.commit(backupId, Buffer.alloc(0), volume)],
      ['one id less', () => agent.commit(backupId, ids.subarray(32), volume, { chunkCount: 5 })],
      [
        'one id more',
        () => agent.commit(backupId, Buffer.concat([ids, ids.subarray(0, 32)]), volume, { chunkCount: 5 }),
      ],
      ['another capacity', () => agent.commit(backupId, ids, { ...volume, capacityBytes: 1 })],
      ['another chunk size', () => agent.commit(backupId, ids, volume, { chunkSizeBytes: 4096 })],
      ['a volume without a name', () => agent.commit(backupId, ids, { ...volume, deviceId: 'a\0b' })],
      ['a date that is none', () => agent.commit(backupId, ids, volume, { createdAtMs: 1e300 })],
      ['a date before all', () => agent.commit(backupId, ids, volume, { createdAtMs: -1 })],
      ['too many chunks', () => agent.commit(backupId, ids, volume, { chunkCount: 2 ** 25 + 1 })],
      ['no volume', () => agent.commit(backupId, ids, volume, { volume: null })],
      [
        'a head that is too long',
        () => agent.commit(backupId, ids, { ...volume, label: 'x'.repeat(70_000) }),
      ],
      [
        'half a head',
        () => agent.request('POST', agentPaths.commit(backupId), Buffer.from([100, 0, 0, 0, 0x7b])),
      ],
      [
        'no JSON',
        () => agent.request('POST', agentPaths.commit(backupId), Buffer.from([2, 0, 0, 0, 0x7b, 0x7b])),
      ],
    ]
    for (const [what, commit] of cases) {
      const reply = await commit()
      assert.equal(reply.status, 400, `${what}: ${await reply.clone().text()}`)
      assert.ok(Array.isArray(((await reply.json()) as { errors: unknown }).errors))
    }
    const unknown = Buffer.from(ids)
    unknown.fill(0xab, 0, 32)
    const missing = await agent.commit(backupId, unknown, volume)
    assert.equal(missing.status, 409, 'a chunk that was never uploaded')
    const committed = await agent.commit(backupId, ids, volume)
    assert.equal(committed.status, 200)
    const again = await agent.commit(backupId, ids, volume)
    assert.deepEqual(await again.json(), await committed.json(), 'a backup has one revision')
  })

  test('ranges that are not in the revision', async () => {
    const base = agentPaths.revisionChunks(restoreId, revisionId)
    const queries = [
      '',
      '?from=0',
      '?to=1',
      '?from=2&to=1',
      '?from=0&to=6',
      '?from=-1&to=1',
      '?from=0&to=1.5',
    ]
    for (const query of [...queries, '?from=a&to=b', '?from=0&from=0&to=1', `?from=0&to=${'9'.repeat(10)}`]) {
      const reply = await agent.request('GET', base + query)
      assert.equal(reply.status, 400, query)
    }
    assert.deepEqual(await agent.chunks(restoreId, revisionId, 2, 2), [])
    assert.deepEqual(await agent.chunks(restoreId, revisionId, 1, 2), [], 'zeros are not stored')
    const frames = await agent.chunks(restoreId, revisionId, 2, 4)
    assert.deepEqual(frames.map(({ index }) => index).sort(), [2, 3])
  })
})
