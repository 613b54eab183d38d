import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, newDiscoveredVolume, someContent } from '../testing/fake-agent.ts'

const hourMs = 3_600_000
const quick = { lookEveryMs: 20 }
const manual = { type: 'Disk_Image', selection: [{ path: '/dev/sdb1' }], schedule: [{ type: 'manual' }] }

onEveryStore('backup sets', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  let names = 0
  const startedIds = new Set<string>()
  before(async () => {
    service = await TestService.start(await newStore(), quick)
    agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
  })
  after(() => service.close())

  const create = async (body: object): Promise<string> => {
    const reply = await service.computer('POST', '/backupsets', {
      name: `set ${++names}`,
      type: 'Disk_Image',
      ...body,
    })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data.id
  }
  const run = async (backupSetId: string): Promise<string> =>
    (await service.computer('POST', '/backupsets/run', { backupSetId })).json.data.id
  const remove = (backupSetId: string) => service.computer('POST', '/backupsets/delete', { backupSetId })
  /** The next backup that the agent is to do. One that begins while it connects may be sent twice. */
  const started = async (): Promise<{ id: string; path: string }> => {
    const { id, source } = await agent.heard('start-backup', (message) => !startedIds.has(message.id))
    startedIds.add(id)
    return { id, path: source.path }
  }
  const unheard = () =>
    agent.unheard.filter((message) => message.type !== 'start-backup' || !startedIds.has(message.id))

  test('a set is made with every default, shown, changed and deleted', async () => {
    const id = await create({ selection: ['%all%'] })
    const { json } = await service.computer('GET', `/backupsets/${id}`)
    assert.deepEqual(json, {
      id,
      name: `set ${names}`,
      type: 'Disk_Image',
      enabled: true,
      selection: ['%all%'],
      exclusions: [],
      useDynamicVolumeInclusion: true,
      timeZone: 'UTC',
      schedule: [{ type: 'daily', hour: 23, minute: 0 }],
      settings: {},
      warning:
        'it is not known whether these volumes can be backed up: the agent is not there, or of a version that cannot say',
      nextRun: '2030-01-01T23:00:00.000Z',
      nextProof: null,
      lastRun: null,
      lastProof: null,
    })
    assert.deepEqual((await service.computer('GET', '/backupsets')).json, [json])
    const changed = await service.computer('PUT', `/backupsets/${id}`, {
      name: 'other',
      type: 'Disk_Image',
      selection: ['C:'],
      timeZone: 'Europe/Berlin',
      schedule: [{ type: 'hourly', interval: 6 }],
    })
    assert.deepEqual(
      [changed.status, changed.json.name, changed.json.nextRun, changed.json.useDynamicVolumeInclusion],
      [200, 'other', '2030-01-01T05:00:00.000Z', false],
    )
    const toggled = await service.computer('POST', '/backupsets/toggle', { backupSetId: id, value: false })
    const status = await service.computer('GET', `/action/${toggled.json.data.id}/status`)
    assert.deepEqual(status.json, { data: { status: 5, reason: '' } })
    const off = (await service.computer('GET', `/backupsets/${id}`)).json
    assert.deepEqual([off.enabled, off.nextRun], [false, null])
    assert.equal((await remove(id)).status, 200)
    assert.deepEqual((await service.computer('GET', '/backupsets')).json, [])
  })

  test('a run backs up what the agent has found, and its status follows its backups', async () => {
    const id = await create({ selection: ['%All%'], exclusions: ['E:'], schedule: [{ type: 'manual' }] })
    const disk = { diskId: 'disk 0', partitionScheme: 'gpt' as const, firmware: 'uefi' as const }
    const volumes = [
      newDiscoveredVolume('/dev/sda1', { ...disk, driveLetter: '', isSystem: true }),
      newDiscoveredVolume('/dev/sda2', { ...disk, driveLetter: 'C:', isBoot: true }),
      newDiscoveredVolume('/dev/sda3', { ...disk, driveLetter: 'E:' }),
      newDiscoveredVolume('/dev/sdb1', { driveLetter: 'F:' }, { unsupportedReason: 2, driveType: 2 }),
    ]
    const actionId = await run(id)
    await agent.tellVolumes({ volumes })
    const both = [await started(), await started()]
    assert.deepEqual(both.map(({ path }) => path).sort(), ['/dev/sda1', '/dev/sda2'])
    const pending = await service.computer('GET', `/action/${actionId}/status`)
    assert.deepEqual(pending.json, { data: { status: 2, reason: '' } })
    const busy = await service.computer('POST', '/backupsets/run', { backupSetId: id })
    assert.equal(busy.status, 409)
    const [system, boot] = both.sort((one, other) => one.path.localeCompare(other.path))
    assert.ok(system && boot)
    const capacityBytes = someContent().length
    const systemVolume = { ...volumes[0]?.volume, capacityBytes }
    const systemRevision = await agent.backUp(system.id, someContent(1), systemVolume)
    const bootVolume = { ...volumes[1]?.volume, capacityBytes }
    const bootRevision = await agent.backUp(boot.id, someContent(2), bootVolume)
    const action = await service.ended(actionId)
    assert.deepEqual([action.state, action.backupSetId], ['SUCCESS', id])
    assert.deepEqual([...action.backups].sort(), [system.id, boot.id].sort())

    const listed = await service.computer('GET', '/restore/diskimage/standard/browse/volumes')
    assert.deepEqual(
      listed.json.map(({ Id }: { Id: number }) => Id),
      [bootRevision],
      'the system volume is not listed',
    )
    const everything = await service.computer('GET', '/revisions?limit=2')
    assert.deepEqual(
      everything.json.map((volume: Record<string, unknown>) => [
        volume.Id,
        volume.IsSystem,
        volume.BackupSetId,
      ]),
      [
        [bootRevision, false, id],
        [systemRevision, true, id],
      ],
    )
    const accepted = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [bootRevision],
    })
    assert.equal(accepted.status, 204, accepted.text)
    const { revisions, id: restoreId } = await agent.heard('start-restore')
    assert.deepEqual(
      revisions.map(({ revisionId }) => revisionId),
      [bootRevision, systemRevision],
      'and comes along',
    )
    for (const revision of [bootRevision, systemRevision]) {
      const deletion = await service.computer('DELETE', `/revisions/${revision}`)
      assert.deepEqual(
        [deletion.status, deletion.json],
        [409, { errors: ['This revision is being restored.'] }],
      )
    }
    await agent.finish('restore', restoreId, { state: 'SUCCESS', files: [] })
    await remove(id)
  })

  test('a part that fails is a warning, all of it an error, and an agent that cannot tell is named', async () => {
    const id = await create({ ...manual, selection: [{ path: '/dev/sdb1' }, { path: '/dev/sdb2' }] })
    const failure = { state: 'ERROR', code: 'SourceUnreadable', message: 'gone' } as const
    const first = await run(id)
    await agent.backUp((await started()).id, someContent(1))
    await agent.finish('backup', (await started()).id, failure)
    const half = await service.ended(first)
    assert.deepEqual(
      [half.state, half.status, half.reason],
      ['WARNING', 4, '1 of 2 backups failed, the first with SourceUnreadable: gone'],
    )
    const second = await run(id)
    for (const backup of [await started(), await started()]) await agent.finish('backup', backup.id, failure)
    assert.equal((await service.ended(second)).state, 'ERROR')
    await remove(id)

    const other = await create({ selection: ['C:'], schedule: [{ type: 'manual' }] })
    const third = await run(other)
    await agent.tellVolumes({ failure: 'no rights' })
    const untold = await service.ended(third)
    assert.deepEqual([untold.state, untold.reason], ['ERROR', 'no rights'])
    const fourth = await run(other)
    await agent.tellVolumes({ volumes: [newDiscoveredVolume('/dev/sdb1')] })
    assert.equal((await service.ended(fourth)).reason, 'none of the selected volumes is there')
    await remove(other)
  })

  test('a run that is wished while the agent is away begins when it is back', async () => {
    const id = await create(manual)
    await agent.disconnect()
    await eventually(async () => assert.equal((await service.computer('GET', '')).json.online, false))
    const reply = await service.computer('POST', '/backupsets/run', { backupSetId: id })
    assert.equal(reply.status, 202)
    const actionId = reply.json.data.id
    const waiting = await service.computer('GET', `/action/${actionId}/status`)
    assert.deepEqual(waiting.json, { data: { status: 1, reason: '' } })
    await service.restart(quick)
    agent = await agent.at(service.served.baseUrl).connect()
    await agent.backUp((await started()).id, someContent(3))
    assert.equal((await service.ended(actionId)).state, 'SUCCESS')
    await remove(id)
  })

  test('the schedule runs a set once for all that was missed, and not while a run goes on', async () => {
    const id = await create({ ...manual, schedule: [{ type: 'hourly', interval: 1 }] })
    await service.pass(hourMs)
    const first = await started()
    await service.pass(hourMs)
    await eventually(async () => {
      const { nextRun } = (await service.computer('GET', `/backupsets/${id}`)).json
      assert.ok(Date.parse(nextRun) > service.clock.now())
    })
    assert.deepEqual(unheard(), [], 'no second run beside the first')
    await agent.backUp(first.id, someContent(4))
    const [set] = (await service.computer('GET', '/backupsets')).json
    await service.ended(set.lastRun.id)

    await service.served.close()
    service.clock.advance(50 * hourMs)
    await service.restart(quick)
    await service.pass(0)
    agent = await agent.at(service.served.baseUrl).connect()
    await agent.backUp((await started()).id, someContent(5))
    await eventually(async () => {
      const { lastRun } = (await service.computer('GET', `/backupsets/${id}`)).json
      assert.equal(lastRun.state, 'SUCCESS')
    })
    assert.deepEqual(unheard(), [], 'fifty missed hours are one run')
    await remove(id)
  })

  test('a run that takes longer than it may is cancelled', async () => {
    const start = new Date(service.clock.now() + hourMs)
    const [hour, minute] = [start.getUTCHours(), start.getUTCMinutes()]
    const id = await create({
      ...manual,
      schedule: [{ type: 'daily', hour, minute, cancelAt: { hour: (hour + 2) % 24, minute } }],
    })
    await service.pass(hourMs)
    const backup = await started()
    await service.pass(2 * hourMs)
    const cancel = await agent.heard('cancel')
    assert.equal(cancel.id, backup.id)
    await agent.finish('backup', backup.id, { state: 'CANCELED' })
    const [set] = (await service.computer('GET', '/backupsets')).json
    const action = await service.ended(set.lastRun.id)
    assert.deepEqual(
      [action.state, action.reason],
      ['ERROR', '1 of 1 backups failed, the first with it was cancelled'],
    )
    await remove(id)
  })

  test('volumes are discovered, and say which of them a set has', async () => {
    const id = await create({ selection: ['F:'], schedule: [{ type: 'manual' }] })
    const volumes = [
      newDiscoveredVolume('/dev/sdb1', { driveLetter: 'F:' }),
      newDiscoveredVolume('/dev/sdc1', {
        driveLetter: 'G:',
        partitionType: 'C12A7328-F81F-11D2-BA4B-00A0C93EC93B',
      }),
      newDiscoveredVolume(
        '/dev/sdd1',
        { driveLetter: 'H:', label: 'Stick' },
        { unsupportedReason: 2, driveType: 2 },
      ),
    ]
    const [reply] = await Promise.all([
      service.computer('GET', '/backupsets/diskimage/volumes/browse'),
      agent.tellVolumes({ volumes }),
    ])
    assert.deepEqual(reply.json, [
      {
        deviceId: volumes[0]?.volume.deviceId,
        driveLetter: 'F:',
        label: 'Archive',
        capacity: 1024 ** 3,
        usedSpace: 4096,
        isBoot: false,
        volumeKind: 1,
        driveType: 3,
        isSupported: false,
        volumeUnsupportedReason: 64,
        source: { path: '/dev/sdb1' },
      },
      {
        deviceId: volumes[2]?.volume.deviceId,
        driveLetter: 'H:',
        label: 'Stick',
        capacity: 1024 ** 3,
        usedSpace: 4096,
        isBoot: false,
        volumeKind: 1,
        driveType: 2,
        isSupported: false,
        volumeUnsupportedReason: 2,
        source: { path: '/dev/sdd1' },
      },
    ])
    await remove(id)
  })
})
