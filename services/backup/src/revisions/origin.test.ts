import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate, oauthMigrations, type Store } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { ChunkList, DirectoryBackend, openVault, type RevisionHead } from '@palisade/vault'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent, someVolume, vaultChunkSizeBytes } from '../testing/fake-agent.ts'

const browse = '/restore/diskimage/standard/browse'
const placement = {
  disk: { id: 'ABCD1234', sizeBytes: 2 ** 30, sectorSizeBytes: 512 as const },
  number: 3,
  offsetBytes: 2 ** 20,
  uniqueId: 'ABCD1234-03',
  name: '',
  attributes: '0',
  isActive: false,
}

onEveryStore('what revisions are of', (newStore) => {
  /** Two revisions, of a set and of a backup that was started by itself, whose agent and set are gone or called otherwise by now. */
  async function twoRevisions() {
    const service = await TestService.start(await newStore())
    const agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    const set = { name: 'nightly', type: 'Disk_Image', schedule: [{ type: 'manual' }] }
    const { json } = await service.computer('POST', '/backupsets', {
      ...set,
      selection: [{ path: '/srv/images/web.img' }],
    })
    await service.computer('POST', '/backupsets/run', { backupSetId: json.data.id })
    const ofSet = await agent.heard('start-backup')
    const first = await agent.backUp(ofSet.id, someContent(1), { deviceId: 'web', label: '' })
    const started = await service.computer('POST', '/backups', {
      source: { path: '/dev/disk/by-id/usb-1', partition: 3 },
    })
    const more = { deviceId: 'boot', label: 'root', fileSystem: 'ext4', isBoot: true, placement }
    const second = await agent.backUp(started.json.data.id, someContent(2), more)
    const renamed = { ...set, name: 'daily', selection: [{ path: '/elsewhere' }] }
    assert.equal((await service.computer('PUT', `/backupsets/${json.data.id}`, renamed)).status, 200)
    agent.say({ type: 'hello', agentVersion: '9', hostName: 'RENAMED', platform: 'linux', running: [] })
    await agent.disconnect()
    return { service, agent, first, second }
  }

  const ofFirst = {
    Source: { path: '/srv/images/web.img' },
    PartitionNumber: null,
    FileSystem: 'ntfs',
    HostName: 'FILES01',
    BackupSetName: 'nightly',
    IsBoot: false,
  }
  const ofSecond = {
    Source: { path: '/dev/disk/by-id/usb-1', partition: 3 },
    PartitionNumber: 3,
    FileSystem: 'ext4',
    HostName: 'FILES01',
    BackupSetName: null,
    IsBoot: true,
  }

  async function shows(
    service: TestService,
    expected: readonly (readonly [number, object])[],
  ): Promise<void> {
    const find = (listed: Record<string, unknown>[], id: number) => listed.find(({ Id }) => Id === id)
    const [volumes, revisions] = await Promise.all([
      service.computer('GET', `${browse}/volumes`),
      service.computer('GET', '/revisions'),
    ])
    for (const [id, of] of expected) {
      for (const listed of [volumes.json, revisions.json]) assert.partialDeepStrictEqual(find(listed, id), of)
      const one = (await service.computer('GET', `/revisions/${id}`)).json
      assert.partialDeepStrictEqual(one, of)
      const deviceId = encodeURIComponent(one.DeviceId)
      const ofVolume = await service.computer('GET', `${browse}/revisions?deviceId=${deviceId}`)
      assert.partialDeepStrictEqual(find(ofVolume.json, id), of)
    }
  }

  test('they say it as it was when they were made, without an agent and whatever has changed since', async () => {
    const { service, first, second } = await twoRevisions()
    await shows(service, [
      [first, ofFirst],
      [second, ofSecond],
    ])
    await service.close()
  })

  test('restores say it of each of their volumes, and the agent is told what it was told before', async () => {
    const { service, agent, first, second } = await twoRevisions()
    const back = await agent.at(service.served.baseUrl).connect()
    const reply = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [first, second],
    })
    const message = await back.heard('start-restore')
    assert.deepEqual(Object.keys(message).sort(), ['destination', 'diskFormat', 'id', 'revisions', 'type'])
    for (const revision of message.revisions) {
      assert.deepEqual(Object.keys(revision).sort(), [
        ...['chunkCount', 'chunkSizeBytes', 'fileName', 'revisionId', 'volume'],
      ])
    }
    const restore = await service.computer('GET', `/restores/${reply.headers['x-restore-id']}`)
    assert.deepEqual(
      restore.json.volumes.map(
        ({
          source,
          partitionNumber,
          fileSystem,
          hostName,
          backupSetName,
          isBoot,
        }: Record<string, unknown>) => ({
          Source: source,
          PartitionNumber: partitionNumber,
          FileSystem: fileSystem,
          HostName: hostName,
          BackupSetName: backupSetName,
          IsBoot: isBoot,
        }),
      ),
      [ofFirst, ofSecond],
    )
    await back.disconnect()
    await service.close()
  })

  test('they still say it when the database is lost', async () => {
    const { service, first, second } = await twoRevisions()
    await service.served.close()
    await restartWithout(service, await newStore())
    await shows(service, [
      [first, ofFirst],
      [second, ofSecond],
    ])
    await service.close()
  })

  test('those of earlier and of later versions are adopted, and say what the agent had read', async () => {
    const service = await TestService.start(await newStore())
    await service.served.close()
    const vault = await openVault({
      backend: new DirectoryBackend(join(service.dataDirectory, 'vault')),
      key: { file: join(service.dataDirectory, 'vault.key') },
    })
    const volume = { ...someVolume, capacityBytes: vaultChunkSizeBytes }
    const commit = { chunkSizeBytes: vaultChunkSizeBytes, chunkCount: 1, createdAtMs: 1_000_000 }
    const origins: [string, RevisionHead['metadata']][] = [
      ['earlier', {}],
      ['later', { origin: { source: ['another', 'form'], hostName: 7 }, andMore: true }],
      ['longer', { origin: { source: { path: '/x', more: 1 }, hostName: 'H', setName: null, more: 2 } }],
    ]
    for (const [index, [deviceId, more]] of origins.entries()) {
      const session = await vault.beginBackup('acme/0001')
      await session.commitRevision({
        revision: String(index + 1),
        volume: deviceId,
        capacityBytes: vaultChunkSizeBytes,
        metadata: {
          backupId: deviceId,
          commit: { ...commit, volume: { ...volume, deviceId, placement } },
          ...(more as object),
        },
        chunks: new ChunkList(Buffer.alloc(32)),
      })
    }
    await vault.close()
    await restartWithout(service, await newStore())
    const read = { Source: { path: '/dev/sdb1', partition: 3 }, HostName: null, BackupSetName: null }
    await shows(service, [
      [1, read],
      [2, read],
      [3, { Source: { path: '/x' }, HostName: 'H', BackupSetName: null }],
    ])
    await service.close()
  })
})

/** Starts the service again over the same vault, with a database that has nothing. */
async function restartWithout(service: TestService, store: Store): Promise<void> {
  await migrate(store, 'oauth', oauthMigrations)
  await service.restart({ store })
  service.useToken(await service.authorise('automation'))
}
