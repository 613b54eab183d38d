/**
 * Every member of every reply is filled by something: it is made to happen here, and what the member says is seen to change. A new
 * member that stays the same fails this test, until something here moves it.
 */
import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { agentPaths, type DiscoveredVolume } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { deriveEndToEndKeys } from '@palisade/vault'
import { configuration, TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, newDiscoveredVolume, someContent, vaultChunkSizeBytes } from '../testing/fake-agent.ts'
import { FakeHosts, plentifulOffer } from '../testing/fake-hosts.ts'
import { SeenAnswers } from '../testing/seen-answers.ts'

const dayMs = 86_400_000
const computer = '/v2/accounts/acme/computers/0001'
const browse = '/restore/diskimage/standard/browse'

/** What always says the same, and says why. This list only gets shorter. */
const constant: Readonly<Record<string, string>> = {
  type: 'of sets there is one type',
  'list.[].warnings': 'a backup or restore succeeds or does not; the contract says that it is always 0',
  'createHostSession state': 'a new session is an active one',
  'browseVolumes [].IsSystem': 'what is chosen from are not those volumes, which come along by themselves',
  supportsVmDynamicMemory:
    'the reference has it and uses it nowhere; the contract says that it is always false',
}

onEveryStore('the members of replies', (newStore) => {
  test('each of them is filled, and changes with what it is about', async (t) => {
    const [automation, ...others] = configuration.apiClients
    assert.ok(automation)
    const scopes = [...automation.scopes, 'accounts_read' as const]
    const service = await TestService.start(await newStore(), {
      lookEveryMs: 20,
      configuration: { ...configuration, apiClients: [{ ...automation, scopes }, ...others] },
    })
    t.after(async () => {
      service.loggedErrors.splice(0)
      await service.close()
    })
    const answers = new SeenAnswers(service.served.openApiDocument())
    const call = async (method: string, path: string, body?: unknown) => {
      const reply = await service.call(method, path, body)
      if (reply.status < 300)
        answers.note(method, path, reply.status, reply.text === '' ? undefined : reply.json)
      return reply
    }
    const here = (method: string, path: string, body?: unknown) => call(method, computer + path, body)
    const ok = async (method: string, path: string, body?: unknown) => {
      const reply = await here(method, path, body)
      assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
      return reply
    }
    const actions = new Set<string>()
    const acted = async (method: string, path: string, body?: unknown): Promise<string> => {
      const { id } = (await ok(method, path, body)).json.data
      actions.add(id)
      return id
    }
    let sessionId = ''
    const sessions: string[] = []
    /** Looks at everything that can be read. */
    const lookAround = async () => {
      for (const page of [1, 2]) {
        for (const whose of [computer.replace('/v2/', '/v1/'), '/v1/accounts/acme']) {
          await call('GET', `${whose}/action_history?page_size=${page}&page=1`)
          await call('GET', `${whose}/action_history?page_size=1&page=${page}`)
        }
      }
      await call('GET', '/v2/accounts/acme/computers')
      await here('GET', '')
      await call('GET', '/v2/accounts/acme/computers/0002')
      for (const [list, id] of [
        ...['/backups', '/restores', '/backupsets'].map((path) => [path, 'id'] as const),
        ['/revisions', 'Id'],
      ] as const) {
        for (const one of (await ok('GET', list)).json) await ok('GET', `${list}/${one[id]}`)
      }
      await ok('GET', '/vault-usage')
      for (const { id } of (await ok('GET', '/backupsets')).json) {
        for (const body of [{}, { retention: { keepLast: 1 } }])
          await ok('POST', `/backupsets/${id}/retention`, body)
      }
      await ok('GET', `${browse}/volumes`)
      for (const { DeviceId, Id } of (await ok('GET', '/revisions')).json) {
        await ok('GET', `${browse}/revisions?deviceId=${encodeURIComponent(DeviceId)}`)
        await here('POST', '/restore/diskimage/standard/hardware', { id: Id })
      }
      await ok('GET', '/restore/hyperv/hosts')
      for (const id of sessions) await ok('GET', `/restore/hyperv/session/${id}`)
      for (const id of actions) {
        await ok('GET', `/action/${id}/status`)
        await ok('GET', `/backupsets/${id}/info`)
      }
    }

    const begun = new Set<string>()
    /** The next backup that the agent is to do. One that begins while it connects may be sent twice. */
    const nextBackup = async () => {
      const message = await agent.heard('start-backup', ({ id }) => !begun.has(id))
      begun.add(message.id)
      return message
    }

    // Nothing is there.
    await lookAround()
    await ok('GET', `${browse}/revisions?deviceId=none`)
    let agent = await FakeAgent.enrol(service.served.baseUrl)
    const hosts = new FakeHosts()
    let volumes: DiscoveredVolume[] = []
    const connect = async () => {
      agent.answersHosts = hosts.answer
      agent.checksSources = () => null
      agent.tellsVolumes = () => volumes
      await agent.connect()
    }
    await connect()

    // Volumes that are found, a session and hosts.
    for (const entry of [
      [],
      [
        {
          ...newDiscoveredVolume('/dev/sda1', { isBoot: true, driveLetter: 'C:', usedBytes: 1 }),
          source: { path: '/dev/sda', partition: 1 },
        },
        newDiscoveredVolume(
          '/dev/sdb1',
          { driveLetter: '', label: '', capacityBytes: 7, usedBytes: 3 },
          { unsupportedReason: 2, driveType: 2, volumeKind: 5 },
        ),
      ],
    ]) {
      volumes = entry
      await ok('GET', '/backupsets/diskimage/volumes/browse')
    }
    const hostIds: number[] = []
    const offers = [
      plentifulOffer,
      {
        ...plentifulOffer,
        firmware: ['bios' as const],
        diskFormats: ['vhd' as const],
        virtualDisksPath: '/machines',
        virtualSwitches: [],
        cores: { default: 2, minimum: 2, maximum: 4, increment: 2 },
        memoryMebibytes: { default: 512, minimum: 64, maximum: 4096, increment: 4 },
      },
    ]
    for (const time of [0, 1]) {
      if (time === 1) hosts.unsupported = [{ code: 'host-unreachable', message: 'nobody answers' }]
      sessionId = (await ok('POST', '/restore/hyperv/session')).json.sessionId
      sessions.push(sessionId)
      hosts.ownName = `HV0${time}`
      const remote = { sessionId, hostName: `hv${time}`, authenticationMode: 'Sspi' }
      for (const [place, body] of [
        ['local', { sessionId }],
        ['remote', remote],
      ] as const) {
        hostIds.push((await ok('POST', `/restore/hyperv/host/register/${place}`, body)).json.identifier.id)
      }
      hosts.unsupported = []
      hosts.offer = offers[time] ?? plentifulOffer
      for (const what of ['capabilities', 'settings'])
        await ok('POST', `/restore/hyperv/host/${what}`, { id: hostIds[0], sessionId })
      await service.pass(1000)
    }
    hosts.reset()

    // A set that does something of everything, whose run is waited for, goes on and ends, with a part that fails.
    const set = {
      name: 'nightly',
      type: 'Disk_Image',
      selection: [{ path: '/dev/sda', partition: 1 }, { path: '/dev/sdb1' }],
      exclusions: ['E:', { path: '/dev/sdc', partition: 2 }],
      useDynamicVolumeInclusion: true,
      timeZone: 'Europe/Berlin',
      schedule: [
        { type: 'daily', hour: 23, minute: 10, workDaysOnly: true, cancelAt: { hour: 6, minute: 20 } },
        { type: 'weekly', days: ['Sunday', 'Monday'], hour: 12, minute: 30 },
      ],
      settings: {
        retention: { keepLast: 30, keepDaily: 7, keepWeekly: 4, keepMonthly: 12 },
        verification: { afterBackup: true, everyDays: 300, samplePercent: 50 },
        proof: { everyDays: 7, hostId: hostIds[0], folder: '/srv/proofs', timeoutSeconds: 600, sign: 'open' },
      },
    }
    const setId: string = (await ok('POST', '/backupsets', set)).json.data.id
    await agent.disconnect()
    await eventually(async () => assert.equal((await here('GET', '')).json.online, false))
    const plain = {
      name: 'hourly',
      type: 'Disk_Image',
      selection: ['C:'],
      schedule: [{ type: 'hourly', interval: 6 }],
    }
    const other: string = (await ok('POST', '/backupsets', plain)).json.data.id
    await ok('PUT', `/backupsets/${other}`, {
      ...plain,
      name: 'other',
      schedule: [{ type: 'hourly', interval: 7 }],
    })
    await acted('POST', '/backupsets/toggle', { backupSetId: other, value: false })
    await acted('POST', '/backupsets/run', { backupSetId: setId })
    await lookAround()
    agent = agent.at(service.served.baseUrl)
    await connect()
    const messages = [await nextBackup(), await nextBackup()]
    const [partition, whole] = messages.sort((one, two) => one.source.path.localeCompare(two.source.path))
    assert.ok(partition && whole)
    agent.say({
      type: 'progress',
      task: 'backup',
      id: whole.id,
      step: 'reading',
      bytesDone: 1,
      bytesTotal: 3,
    })
    await eventually(async () => assert.equal((await here('GET', `/backups/${whole.id}`)).json.percent, 33))
    await lookAround()
    const placement = {
      disk: { id: 'ABCD1234', sizeBytes: 2 ** 30, sectorSizeBytes: 512 as const },
      number: 1,
      offsetBytes: 2 ** 20,
      uniqueId: 'ABCD1234-01',
      name: '',
      attributes: '0',
      isActive: false,
    }
    const hardware = { cores: 4, memoryMebibytes: 4096, osVersion: '10.0.14393', is64Bit: true }
    const createdAtMs = service.clock.now()
    const boot = await agent.backUp(
      partition.id,
      someContent(1),
      { deviceId: 'boot', isBoot: true, placement },
      { hardware, createdAtMs },
    )
    await agent.finish('backup', whole.id, {
      state: 'ERROR',
      code: 'SourceUnreadable',
      message: 'it is gone',
    })
    for (const id of actions) await service.ended(id)
    await lookAround()
    await ok('PUT', `/backupsets/${setId}`, set)
    await service.pass(1000)
    // Twice, so that there is something that a retention would delete.
    for (const time of [1, 2]) {
      const run = await acted('POST', '/backupsets/run', { backupSetId: setId })
      const again = [await nextBackup(), await nextBackup()]
      for (const { id, source } of again) {
        await agent.backUp(
          id,
          someContent(source.path.length),
          {
            deviceId: source.path,
            isBoot: source.path === '/dev/sda',
            isSystem: source.path !== '/dev/sda',
            label: source.path,
            driveLetter: '',
            fileSystem: 'ext4',
          },
          { createdAtMs: createdAtMs + 1000 * time },
        )
      }
      await service.ended(run)
    }

    // A backup that is cancelled, one of another machine, and one that is sealed end to end.
    const cancelled: string = (await ok('POST', '/backups', { source: { path: '/x' } })).json.data.id
    await nextBackup()
    await ok('POST', `/backups/${cancelled}/cancel`)
    await lookAround()
    await agent.finish('backup', cancelled, { state: 'CANCELED' })
    const single = async (more: object, metadata: object = {}) => {
      await ok('POST', '/backups', { source: { path: '/y' } })
      const { id } = await nextBackup()
      const content = someContent(Object.keys(more).length + 20).subarray(0, 3 * vaultChunkSizeBytes)
      return agent.backUp(id, content, { usedBytes: 1, ...more }, metadata)
    }
    const small = { cores: 1, memoryMebibytes: 512, osVersion: '6.1', is64Bit: false }
    await single({ deviceId: 'small', isBoot: true, firmware: 'uefi' }, { hardware: small })
    await agent.disconnect()
    agent = agent.at(service.served.baseUrl)
    agent.endToEnd = deriveEndToEndKeys(Buffer.alloc(32, 3), 'acme/0001')
    await connect()
    agent.say({
      type: 'hello',
      agentVersion: '2.0.0',
      hostName: 'RENAMED',
      platform: 'linux',
      running: [],
      servesDisks: true,
    })
    await eventually(async () => assert.equal((await here('GET', '')).json.hostName, 'RENAMED'))
    const own = await single({ deviceId: 'own', label: '', isBoot: false, a: 1, b: 2 })

    // Pinned and not, verified, damaged, compared.
    for (const id of [boot, own]) await ok('POST', `/revisions/${id}/pin`)
    await ok('DELETE', `/revisions/${own}/pin`)
    for (const id of [boot, own])
      await service.ended(
        await acted('POST', `/revisions/${id}/verify`, { samplePercent: id === own ? 50 : 100 }),
      )
    await lookAround()
    for (const chunksDifferent of [0, 1]) {
      const compared = await acted('POST', `/revisions/${boot}/compare`, { path: '/x' })
      const { id } = await agent.heard('compare-disk')
      agent.say({
        type: 'compared',
        id,
        comparison: { chunksCompared: 5, chunksDifferent, firstDifferences: [] },
      })
      await service.ended(compared)
    }

    // Restores: as disks, one that fails, as a machine, one that is proved.
    const disks = { destination: { path: '/srv/x' }, diskFormat: 'Vhdx', revisions: [own] }
    const restored: string[] = []
    const restore = async (body: object) => {
      const { headers } = await ok('POST', '/restore/diskimage/standard/vhd', body)
      restored.push(String(headers['x-restore-id']))
      return restored.at(-1) ?? ''
    }
    const finished = await restore(disks)
    agent.say({
      type: 'progress',
      task: 'restore',
      id: finished,
      step: 'writing',
      bytesDone: 1,
      bytesTotal: 3,
    })
    await eventually(async () => assert.equal((await here('GET', `/restores/${finished}`)).json.percent, 33))
    await lookAround()
    await agent.finish('restore', finished, { state: 'SUCCESS', files: ['/srv/x/a.vhdx'] })
    const failed = await restore({
      ...disks,
      destination: { path: '/srv/y' },
      diskFormat: 'Vhd',
      revisions: [boot],
    })
    await agent.finish('restore', failed, {
      state: 'ERROR',
      code: 'CreateFolderFailed',
      message: 'it is read-only',
    })
    const stopped = await restore(disks)
    await ok('POST', `/restores/${stopped}/cancel`)
    await agent.finish('restore', stopped, { state: 'CANCELED' })
    const machine = {
      sessionId,
      hostId: hostIds[0],
      recoveryType: 'TestRecovery',
      diskLocation: { path: '/machines' },
      diskFormat: 'Vhdx',
      firmwareType: 'Bios',
      revisions: [boot],
      skipValidations: true,
      hostProperties: { name: 'files01', cores: 2, memory: 2048 },
    }
    for (const more of [
      {},
      { prove: true },
      {
        recoveryType: 'ProductionRecovery',
        hostId: hostIds[1],
        hostProperties: {
          ...machine.hostProperties,
          name: 'two',
          virtualSwitchId: plentifulOffer.virtualSwitches[0]?.id,
        },
      },
    ]) {
      await ok('POST', '/restore/diskimage/standard/vm', { ...machine, ...more })
      const { id, machine: made } = await agent.heard('start-machine-restore')
      if ('prove' in more) {
        const picture = Buffer.from('89504e470d0a1a0a00', 'hex')
        assert.equal((await agent.request('POST', agentPaths.screenshot(id), picture)).status, 204)
        const proof = { verdict: 'runs' as const, reason: 'It asks who logs in.', tookMs: 4321 }
        await agent.finish('restore', id, { state: 'SUCCESS', files: [], proof })
      } else {
        await agent.finish('restore', id, {
          state: 'SUCCESS',
          files: ['/machines/a'],
          machine: { id: made.id, name: made.name, isStarted: made.start },
        })
      }
      await lookAround()
    }

    // Disks that are served, at first well, then not.
    for (const more of [{}, { lastFailure: 'chunk 7 is damaged' }]) {
      const { headers } = await ok('POST', '/restore/diskimage/standard/nbd', { revisions: [own] })
      const id = String(headers['x-restore-id'])
      const failures = Object.keys(more).length
      agent.say({
        type: 'disks-served',
        id,
        served: { socketPath: `/run/${failures}.sock`, failures, ...more },
      })
      await eventually(async () =>
        assert.equal((await here('GET', `/restores/${id}`)).json.served?.failures, failures),
      )
      await lookAround()
      await agent.finish('restore', id, { state: 'SUCCESS' })
    }

    // A proof of the set that is due, and one that comes to something else.
    const proved = { ...set, schedule: [{ type: 'manual' }] }
    await ok('PUT', `/backupsets/${setId}`, proved)
    for (const verdict of ['fails', 'unclear'] as const) {
      await service.pass(8 * dayMs)
      const { id } = await agent.heard('start-machine-restore')
      await lookAround()
      await agent.finish('restore', id, {
        state: 'SUCCESS',
        files: [],
        proof: { verdict, reason: verdict, tookMs: 5 },
      })
      const state = { fails: 'ERROR', unclear: 'WARNING' }[verdict]
      await eventually(async () =>
        assert.equal((await here('GET', `/backupsets/${setId}`)).json.lastProof?.state, state),
      )
      await lookAround()
      await ok('PUT', `/backupsets/${setId}`, {
        ...proved,
        selection: [{ path: '/dev/sda', partition: 1 }, { path: '/dev/sdd' }],
        exclusions: [],
      })
    }

    // A pack is lost.
    const vault = join(service.dataDirectory, 'vault')
    for (const name of readdirSync(vault, { recursive: true, encoding: 'utf8' })) {
      if (/\/packs\/\w+$/.test(name)) rmSync(join(vault, name))
    }
    await service.ended(await acted('POST', `/revisions/${boot}/verify`, {}))
    await lookAround()
    await ok('PUT', `/backupsets/${other}`, {
      ...plain,
      name: 'third',
      schedule: [{ type: 'manual' }],
      settings: { retention: { keepLast: 1 } },
    })
    for (const id of [setId, other]) await acted('POST', '/backupsets/delete', { backupSetId: id })
    await lookAround()

    // Its members are those of RFC 6749, which the tests of the token endpoint look at.
    assert.deepEqual(answers.notAsked(), ['requestAccessToken'])
    const unmoved = answers.unmoved()
    const explained = unmoved.filter((name) => !isConstant(name) && !isIdOfStarted(name))
    assert.deepEqual(explained, [], 'let something in this test fill it, or take it out of the reply')
    for (const member of Object.keys(constant)) {
      assert.ok(
        unmoved.some((name) => name === member || memberOf(name) === member),
        `${member} is no constant`,
      )
    }
  })
})

/** Without the operation, and that of its list. */
function memberOf(name: string): string {
  return (name.split(' ')[1] ?? '').replace(/^\[\]\./, '')
}

function isConstant(name: string): boolean {
  return Object.hasOwn(constant, name) || Object.hasOwn(constant, memberOf(name))
}

/** An operation that was asked once has one id to tell. */
function isIdOfStarted(name: string): boolean {
  return memberOf(name) === 'data.id'
}
