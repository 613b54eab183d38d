import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { Revisions } from '../revisions/revisions.ts'
import type { BackupTables } from '../tables.ts'
import { configuration, TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'

const hourMs = 3_600_000
const age = 'palisade_backup_newest_good_revision_age_seconds'

onEveryStore('figures of backups', (newStore) => {
  async function started(t: TestContext, metricsByComputer: boolean) {
    const service = await TestService.start(await newStore(), {
      configuration: { ...configuration, metricsByComputer },
      lookEveryMs: 20,
    })
    const agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    t.after(() => service.close())
    return { service, agent }
  }
  /** The lines of a metric, by their labels. */
  async function metricsOf(service: TestService, name: string): Promise<Record<string, number>> {
    const { body } = await service.metrics.text()
    const lines = body
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    return Object.fromEntries(
      lines.map((line) => {
        const at = line.lastIndexOf(' ')
        return [line.slice(name.length, at), Number(line.slice(at + 1).replace('+Inf', 'Infinity'))]
      }),
    )
  }
  const createSet = async (service: TestService, name: string, paths: string[]): Promise<string> => {
    const selection = paths.map((path) => ({ path }))
    const body = { name, type: 'Disk_Image', selection, schedule: [{ type: 'manual' }] }
    return (await service.computer('POST', '/backupsets', body)).json.data.id
  }
  /** Runs a set; the sources that are named fail, and the clock of the agent is ahead by so much. */
  const run = async (
    service: TestService,
    agent: FakeAgent,
    backupSetId: string,
    count: number,
    fails: string[],
    aheadMs = 0,
  ) => {
    const { json } = await service.computer('POST', '/backupsets/run', { backupSetId })
    const totals: Record<string, number> = {}
    for (let run = 0; run < count; run++) {
      const { id, source } = await agent.heard('start-backup')
      if (fails.includes(source.path)) {
        await agent.finish('backup', id, { state: 'ERROR', code: 'SourceUnreadable', message: 'it is gone' })
      } else {
        const deviceId = source.path
        totals[source.path] = await agent.backUp(
          id,
          someContent(run + 1),
          { deviceId },
          { createdAtMs: service.clock.now() + aheadMs },
        )
      }
    }
    await service.ended(json.data.id)
    return totals
  }

  test('each set has the age of its volume that is worst off, which grows, and goes back with a good revision', async (t) => {
    const { service, agent } = await started(t, true)
    const label = (set: string) => `{account="acme",computer="0001",set="${set}"}`
    assert.deepEqual(await metricsOf(service, age), {})
    const two = await createSet(service, 'two', ['/a', '/b'])
    await createSet(service, 'never', ['/c'])
    assert.deepEqual(await metricsOf(service, age), { [label('two')]: Infinity, [label('never')]: Infinity })
    await run(service, agent, two, 2, ['/b'])
    assert.equal((await metricsOf(service, age))[label('two')], Infinity)
    await run(service, agent, two, 2, [])
    assert.equal((await metricsOf(service, age))[label('two')], 0)
    await service.pass(2 * hourMs)
    const outcome = await run(service, agent, two, 2, ['/b'])
    assert.equal((await metricsOf(service, age))[label('two')], 7200)
    await run(service, agent, two, 2, [])
    await service.pass(hourMs)
    assert.equal((await metricsOf(service, age))[label('two')], 3600)
    // Damage of the newest takes the one before, of an hour and two hours ago.
    const computer = { accountId: 'acme', computerId: '0001' }
    const revisions = new Revisions(service.store)
    const newest = (await revisions.ofVolume(computer, '/a'))[0]?.id ?? 0
    const damaged = { state: 'DAMAGED', atMs: 0, samplePercent: 100, message: '1 chunks are lost' } as const
    await revisions.noteVerification(computer, [newest, outcome['/a'] ?? 0], damaged)
    assert.equal((await metricsOf(service, age))[label('two')], 3 * 3600)
    await service.computer('POST', '/backupsets/toggle', { backupSetId: two, value: false })
    assert.deepEqual(await metricsOf(service, age), { [label('never')]: Infinity })

    const alone = await service.computer('POST', '/backups', { source: { path: '/alone' } })
    await agent.heard('start-backup')
    assert.deepEqual(await metricsOf(service, 'palisade_backup_unfinished'), {
      '{account="acme",computer="0001",task="backup"}': 1,
    })
    await agent.backUp(
      alone.json.data.id,
      someContent(9),
      { deviceId: 'alone' },
      { createdAtMs: service.clock.now() },
    )
    assert.deepEqual(await metricsOf(service, 'palisade_backup_unfinished'), {})
    assert.equal((await metricsOf(service, age))[label('')], 0)
    assert.deepEqual(await metricsOf(service, 'palisade_backup_tasks_ended_total'), {
      '{task="backup",state="SUCCESS"}': 7,
      '{task="backup",state="ERROR"}': 2,
      '{task="backup",state="CANCELED"}': 0,
      '{task="restore",state="SUCCESS"}': 0,
      '{task="restore",state="ERROR"}': 0,
      '{task="restore",state="CANCELED"}': 0,
    })
  })

  test('what an agent dates in the future ages from when its backup has ended, and counts as none where nobody knows when that was', async (t) => {
    const { service, agent } = await started(t, false)
    const set = await createSet(service, 'set', ['/a'])
    await run(service, agent, set, 1, [], 1000 * hourMs)
    await service.pass(hourMs)
    assert.deepEqual(await metricsOf(service, age), { '': 3600 })
    await service.store.tables<BackupTables>().deleteFrom('backup_task').execute()
    assert.deepEqual(await metricsOf(service, age), { '': Infinity })
  })

  test('without being told to name no account, no computer and no set', async (t) => {
    const { service, agent } = await started(t, false)
    assert.deepEqual(await metricsOf(service, age), { '': Number.NaN })
    assert.deepEqual(await metricsOf(service, 'palisade_backup_unfinished'), {
      '{task="backup"}': 0,
      '{task="restore"}': 0,
    })
    const set = await createSet(service, 'secret project', ['/a'])
    assert.deepEqual(await metricsOf(service, age), { '': Infinity })
    await run(service, agent, set, 1, [])
    await service.pass(hourMs)
    assert.deepEqual(await metricsOf(service, age), { '': 3600 })
    await service.computer('POST', '/backups', { source: { path: '/alone' } })
    const { id } = await agent.heard('start-backup')
    await service.pass(hourMs)
    assert.deepEqual(await metricsOf(service, 'palisade_backup_oldest_unfinished_age_seconds'), {
      '{task="backup"}': 3600,
      '{task="restore"}': 0,
    })
    assert.deepEqual(await metricsOf(service, 'palisade_backup_agents_enrolled'), { '': 1 })
    assert.deepEqual(await metricsOf(service, 'palisade_backup_agents_connected'), { '': 1 })
    assert.equal((await metricsOf(service, 'palisade_backup_unfinished'))['{task="backup"}'], 1)
    const { body } = await service.metrics.text()
    const ours = body.split('\n').filter((line) => line.startsWith('palisade_'))
    assert.ok(ours.length > 3)
    assert.doesNotMatch(ours.join('\n'), /acme|0001|secret project/)
    await agent.finish('backup', id, { state: 'CANCELED' })
    await eventually(async () =>
      assert.equal(
        (await metricsOf(service, 'palisade_backup_tasks_ended_total'))['{task="backup",state="CANCELED"}'],
        1,
      ),
    )
  })
})
