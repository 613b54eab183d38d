/** Backups that a computer has sealed with a key of its own, which the server never gets. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import {
  DirectoryBackend,
  deriveEndToEndKeys,
  isVaultFailure,
  openChunk,
  openVault,
  type Vault,
} from '@palisade/vault'
import { TestService } from './testing/backup-service.ts'
import { FakeAgent, someContent, someVolume } from './testing/fake-agent.ts'

const own = deriveEndToEndKeys(Buffer.alloc(32, 3), 'acme/0001')
const otherKey = deriveEndToEndKeys(Buffer.alloc(32, 4), 'acme/0001')
const content = someContent(7)
/** What a verification wants repaired is left as it is. */
const unhurried = { lookEveryMs: 3_600_000 }
const isDamaged = (error: unknown) => isVaultFailure(error, 'damaged')

onEveryStore('sealed end to end', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  let revisionId = 0
  const startBackup = async (): Promise<string> => {
    const { json } = await service.computer('POST', '/backups', { source: { path: '/dev/sdb' } })
    await agent.heard('start-backup', ({ id }) => id === json.data.id)
    return json.data.id
  }
  const reconnect = async () => {
    const keys = agent.endToEnd
    agent = agent.at(service.served.baseUrl)
    agent.endToEnd = keys
    await agent.connect()
  }
  const verify = async () => {
    const { json } = await service.computer('POST', `/revisions/${revisionId}/verify`, {})
    await service.ended(json.data.id)
    return (await service.computer('GET', `/revisions/${revisionId}`)).json.Verification
  }
  before(async () => {
    service = await TestService.start(await newStore(), unhurried)
    agent = await FakeAgent.enrol(service.served.baseUrl)
    agent.endToEnd = own
    await agent.connect()
    revisionId = await agent.backUp(await startBackup(), content)
  })
  after(() => service.close())

  test('the computer and its revision say so, and by which key', async () => {
    const computer = (await service.computer('GET', '')).json
    assert.deepEqual([computer.endToEnd, computer.endToEndKeyCheck], [true, own.keyCheck])
    const revision = (await service.computer('GET', `/revisions/${revisionId}`)).json
    assert.deepEqual([revision.EndToEnd, revision.EndToEndKeyCheck], [true, own.keyCheck])
    const other = (await service.call('GET', '/v2/accounts/acme/computers/0002')).json
    assert.deepEqual([other.endToEnd, other.endToEndKeyCheck], [false, null])
  })

  test("the agent is told with which key a restore opens, and the computer's key opens it", async () => {
    const reply = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [revisionId],
    })
    const restoreId = String(reply.headers['x-restore-id'])
    const { revisions } = await agent.heard('start-restore')
    assert.equal(revisions[0]?.endToEndKeyCheck, own.keyCheck)
    await agent.download(restoreId, revisionId, content)
    agent.endToEnd = undefined
    await assert.rejects(agent.download(restoreId, revisionId, content), isDamaged, "the server's keys")
    agent.endToEnd = otherKey
    await assert.rejects(agent.download(restoreId, revisionId, content), isDamaged, 'another key')
    agent.endToEnd = own
    await agent.finish('restore', restoreId, { state: 'CANCELED' })
  })

  test('what the computer has stored already it need not send again', async () => {
    const backupId = await startBackup()
    assert.equal((await agent.upload(backupId, content)).uploaded, 0)
    await agent.finish('backup', backupId, { state: 'CANCELED' })
  })

  test('a commit without the key, or with another one, makes no revision', async () => {
    const backupId = await startBackup()
    const { ids: sealedWithOwn } = await agent.upload(backupId, content)
    for (const keys of [undefined, otherKey]) {
      agent.endToEnd = keys
      if (keys === undefined) {
        await assert.rejects(agent.upload(backupId, content), /sealed with a key of its own/)
      }
      const { ids } = keys ? await agent.upload(backupId, content) : { ids: sealedWithOwn }
      const reply = await agent.commit(backupId, ids, { ...someVolume, capacityBytes: content.length })
      assert.equal(reply.status, 400)
      assert.match(await reply.text(), /sealed end to end/)
    }
    agent.endToEnd = own
    await agent.finish('backup', backupId, { state: 'CANCELED' })
    assert.equal((await service.computer('GET', '/revisions')).json.length, 1)
  })

  test('a check value that is none is refused', async () => {
    const backupId = await startBackup()
    const { ids } = await agent.upload(backupId, content)
    const volume = { ...someVolume, capacityBytes: content.length }
    for (const keyCheck of ['', 'x'.repeat(32), own.keyCheck.toUpperCase(), `${own.keyCheck}0`]) {
      assert.equal((await agent.commit(backupId, ids, volume, { endToEnd: { keyCheck } })).status, 400)
    }
    await agent.finish('backup', backupId, { state: 'CANCELED' })
  })

  test('an agent that comes with another key changes nothing about the computer', async () => {
    await agent.disconnect()
    agent.endToEnd = otherKey
    await reconnect()
    assert.equal((await service.computer('GET', '')).json.endToEndKeyCheck, own.keyCheck)
    await agent.disconnect()
    agent.endToEnd = own
    await reconnect()
  })

  test('a verification says that only sealed bytes were compared, and finds damage to them', async () => {
    const intact = await verify()
    assert.deepEqual([intact.State, intact.Compared], ['SUCCESS', 'SealedBytes'])
    const undo = damageAPack(join(service.dataDirectory, 'vault'))
    const damaged = await verify()
    undo()
    assert.deepEqual([damaged.State, damaged.Compared], ['DAMAGED', 'SealedBytes'])
    assert.match(service.loggedErrors.splice(0).join(), /a revision is damaged/)
    assert.equal((await verify()).State, 'SUCCESS')
  })

  test('a revision that is adopted after the database was lost is sealed all the same', async () => {
    const tables = service.store.tables<{
      backup_revision: { id: number }
      backup_computer: { end_to_end_key_check: string | null }
    }>()
    await tables.deleteFrom('backup_revision').where('id', '=', revisionId).execute()
    await tables.updateTable('backup_computer').set({ end_to_end_key_check: null }).execute()
    await service.restart(unhurried)
    const revision = (await service.computer('GET', `/revisions/${revisionId}`)).json
    assert.deepEqual([revision.EndToEnd, revision.EndToEndKeyCheck], [true, own.keyCheck])
    assert.equal((await service.computer('GET', '')).json.endToEndKeyCheck, own.keyCheck)
    await reconnect()
  })

  test('when the key is forgotten another one may be used, and the old revision keeps its own', async () => {
    service.useToken(await service.authorise('reader'))
    assert.equal((await service.computer('DELETE', '/end-to-end-key')).status, 403)
    service.useToken(await service.authorise('automation'))
    assert.equal((await service.computer('DELETE', '/end-to-end-key')).status, 204)
    assert.equal((await service.computer('GET', '')).json.endToEnd, false)
    agent.endToEnd = otherKey
    const next = await agent.backUp(await startBackup(), content)
    assert.equal(
      (await service.computer('GET', `/revisions/${next}`)).json.EndToEndKeyCheck,
      otherKey.keyCheck,
    )
    assert.equal(
      (await service.computer('GET', `/revisions/${revisionId}`)).json.EndToEndKeyCheck,
      own.keyCheck,
    )
    assert.equal((await service.computer('GET', '')).json.endToEndKeyCheck, otherKey.keyCheck)
  })

  test("the vault, opened with the server's own key, opens no chunk of it", async () => {
    await service.served.close()
    const vault = await openVault({
      backend: new DirectoryBackend(join(service.dataDirectory, 'vault')),
      key: { file: join(service.dataDirectory, 'vault.key') },
    })
    assert.equal(await chunksThatOpen(vault, String(revisionId), vault.chunkKeys('acme/0001')), 0)
    assert.equal(await chunksThatOpen(vault, String(revisionId), own.chunks), 4)
    await vault.close()
    await service.restart(unhurried)
  })
})

async function chunksThatOpen(vault: Vault, revision: string, keys: ReturnType<Vault['chunkKeys']>) {
  const reader = await vault.openRevision('acme/0001', revision)
  let opened = 0
  for await (const { run, bytes } of reader.stream(reader.runs(0, reader.chunks.length))) {
    for (const { position, offset, lengthBytes } of run.chunks) {
      const sealed = bytes.subarray(offset, offset + lengthBytes)
      try {
        openChunk(reader.chunks.id(position), sealed, keys, { sizeMaxBytes: vault.chunkSizeBytes })
        opened++
      } catch (error) {
        assert.ok(isDamaged(error))
      }
    }
  }
  reader.close()
  return opened
}

/** Changes a byte in the first chunk of every pack; gives back what undoes that. */
function damageAPack(folder: string): () => void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('/packs/'))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
  const before = files.map((file) => readFileSync(file))
  for (const [index, file] of files.entries()) {
    const changed = Buffer.from(before[index] ?? '')
    changed[1000] = (changed[1000] ?? 0) ^ 1
    writeFileSync(file, changed)
  }
  return () => {
    for (const [index, file] of files.entries()) writeFileSync(file, before[index] ?? '')
  }
}
