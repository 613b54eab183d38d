import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent } from '../testing/fake-agent.ts'

const good = { name: 'nightly', type: 'Disk_Image', selection: ['%All%'] }
const daily = { type: 'daily', hour: 1, minute: 0 }

const malformed: [what: string, body: unknown, error: RegExp][] = [
  ['nothing', {}, /name is missing/],
  ['no selection', { ...good, selection: undefined }, /selection is missing/],
  ['an empty selection', { ...good, selection: [] }, /selection/],
  ['another type', { ...good, type: 'Files' }, /type must be Disk_Image/],
  ['a blank name', { ...good, name: ' ' }, /\[name\] is missing or invalid/],
  ['a name with a NUL', { ...good, name: 'a\0b' }, /\[name\] is missing or invalid/],
  ['a member that is not known', { ...good, colour: 'red' }, /colour is not known here/],
  ['a volume that is none', { ...good, selection: ['C:', 'folder'] }, /\[selection\]\[1\] is invalid/],
  ['a source that no system takes', { ...good, selection: [{ path: `/${'a'.repeat(4096)}` }] }, /selection/],
  ['an exclusion that is none', { ...good, exclusions: ['%All'] }, /\[exclusions\]\[0\] is invalid/],
  ['a time zone that is none', { ...good, timeZone: 'Berlin' }, /\[timezone\] is invalid/],
  [
    'a minutely schedule',
    { ...good, schedule: [{ type: 'minutely', interval: 30 }] },
    /schedule\.0\.type must be manual or hourly or daily or weekly\./,
  ],
  ['a schedule without a type', { ...good, schedule: [{ interval: 1 }] }, /schedule\.0\.type is missing\./],
  ['a schedule that is a word', { ...good, schedule: ['manual'] }, /schedule\.0 must be object\./],
  ['hour 24', { ...good, schedule: [daily, { ...daily, hour: 24 }] }, /schedule\.1\.hour must be <= 23\./],
  [
    'an interval of 24 hours',
    { ...good, schedule: [{ type: 'hourly', interval: 24 }] },
    /schedule\.0\.interval must be <= 23\./,
  ],
  [
    'an end without a minute',
    { ...good, schedule: [{ ...daily, cancelAt: { hour: 1 } }] },
    /schedule\.0\.cancelAt\.minute is missing\./,
  ],
  [
    'days of a daily schedule',
    { ...good, schedule: [{ ...daily, days: ['Friday'] }] },
    /schedule\.0\.days is not known here\./,
  ],
  [
    'no days',
    { ...good, schedule: [{ ...daily, type: 'weekly', days: [] }] },
    /schedule\.0\.days must not have fewer than 1 items\./,
  ],
  [
    'a day that is none',
    { ...good, schedule: [{ ...daily, type: 'weekly', days: ['Fri'] }] },
    /schedule\.0\.days\.0 must be equal to one of the allowed values\./,
  ],
  [
    'hourly and daily',
    { ...good, schedule: [daily, { type: 'hourly', interval: 2 }] },
    /hourly must be the only/,
  ],
  [
    'manual twice',
    { ...good, schedule: [{ type: 'manual' }, { type: 'manual' }] },
    /manual must be the only/,
  ],
  ['a retention that keeps nothing', { ...good, settings: { retention: { keepLast: 0 } } }, /keepLast/],
  ['a proof on no host', { ...good, settings: { proof: { everyDays: 7 } } }, /hostId/],
  ['a proof each hour', { ...good, settings: { proof: { everyDays: 0, hostId: 1 } } }, /everyDays/],
  [
    'a proof on a host that is not registered',
    { ...good, settings: { proof: { everyDays: 7, hostId: 4711 } } },
    /\[settings\]\[proof\]\[hostid\] is not a registered host/,
  ],
  [
    'a proof on a host with a number that no host has',
    { ...good, settings: { proof: { everyDays: 7, hostId: 1e300 } } },
    /\[settings\]\[proof\]\[hostid\] is not a registered host/,
  ],
  [
    'a proof on a share',
    { ...good, settings: { proof: { everyDays: 7, hostId: 1, folder: '\\\\server\\share\\x' } } },
    /\[settings\]\[proof\]\[folder\] is invalid/,
  ],
  [
    'a sign of two lines',
    { ...good, settings: { proof: { everyDays: 7, hostId: 1, sign: 'a\nb' } } },
    /\[settings\]\[proof\]\[sign\] is invalid/,
  ],
  ['a sample of nothing', { ...good, settings: { verification: { samplePercent: 0 } } }, /samplePercent/],
]

onEveryStore('backup sets refuse', (newStore) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(await newStore())
  })
  after(() => service.close())

  test('what is no backup set, naming what is wrong, and nothing is left of it', async () => {
    for (const [what, body, error] of malformed) {
      const reply = await service.computer('POST', '/backupsets', body)
      assert.equal(reply.status, 400, `${what}: ${reply.text}`)
      assert.match(reply.json.errors.join(' '), error, what)
    }
    assert.deepEqual((await service.computer('GET', '/backupsets')).json, [])
  })

  test('a name that is taken, for this computer alone', async () => {
    assert.equal((await service.computer('POST', '/backupsets', good)).status, 201)
    const again = await service.computer('POST', '/backupsets', good)
    assert.deepEqual(
      [again.status, again.json],
      [400, { errors: ['[name] is already that of another backup set'] }],
    )
    const other = await service.call('POST', '/v2/accounts/acme/computers/0002/backupsets', good)
    assert.equal(other.status, 201)
  })

  test('a retention that is tried, where there is no such set, or it makes no sense', async () => {
    const [own] = (await service.computer('GET', '/backupsets')).json
    const [foreign] = (await service.call('GET', '/v2/accounts/acme/computers/0002/backupsets')).json
    for (const id of ['nothing', foreign.id]) {
      assert.equal((await service.computer('POST', `/backupsets/${id}/retention`, {})).status, 404, id)
    }
    for (const body of [{ retention: {} }, { retention: { keepLast: 0 } }, { keepLast: 1 }, []]) {
      const reply = await service.computer('POST', `/backupsets/${own.id}/retention`, body)
      assert.equal(reply.status, 400, reply.text)
    }
    const { json } = await service.computer('POST', `/backupsets/${own.id}/retention`, {})
    assert.deepEqual(json, { data: { kept: [], deleted: [] } })
  })

  test('sets that are not there or are those of another computer, with the documented code', async () => {
    const [set] = (await service.call('GET', '/v2/accounts/acme/computers/0002/backupsets')).json
    for (const backupSetId of ['', 'nothing', '\0', set.id]) {
      for (const [path, body] of [
        ['run', { backupSetId }],
        ['toggle', { backupSetId, value: false }],
        ['delete', { backupSetId, deleteData: true }],
      ] as const) {
        const reply = await service.computer('POST', `/backupsets/${path}`, body)
        assert.deepEqual(
          [reply.status, reply.json],
          [400, { errors: ['ErrorCode.BackupSetActions_NotFound'] }],
          `${path} ${backupSetId}`,
        )
      }
    }
    assert.equal((await service.computer('GET', `/backupsets/${set.id}`)).status, 404)
    assert.equal((await service.computer('PUT', `/backupsets/${set.id}`, good)).status, 404)
  })

  test('actions and revisions that are not there, also under strange names', async () => {
    for (const id of ['0', '1x', '-1', '%00', '9'.repeat(40), '99']) {
      for (const path of [`/action/${id}/status`, `/backupsets/${id}/info`, `/revisions/${id}`]) {
        assert.equal((await service.computer('GET', path)).status, 404, path)
      }
      assert.equal((await service.computer('DELETE', `/revisions/${id}`)).status, 404)
      assert.equal((await service.computer('POST', `/revisions/${id}/verify`, {})).status, 404)
    }
    const hardware = '/restore/diskimage/standard/hardware'
    for (const id of [7, '7', 'x', '']) {
      assert.equal((await service.computer('POST', hardware, { id })).status, 404)
    }
    assert.equal((await service.computer('POST', hardware, {})).status, 400)
  })

  test('to discover the volumes of an agent that is offline, does not answer or cannot tell', async () => {
    const volumes = '/backupsets/diskimage/volumes/browse'
    const alone = { errors: ['Agent cannot be reached or is offline'] }
    const offline = await service.computer('GET', volumes)
    assert.deepEqual([offline.status, offline.json], [400, alone])
    for (const client of ['reader', 'writer']) {
      const reply = await service.call(
        'GET',
        `/v2/accounts/acme/computers/0001${volumes}`,
        undefined,
        await service.authorise(client),
      )
      assert.equal(reply.status, 403, client)
    }
    await service.restart({ answerMaxMs: 50 })
    const agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    const silent = await service.computer('GET', volumes)
    assert.deepEqual([silent.status, silent.json], [400, alone])
    const { id } = await agent.heard('discover-volumes')
    agent.say({ type: 'volumes', id, volumes: [] })
    const [unable] = await Promise.all([
      service.computer('GET', volumes),
      agent.tellVolumes({ failure: 'no\nrights' }),
    ])
    assert.deepEqual(
      [unable.status, unable.json],
      [503, { errors: ['The agent cannot tell its volumes: no rights'] }],
    )
    await agent.disconnect()
  })
})
