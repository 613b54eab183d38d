import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { agentPaths } from '@palisade/agent-protocol'
import type { Store } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { nameChunk, sealChunk } from '@palisade/vault'
import type { KyselyPlugin } from 'kysely'
import { configuration, TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'

/** The same store, which calls back and waits after the first reading of a computer's enrolment key, before it hands that over. */
function pausingAtFirstEnrolment(store: Store, pause: () => Promise<void>): Store {
  let hasPaused = false
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!hasPaused && result.rows.some((row) => 'enrolment_digest' in row)) {
        hasPaused = true
        await pause()
      }
      return result
    },
  }
  return { ...store, tables: <Tables>() => store.tables<Tables>().withPlugin(plugin) }
}

onEveryStore('a credential that is revoked', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  let other: FakeAgent
  const startBackup = async (): Promise<string> => {
    const { json } = await service.computer('POST', '/backups', { source: { path: '/dev/sdb' } })
    await agent.heard('start-backup', ({ id }) => id === json.data.id)
    return json.data.id
  }
  const revoke = () => service.computer('DELETE', '/credential')
  const enrolmentOf = (enrolmentKey: string, at = service) =>
    fetch(at.served.baseUrl + agentPaths.enrol, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        account: 'acme',
        computer: '0001',
        enrolmentKey,
        agentVersion: '',
        hostName: '',
        platform: '',
      }),
    })
  before(async () => {
    service = await TestService.start(await newStore())
    agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    other = await (
      await FakeAgent.enrol(service.served.baseUrl, { computer: '0002', enrolmentKey: 'enrol-two' })
    ).connect()
  })
  after(() => service.close())

  test('is a matter for those who may write, and of computers that there are', async () => {
    service.useToken(await service.authorise('reader'))
    assert.equal((await revoke()).status, 403)
    service.useToken(await service.authorise('automation'))
    assert.equal((await service.call('DELETE', '/v2/accounts/acme/computers/0009/credential')).status, 404)
    assert.equal((await service.call('DELETE', '/v2/accounts/other/computers/0001/credential')).status, 404)
    assert.equal((await agent.request('GET', agentPaths.keys)).status, 200)
  })

  test('ends an upload in the middle: what comes after it is not taken', async () => {
    const backupId = await startBackup()
    const { keys, chunkSizeBytes } = await agent.keys()
    const frames = Array.from({ length: 8 }, (_, index) => {
      const plaintext = someContent(100 + index).subarray(0, chunkSizeBytes)
      const id = nameChunk(plaintext, keys.naming)
      const sealed = sealChunk(id, plaintext, keys)
      const header = Buffer.alloc(36)
      header.set(id)
      header.writeUInt32LE(sealed.length, 32)
      return { id, bytes: Buffer.concat([header, sealed]) }
    })
    const request = http.request(service.served.baseUrl + agentPaths.chunks(backupId), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${agent.credential}`,
        'content-type': 'application/octet-stream',
        'content-length': frames.reduce((sum, { bytes }) => sum + bytes.length, 0),
      },
    })
    const reply = once(request, 'response')
    for (const { bytes } of frames.slice(0, 4)) {
      await new Promise<void>((resolve) => request.write(bytes, () => resolve()))
    }
    const closed = once(agent.socket, 'close')
    assert.equal((await revoke()).status, 204)
    for (const { bytes } of frames.slice(4)) request.write(bytes)
    request.end()
    const [response] = await reply
    assert.equal(response.statusCode, 401)
    response.resume()
    const [code] = await closed
    assert.equal(code, 1008, 'the link is closed as well')
    assert.equal((await service.computer('GET', '')).json.online, false)
  })

  test('opens nothing any more, and nor does the enrolment key', async () => {
    for (const path of [agentPaths.keys, agentPaths.link]) {
      assert.equal((await agent.request('GET', path)).status, 401)
    }
    const same = await enrolmentOf('enrol-one')
    const wrong = await enrolmentOf('wrong')
    assert.deepEqual([same.status, await same.text()], [wrong.status, await wrong.text()])
    assert.equal(same.status, 401)
  })

  test('is no matter of other computers', async () => {
    assert.equal((await other.request('GET', agentPaths.keys)).status, 200)
    assert.equal((await service.call('GET', '/v2/accounts/acme/computers/0002')).json.online, true)
  })

  test('stays revoked after a restart, until the configuration has a new enrolment key', async () => {
    await service.restart()
    assert.equal((await enrolmentOf('enrol-one')).status, 401)
    const [acme, ...rest] = configuration.accounts
    assert.ok(acme)
    const computers = acme.computers.map((computer) =>
      computer.id === '0001' ? { ...computer, enrolmentKey: 'enrol-anew' } : computer,
    )
    await service.restart({
      configuration: { ...configuration, accounts: [{ ...acme, computers }, ...rest] },
    })
    assert.equal((await enrolmentOf('enrol-one')).status, 401)
    assert.equal((await agent.at(service.served.baseUrl).request('GET', agentPaths.keys)).status, 401)
    agent = await FakeAgent.enrol(service.served.baseUrl, { enrolmentKey: 'enrol-anew' })
    await agent.connect()
    assert.equal((await service.computer('GET', '')).json.online, true)
  })

  test('is not given anew to an agent that was enrolling meanwhile', async () => {
    const reading = Promise.withResolvers<void>()
    const revoked = Promise.withResolvers<void>()
    const store = pausingAtFirstEnrolment(await newStore(), () => {
      reading.resolve()
      return revoked.promise
    })
    const racing = await TestService.start(store)
    try {
      const enrolling = enrolmentOf('enrol-one', racing)
      await reading.promise
      assert.equal((await racing.computer('DELETE', '/credential')).status, 204)
      revoked.resolve()
      assert.equal((await enrolling).status, 401)
    } finally {
      revoked.resolve()
      await racing.close()
    }
  })

  test('ends a download in the middle', async () => {
    const content = Buffer.concat(
      Array.from({ length: 24 }, (_, seed) => someContent(seed).subarray(0, 2 ** 20)),
    )
    const revision = await agent.backUp(await startBackup(), content)
    const reply = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [revision],
    })
    const path = agentPaths.revisionChunks(String(reply.headers['x-restore-id']), revision)
    const request = http.get(`${service.served.baseUrl}${path}?from=0&to=24`, {
      headers: { authorization: `Bearer ${agent.credential}` },
    })
    const [response] = await once(request, 'response')
    assert.equal(response.statusCode, 200)
    await once(response, 'readable')
    assert.equal((await revoke()).status, 204)
    await assert.rejects(Array.fromAsync(response), /aborted/)
  })
})
