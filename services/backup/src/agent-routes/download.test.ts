import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { agentPaths } from '@palisade/agent-protocol'
import { openStore, type Store } from '@palisade/platform'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someVolume } from '../testing/fake-agent.ts'
import { OpenDownloads } from './open-downloads.ts'

const mebibyte = 1024 * 1024
let directory = ''
let store: Store
let service: TestService
let agent: FakeAgent
let content: Buffer
let revisionId = 0

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'palisade-store-'))
  store = openStore('embedded', directory)
  service = await TestService.start(store)
  agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
  content = Buffer.alloc(20 * mebibyte)
  for (let at = 0, state = 1; at < content.length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    content.writeUInt32LE(state, at)
  }
  const { json } = await service.computer('POST', '/backups', { source: { path: '/x' } })
  revisionId = await agent.backUp(json.data.id, content)
})
after(async () => {
  await agent.disconnect()
  await service.close()
  await store.close()
  rmSync(directory, { recursive: true })
})

const startRestore = async () => {
  const reply = await service.restoreDisks({
    destination: { path: '/x' },
    diskFormat: 'Vhdx',
    revisions: [revisionId],
  })
  return String(reply.headers['x-restore-id'])
}
const get = async (restoreId: string) => {
  const path = `${agentPaths.revisionChunks(restoreId, revisionId)}?from=0&to=20`
  const request = http.get(service.served.baseUrl + path, {
    headers: { authorization: `Bearer ${agent.credential}` },
    agent: false,
  })
  const [response]: http.IncomingMessage[] = await once(request, 'response')
  assert.ok(response)
  return response
}

test('many restores read the same revision side by side', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, startRestore))
  await Promise.all(ids.map((id) => agent.download(id, revisionId, content)))
  for (const id of ids) await agent.finish('restore', id, { state: 'CANCELED' })
})

test('a client that goes away in the middle leaves nothing behind that disturbs others', async () => {
  const id = await startRestore()
  for (let turn = 0; turn < 10; turn++) {
    const response = await get(id)
    await once(response, 'data')
    response.destroy()
  }
  await agent.download(id, revisionId, content)
  await agent.finish('restore', id, { state: 'CANCELED' })
})

test('a write that the system gives up because the client went away is no failure to read', async (t) => {
  const id = await startRestore()
  const write = t.mock.method(http.ServerResponse.prototype, 'write', (_: Uint8Array, written?: unknown) => {
    if (typeof written === 'function') written(new Error('write ECANCELED'))
    return true
  })
  await assert.rejects(agent.chunks(id, revisionId, 0, 12))
  assert.ok(write.mock.callCount() > 0)
  write.mock.restore()
  assert.deepEqual(service.loggedErrors, [])
  await agent.finish('restore', id, { state: 'CANCELED' })
})

test('a client that does not read makes the server wait, and gets all of it when it does', async () => {
  const id = await startRestore()
  const response = await get(id)
  response.pause()
  await agent.download(id, revisionId, content)
  let count = 0
  for await (const piece of response) count += piece.length
  assert.equal(count, Number(response.headers['content-length']))
  await agent.finish('restore', id, { state: 'CANCELED' })
})

test('a pack that is damaged on the disk cuts the reply short, whoever asks for what is damaged is told, and the server lives on', async () => {
  const { json } = await service.computer('POST', '/backups', { source: { path: '/damaged' } })
  const other = Buffer.from(content.subarray(0, 12 * mebibyte).toReversed())
  const damaged = await agent.backUp(json.data.id, other, {
    ...someVolume,
    deviceId: 'damaged',
    capacityBytes: other.length,
  })
  const vault = join(service.dataDirectory, 'vault')
  for (const name of readdirSync(vault, { recursive: true, encoding: 'utf8' })) {
    if (/packs\/[0-9a-f]{32}$/.test(name)) truncateSync(join(vault, name), 5 * mebibyte)
  }
  const reply = await service.restoreDisks({
    destination: { path: '/x' },
    diskFormat: 'Vhdx',
    revisions: [damaged],
  })
  const id = String(reply.headers['x-restore-id'])
  await assert.rejects(agent.chunks(id, damaged, 0, 12))
  assert.match(service.loggedErrors.splice(0).join(), /chunks of a revision could not be read/)
  const behind = await agent.request('GET', `${agentPaths.revisionChunks(id, damaged)}?from=8&to=12`)
  assert.equal(behind.status, 409)
  assert.match(await behind.text(), /is too short/)
  await agent.finish('restore', id, { state: 'ERROR', code: 'DataDamaged', message: 'cut short' })
  assert.equal((await service.computer('GET', `/restores/${id}`)).json.error.code, 'DataDamaged')
  assert.match(service.loggedErrors.splice(0).join(), /damage was found in the vault/)
})

test('of too many downloads of a computer the one that has stood still for longest is cut, and none of another computer', () => {
  const downloads = new OpenDownloads(2)
  const cut: string[] = []
  const computer = { accountId: 'acme', computerId: '0001' }
  const begin = (name: string, of = computer) => downloads.begin(of, () => cut.push(name))
  begin('of another', { ...computer, computerId: '0002' })
  const first = begin('first')
  begin('second')
  first.goesOn()
  const third = begin('third')
  assert.deepEqual(cut, ['second'])
  third.ended()
  begin('fourth')
  assert.deepEqual(cut, ['second'])
  begin('fifth')
  assert.deepEqual(cut, ['second', 'first'])
  first.goesOn()
  first.ended()
  begin('sixth')
  assert.deepEqual(cut, ['second', 'first', 'fourth'])
})
