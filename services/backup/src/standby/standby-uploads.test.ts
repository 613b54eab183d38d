import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { agentPaths, uploadHeader } from '@palisade/agent-protocol'
import { createLog, createMetrics, type HttpService } from '@palisade/platform'
import { onEveryStore, type ServedService, serveOnLoopback } from '@palisade/platform/testing'
import { createVault, DirectoryBackend, nameChunk, sealChunk } from '@palisade/vault'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { serverPaths } from '../agent-routes/server-calls.ts'
import { errorList } from '../envelope.ts'
import { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, someVolume, vaultChunkSizeBytes } from '../testing/fake-agent.ts'
import { StandbyUploads } from './standby-uploads.ts'

/** A server that stands by, before a service that has the vault. */
class Standby {
  readonly uploads: StandbyUploads
  readonly metrics = createMetrics()
  readonly logged: string[] = []
  /** Requests that were passed on, as method and address, and calls of the server itself. */
  readonly passedOn: string[] = []
  readonly called: string[] = []
  readonly #service: TestService
  #served: ServedService | undefined

  private constructor(service: TestService, dataDirectory: string) {
    this.#service = service
    this.uploads = new StandbyUploads({
      configuration: undefined,
      dataDirectory,
      key: Buffer.alloc(32, 7),
      clock: service.clock,
      metrics: this.metrics,
      log: createLog('warn', { write: (line) => this.logged.push(line) }),
    })
  }

  static async start(service: TestService, dataDirectory = service.dataDirectory): Promise<Standby> {
    const standby = new Standby(service, dataDirectory)
    standby.#served = await serveOnLoopback(standby.#asService())
    standby.follow()
    return standby
  }

  get baseUrl(): string {
    return this.#served?.baseUrl ?? ''
  }

  /** Has the service that has the vault be the active one. */
  follow(): void {
    this.uploads.use(async (path, headers) => {
      this.called.push(path)
      const reply = await fetch(this.#service.served.baseUrl + path, { method: 'POST', headers })
      return { status: reply.status, body: await reply.text() }
    })
  }

  /** How many packs were stored and told of so. */
  async packs(outcome: 'taken' | 'lost'): Promise<number> {
    const { body } = await this.metrics.text()
    const line = body.split('\n').find((each) => each.includes(`standby_packs_total{outcome="${outcome}"}`))
    return Number(line?.split(' ')[1])
  }

  async close(): Promise<void> {
    await this.uploads.finish()
    await this.#served?.close()
  }

  #asService(): HttpService {
    const pass = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack()
      this.passedOn.push(`${request.method} ${request.url.slice('/backup'.length)}`)
      const { authorization = '', 'content-type': contentType } = request.headers
      const body = Buffer.concat(await Array.fromAsync(request.raw as AsyncIterable<Buffer>))
      const answer = await fetch(this.#service.served.baseUrl + request.url.slice('/backup'.length), {
        method: request.method,
        headers: { authorization, ...(contentType === undefined ? {} : { 'content-type': contentType }) },
        ...(body.length > 0 ? { body } : {}),
      })
      reply.raw.writeHead(answer.status, { 'retry-after': answer.headers.get('retry-after') ?? '' })
      reply.raw.end(Buffer.from(await answer.arrayBuffer()))
    }
    return {
      name: 'backup',
      title: 'a server that stands by',
      basePath: '/backup',
      envelope: errorList,
      routes: async (scope) => {
        await scope.register(this.uploads.routes(pass))
        scope.all('/*', { onRequest: pass }, () => undefined)
      },
    }
  }
}

onEveryStore('a server that stands by', (newStore) => {
  let service: TestService
  let linked: FakeAgent
  let standby: Standby
  const folders: string[] = []
  before(async () => {
    service = await TestService.start(await newStore())
    linked = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
  })
  beforeEach(async () => {
    standby = await Standby.start(service)
  })
  afterEach(() => standby.close())
  after(async () => {
    await service.close()
    for (const folder of folders) rmSync(folder, { recursive: true })
  })

  let disks = 0
  const newBackup = async (): Promise<string> => {
    const { json } = await service.computer('POST', '/backups', { source: { path: `/dev/sd${++disks}` } })
    return json.data.id
  }
  const ofChunks = (request: string) => request.endsWith('/chunks')
  const volumeOf = (content: Buffer) => ({ ...someVolume, capacityBytes: content.length })
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'palisade-standby-'))
    folders.push(folder)
    return folder
  }
  /** Six chunks, different from all others. */
  const newContent = () => randomBytes(6 * vaultChunkSizeBytes)
  const restored = async (revisionId: number, content: Buffer) => {
    const restore = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [revisionId],
    })
    await linked.download(String(restore.headers['x-restore-id']), revisionId, content)
  }
  const committed = async (agent: FakeAgent, backup: string, ids: Buffer, content: Buffer) => {
    const reply = await agent.commit(backup, ids, volumeOf(content))
    const text = await reply.text()
    assert.equal(reply.status, 200, text)
    const { revisionId } = JSON.parse(text)
    await linked.finish('backup', backup, { state: 'SUCCESS', revisionId })
    return revisionId
  }

  test('stores the chunks of a backup, tells of them before its commit, and nothing of them goes through the active server', async () => {
    const agent = linked.at(standby.baseUrl)
    const [backup, content] = [await newBackup(), newContent()]
    const { ids, uploaded } = await agent.upload(backup, content)
    assert.equal(uploaded, 6)
    assert.equal(await standby.packs('taken'), 0)
    const revisionId = await committed(agent, backup, ids, content)
    assert.equal(await standby.packs('taken'), 1)
    assert.deepEqual(standby.passedOn.filter(ofChunks), [])
    assert.deepEqual(
      standby.called.map((path) => path.replace(/[0-9a-f]{32}$/, '')),
      [serverPaths.upload(backup), serverPaths.pack(backup, '')],
    )
    await restored(revisionId, content)
    assert.deepEqual(standby.logged, [])
  })

  test('tells of what nobody adds to any more, also when the agent goes to another server', async () => {
    const [backup, content] = [await newBackup(), newContent()]
    const { ids } = await linked.at(standby.baseUrl).upload(backup, content)
    assert.equal((await linked.commit(backup, ids, volumeOf(content))).status, 503)
    await eventually(async () => assert.equal(await standby.packs('taken'), 1))
    await restored(await committed(linked, backup, ids, content), content)
  })

  test('stores no chunk that is not what its id names', async () => {
    const agent = linked.at(standby.baseUrl)
    const backup = await newBackup()
    const { keys } = await agent.keys()
    const id = nameChunk(Buffer.from('this'), keys.naming)
    const sealed = sealChunk(id, Buffer.from('that'), keys)
    const body = Buffer.concat([uploadHeader(id, sealed.length), sealed])
    const reply = await agent.request('POST', agentPaths.chunks(backup), body)
    assert.equal(reply.status, 400)
    assert.match(await reply.text(), /does not have the content that belongs to its id/)
    const malformed = await agent.request('POST', agentPaths.chunks(backup), body.subarray(0, -1))
    assert.equal(malformed.status, 400)
    assert.match(await malformed.text(), /it ends inside a chunk/)
    assert.deepEqual(standby.passedOn.filter(ofChunks), [])
    await linked.finish('backup', backup, { state: 'CANCELED' })
  })

  test('has the active server refuse what that refuses', async () => {
    const agent = new FakeAgent(standby.baseUrl, 'nonsense')
    const backup = await newBackup()
    const reply = await agent.request('POST', agentPaths.chunks(backup), Buffer.alloc(100))
    assert.equal(reply.status, 401)
    assert.equal(
      (await linked.at(standby.baseUrl).request('POST', agentPaths.chunks('none'), Buffer.alloc(100))).status,
      404,
    )
    assert.deepEqual(standby.passedOn.filter(ofChunks).length, 2)
    await linked.finish('backup', backup, { state: 'CANCELED' })
  })

  for (const { what, lacking, warning } of [
    { what: 'has not the key of the vault', lacking: () => newFolder(), warning: /vault[.]key is missing/ },
    {
      what: 'names another vault',
      lacking: async () => {
        const folder = newFolder()
        cpSync(join(service.dataDirectory, 'vault.key'), join(folder, 'vault.key'))
        mkdirSync(join(folder, 'vault'), { mode: 0o700 })
        const backend = new DirectoryBackend(join(folder, 'vault'))
        await (await createVault({ backend, key: { file: join(folder, 'vault.key') } })).close()
        return folder
      },
      warning: /names another vault/,
    },
  ]) {
    test(`passes chunks on when it ${what}, and says so once`, async () => {
      await standby.close()
      standby = await Standby.start(service, await lacking())
      const agent = linked.at(standby.baseUrl)
      const [backup, content] = [await newBackup(), newContent()]
      const { ids } = await agent.upload(backup, content.subarray(0, 2 * vaultChunkSizeBytes))
      assert.equal(ids.length, 64)
      const whole = await agent.upload(backup, content)
      await restored(await committed(agent, backup, whole.ids, content), content)
      assert.equal(standby.passedOn.filter(ofChunks).length, 2)
      assert.equal(standby.logged.length, 1)
      assert.match(standby.logged.join(), warning)
    })
  }

  test('loses nothing when its packs go where the active server does not see them: the agent is told, and sends them again', async () => {
    await standby.close()
    const folder = newFolder()
    for (const name of ['vault', 'vault.key']) {
      cpSync(join(service.dataDirectory, name), join(folder, name), { recursive: true })
    }
    standby = await Standby.start(service, folder)
    const agent = linked.at(standby.baseUrl)
    const [backup, content] = [await newBackup(), newContent()]
    const { ids } = await agent.upload(backup, content)
    const commit = () => agent.commit(backup, ids, volumeOf(content))
    assert.equal((await commit()).status, 503)
    assert.equal(await standby.packs('lost'), 1)
    service.clock.advance(10_000)
    assert.equal((await commit()).status, 409)
    assert.equal((await agent.upload(backup, content)).uploaded, 6)
    assert.equal(standby.passedOn.filter(ofChunks).length, 1, 'they are passed on from now on')
    await restored(await committed(agent, backup, ids, content), content)
    assert.match(standby.logged.join(), /does not count on a pack/)
  })

  test('refuses an upload that the storage does not take, and passes the next one on', async () => {
    const agent = linked.at(standby.baseUrl)
    const [backup, content] = [await newBackup(), newContent()]
    const inTheWay = join(service.dataDirectory, 'vault', '.unfinished')
    rmSync(inTheWay, { recursive: true, force: true })
    writeFileSync(inTheWay, '')
    await assert.rejects(agent.upload(backup, content), /503 !== 204/)
    rmSync(inTheWay)
    const { ids } = await agent.upload(backup, content)
    assert.equal(standby.passedOn.filter(ofChunks).length, 1)
    await restored(await committed(agent, backup, ids, content), content)
    assert.match(standby.logged.join(), /they are passed on/)
  })

  test('leaves what it has stored to the server that was active, and passes chunks on while none is', async () => {
    const agent = linked.at(standby.baseUrl)
    const [backup, content] = [await newBackup(), newContent()]
    await agent.upload(backup, content)
    standby.uploads.use(undefined)
    const { ids, uploaded } = await agent.upload(backup, content)
    assert.equal(uploaded, 6, 'the active server has heard of none')
    assert.equal(standby.passedOn.filter(ofChunks).length, 1)
    await restored(await committed(agent, backup, ids, content), content)
    assert.equal((await standby.packs('taken')) + (await standby.packs('lost')), 0)
  })

  test('tells of all that it has stored before it ends', async () => {
    const [backup, content] = [await newBackup(), newContent()]
    const { ids } = await linked.at(standby.baseUrl).upload(backup, content)
    await standby.uploads.finish()
    assert.equal(await standby.packs('taken'), 1)
    await restored(await committed(linked, backup, ids, content), content)
  })
})
