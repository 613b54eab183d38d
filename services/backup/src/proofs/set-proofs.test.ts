import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProofResult } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'
import { FakeHosts, plentifulOffer } from '../testing/fake-hosts.ts'
import { Timers } from '../timers.ts'

const dayMs = 86_400_000
const quick = { lookEveryMs: 20 }
const runs: ProofResult = { verdict: 'runs', reason: 'The machine asks who logs in.', tookMs: 1 }

onEveryStore('sets that are proved now and then', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  let hostId = 0
  let seed = 0
  const hosts = new FakeHosts()
  before(async () => {
    service = await TestService.start(await newStore(), quick)
    agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    agent.answersHosts = hosts.answer
    const { sessionId } = (await service.computer('POST', '/restore/hyperv/session')).json
    const host = await service.computer('POST', '/restore/hyperv/host/register/local', { sessionId })
    hostId = host.json.identifier.id
  })
  after(() => service.close())

  /** A set with one revision, proved each seven days. */
  const createSet = async (proof: object = {}, volume: object = { isBoot: true }) => {
    const { json } = await service.computer('POST', '/backupsets', {
      name: `set ${++seed}`,
      type: 'Disk_Image',
      selection: [{ path: '/dev/sdb1' }],
      schedule: [{ type: 'manual' }],
      settings: { proof: { everyDays: 7, hostId, ...proof } },
    })
    const id: string = json.data.id
    await service.computer('POST', '/backupsets/run', { backupSetId: id })
    const backup = await agent.heard('start-backup')
    const revision = await agent.backUp(backup.id, someContent(++seed), { deviceId: id, ...volume })
    await eventually(async () => assert.equal((await showSet(id)).lastRun.state, 'SUCCESS'))
    return { id, revision }
  }
  const showSet = async (setId: string) => (await service.computer('GET', `/backupsets/${setId}`)).json
  const provedAs = (setId: string, state: string, reason: RegExp) =>
    eventually(async () => {
      const { lastProof } = await showSet(setId)
      assert.deepEqual([lastProof?.kind, lastProof?.state], ['prove-set', state])
      assert.match(lastProof.reason, reason)
    })
  /** Whoever is at a set has let go of it, for now or for days; a lease must not run out on the clock of a test. */
  const movedOn = (setId: string) =>
    eventually(async () => {
      const dueAt = await new Timers(service.store).dueAt('prove-set', setId)
      assert.ok(dueAt !== undefined && dueAt > service.clock.now())
    })
  const remove = (backupSetId: string) => service.computer('POST', '/backupsets/delete', { backupSetId })

  test('a machine of the newest revisions is asked for when it is due, and not before', async () => {
    hosts.reset()
    const set = await createSet({ timeoutSeconds: 99, sign: 'up', folder: '/proofs' })
    assert.equal((await showSet(set.id)).lastProof, null)
    await service.pass(6 * dayMs)
    assert.equal((await showSet(set.id)).lastProof, null)
    await service.pass(dayMs)
    const message = await agent.heard('start-machine-restore')
    assert.deepEqual(message.machine.proof, { timeoutSeconds: 99, sign: 'up' })
    assert.deepEqual([message.machine.switchId, message.machine.start], [undefined, false])
    assert.deepEqual([message.destination.path, message.diskFormat], ['/proofs', 'Vhdx'])
    assert.deepEqual(
      message.revisions.map(({ revisionId }) => revisionId),
      [set.revision],
    )
    await agent.finish('restore', message.id, { state: 'SUCCESS', files: [], proof: runs })
    await provedAs(set.id, 'SUCCESS', /^$/)
    const revision = (await service.computer('GET', `/revisions/${set.revision}`)).json
    assert.equal(revision.Proof.State, 'RUNS')
    await movedOn(set.id)
    await service.pass(7 * dayMs)
    const again = await agent.heard('start-machine-restore')
    const fails: ProofResult = { verdict: 'fails', reason: 'The machine finds nothing.', tookMs: 1 }
    await agent.finish('restore', again.id, { state: 'SUCCESS', files: [], proof: fails })
    await provedAs(set.id, 'ERROR', /^The machine finds nothing\.$/)
    await remove(set.id)
    await service.pass(8 * dayMs)
    assert.deepEqual(agent.unheard, [])
  })

  test('a root is proved with the /boot of its own run, where the newest run has failed for the root', async () => {
    hosts.reset()
    const { json } = await service.computer('POST', '/backupsets', {
      name: `set ${++seed}`,
      type: 'Disk_Image',
      selection: [{ path: '/dev/sdc1' }, { path: '/dev/sdc2' }],
      schedule: [{ type: 'manual' }],
      settings: { proof: { everyDays: 7, hostId } },
    })
    const id: string = json.data.id
    const volumeOf = (deviceId: string) => ({ deviceId, isBoot: true, diskId: '/dev/sdc' })
    const begin = async () => {
      await service.computer('POST', '/backupsets/run', { backupSetId: id })
      const first = await agent.heard('start-backup', ({ source }) => source.path === '/dev/sdc1')
      const boot = volumeOf(`boot of ${id}`)
      const revision = await agent.backUp(first.id, someContent(++seed), { ...boot, isSystem: true })
      return { revision, root: await agent.heard('start-backup') }
    }
    const { revision: boot, root } = await begin()
    const revision = await agent.backUp(root.id, someContent(++seed), volumeOf(`root of ${id}`))
    await eventually(async () => assert.equal((await showSet(id)).lastRun.state, 'SUCCESS'))
    const failed = (await begin()).root
    await agent.finish('backup', failed.id, { state: 'ERROR', code: 'SourceUnreadable', message: 'no' })
    await eventually(async () => assert.equal((await showSet(id)).lastRun.state, 'WARNING'))
    await service.pass(7 * dayMs)
    const message = await agent.heard('start-machine-restore')
    assert.deepEqual(message.revisions.map(({ revisionId }) => revisionId).sort(), [boot, revision].sort())
    await agent.finish('restore', message.id, { state: 'SUCCESS', files: [], proof: runs })
    await provedAs(id, 'SUCCESS', /^$/)
    await remove(id)
  })

  test('what stands against it is said in the action, and it is due again after its days', async () => {
    hosts.reset()
    const data = await createSet({}, { isBoot: false })
    hosts.offer = { ...plentifulOffer, diskFormats: ['vhd'] }
    await service.pass(7 * dayMs)
    await provedAs(data.id, 'ERROR', /without selecting a boot volume/)
    await remove(data.id)
    const set = await createSet()
    hosts.unsupported = [{ code: 'host-unreachable', message: 'nobody answers' }]
    await service.pass(7 * dayMs)
    await provedAs(set.id, 'ERROR', /The host cannot be used: nobody answers/)
    hosts.reset()
    await movedOn(set.id)
    await service.pass(7 * dayMs)
    const { id } = await agent.heard('start-machine-restore')
    await agent.finish('restore', id, { state: 'ERROR', code: 'HostFailed', message: 'no' })
    await provedAs(set.id, 'ERROR', /HostFailed: no/)
    await remove(set.id)
  })

  test('a revision that is deleted while the host is asked ends the attempt, and it is due again', async () => {
    hosts.reset()
    const set = await createSet()
    agent.answersHosts = undefined
    await service.pass(7 * dayMs)
    const question = await agent.heard('ask-host')
    agent.answersHosts = hosts.answer
    assert.equal((await service.computer('DELETE', `/revisions/${set.revision}`)).status, 204)
    agent.say({ type: 'host-answer', id: question.id, answer: hosts.answer(question.question) })
    await provedAs(set.id, 'ERROR', new RegExp(`${set.revision} is not a revision of this computer`))
    await eventually(async () => assert.match(String(service.loggedErrors.splice(0)), /upkeep failed/))
    await remove(set.id)
    assert.deepEqual(agent.unheard, [])
  })

  test('a proof waits for a backup, gives way to one, and is tried again', async () => {
    hosts.reset()
    const set = await createSet()
    const backUp = async () => {
      const { json } = await service.computer('POST', '/backups', { source: { path: '/dev/sdc' } })
      await agent.heard('start-backup')
      return json.data.id as string
    }
    const first = await backUp()
    await service.pass(7 * dayMs)
    await movedOn(set.id)
    assert.deepEqual(agent.unheard, [], 'nothing is asked for beside a backup')
    await agent.finish('backup', first, { state: 'CANCELED' })
    await service.pass(30_000)
    const { id } = await agent.heard('start-machine-restore')
    const second = await backUp()
    assert.equal((await agent.heard('cancel')).id, id)
    await agent.finish('restore', id, { state: 'CANCELED' })
    await provedAs(set.id, 'WARNING', /a backup began/)
    await agent.finish('backup', second, { state: 'CANCELED' })
    await movedOn(set.id)
    await service.pass(30_000)
    const again = await agent.heard('start-machine-restore')
    await agent.finish('restore', again.id, { state: 'SUCCESS', files: [], proof: runs })
    await provedAs(set.id, 'SUCCESS', /^$/)
    await remove(set.id)
  })

  test('of two sets of one computer one is proved after the other', async () => {
    hosts.reset()
    const sets = [await createSet(), await createSet()]
    await service.pass(7 * dayMs)
    const first = await agent.heard('start-machine-restore')
    const [isFirst = assert.fail()] = sets.filter(
      ({ revision }) => revision === first.revisions[0]?.revisionId,
    )
    const [isSecond = assert.fail()] = sets.filter((set) => set !== isFirst)
    await movedOn(isSecond.id)
    assert.deepEqual(agent.unheard, [])
    await agent.finish('restore', first.id, { state: 'SUCCESS', files: [], proof: runs })
    await movedOn(isFirst.id)
    await provedAs(isFirst.id, 'SUCCESS', /^$/)
    assert.equal((await showSet(isSecond.id)).lastProof, null)
    await service.pass(30_000)
    const second = await agent.heard('start-machine-restore')
    assert.equal(second.revisions[0]?.revisionId, isSecond.revision)
    await agent.finish('restore', second.id, { state: 'SUCCESS', files: [], proof: runs })
    await provedAs(isSecond.id, 'SUCCESS', /^$/)
    for (const { id } of sets) await remove(id)
  })

  test('a server that is restarted leaves a proof to the agent, and its verdict to the revisions', async () => {
    hosts.reset()
    const set = await createSet()
    await service.pass(7 * dayMs)
    const { id } = await agent.heard('start-machine-restore')
    await service.restart(quick)
    agent = await agent.at(service.served.baseUrl).connect([{ task: 'restore', id }])
    agent.answersHosts = hosts.answer
    assert.match((await showSet(set.id)).lastProof.reason, /the server was restarted/)
    await agent.finish('restore', id, { state: 'SUCCESS', files: [], proof: runs })
    const revision = (await service.computer('GET', `/revisions/${set.revision}`)).json
    assert.equal(revision.Proof.State, 'RUNS')
    await remove(set.id)
  })
})
