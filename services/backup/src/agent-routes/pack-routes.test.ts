/** What servers that stand by ask of the one that has the vault, and who is refused that. */
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { agentPaths } from '@palisade/agent-protocol'
import { openStore } from '@palisade/platform'
import { memoryDirectory, onEveryStore } from '@palisade/platform/testing'
import {
  DirectoryBackend,
  nameChunk,
  openPackContributor,
  type PackContributor,
  sealChunk,
} from '@palisade/vault'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent, someVolume } from '../testing/fake-agent.ts'
import { ServerProofs, serverPaths, serverProofHeader } from './server-calls.ts'

/** Of the installation that the tests serve. */
const proofs = new ServerProofs(Buffer.alloc(32, 7))
const unknownPack = '0'.repeat(32)

test('no pack is taken by a server that may not have the vault any more', async (t) => {
  const folder = memoryDirectory('palisade-store-')
  const store = openStore('embedded', folder)
  const service = await TestService.start(store, { sharedVault: { id: undefined } })
  const leases = join(service.dataDirectory, 'vault', '.leases')
  t.after(async () => {
    rmSync(leases)
    // What is open in the vault cannot be made durable any more.
    await service.close().catch(() => undefined)
    await store.close()
    for (const made of [folder, service.dataDirectory]) rmSync(made, { recursive: true, force: true })
  })
  const agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
  const { json } = await service.computer('POST', '/backups', { source: { path: '/dev/sdb' } })
  const backup: string = json.data.id
  const authorization = `Bearer ${agent.credential}`
  const call = async (path: string, ...about: string[]) => {
    const headers = { authorization, [serverProofHeader]: proofs.of(authorization, ...about) }
    return (await fetch(service.served.baseUrl + path, { method: 'POST', headers })).status
  }
  const ask = () => call(serverPaths.upload(backup), backup)
  const tell = () => call(serverPaths.pack(backup, unknownPack), backup, unknownPack)
  assert.deepEqual([await ask(), await tell()], [200, 200])
  // Its lease cannot be renewed.
  rmSync(leases, { recursive: true })
  writeFileSync(leases, '')
  while ((await ask()) === 200) await delay(200)
  assert.deepEqual([await ask(), await tell()], [503, 503])
})

onEveryStore('packs of servers that stand by', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  let other: FakeAgent
  let contributor: PackContributor
  before(async () => {
    service = await TestService.start(await newStore())
    const { baseUrl } = service.served
    agent = await (await FakeAgent.enrol(baseUrl)).connect()
    other = await (await FakeAgent.enrol(baseUrl, { computer: '0002', enrolmentKey: 'enrol-two' })).connect()
    contributor = await openPackContributor({
      backend: new DirectoryBackend(join(service.dataDirectory, 'vault')),
      key: { file: join(service.dataDirectory, 'vault.key') },
    })
  })
  after(async () => {
    await contributor.close()
    await service.close()
  })

  let disks = 0
  const newBackup = async (computer = '0001'): Promise<string> => {
    const path = `/v2/accounts/acme/computers/${computer}/backups`
    const { json } = await service.call('POST', path, { source: { path: `/dev/disk${++disks}` } })
    return json.data.id
  }
  const bearerOf = ({ credential }: FakeAgent) => `Bearer ${credential}`
  /** Calls as a server does that received something from an agent. */
  const call = async (path: string, sender: FakeAgent, proof: string | undefined) => {
    const headers = {
      authorization: bearerOf(sender),
      ...(proof === undefined ? {} : { [serverProofHeader]: proof }),
    }
    const reply = await fetch(service.served.baseUrl + path, { method: 'POST', headers })
    return { status: reply.status, json: JSON.parse(await reply.text()) }
  }
  const askLeave = (backup: string, sender = agent) =>
    call(serverPaths.upload(backup), sender, proofs.of(bearerOf(sender), backup))
  const tell = (backup: string, packId: string, sender = agent) =>
    call(serverPaths.pack(backup, packId), sender, proofs.of(bearerOf(sender), backup, packId))
  /** Writes all of a volume into packs, and tells of none. */
  const write = async (sender: FakeAgent, domain: string, volume: Buffer) => {
    const packIds: string[] = []
    const contribution = contributor.contribute(domain, async (packId) => packIds.push(packId) > 0)
    const { keys, chunkSizeBytes } = await sender.keys()
    const ids: Buffer[] = []
    for (let at = 0; at < volume.length; at += chunkSizeBytes) {
      const plaintext = volume.subarray(at, at + chunkSizeBytes)
      const isZero = plaintext.every((byte) => byte === 0)
      const id = isZero ? Buffer.alloc(32) : nameChunk(plaintext, keys.naming)
      if (!isZero) await contribution.add(id, sealChunk(id, plaintext, keys))
      ids.push(id)
    }
    await contribution.flush()
    return { packIds, ids: Buffer.concat(ids) }
  }

  test('are neither allowed nor taken without the proof of a server of this installation', async () => {
    const [backup, anotherBackup] = [await newBackup(), await newBackup()]
    const { packIds, ids } = await write(agent, 'acme/0001', someContent(5))
    const [packId = ''] = packIds
    const authorization = bearerOf(agent)
    const strangers = new ServerProofs(Buffer.alloc(32, 8))
    const upload = serverPaths.upload(backup)
    const pack = serverPaths.pack(backup, packId)
    const refused: [path: string, proof: string | undefined][] = [
      [upload, undefined],
      [upload, ''],
      [upload, strangers.of(authorization, backup)],
      [upload, proofs.of(authorization, anotherBackup)],
      [upload, proofs.of(bearerOf(other), backup)],
      [upload, proofs.of(authorization, backup, packId)],
      [pack, undefined],
      [pack, strangers.of(authorization, backup, packId)],
      [pack, proofs.of(authorization, backup)],
      [pack, proofs.of(authorization, backup, unknownPack)],
      [pack, proofs.of(authorization, anotherBackup, packId)],
      [pack, proofs.of(bearerOf(other), backup, packId)],
    ]
    for (const [path, proof] of refused) {
      const reply = await call(path, agent, proof)
      assert.equal(reply.status, 403, `${path} ${proof}`)
      assert.deepEqual(reply.json, { errors: ['Only servers of this installation call this.'] })
    }
    const missing = async () => {
      const reply = await agent.request('POST', agentPaths.missing(backup), ids)
      return Buffer.from(await reply.arrayBuffer()).toString('hex')
    }
    assert.equal(await missing(), '1d', 'all but the chunk of zeros')
    assert.deepEqual((await tell(backup, packId)).json, { taken: true })
    assert.equal(await missing(), '00')
  })

  test('are neither allowed nor taken without the credential of the agent whose backup it is', async () => {
    const backup = await newBackup()
    const { packIds } = await write(agent, 'acme/0001', someContent(3))
    const [packId = ''] = packIds
    for (const path of [serverPaths.upload(backup), serverPaths.pack(backup, packId)]) {
      const about = path.endsWith('upload') ? [backup] : [backup, packId]
      for (const authorization of ['', 'Bearer nonsense']) {
        const headers = { authorization, [serverProofHeader]: proofs.of(authorization, ...about) }
        const reply = await fetch(service.served.baseUrl + path, { method: 'POST', headers })
        assert.equal(reply.status, 401, await reply.text())
      }
    }
    assert.equal((await askLeave(backup, other)).status, 404)
    assert.equal((await tell(backup, packId, other)).status, 404)
    const ofOther = await newBackup('0002')
    await askLeave(ofOther, other)
    assert.deepEqual((await tell(ofOther, packId, other)).json, { taken: false }, 'it is of another computer')
  })

  test('are a revision when they were told of, and nothing before', async () => {
    const backup = await newBackup()
    const volume = someContent(7)
    const { vault, ...leave } = (await askLeave(backup)).json
    assert.deepEqual(leave, { accountId: 'acme', computerId: '0001', endToEnd: false })
    assert.equal(vault, contributor.vaultId)
    const { packIds, ids } = await write(agent, 'acme/0001', volume)
    const commit = () => agent.commit(backup, ids, { ...someVolume, capacityBytes: volume.length })

    const tooEarly = await commit()
    assert.equal(tooEarly.status, 503, 'another server may be about to tell')
    assert.equal(tooEarly.headers.get('retry-after'), '2')
    assert.match(await tooEarly.text(), /Another server has chunks of this backup on their way/)
    service.clock.advance(10_000)
    assert.equal((await commit()).status, 409)

    for (const packId of [...packIds, ...packIds]) {
      assert.deepEqual(await tell(backup, packId), { status: 200, json: { taken: true } })
    }
    const reply = await commit()
    const text = await reply.text()
    assert.equal(reply.status, 200, text)
    const { revisionId } = JSON.parse(text)
    await agent.finish('backup', backup, { state: 'SUCCESS', revisionId })
    assert.equal((await askLeave(backup)).status, 404, 'it has ended')
    assert.equal((await tell(backup, packIds[0] ?? '')).status, 404)
    const restore = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [revisionId],
    })
    await agent.download(String(restore.headers['x-restore-id']), revisionId, volume)
  })

  test('are not taken when the storage has none of that id, nor when it is no id', async () => {
    const backup = await newBackup()
    await askLeave(backup)
    assert.deepEqual(await tell(backup, unknownPack), { status: 200, json: { taken: false } })
    const reply = await tell(backup, 'vault.json')
    assert.deepEqual(reply, { status: 400, json: { errors: ['the id of a pack is 32 hexadecimal digits.'] } })
  })

  test('are told of anew after the server that has the vault was started again', async () => {
    const backup = await newBackup()
    await askLeave(backup)
    await service.restart()
    agent = await agent.at(service.served.baseUrl).connect([{ task: 'backup', id: backup }])
    assert.equal((await tell(backup, unknownPack)).status, 409, 'the agent is to begin anew')
    assert.equal((await askLeave(backup)).status, 200)
    assert.equal((await agent.request('POST', agentPaths.missing(backup), Buffer.alloc(32))).status, 200)
  })

  test('are not taken from an agent that was shut out meanwhile', async () => {
    other = await other.at(service.served.baseUrl).connect()
    const backup = await newBackup('0002')
    assert.equal((await askLeave(backup, other)).status, 200)
    const { packIds } = await write(other, 'acme/0002', someContent(3))
    const reply = await service.call('DELETE', '/v2/accounts/acme/computers/0002/credential')
    assert.equal(reply.status, 204)
    assert.equal((await tell(backup, packIds[0] ?? '', other)).status, 401)
    assert.equal((await askLeave(backup, other)).status, 401)
  })
})
