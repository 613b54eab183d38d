/** What follows when stored chunks are found damaged, by whomever. */
import assert from 'node:assert/strict'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { agentPaths, isSet } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { DirectoryBackend, deriveEndToEndKeys } from '@palisade/vault'
import type { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent } from '../testing/fake-agent.ts'
import { ManualSets } from '../testing/manual-sets.ts'
import { Timers } from '../timers.ts'
import { FindingsFile } from '../vault/findings-file.ts'

const unhurried = { lookEveryMs: 3_600_000 }

onEveryStore('damage', (newStore) => {
  let service: TestService
  let sets: ManualSets
  let timers: Timers
  before(async () => {
    const store = await newStore()
    sets = await ManualSets.start(store)
    service = sets.service
    timers = new Timers(store)
  })
  after(() => service.close())

  const packs = (): string[] =>
    readdirSync(join(service.dataDirectory, 'vault'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('/packs/'))
      .map((name) => join(service.dataDirectory, 'vault', name))
      .filter((file) => statSync(file).isFile())

  /** Does something, and gives the one pack that came of it. */
  async function packOf(work: () => Promise<unknown>): Promise<string> {
    const packNames = new Set(packs())
    await work()
    const [pack, ...more] = packs().filter((file) => !packNames.has(file))
    assert.ok(pack !== undefined && more.length === 0)
    return pack
  }

  function spoil(pack: string): void {
    const bytes = readFileSync(pack)
    const middle = Math.floor(bytes.length / 2)
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
    writeFileSync(pack, bytes)
  }

  const stateOf = async (revision: number): Promise<string | undefined> =>
    (await service.computer('GET', `/revisions/${revision}`)).json.Verification?.State
  const becomes = (state: string, ...revisions: number[]) =>
    eventually(async () => {
      for (const revision of revisions) assert.equal(await stateOf(revision), state)
    })
  const settled = () =>
    eventually(async () => {
      // A repair that had to give way is tried again after some seconds.
      service.clock.advance(20_000)
      for (const kind of ['verify-computer', 'repair'] as const) {
        assert.equal(await timers.dueAt(kind, 'acme/0001'), undefined)
      }
    })
  const countOf = async (finder: string): Promise<number> => {
    const { body } = await service.metrics.text()
    const [, count = '0'] = new RegExp(`damage_found_total{finder="${finder}"} (\\d+)`).exec(body) ?? []
    return Number(count)
  }
  const startRestore = async (revision: number): Promise<string> => {
    const reply = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [revision],
    })
    assert.equal(reply.status, 204, reply.text)
    await sets.agent.heard('start-restore')
    return String(reply.headers['x-restore-id'])
  }
  const damaged = (revision: number) => ({
    state: 'ERROR' as const,
    code: 'DataDamaged',
    message: `revision ${revision} is damaged in the vault: chunk 1`,
  })
  /** Two revisions of one content, and the pack that both need. */
  async function twoOfOne(settings: object = {}) {
    const set = await sets.create(settings)
    const content = sets.newContent()
    let first = 0
    const pack = await packOf(async () => {
      first = await sets.run(set, content)
    })
    return { set, content, pack, first, second: await sets.run(set, content) }
  }

  test('that a restore met marks every revision that has it, costs none its place, and is healed by the next backup', async () => {
    const { set, content, pack, first, second } = await twoOfOne({ retention: { keepLast: 2 } })
    spoil(pack)
    const counted = await countOf('restore')
    await sets.agent.finish('restore', await startRestore(first), damaged(first))
    await becomes('DAMAGED', first, second)
    assert.equal(await countOf('restore'), counted + 1)
    assert.match(
      service.loggedErrors.splice(0).join(),
      /damage was found in the vault.*revisions are damaged/s,
    )
    await settled()
    await sets.run(set)
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['DAMAGED', 'DAMAGED'])
    const third = await sets.run(await sets.create({}), content)
    await becomes('SUCCESS', first, second)
    const restore = await startRestore(third)
    await sets.agent.download(restore, third, content)
    await sets.agent.finish('restore', restore, { state: 'SUCCESS', files: [] })
  })

  test('that the reader of a restore met marks what suffers, once', async () => {
    const { set, content, pack, first, second } = await twoOfOne()
    const restore = await startRestore(first)
    rmSync(pack)
    const ask = () => sets.agent.request('GET', `${agentPaths.revisionChunks(restore, first)}?from=0&to=1`)
    assert.equal((await ask()).status, 409)
    await becomes('DAMAGED', first, second)
    const counted = await countOf('download')
    assert.equal((await ask()).status, 409)
    assert.deepEqual([counted, await countOf('download')], [1, 1], 'what is marked begins nothing anew')
    await sets.agent.finish('restore', restore, { state: 'CANCELED' })
    await settled()
    service.loggedErrors.splice(0)
    await sets.run(set, content)
    await becomes('SUCCESS', first, second)
  })

  test('that a collection met, a pack that is gone, is named and marked while the server runs', async () => {
    const { set, content, pack, first, second } = await twoOfOne()
    rmSync(pack)
    await timers.setAtLatest('collect', '', 0)
    await becomes('DAMAGED', first, second)
    assert.ok(service.loggedErrors.splice(0).some((line) => line.includes(pack.slice(-32))))
    await settled()
    await sets.run(set, content)
    await becomes('SUCCESS', first, second)
    service.loggedErrors.splice(0)
  })

  for (const hidden of ['packs', 'revisions']) {
    test(`ends that was none: the storage left ${hidden} out of its listings for a while`, async (t) => {
      const { pack, first, second } = await twoOfOne()
      const { list } = DirectoryBackend.prototype
      const lie = t.mock.method(
        DirectoryBackend.prototype,
        'list',
        async function (this: DirectoryBackend, prefix: string) {
          return (await list.call(this, prefix)).filter((name) => !name.includes(`/${hidden}/`))
        },
      )
      await sets.restart()
      await becomes('DAMAGED', first, second)
      await service.pass(2 * 86_400_000)
      await timers.setAtLatest('collect', '', 0)
      await timers.setAtLatest('repair', 'acme/0001', 0)
      await settled()
      await eventually(async () =>
        assert.ok(((await timers.dueAt('collect', '')) ?? 0) > service.clock.now()),
      )
      assert.ok(existsSync(pack))
      lie.mock.restore()
      for (const revision of [first, second]) {
        assert.equal((await service.computer('POST', `/revisions/${revision}/verify`, {})).status, 202)
      }
      await settled()
      await becomes('SUCCESS', first, second)
      service.loggedErrors.splice(0)
    })
  }

  test('of a pack that is gone is named at the start, with the revisions that need it', async () => {
    const { set, content, pack, first, second } = await twoOfOne()
    await service.served.close()
    rmSync(pack)
    await sets.restart()
    await becomes('DAMAGED', first, second)
    await settled()
    const [line = ''] = service.loggedErrors.splice(0).filter((text) => text.includes(pack.slice(-32)))
    assert.deepEqual(JSON.parse(line).revisions, [first, second])
    assert.equal(await countOf('start'), 1)
    await sets.run(set, content)
    await becomes('SUCCESS', first, second)
  })

  test('that was found while the server was stopped is marked at the next start', async () => {
    const { set, content, pack, first, second } = await twoOfOne()
    await service.served.close()
    spoil(pack)
    const file = new FindingsFile(service.dataDirectory)
    await file.add(['acme/0001'])
    await file.add(['acme/0001', 'acme/0002'])
    await sets.restart()
    await becomes('DAMAGED', first, second)
    await eventually(async () => assert.deepEqual(await file.read(), []))
    await settled()
    await sets.run(set, content)
    await becomes('SUCCESS', first, second)
    service.loggedErrors.splice(0)
  })

  test('that palisade vault has found is looked at by a later start when the vault cannot be read at the next', async () => {
    const { set, content, pack, first } = await twoOfOne()
    await service.served.close()
    spoil(pack)
    const file = new FindingsFile(service.dataDirectory)
    await file.add(['acme/0001', 'acme/0002'])
    const folder = join(pack, '..')
    renameSync(folder, `${folder}.away`)
    symlinkSync(folder, folder)
    await service.restart(unhurried)
    await eventually(async () => assert.deepEqual(await file.read(), ['acme/0001']))
    await service.served.close()
    assert.match(service.loggedErrors.splice(0).join(), /the backups of a computer could not be looked at/)
    rmSync(folder)
    renameSync(`${folder}.away`, folder)
    await sets.restart()
    await becomes('DAMAGED', first)
    assert.deepEqual(await file.read(), [])
    await settled()
    await sets.run(set, content)
    await becomes('SUCCESS', first)
    service.loggedErrors.splice(0)
  })

  test('of chunks that no revision needs is found when an agent is shut out, and the next agent sends them again', async () => {
    const content = sets.newContent()
    const start = async () => {
      const { json } = await service.computer('POST', '/backups', { source: { path: '/dev/sdb' } })
      await sets.agent.heard('start-backup')
      return String(json.data.id)
    }
    const pack = await packOf(async () => {
      const backup = await start()
      assert.ok((await sets.agent.upload(backup, content)).uploaded > 0)
      await sets.agent.finish('backup', backup, { state: 'CANCELED' })
    })
    spoil(pack)
    sets.agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    await eventually(async () => assert.equal(existsSync(pack), false))
    await settled()
    assert.match(service.loggedErrors.splice(0).join(), /chunks are damaged that no revision needs/)
    const again = await start()
    assert.ok((await sets.agent.upload(again, content)).uploaded > 0)
    await sets.agent.finish('backup', again, { state: 'CANCELED' })
    assert.equal((await service.computer('DELETE', '/credential')).status, 204)
    await settled()
  })
})

onEveryStore('damage before its repair', (newStore) => {
  const own = deriveEndToEndKeys(Buffer.alloc(32, 3), 'acme/0001')
  let sets: ManualSets
  let service: TestService
  before(async () => {
    sets = await ManualSets.start(await newStore())
    service = sets.service
    await service.restart(unhurried)
    sets.agent = await sets.agent.at(service.served.baseUrl).connect()
  })
  after(() => service.close())

  test('is not offered to the next backup, which stores the chunk again and heals', async () => {
    const set = await sets.create({})
    const content = sets.newContent()
    const revision = await sets.run(set, content)
    const [pack = ''] = readdirSync(join(service.dataDirectory, 'vault'), {
      recursive: true,
      encoding: 'utf8',
    })
      .filter((name) => /\/packs\/\w+$/.test(name))
      .map((name) => join(service.dataDirectory, 'vault', name))
    const bytes = readFileSync(pack)
    bytes.writeUInt8(bytes.readUInt8(200) ^ 1, 200)
    writeFileSync(pack, bytes)
    const { json } = await service.computer('POST', `/revisions/${revision}/verify`, {})
    const { state, reason } = await service.ended(json.data.id)
    assert.equal(state, 'ERROR')
    // Two places of the volume have the same content.
    assert.match(reason, /^2 of 4 chunks that were read are damaged/)
    const started = await service.computer('POST', '/backups', { source: { path: '/dev/sdb' } })
    await sets.agent.heard('start-backup')
    const { ids, uploaded } = await sets.agent.upload(started.json.data.id, content)
    assert.equal(uploaded, 2)
    const lacking = await sets.agent.request('POST', agentPaths.missing(started.json.data.id), ids)
    const bitmap = Buffer.from(await lacking.arrayBuffer())
    for (let at = 0; at < ids.length / 32; at++) assert.equal(isSet(bitmap, at), false)
    await sets.agent.backUp(started.json.data.id, content)
    await eventually(async () => {
      const revisionView = (await service.computer('GET', `/revisions/${revision}`)).json
      assert.equal(revisionView.Verification.State, 'SUCCESS')
    })
    assert.ok(service.loggedErrors.splice(0).length > 0)
  })

  test('of what only the agent can open is marked by its word, until a restore reads it whole', async () => {
    sets.agent.endToEnd = own
    await sets.agent.disconnect()
    sets.agent = sets.agent.at(service.served.baseUrl)
    sets.agent.endToEnd = own
    await sets.agent.connect()
    const content = sets.newContent()
    const revision = await sets.run(await sets.create({}), content)
    const restore = async (outcome: Parameters<FakeAgent['finish']>[2]) => {
      const reply = await service.restoreDisks({
        destination: { path: '/x' },
        diskFormat: 'Vhdx',
        revisions: [revision],
      })
      await sets.agent.finish('restore', String(reply.headers['x-restore-id']), outcome)
      return (await service.computer('GET', `/revisions/${revision}`)).json.Verification
    }
    const marked = await restore({
      state: 'ERROR',
      code: 'DataDamaged',
      message: 'chunk 2 is not what it was',
    })
    assert.deepEqual(
      [marked.State, marked.Message],
      ['DAMAGED', 'a restore could not open it: chunk 2 is not what it was'],
    )
    const { json } = await service.computer('POST', `/revisions/${revision}/verify`, {})
    assert.equal(
      (await service.ended(json.data.id)).state,
      'ERROR',
      'the sealed bytes being right changes nothing',
    )
    assert.equal((await restore({ state: 'SUCCESS', files: [] })).State, 'SUCCESS')
    assert.match(service.loggedErrors.splice(0).join(), /damage was found/)
  })
})
