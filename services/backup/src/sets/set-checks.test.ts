import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, newDiscoveredVolume, someContent } from '../testing/fake-agent.ts'

const notAsked = /^it is not known whether these volumes can be backed up/
const partitioned = '/dev/sda cannot be backed up: it is a disk with partitions; name one of them: 1, 2'

onEveryStore('backup sets that cannot work', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  const warnings: string[] = []
  const log = createLog('warn', { write: (line) => warnings.push(line) })
  before(async () => {
    service = await TestService.start(await newStore(), { log, lookEveryMs: 20 })
    agent = await FakeAgent.enrol(service.served.baseUrl)
    agent.checksSources = ({ path }) => (path === '/dev/sda' ? partitioned : null)
  })
  after(() => service.close())

  let names = 0
  const manual = (body: object) => ({
    name: `set ${++names}`,
    type: 'Disk_Image',
    schedule: [{ type: 'manual' }],
    ...body,
  })
  const send = (selection: unknown[], more: object = {}) =>
    service.computer('POST', '/backupsets', manual({ selection, ...more }))
  /** Asks for a set, and has the agent tell its volumes meanwhile. */
  const sendTelling = async (paths: string[], selection: unknown[], more: object = {}) => {
    const sent = send(selection, more)
    const volumes = paths.map((path) =>
      newDiscoveredVolume(path, { driveLetter: path.endsWith('b1') ? 'F:' : '' }),
    )
    await agent.tellVolumes({ volumes })
    return sent
  }
  const warningOf = async (id: string): Promise<string | null> =>
    (await service.computer('GET', `/backupsets/${id}`)).json.warning
  const count = async () => (await service.computer('GET', '/backupsets')).json.length

  let wrong: string
  let right: string

  test('are accepted with a warning in reply, set and log while nobody can say', async () => {
    const replies = [await send([{ path: '/dev/sda' }]), await send([{ path: '/dev/sdb', partition: 1 }])]
    for (const { status, text, json } of replies) {
      assert.equal(status, 201, text)
      assert.match(json.data.warning, notAsked)
      assert.match((await warningOf(json.data.id)) ?? '', notAsked)
    }
    const logged = warnings.splice(0).map((line) => JSON.parse(line))
    const sets = logged.filter(({ msg }) => msg === 'a backup set may not work')
    assert.deepEqual(
      sets.map(({ set, computer }) => [set, computer]),
      [
        ['set 1', 'acme/0001'],
        ['set 2', 'acme/0001'],
      ],
    )
    wrong = replies[0]?.json.data.id
    right = replies[1]?.json.data.id
  })

  test('have the reason as their warning when the agent is there, and those that can work have none', async () => {
    await agent.connect()
    await eventually(async () => assert.equal(await warningOf(right), null))
    await eventually(async () =>
      assert.equal(await warningOf(wrong), `[selection][0] is invalid: ${partitioned}`),
    )
    assert.match(warnings.splice(0).join(), /it is a disk with partitions.*a backup set may not work/)
  })

  test('are refused with the reason of the agent when it is there, and are not made', async () => {
    const before = await count()
    const reply = await send([{ path: '/dev/sdb', partition: 1 }, { path: '/dev/sda' }])
    assert.deepEqual(
      [reply.status, reply.json],
      [400, { errors: [`[selection][1] is invalid: ${partitioned}`] }],
    )
    const changed = await service.computer(
      'PUT',
      `/backupsets/${right}`,
      manual({ selection: [{ path: '/dev/sda' }] }),
    )
    assert.equal(changed.status, 400)
    assert.deepEqual((await service.computer('GET', `/backupsets/${right}`)).json.selection, [
      { path: '/dev/sdb', partition: 1 },
    ])
    assert.equal(await count(), before)
  })

  test('are refused when none of the volumes is there that they name, and warned of when some are not', async () => {
    const none = await sendTelling(['/dev/sda1', '/dev/sdb1'], ['X:'])
    assert.deepEqual(
      [none.status, none.json],
      [
        400,
        {
          errors: [
            '[selection] is invalid: none of the selected volumes is there; the computer has /dev/sda1, F:',
          ],
        },
      ],
    )
    const excluded = await sendTelling(['/dev/sdb1'], ['F:'], { exclusions: ['F:'] })
    assert.equal(excluded.status, 400)
    const some = await sendTelling(['/dev/sdb1'], ['F:', 'X:'])
    assert.deepEqual([some.status, some.json.data.warning], [201, 'not there now: X:'])
    const all = await sendTelling(['/dev/sdb1'], ['%All%'])
    assert.deepEqual([all.status, all.json.data.warning], [201, null])
    const later = await sendTelling([], ['%All%'])
    assert.deepEqual(
      [later.status, later.json.data.warning],
      [201, 'none of the selected volumes is there; the agent finds no volumes'],
    )
    const now = await sendTelling([], ['%All%'], { useDynamicVolumeInclusion: false })
    assert.equal(now.status, 400, now.text)
  })

  test('are warned of when the agent cannot tell its volumes', async () => {
    const sent = send(['F:'])
    await agent.tellVolumes({ failure: '1001 volumes are more than can be told at once' })
    const { status, json } = await sent
    assert.deepEqual(
      [status, json.data.warning],
      [201, 'the agent cannot tell its volumes: 1001 volumes are more than can be told at once'],
    )
  })

  test('lose their warning with a run that succeeds', async () => {
    await service.computer('POST', '/backupsets/run', { backupSetId: wrong })
    const { id } = await agent.heard('start-backup')
    await agent.backUp(id, someContent())
    await eventually(async () => assert.equal(await warningOf(wrong), null))
    await agent.disconnect()
  })
})
