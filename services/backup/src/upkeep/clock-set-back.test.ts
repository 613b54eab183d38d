import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'
import { Timers } from '../timers.ts'

const dayMs = 86_400_000
const yearsMs = 3650 * dayMs
const quick = { lookEveryMs: 20 }

onEveryStore('a clock that was years ahead and is put right', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  let timers: Timers
  let set: string
  let seed = 0
  before(async () => {
    service = await TestService.start(await newStore(), quick)
    agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    timers = new Timers(service.store)
    const { json } = await service.computer('POST', '/backupsets', {
      name: 'daily',
      type: 'Disk_Image',
      selection: [{ path: '/x' }],
      schedule: [{ type: 'daily', hour: 23, minute: 0 }],
      settings: { verification: { everyDays: 3 } },
    })
    set = json.data.id
  })
  after(() => service.close())

  /** The schedule has begun a run, and nothing is under way when it has ended. */
  const runOfSchedule = async () => {
    await agent.backUp((await agent.heard('start-backup')).id, someContent(++seed))
    await eventually(async () => {
      const now = service.clock.now()
      assert.deepEqual(await timers.due(now), [])
      const { json } = await service.computer('GET', '/backupsets/latest')
      assert.ok(json)
    })
  }
  const dueIn = async (kind: 'run-set' | 'verify-set' | 'collect', subject: string) => {
    const dueAt = await timers.dueAt(kind, subject)
    assert.ok(dueAt !== undefined)
    return dueAt - service.clock.now()
  }
  const everythingIsDueInTime = () =>
    eventually(async () => {
      assert.ok((await dueIn('run-set', set)) <= dayMs, 'the set runs within a day')
      assert.ok((await dueIn('verify-set', set)) <= 3 * dayMs, 'its revisions are verified')
      assert.ok((await dueIn('collect', '')) <= dayMs, 'the vault is collected')
    })
  const everythingIsDueAfter = (ms: number) =>
    eventually(async () => {
      assert.ok((await dueIn('run-set', set)) > ms)
      assert.ok((await dueIn('verify-set', set)) > ms)
      assert.ok((await dueIn('collect', '')) > ms)
    })

  test('while the server runs: sets run, are verified and the vault is collected as they were', async () => {
    await service.pass(yearsMs)
    await runOfSchedule()
    await everythingIsDueAfter(0)
    service.clock.advance(-yearsMs)
    await everythingIsDueInTime()
    await service.pass(dayMs)
    await runOfSchedule()
  })

  test('while the server is stopped: the same', async () => {
    await service.pass(yearsMs)
    await runOfSchedule()
    await everythingIsDueAfter(0)
    await service.served.close()
    service.clock.advance(-yearsMs)
    await service.restart(quick)
    service.useToken(await service.authorise('automation'))
    agent = await agent.at(service.served.baseUrl).connect()
    await everythingIsDueInTime()
  })

  test('a small correction of the clock runs no set twice', async () => {
    await service.pass(await dueIn('run-set', set))
    await runOfSchedule()
    const dueAt = await timers.dueAt('run-set', set)
    service.clock.advance(-30_000)
    // What is due for a set that there is not is taken away when the server looks.
    await timers.set(service.store.tables(), 'verify-set', 'nobody', 0)
    await eventually(async () => assert.equal(await timers.dueAt('verify-set', 'nobody'), undefined))
    assert.equal(await timers.dueAt('run-set', set), dueAt)
  })
})
