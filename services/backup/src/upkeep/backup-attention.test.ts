import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { Actions } from '../actions/actions.ts'
import { Revisions } from '../revisions/revisions.ts'
import type { BackupTables } from '../tables.ts'
import { configuration, TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

onEveryStore('attention to backups', (newStore) => {
  /** Looked for what is due only when a test says so. */
  async function started(t: TestContext) {
    const service = await TestService.start(await newStore(), { configuration, lookEveryMs: hourMs })
    const agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    t.after(() => service.close())
    return { service, agent }
  }

  const attentionOf = async ({ served }: TestService) =>
    ((await served.service.attention?.()) ?? []).map(({ condition, subject, severity }) => [
      condition,
      subject,
      severity,
    ])

  async function createSet(service: TestService, more: object = {}): Promise<string> {
    const schedule = [{ type: 'daily', hour: 23, minute: 0 }]
    const body = { name: 'nightly', type: 'Disk_Image', selection: [{ path: '/a' }], schedule, ...more }
    return (await service.computer('POST', '/backupsets', body)).json.data.id
  }

  async function run(service: TestService, agent: FakeAgent, backupSetId: string, fails = false) {
    const { json } = await service.computer('POST', '/backupsets/run', { backupSetId })
    const { id } = await agent.heard('start-backup')
    const revision = fails
      ? await agent.finish('backup', id, { state: 'ERROR', code: 'SourceUnreadable', message: 'it is gone' })
      : await agent.backUp(id, someContent(1), { deviceId: '/a' }, { createdAtMs: service.clock.now() })
    await service.ended(json.data.id)
    return Number(revision)
  }

  test('an agent that is away for a quarter of an hour, until it is back; none that has never enrolled', async (t) => {
    const { service, agent } = await started(t)
    await createSet(service, { schedule: [{ type: 'manual' }] })
    agent.socket.close()
    await eventually(async () => {
      const { json } = await service.computer('GET', '')
      assert.equal(json.online, false)
    })
    assert.deepEqual(await attentionOf(service), [])
    await service.pass(16 * minuteMs)
    assert.deepEqual(await attentionOf(service), [['agent-gone', 'computer acme/0001', 'warning']])
    await agent.connect()
    assert.deepEqual(await attentionOf(service), [])
  })

  test('a computer with an agent that neither a set nor anybody else backs up', async (t) => {
    const { service, agent } = await started(t)
    const withoutSet = [['no-backup-set', 'computer acme/0001', 'warning']]
    assert.deepEqual(await attentionOf(service), withoutSet, 'and not the other one, which has no agent')
    await service.computer('POST', '/backups', { source: { path: '/a' } })
    const { id } = await agent.heard('start-backup')
    await agent.backUp(id, someContent(1), { deviceId: '/a' }, { createdAtMs: service.clock.now() })
    assert.deepEqual(await attentionOf(service), [], 'somebody has just backed it up without a set')
    await service.pass(8 * dayMs)
    assert.ok((await attentionOf(service)).some(([condition]) => condition === 'no-backup-set'))
    await createSet(service, { schedule: [{ type: 'manual' }] })
    assert.ok(!(await attentionOf(service)).some(([condition]) => condition === 'no-backup-set'))
  })

  test('a set whose newest good backup is older than its schedule promises, until there is a newer one', async (t) => {
    const { service, agent } = await started(t)
    const set = await createSet(service)
    const overdue = [['no-good-backup', 'set acme/0001/nightly', 'critical']]
    await service.pass(dayMs)
    assert.deepEqual(await attentionOf(service), [], 'one night may be missed')
    await service.pass(dayMs + hourMs)
    assert.deepEqual(await attentionOf(service), overdue)
    await run(service, agent, set)
    assert.deepEqual(await attentionOf(service), [])
    await service.pass(3 * dayMs)
    assert.deepEqual(await attentionOf(service), overdue)
    await service.computer('POST', '/backupsets/toggle', { backupSetId: set, value: false })
    assert.deepEqual(await attentionOf(service), [], 'a set that is switched off promises nothing')
  })

  test('a run that failed, until one succeeds', async (t) => {
    const { service, agent } = await started(t)
    const set = await createSet(service)
    await run(service, agent, set, true)
    const [[condition, subject] = []] = await attentionOf(service)
    assert.deepEqual([condition, subject], ['backup-failed', 'set acme/0001/nightly'])
    await run(service, agent, set)
    assert.deepEqual(await attentionOf(service), [])
  })

  test('a revision that is damaged', async (t) => {
    const { service, agent } = await started(t)
    const revision = await run(service, agent, await createSet(service))
    const damaged = { state: 'DAMAGED', atMs: 0, samplePercent: 100, message: 'a chunk is lost' } as const
    await new Revisions(service.store).noteVerification(
      { accountId: 'acme', computerId: '0001' },
      [revision],
      damaged,
    )
    assert.ok(
      (await attentionOf(service)).some(
        ([condition, subject, severity]) =>
          condition === 'revision-damaged' && subject === 'computer acme/0001' && severity === 'critical',
      ),
    )
  })

  test('a set that is not proved as often as it says, or whose proof failed', async (t) => {
    const { service } = await started(t)
    const set = await createSet(service, { schedule: [{ type: 'manual' }] })
    await askForProofs(service, set)
    const notProved = [['not-proved', 'set acme/0001/nightly', 'warning']]
    assert.deepEqual(await attentionOf(service), [])
    await service.pass(15 * dayMs)
    assert.deepEqual(await attentionOf(service), notProved)
    const actions = new Actions(service)
    const prove = (state: 'SUCCESS' | 'ERROR', reason: string) =>
      actions.enter({ accountId: 'acme', computerId: '0001' }, 'prove-set', {
        setId: set,
        outcome: { state, reason },
      })
    await prove('SUCCESS', '')
    assert.deepEqual(await attentionOf(service), [])
    await prove('ERROR', 'the machine did not start')
    assert.deepEqual(await attentionOf(service), notProved)
  })

  /** Has a set proved weekly, on a host that nobody has registered. */
  async function askForProofs({ store }: TestService, set: string): Promise<void> {
    const sets = store.tables<Pick<BackupTables, 'backup_set'>>()
    const { definition } = await sets
      .selectFrom('backup_set')
      .select('definition')
      .where('id', '=', set)
      .executeTakeFirstOrThrow()
    const settings = { proof: { everyDays: 7, hostId: 1 } }
    await sets
      .updateTable('backup_set')
      .set({ definition: JSON.stringify({ ...JSON.parse(definition), settings }) })
      .where('id', '=', set)
      .execute()
  }
})
