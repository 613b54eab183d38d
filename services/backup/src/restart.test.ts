import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { agentPaths } from '@palisade/agent-protocol'
import { migrate, oauthMigrations, openStore } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { ChunkList, DirectoryBackend, openVault } from '@palisade/vault'
import { configuration, TestService } from './testing/backup-service.ts'
import { FakeAgent, someContent, someVolume, vaultChunkSizeBytes } from './testing/fake-agent.ts'

onEveryStore('after a restart', (newStore) => {
  const started = async () => {
    const service = await TestService.start(await newStore())
    const agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    return { service, agent }
  }
  const startBackup = async (service: TestService, path = '/x'): Promise<string> => {
    const { status, json } = await service.computer('POST', '/backups', { source: { path } })
    assert.equal(status, 202)
    return json.data.id
  }

  test('tasks that the agent does not run are sent again, secrets included, and wishes to cancel too', async () => {
    const { service, agent } = await started()
    const ended = await startBackup(service)
    const revisionId = await agent.backUp(ended, someContent())
    const running = await startBackup(service)
    const { headers: lostHeaders, json: lostBackup } = await service.computer('POST', '/backups', {
      source: { path: '/x' },
    })
    const lost = lostBackup.data.id
    const unwanted = await startBackup(service, '/y')
    await service.computer('POST', `/backups/${unwanted}/cancel`)
    const credentials = { username: 'u', password: 'p' }
    const accepted = await service.restoreDisks({
      destination: { path: '//server/share', credentials },
      diskFormat: 'Vhd',
      revisions: [revisionId],
    })
    const restoreId = String(accepted.headers['x-restore-id'])
    agent.say({ type: 'progress', task: 'backup', id: running, step: 'reading', bytesDone: 5, bytesTotal: 9 })
    await agent.finish('restore', 'in between', { state: 'CANCELED' })
    await service.restart()

    const backup = await service.computer('GET', `/backups/${running}`)
    assert.deepEqual([backup.json.state, backup.json.step, backup.json.bytesDone], ['RUNNING', 'reading', 5])
    const back = await agent.at(service.served.baseUrl).connect([
      { task: 'backup', id: running },
      { task: 'backup', id: unwanted },
    ])
    assert.equal((await back.heard('start-backup')).id, lost)
    assert.equal(back.originOf(lost)?.requestId, lostHeaders['x-request-id'], 'the request that asked for it')
    assert.equal((await back.heard('cancel')).id, unwanted)
    const restore = await back.heard('start-restore')
    assert.equal(restore.id, restoreId)
    assert.deepEqual(restore.destination, { path: '//server/share', credentials })
    assert.deepEqual(back.unheard, [])
    await back.download(restoreId, revisionId, someContent())
    for (const id of [running, lost, unwanted]) await back.finish('backup', id, { state: 'CANCELED' })
    await back.finish('restore', restoreId, { state: 'SUCCESS', files: ['a.vhd'] })

    await back.disconnect()
    const again = await back.at(service.served.baseUrl).connect()
    assert.deepEqual(again.unheard, [], 'nothing is left to do')
    await again.disconnect()
    await service.close()
  })

  test('a backup whose agent was killed when it had committed, and not yet said so, is the same revision', async () => {
    const { service, agent } = await started()
    const id = await startBackup(service)
    await agent.heard('start-backup')
    const content = someContent()
    const volume = { ...someVolume, capacityBytes: content.length }
    const { ids } = await agent.upload(id, content)
    const committed = await (await agent.commit(id, ids, volume)).json()
    await agent.disconnect()
    const restarted = await agent.at(service.served.baseUrl).connect()
    assert.equal((await restarted.heard('start-backup')).id, id)
    const again = await restarted.upload(id, content)
    assert.equal(again.uploaded, 0)
    assert.deepEqual(await (await restarted.commit(id, again.ids, volume)).json(), committed)
    await restarted.disconnect()
    await service.close()
  })

  test('the agent of a backup under way is told to begin anew, once, and sends nothing twice that was kept', async () => {
    const { service, agent } = await started()
    const id = await startBackup(service)
    const content = someContent()
    const before = await agent.upload(id, content)
    assert.equal(before.uploaded, 4)
    await service.restart()
    const back = await agent.at(service.served.baseUrl).connect([{ task: 'backup', id }])
    const refused = await back.request('POST', agentPaths.missing(id), before.ids)
    assert.equal(refused.status, 409)
    assert.deepEqual(await refused.json(), {
      errors: ['The server was restarted meanwhile: begin this backup anew.'],
    })
    const anew = await back.upload(id, content)
    assert.equal(anew.uploaded, 0)
    const reply = await back.commit(id, anew.ids, { ...someVolume, capacityBytes: content.length })
    assert.equal(reply.status, 200)
    await back.disconnect()
    await service.close()
  })

  test('a revision whose commit was cut between the vault and the store is there, and is committed once', async () => {
    const { service, agent } = await started()
    const id = await startBackup(service)
    const content = someContent()
    const { ids } = await agent.upload(id, content)
    const volume = { ...someVolume, capacityBytes: content.length }
    await service.served.close()

    // What the service does up to the moment of the crash: chunks and revision are in the vault, and no row is.
    const vault = await openVault({
      backend: new DirectoryBackend(join(service.dataDirectory, 'vault')),
      key: { file: join(service.dataDirectory, 'vault.key') },
    })
    const session = await vault.beginBackup('acme/0001')
    const chunkCount = ids.length / 32
    const commit = { volume, chunkSizeBytes: vaultChunkSizeBytes, chunkCount, createdAtMs: 1_000_000 }
    const metadata = { backupId: id, commit }
    const chunks = new ChunkList(ids)
    const revision = { volume: volume.deviceId, capacityBytes: content.length, metadata, chunks }
    await session.commitRevision({ ...revision, revision: '41' })
    await vault.close()

    await service.restart()
    const { json } = await service.computer('GET', '/restore/diskimage/standard/browse/volumes')
    assert.deepEqual(
      [json.length, json[0].Id, json[0].DateTime],
      [1, 41, '1970-01-01T00:16:40.0000000+00:00'],
    )
    const back = await agent.at(service.served.baseUrl).connect([{ task: 'backup', id }])
    const reply = await back.commit(id, ids, volume)
    assert.deepEqual([reply.status, await reply.json()], [200, { revisionId: 41 }])
    await back.finish('backup', id, { state: 'SUCCESS', revisionId: 41 })
    assert.equal((await service.computer('GET', `/backups/${id}`)).json.revisionId, 41)
    assert.equal(await back.backUp(await startBackup(service), content), 42)
    await back.disconnect()
    await service.close()
  })

  test('a lost database is made good from the vault: every revision can be restored', async () => {
    const { service, agent } = await started()
    const content = someContent()
    const first = await agent.backUp(await startBackup(service), content)
    const second = await agent.backUp(await startBackup(service), content, { deviceId: 'another' })
    const before = await service.computer('GET', '/restore/diskimage/standard/browse/volumes')
    await agent.disconnect()
    await service.served.close()

    const empty = await newStore()
    await migrate(empty, 'oauth', oauthMigrations)
    await service.restart({ store: empty })
    service.useToken(await service.authorise('automation'))
    const after = await service.computer('GET', '/restore/diskimage/standard/browse/volumes')
    assert.deepEqual(after.json, before.json)
    const back = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    const reply = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [first, second],
    })
    assert.equal(reply.status, 204)
    await back.download(String(reply.headers['x-restore-id']), first, content)
    const third = await back.backUp(await startBackup(service), content)
    assert.ok(third > second)
    await back.disconnect()
    await service.close()
  })

  test('of a lost database also those revisions are made good whose computer is configured later', async () => {
    const { service, agent } = await started()
    const connected = async (computer: string, enrolmentKey: string) =>
      (await FakeAgent.enrol(service.served.baseUrl, { computer, enrolmentKey })).connect()
    const other = await connected('0002', 'enrol-two')
    await agent.backUp(await startBackup(service), someContent())
    const { json } = await service.call('POST', '/v2/accounts/acme/computers/0002/backups', {
      source: { path: '/x' },
    })
    const revision = await other.backUp(json.data.id, someContent(2))
    await agent.disconnect()
    await other.disconnect()
    await service.served.close()

    const empty = await newStore()
    await migrate(empty, 'oauth', oauthMigrations)
    const [acme] = configuration.accounts
    assert.ok(acme)
    const accounts = [{ ...acme, computers: acme.computers.slice(0, 1) }]
    await service.restart({ store: empty, configuration: { ...configuration, accounts } })
    service.useToken(await service.authorise('automation'))
    const back = await connected('0001', 'enrol-one')
    assert.ok((await back.backUp(await startBackup(service), someContent(3))) > revision)
    await back.disconnect()
    await service.restart({ store: empty })
    const listed = await service.call('GET', '/v2/accounts/acme/computers/0002/revisions')
    assert.deepEqual(
      listed.json.map(({ Id }: { Id: number }) => Id),
      [revision],
    )
    await service.close()
  })

  test('of a lost database all revisions are made good but those that cannot be read, which the log names', async () => {
    const { service, agent } = await started()
    const revisions: number[] = []
    for (const seed of [1, 2, 3]) {
      revisions.push(await agent.backUp(await startBackup(service), someContent(seed)))
    }
    const [first, second, third] = revisions
    await agent.disconnect()
    await service.served.close()
    // A byte of the sealed head, and one of the layout's version.
    for (const [revision, position] of [
      [first, 40],
      [second, 8],
    ]) {
      const file = globSync(`vault/domains/*/revisions/${revision}`, { cwd: service.dataDirectory })[0]
      assert.ok(file !== undefined && position !== undefined)
      const bytes = readFileSync(join(service.dataDirectory, file))
      bytes[position] = (bytes[position] ?? 0) ^ 0x40
      writeFileSync(join(service.dataDirectory, file), bytes)
    }
    const empty = await newStore()
    await migrate(empty, 'oauth', oauthMigrations)
    for (const store of [empty, service.store]) {
      await service.restart({ store })
      service.useToken(await service.authorise('automation'))
      const { json } = await service.computer('GET', '/revisions')
      const listed = json.map(({ Id }: { Id: number }) => Id).sort()
      assert.deepEqual(listed, store === empty ? [third] : revisions)
      const logged = service.loggedErrors.splice(0).map((line) => JSON.parse(line))
      assert.deepEqual(logged.map(({ revision }) => revision).sort(), [String(first), String(second)])
      for (const { msg } of logged) assert.match(msg, /cannot be read/)
    }
    await service.close()
  })

  test('a restore whose credentials cannot be opened any more fails, and disturbs nothing else', async () => {
    const { service, agent } = await started()
    const revisionId = await agent.backUp(await startBackup(service), someContent())
    const accepted = await service.restoreDisks({
      destination: { path: '//server/share', credentials: { username: 'u', password: 'p' } },
      diskFormat: 'Vhd',
      revisions: [revisionId],
    })
    const other = await startBackup(service)
    await service.restart({ key: Buffer.alloc(32, 8) })
    const back = await agent.at(service.served.baseUrl).connect()
    assert.equal((await back.heard('start-backup')).id, other)
    assert.deepEqual(back.unheard, [])
    assert.match(service.loggedErrors.splice(0).join(), /a task cannot be sent/)
    const { json } = await service.computer('GET', `/restores/${accepted.headers['x-restore-id']}`)
    assert.deepEqual([json.state, json.error.code], ['ERROR', 'InternalError'])
    await back.disconnect()
    await service.close()
  })

  test('a new enrolment key counts from the next enrolment on, and what is left out stays', async () => {
    const { service, agent } = await started()
    const changed = {
      ...configuration,
      accounts: [{ id: 'acme', computers: [{ id: '0001', name: 'renamed', enrolmentKey: 'another key' }] }],
    }
    await service.restart({ configuration: changed })
    const back = await agent.at(service.served.baseUrl).connect()
    const computer = await service.computer('GET', '')
    assert.deepEqual([computer.json.name, computer.json.online], ['renamed', true])
    assert.equal((await service.call('GET', '/v2/accounts/acme/computers')).json.length, 2)
    await assert.rejects(FakeAgent.enrol(service.served.baseUrl))
    await FakeAgent.enrol(service.served.baseUrl, { enrolmentKey: 'another key' })
    await FakeAgent.enrol(service.served.baseUrl, { computer: '0002', enrolmentKey: 'enrol-two' })
    assert.equal((await back.request('GET', agentPaths.keys)).status, 401)
    await service.close()
  })
})

test('the key of the vault is made once, for its owner only, and is missed when it is gone', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'palisade-store-'))
  const store = openStore('embedded', directory)
  const service = await TestService.start(store)
  const file = join(service.dataDirectory, 'vault.key')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const key = readFileSync(file)
  assert.equal(key.length, 32)
  await service.restart()
  assert.deepEqual(readFileSync(file), key)
  await service.served.close()
  rmSync(file)
  await assert.rejects(service.restart(), /vault\.key is missing.*put your copy of it back/)
  rmSync(service.dataDirectory, { recursive: true })
  await store.close()
  rmSync(directory, { recursive: true })
})

test('an account or computer that is provisioned twice is named', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'palisade-store-'))
  const store = openStore('embedded', directory)
  const [acme] = configuration.accounts
  assert.ok(acme)
  const twice = { ...acme, computers: [...acme.computers, ...acme.computers] }
  await assert.rejects(
    TestService.start(store, { configuration: { ...configuration, accounts: [acme, twice] } }),
    /backup\.accounts\.1 repeats an id[\s\S]*backup\.accounts\.1\.computers\.2 repeats an id/,
  )
  await store.close()
  rmSync(directory, { recursive: true })
})
