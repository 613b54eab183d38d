import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { agentPaths } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from './testing/backup-service.ts'
import { FakeAgent, someContent, someVolume, vaultChunkSizeBytes } from './testing/fake-agent.ts'
import { backUpPatched, changedIn } from './testing/patched-chunks.ts'

onEveryStore('the whole way', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  before(async () => {
    service = await TestService.start(await newStore())
    agent = await FakeAgent.enrol(service.served.baseUrl)
  })
  after(() => service.close())

  test('a volume is backed up, listed, and given back as it was', async () => {
    const offline = await service.computer('GET', '')
    assert.equal(offline.json.online, false)
    await agent.connect()
    const computer = await service.computer('GET', '')
    assert.deepEqual(computer.json, {
      id: '0001',
      name: 'files01',
      online: true,
      lastSeen: '2030-01-01T00:00:00.000Z',
      agentVersion: '1.0.1',
      platform: 'linux',
      hostName: 'FILES01',
      endToEnd: false,
      endToEndKeyCheck: null,
      restoreTo: ['/srv/restores'],
    })

    const started = await service.computer('POST', '/backups', { source: { path: '/dev/sdb', partition: 1 } })
    assert.equal(started.status, 202, started.text)
    const backupId: string = started.json.data.id
    assert.equal(started.headers.location, `/backup/v2/accounts/acme/computers/0001/backups/${backupId}`)
    const message = await agent.heard('start-backup')
    assert.deepEqual(message, {
      type: 'start-backup',
      id: backupId,
      source: { path: '/dev/sdb', partition: 1 },
    })
    assert.deepEqual(agent.originOf(backupId), { requestId: started.headers['x-request-id'] })

    const content = someContent()
    agent.say({
      type: 'progress',
      task: 'backup',
      id: backupId,
      step: 'reading',
      bytesDone: 1,
      bytesTotal: 3,
    })
    const revisionId = await agent.backUp(backupId, content)
    const backup = await service.computer('GET', `/backups/${backupId}`)
    assert.deepEqual(backup.json, {
      id: backupId,
      state: 'SUCCESS',
      step: 'reading',
      bytesDone: 3,
      bytesTotal: 3,
      percent: 100,
      source: { path: '/dev/sdb', partition: 1 },
      revisionId,
      error: null,
      started: '2030-01-01T00:00:00.000Z',
      ended: '2030-01-01T00:00:00.000Z',
    })

    const volumes = await service.computer('GET', '/restore/diskimage/standard/browse/volumes')
    const documented = {
      Id: revisionId,
      DeviceId: someVolume.deviceId,
      DriveLetter: 'F:',
      Label: 'Archive',
      DateTime: '2030-06-01T12:30:15.6780000+00:00',
      Capacity: content.length,
      UsedSpace: 4096,
      IsBoot: false,
    }
    assert.deepEqual(volumes.json, [
      {
        ...documented,
        Source: { path: '/dev/sdb', partition: 1 },
        PartitionNumber: null,
        FileSystem: 'ntfs',
        HostName: 'FILES01',
        BackupSetName: null,
        BackupSetId: null,
        Pinned: false,
        IsSystem: false,
        EndToEnd: false,
        EndToEndKeyCheck: null,
        Verification: null,
        LastProvedBootable: null,
        Proof: null,
      },
    ])

    const accepted = await service.restoreDisks({
      destination: { path: 'D:\\restored' },
      diskFormat: 'vhdx',
      revisions: [revisionId],
    })
    assert.deepEqual([accepted.status, accepted.text], [204, ''])
    const restoreId = String(accepted.headers['x-restore-id'])
    const restore = await agent.heard('start-restore')
    assert.deepEqual(restore, {
      type: 'start-restore',
      id: restoreId,
      destination: { path: 'D:\\restored' },
      diskFormat: 'Vhdx',
      revisions: [
        {
          revisionId,
          chunkSizeBytes: vaultChunkSizeBytes,
          chunkCount: Math.ceil(content.length / vaultChunkSizeBytes),
          volume: { ...someVolume, capacityBytes: content.length },
          fileName: `files01-Archive-${revisionId}`,
        },
      ],
    })
    await agent.download(restoreId, revisionId, content)
    const files = [`D:\\restored\\files01-Archive-${revisionId}.vhdx`]
    await agent.finish('restore', restoreId, { state: 'SUCCESS', files })
    const ended = await service.computer('GET', `/restores/${restoreId}`)
    assert.deepEqual(ended.json, {
      id: restoreId,
      state: 'SUCCESS',
      step: 'starting',
      bytesDone: content.length,
      bytesTotal: content.length,
      percent: 100,
      destination: { path: 'D:\\restored' },
      diskFormat: 'Vhdx',
      volumes: [
        {
          revisionId,
          deviceId: someVolume.deviceId,
          driveLetter: 'F:',
          label: 'Archive',
          capacity: content.length,
          source: { path: '/dev/sdb', partition: 1 },
          partitionNumber: null,
          fileSystem: 'ntfs',
          hostName: 'FILES01',
          backupSetName: null,
          isBoot: false,
        },
      ],
      files,
      machine: null,
      proof: null,
      served: null,
      error: null,
      started: '2030-01-01T00:00:00.000Z',
      ended: '2030-01-01T00:00:00.000Z',
    })
    await agent.disconnect()
  })

  test('a volume of which only patches were sent is given back as it was', async () => {
    const connected = await agent.at(service.served.baseUrl).connect()
    const before = someContent(7)
    const now = changedIn(before, vaultChunkSizeBytes, [0, 3, 4])
    const volume = { ...someVolume, deviceId: 'patched' }
    const begin = async () =>
      (await service.computer('POST', '/backups', { source: { path: '/dev/sdc' } })).json.data.id
    const first = await connected.backUp(await begin(), before, { deviceId: volume.deviceId })
    const second = await backUpPatched(connected, await begin(), before, now, volume)
    for (const [revisionId, content] of [
      [first, before],
      [second, now],
    ] as const) {
      const accepted = await service.restoreDisks({
        destination: { path: '/x' },
        diskFormat: 'Vhdx',
        revisions: [revisionId],
      })
      await connected.download(String(accepted.headers['x-restore-id']), revisionId, content)
    }
    await connected.disconnect()
  })

  test('a volume of nothing but zeros, large as it is, takes only the list of its chunks', async () => {
    const chunkCount = 200 * 1024
    const capacityBytes = chunkCount * vaultChunkSizeBytes
    await agent.at(service.served.baseUrl).connect()
    const { json } = await service.computer('POST', '/backups', { source: { path: '/dev/zero' } })
    const volume = { ...someVolume, deviceId: 'zeros', capacityBytes }
    const reply = await agent.commit(json.data.id, Buffer.alloc(chunkCount * 32), volume)
    assert.equal(reply.status, 200)
    const { revisionId } = (await reply.json()) as { revisionId: number }
    const accepted = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [revisionId],
    })
    const restoreId = String(accepted.headers['x-restore-id'])
    const presence = await agent.request('GET', agentPaths.presence(restoreId, revisionId))
    assert.deepEqual(Buffer.from(await presence.arrayBuffer()), Buffer.alloc(chunkCount / 8))
    assert.deepEqual(await agent.chunks(restoreId, revisionId, 0, 65_536), [])
  })
})
