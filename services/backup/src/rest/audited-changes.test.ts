/** Every operation that changes something, in an order in which each has something to change, and what the audit log says of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changingOperations, onEveryStore } from '@palisade/platform/testing'
import { deriveEndToEndKeys } from '@palisade/vault'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'
import { FakeHosts } from '../testing/fake-hosts.ts'

const secret = 'the s3cret of a share'
const credentials = { userName: 'ada', password: secret }
const share = { path: '\\\\files\\restores', credentials }

/** Operations that ask whether something could be done: the audit log has what was asked. */
const validations = [
  'validateAgent',
  'validateHostCapabilities',
  'validateHostPermissions',
  'validateHostServer',
  'validateNetwork',
  'validatePath',
  'validateSourceMachine',
]

function membersOf(shown: object | null): Readonly<Record<string, unknown>> | null {
  return shown && Object.fromEntries(Object.entries(shown))
}

onEveryStore('the audit log of the backup API', (newStore) => {
  test('every operation that changes something has an entry with what was there before and after, and no secret', async (t) => {
    const service = await TestService.start(await newStore(), { lookEveryMs: 20 })
    t.after(() => service.close())
    const agent = await FakeAgent.enrol(service.served.baseUrl)
    agent.endToEnd = deriveEndToEndKeys(Buffer.alloc(32, 3), 'acme/0001')
    agent.answersHosts = new FakeHosts().answer
    await agent.connect()

    /** Calls an operation, and gives its reply with the entry that it has made. */
    const changed = async (operation: string, method: string, path: string, body?: unknown) => {
      const { length } = service.audited
      const reply = await service.computer(method, path, body)
      assert.ok(reply.status < 300, `${operation}: ${reply.status} ${reply.text}`)
      const [entry, ...others] = service.audited.slice(length)
      assert.ok(entry && others.length === 0, `${operation} has one entry`)
      const { actor, service: of, action, target, before, after } = entry
      assert.deepEqual(actor, { kind: 'client', name: 'automation', address: '127.0.0.1' })
      assert.deepEqual([of, action], ['backup', operation])
      assert.equal(target, `/backup/v2/accounts/acme/computers/0001${path}`)
      return { reply, before: membersOf(before), after: membersOf(after) }
    }
    const show = async (path: string) => (await service.computer('GET', path)).json
    const backedUp = async (isBoot: boolean) => {
      const { id } = await agent.heard('start-backup')
      const metadata = isBoot
        ? { hardware: { cores: 1, memoryMebibytes: 512, osVersion: '6.1', is64Bit: true } }
        : {}
      return agent.backUp(id, someContent(1), { deviceId: String(isBoot), isBoot }, metadata)
    }

    // Sets.
    const set = { name: 'nightly', type: 'Disk_Image', selection: [{ path: '/dev/sdb1' }] }
    const created = await changed('createBackupSet', 'POST', '/backupsets', set)
    const backupSetId: string = created.reply.json.data.id
    assert.equal(created.before, null)
    const contentOf = async () => {
      const { nextRun, nextProof, lastRun, lastProof, warning, ...content } = await show(
        `/backupsets/${backupSetId}`,
      )
      return content
    }
    const first = await contentOf()
    assert.deepEqual(created.after, first)
    const settings = { retention: { keepLast: 2 } }
    const replaced = await changed('replaceBackupSet', 'PUT', `/backupsets/${backupSetId}`, {
      ...set,
      name: 'weekly',
      settings,
    })
    const second = await contentOf()
    assert.deepEqual([replaced.before, replaced.after], [first, second])
    assert.deepEqual([second.name, second.settings], ['weekly', settings])
    const toggled = await changed('toggleBackupSet', 'POST', '/backupsets/toggle', {
      backupSetId,
      value: false,
    })
    assert.deepEqual([toggled.before, toggled.after], [second, { ...second, enabled: false }])
    const run = await changed('runBackupSet', 'POST', '/backupsets/run', { backupSetId })
    assert.equal(run.before, null)
    assert.deepEqual(
      [run.after?.id, run.after?.kind, run.after?.backupSetId],
      [run.reply.json.data.id, 'run-set', backupSetId],
    )
    const ofSet = await backedUp(false)
    await service.ended(run.reply.json.data.id)

    // Backups and revisions.
    const source = { path: '/dev/sda' }
    const started = await changed('startBackup', 'POST', '/backups', { source })
    const backupId = started.reply.json.data.id
    assert.deepEqual(
      [started.before, started.after?.id, started.after?.state, started.after?.source],
      [null, backupId, 'RUNNING', source],
    )
    const boot = await backedUp(true)
    const pinned = await changed('pinRevision', 'POST', `/revisions/${boot}/pin`)
    const revision = await show(`/revisions/${boot}`)
    assert.deepEqual([pinned.before, pinned.after], [{ ...revision, Pinned: false }, revision])
    assert.equal(revision.Pinned, true)
    const unpinned = await changed('unpinRevision', 'DELETE', `/revisions/${boot}/pin`)
    assert.deepEqual([unpinned.before, unpinned.after], [pinned.after, pinned.before])
    const verified = await changed('verifyRevision', 'POST', `/revisions/${boot}/verify`, {})
    const verification = { action: verified.reply.json.data.id, revision: boot, samplePercent: 100 }
    assert.deepEqual([verified.before, verified.after], [null, verification])
    await service.ended(verification.action)
    const compared = await changed('compareDiskWithRevision', 'POST', `/revisions/${boot}/compare`, source)
    const comparison = { action: compared.reply.json.data.id, revision: boot, disk: source }
    assert.deepEqual([compared.before, compared.after], [null, comparison])
    const { id } = await agent.heard('compare-disk')
    const same = { chunksCompared: 5, chunksDifferent: 0, firstDifferences: [] }
    agent.say({ type: 'compared', id, comparison: same })
    await service.ended(comparison.action)
    const canceled: string = (await service.computer('POST', '/backups', { source })).json.data.id
    const backupCancel = await changed('cancelBackup', 'POST', `/backups/${canceled}/cancel`)
    assert.deepEqual(
      [backupCancel.before, backupCancel.after],
      [
        { id: canceled, state: 'RUNNING' },
        { id: canceled, state: 'CANCELING' },
      ],
    )
    await agent.finish('backup', canceled, { state: 'CANCELED' })

    // Hosts and validations.
    const { sessionId } = (await service.computer('POST', '/restore/hyperv/session')).json
    const register = '/restore/hyperv/host/register'
    const local = await changed('registerLocalHost', 'POST', `${register}/local`, { sessionId })
    const host = { ...local.reply.json, isLocal: true, hasLogon: false }
    assert.deepEqual([local.before, local.after], [null, host])
    const hostId: number = local.reply.json.identifier.id
    const remote = { sessionId, hostName: 'hv02.example.org' }
    const logons = [{ authenticationMode: 'Sspi' }, { authenticationMode: 'Credentials', credentials }]
    const registered = []
    for (const logon of logons) {
      const body = { ...remote, ...logon }
      registered.push(await changed('registerRemoteHost', 'POST', `${register}/remote`, body))
    }
    const [without, withLogon] = registered
    assert.deepEqual(
      [without?.before, without?.after?.hasLogon, withLogon?.before, withLogon?.after?.hasLogon],
      [null, false, without?.after, true],
    )
    const remoteId = withLogon?.reply.json.identifier.id
    const forgotten = await changed('forgetHost', 'DELETE', `/restore/hyperv/hosts/${remoteId}`)
    assert.deepEqual([forgotten.before, forgotten.after], [withLogon?.after, null])
    const hostProperties = { name: 'files01', cores: 2, memory: 2048 }
    const wish = { sessionId, hostId, firmwareType: 'Bios', revisions: [boot], diskFormat: 'Vhdx' }
    for (const [operation, path, body] of [
      ['validatePath', 'path', { diskLocation: share }],
      ['validateAgent', 'agent', { diskLocation: share }],
      ['validateNetwork', 'network', { ...wish, diskLocation: share }],
      ['validateSourceMachine', 'host/sourcemachine', wish],
      ['validateHostCapabilities', 'host/capabilities', wish],
      ['validateHostPermissions', 'host/permissions', { ...wish, diskLocation: { path: '/machines' } }],
      ['validateHostServer', 'host/server', { ...wish, hostProperties }],
    ] as const) {
      const asked = await changed(operation, 'POST', `/restore/diskimage/standard/vm/validate/${path}`, body)
      assert.equal(asked.before, null)
      assert.deepEqual(Object.keys(asked.after ?? {}), Object.keys(body))
    }

    // Restores.
    const disks = { destination: share, diskFormat: 'Vhdx', revisions: [boot] }
    const asDisks = await changed('restoreAsDisks', 'POST', '/restore/diskimage/standard/vhd', disks)
    const restoreId = String(asDisks.reply.headers['x-restore-id'])
    assert.deepEqual([asDisks.before, asDisks.after?.id], [null, restoreId])
    assert.deepEqual(asDisks.after?.request, {
      ...disks,
      destination: { ...share, credentials: '[redacted]' },
    })
    const restoreCancel = await changed('cancelRestore', 'POST', `/restores/${restoreId}/cancel`)
    assert.deepEqual(
      [restoreCancel.before, restoreCancel.after],
      [
        { id: restoreId, state: 'RUNNING' },
        { id: restoreId, state: 'CANCELING' },
      ],
    )
    await agent.finish('restore', restoreId, { state: 'CANCELED' })
    const toServe = { revisions: [boot] }
    const serving = await changed('serveDisks', 'POST', '/restore/diskimage/standard/nbd', toServe)
    const servingId = String(serving.reply.headers['x-restore-id'])
    assert.deepEqual(
      [serving.before, serving.after?.id, serving.after?.diskFormat, serving.after?.request],
      [null, servingId, 'Raw', toServe],
    )
    await agent.finish('restore', servingId, { state: 'SUCCESS' })
    const asMachine = await changed('restoreAsMachine', 'POST', '/restore/diskimage/standard/vm', {
      ...wish,
      recoveryType: 'TestRecovery',
      diskLocation: { path: '/machines' },
      hostProperties,
    })
    const machineId = String(asMachine.reply.headers['x-restore-id'])
    assert.deepEqual([asMachine.before, asMachine.after?.id], [null, machineId])
    assert.deepEqual(Object(asMachine.after?.request).hostProperties, hostProperties)
    const { machine } = await agent.heard('start-machine-restore')
    await agent.finish('restore', machineId, {
      state: 'SUCCESS',
      files: [],
      machine: { id: machine.id, name: machine.name, isStarted: true },
    })
    const removed = await changed('removeMachine', 'DELETE', `/restores/${machineId}/machine`)
    const states = [removed.before, removed.after].map((one) => Object(one?.machine).state)
    assert.deepEqual(states, ['STARTED', 'NONE'])

    // Deletions, and what shuts out the agent.
    const deleted = await changed('deleteRevision', 'DELETE', `/revisions/${boot}`)
    assert.equal(deleted.after, null)
    assert.deepEqual([deleted.before?.Id, deleted.before?.Pinned], [boot, false])
    const last = await changed('deleteBackupSet', 'POST', '/backupsets/delete', {
      backupSetId,
      deleteData: true,
    })
    assert.deepEqual([last.before, last.after], [{ ...second, enabled: false, revisions: [ofSet] }, null])
    const forgottenKey = await changed('forgetEndToEndKey', 'DELETE', '/end-to-end-key')
    const { keyCheck } = agent.endToEnd
    assert.deepEqual(
      [forgottenKey.before, forgottenKey.after],
      [{ endToEndKeyCheck: keyCheck }, { endToEndKeyCheck: null }],
    )
    const revoked = await changed('revokeCredential', 'DELETE', '/credential')
    assert.deepEqual(
      [revoked.before, revoked.after],
      [
        { isEnrolmentKeyOpen: true, isEnrolled: true },
        { isEnrolmentKeyOpen: false, isEnrolled: false },
      ],
    )

    const operations = changingOperations(service.served.openApiDocument())
    assert.deepEqual([...new Set(service.audited.map(({ action }) => action))].sort(), operations)
    assert.equal(operations.length, 29)
    assert.deepEqual(
      operations.filter((name) => name.startsWith('validate')),
      validations,
    )
    const text = JSON.stringify(service.audited)
    for (const hidden of [secret, 'enrol-one', agent.credential]) assert.ok(!text.includes(hidden))
  })
})
