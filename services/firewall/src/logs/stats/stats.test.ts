import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { type CountedStatistics, countersByStatistics, type TrafficCounts } from '@palisade/proxy-protocol'
import { type ServedLogs, serveLogs } from '../testing/served-logs.ts'
import type { TrafficCounters } from './counters.ts'
import { machineFigures } from './machine.ts'
import { figuresOf, statistics, statisticsNames } from './statistics.ts'
import { countedMinutesMax, StoredCounters } from './stored-counters.ts'

const minuteMs = 60_000

/** As a proxy does that says each thing once. */
function add(counters: TrafficCounters, counted: readonly TrafficCounts[]): Promise<void> {
  return counters.add(counted, { proxy: 'one', message: randomUUID() })
}

onEveryStore('statistics', (newStore) => {
  let served: ServedLogs
  before(async () => {
    served = await serveLogs(await newStore())
  })
  after(() => served.stop())

  async function figures(name: string, query = ''): Promise<Record<string, string>> {
    const { status, json } = await served.get(`stats/${name}${query}`)
    assert.equal(status, 200, JSON.stringify(json))
    return Object.values<Record<string, string>>(json.data)[0] ?? {}
  }

  test('of traffic are all zero while there is none', async () => {
    let ran = 0
    for (const name of Object.keys(countersByStatistics) as CountedStatistics[]) {
      const { json } = await served.get(`stats/${name}`)
      const { title } = statistics[name]
      const zeros = Object.fromEntries(countersByStatistics[name].map((counter) => [counter, '0']))
      assert.deepEqual(json, { object: title, data: { [title]: zeros }, token: json.token })
      ran += countersByStatistics[name].length
    }
    assert.equal(ran, 57)
  })

  test('of traffic add up what was counted, by minute and service', async () => {
    const now = served.clock.now()
    await add(served.counters, [
      { time: now, service: 'shop', counts: { requests: 5, 'bytes-sent': 2 ** 40 } },
      { time: now + 1, service: 'shop', counts: { requests: 1 } },
      { time: now - 2 * minuteMs, service: 'shop', counts: { requests: 10 } },
      { time: now, service: 'mail', counts: { requests: 100, 'sql-attacks': 3 } },
    ])
    await add(served.counters, [{ time: now, service: 'shop', counts: { requests: 1000 } }])
    await add(served.counters, [])
    assert.equal((await figures('http-stats')).requests, '1116')
    assert.equal((await figures('http-stats'))['bytes-sent'], String(2 ** 40))
    assert.equal((await figures('http-stats', '?service=shop')).requests, '1016')
    assert.equal((await figures('http-stats', '?service=shop&minutes=1')).requests, '1006')
    assert.equal((await figures('http-stats', '?minutes=2')).requests, '1106')
    assert.equal((await figures('http-stats', '?minutes=3')).requests, '1116')
    assert.equal((await figures('http_stats', '?service=nobody')).requests, '0')
    assert.deepEqual(await figures('attack-stats', '?parameters=sql-attacks'), { 'sql-attacks': '3' })
  })

  test('count a message once that a proxy sends again, as when it did not hear the answer', async () => {
    const before = Number((await figures('http-stats')).connections)
    const counted = [{ time: served.clock.now(), service: 'shop', counts: { connections: 1 } }]
    for (const [proxy, message] of [
      ['one', 'a'],
      ['one', 'a'],
      ['two', 'a'],
      ['one', 'b'],
      ['one', 'b'],
    ] as const) {
      await served.counters.add(counted, { proxy, message })
    }
    assert.equal(Number((await figures('http-stats')).connections), before + 3)
  })

  test('count everything that several count at once', async () => {
    const before = Number((await figures('response-stats')).responses)
    const time = served.clock.now()
    const counts = { responses: 1, 'responses-2xx': 1, 'responses-4xx': 1 }
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        add(served.counters, [
          { time, service: index % 2 ? 'shop' : 'mail', counts },
          { time, service: index % 2 ? 'mail' : 'shop', counts },
        ]),
      ),
    )
    assert.equal(Number((await figures('response-stats')).responses), before + 60)
  })

  test('forget the minutes of long ago, and not what was counted in them', async () => {
    const total = (await figures('http-stats')).requests
    served.clock.advance((countedMinutesMax + 5) * minuteMs)
    await served.sweep(served.clock.now())
    assert.equal((await figures('http-stats')).requests, total)
    assert.equal((await figures('http-stats', `?minutes=${countedMinutesMax}`)).requests, '0')
  })

  test('of the system tell about the real machine and about the logs', async () => {
    await served.logs.append('system', [{ message: 'one' }, { message: 'two' }])
    await figures('system-stats')
    const machine = await figures('system-stats')
    assert.deepEqual(Object.keys(machine), figuresOf('system-stats'))
    for (const figure of machineFigures) assert.match(machine[figure] ?? '', /^\d+(\.\d\d)?$/, figure)
    assert.ok(Number(machine.processors) >= 1)
    assert.ok(Number(machine['memory-used-bytes']) < Number(machine['memory-bytes']))
    assert.ok(Number(machine['disk-used-bytes']) < Number(machine['disk-bytes']))
    for (const share of ['processor-percent', 'memory-percent', 'disk-percent']) {
      assert.ok(Number(machine[share]) <= 100, share)
    }
    assert.equal(machine['system-log-entries'], '2')
    assert.ok(Number(machine['system-log-bytes']) > 0)
  })

  test('refuse what they cannot use, whoever has no token, and other methods', async () => {
    const refused = [
      'http-stats?colour=1',
      'http-stats?minutes=0',
      `http-stats?minutes=${countedMinutesMax + 1}`,
      'http-stats?service=',
      'http-stats?service=a&service=b',
      'http-stats?service=%00',
      'http-stats?parameters=colour',
      'system-stats?minutes=1',
    ]
    for (const path of refused) {
      const { status, json } = await served.get(`stats/${path}`)
      assert.equal(status, 400, path)
      assert.match(json.msg, /colour|minutes|service/)
    }
    for (const name of statisticsNames) {
      assert.equal((await served.call('GET', `stats/${name}`, {})).status, 401)
      assert.equal((await served.call('DELETE', `stats/${name}`)).status, 405)
    }
  })
})

onEveryStore('counters', (newStore) => {
  test('take more at once than one statement holds', async () => {
    const store = await newStore()
    const served = await serveLogs(store)
    const counters = new StoredCounters({ store })
    const counted = Array.from({ length: 700 }, (_, index) => ({
      time: served.clock.now(),
      service: `service ${index}`,
      counts: { requests: 1 },
    }))
    await add(counters, counted)
    assert.deepEqual(await counters.sums({}), { requests: 700 })
    await served.stop()
  })
})
