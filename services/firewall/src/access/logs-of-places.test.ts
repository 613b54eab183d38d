import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  onEveryStore,
  type ReceivedReply,
  type ServedService,
  settableClock,
} from '@palisade/platform/testing'
import { countersByStatistics } from '@palisade/proxy-protocol'
import { storedLogs } from '../logs/columns.ts'
import type { LogName } from '../logs/log-types.ts'
import { type FirewallLogs, openLogs } from '../logs/open-logs.ts'
import { statisticsNames } from '../logs/stats/statistics.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import {
  type Allowed,
  type LimitedAdministrator,
  limitedAdministrator,
} from '../testing/limited-administrator.ts'

const operations = ['get-logs', 'view-aps-logs', 'view-audit-logs', 'view-traffic-logs']
const services = ['mine', 'theirs', 'gone', '']

/** Each way to say that the role reaches the service "mine" and no other. */
const waysToMine: Record<string, Allowed> = {
  name: { services: ['mine:read'] },
  vsite: { vsites: ['own:write'] },
  group: { 'service-groups': ['web:read'] },
}

onEveryStore('logs, for a role that names places', (newStore) => {
  let served: ServedService
  let logs: FirewallLogs
  let admin: Client
  let limited: LimitedAdministrator
  before(async () => {
    const store = await newStore()
    const clock = settableClock()
    served = await serveFirewall({ store, clock })
    logs = await openLogs({ store, clock, dataDirectory: '/' })
    admin = await logIn(served.baseUrl)
    limited = await limitedAdministrator(served.baseUrl, admin)
    const there: [path: string, body: object][] = [
      ['vsites', { name: 'own', interface: 'LAN' }],
      ['vsites', { name: 'foreign', interface: 'LAN' }],
      ['vsites/own/service-groups', { 'service-group': 'web' }],
      ['services', { name: 'mine', vsite: 'own', group: 'web', port: 81 }],
      ['services', { name: 'theirs', vsite: 'foreign', port: 82 }],
      ['services/mine/servers', { name: 'one', 'ip-address': '192.0.2.1' }],
      ['services/theirs/servers', { name: 'one', 'ip-address': '192.0.2.2' }],
      ['security-policies', { name: 'secret' }],
    ]
    for (const [path, body] of there) assert.equal((await admin.call('POST', path, body)).status, 201, path)
    for (const name of services) {
      const url = `/of-${name}`
      // What looks like the member that is asked for, inside another one.
      const login = '","service-name":"mine'
      await logs.logs.append('access', [{ 'service-name': name, url, login }])
      await logs.logs.append('web-firewall', [{ 'service-name': name, url, attack: login }])
      const counts = Object.fromEntries(
        Object.values(countersByStatistics)
          .flat()
          .map((one) => [one, 1]),
      )
      const counted = [{ time: clock.now(), service: name, counts }]
      await logs.counters.add(counted, { proxy: 'one', message: name })
    }
    await logs.logs.append('network-firewall', [{ 'acl-name': 'theirs' }])
    await logs.logs.append('system', [{ message: 'about theirs' }])
  })
  after(async () => {
    await served.close()
    await logs.close()
  })
  beforeEach(() => limited.allow({}))

  const entriesIn = ({ status, json }: ReceivedReply): Record<string, string>[] => {
    assert.equal(status, 200, JSON.stringify(json))
    return Object.values(json.data ?? {})
  }
  const traffic: readonly LogName[] = ['access', 'web-firewall']

  for (const [way, places] of Object.entries(waysToMine)) {
    test(`tell of the services that it reaches by ${way}, at every address and by every question`, async () => {
      await limited.allow({ objects: ['services:read'], operations, ...places })
      let ran = 0
      for (const log of storedLogs.values()) {
        const every = encodeURIComponent(
          JSON.stringify([{ field: 'id', operators: 'not equal to', values: ['x'] }]),
        )
        const requests: [method: string, path: string][] = [
          ['GET', log.segment],
          ['GET', `${log.segment}?limit=100&parameters=id,time`],
          ['GET', `${log.segment}?filters=${every}`],
          ['GET', `logs/${log.segment}`],
          ['POST', `logs/${log.segment}`],
        ]
        const all = entriesIn(await admin.get(`${log.segment}?limit=1000`))
        for (const [method, path] of requests) {
          const reply = await limited.call(method, path)
          ran++
          if (log.name === 'system' || log.name === 'network-firewall') {
            assert.equal(reply.status, 403, path)
            continue
          }
          const own = entriesIn(reply)
          const ids = new Set(own.map(({ id }) => id))
          assert.ok(own.length > 0 && own.length < all.length, path)
          const expected = all.filter((entry) =>
            traffic.includes(log.name)
              ? entry['service-name'] === 'mine'
              : entry.admin === limited.username ||
                (/^(Service|Server)$/.test(entry['object-type'] ?? '') &&
                  /^mine(\/|$)/.test(entry['object-name'] ?? '')),
          )
          assert.deepEqual(
            [...ids].sort(),
            expected
              .slice(0, path.includes('limit') ? 100 : 20)
              .map(({ id }) => id)
              .sort(),
            path,
          )
        }
        for (const { id } of all) {
          const { status } = await limited.get(`${log.segment}/${id}`)
          if (log.name === 'system' || log.name === 'network-firewall') assert.equal(status, 403)
          else {
            const own = entriesIn(await limited.get(`${log.segment}?limit=1000`)).some((one) => one.id === id)
            assert.equal(status, own ? 200 : 404, `${log.segment}/${id}`)
          }
          ran++
        }
        if (traffic.includes(log.name)) {
          assert.deepEqual(entriesIn(await limited.get(`${log.segment}?offset=1`)), [])
        }
      }
      assert.ok(ran > 60, `${ran} requests`)
    })

    test(`add up what the services counted that it reaches by ${way}`, async () => {
      await limited.allow({ objects: ['services:read'], operations, ...places })
      let ran = 0
      for (const name of statisticsNames) {
        if (name === 'system-stats') {
          assert.equal((await limited.get(`stats/${name}`)).status, 403)
          assert.equal((await admin.get(`stats/${name}`)).status, 200)
          ran++
          continue
        }
        for (const query of ['', '?minutes=5', '?service=mine', '?service=mine&minutes=5']) {
          const [figures = {}] = entriesIn(await limited.get(`stats/${name}${query}`))
          assert.deepEqual(new Set(Object.values(figures)), new Set(['1']), query)
          ran++
        }
        for (const query of ['?service=theirs', '?service=nobody', '?service=gone&minutes=1']) {
          assert.equal((await limited.get(`stats/${name}${query}`)).status, 403, query)
          ran++
        }
        const [figures = {}] = entriesIn(await admin.get(`stats/${name}`))
        assert.deepEqual(new Set(Object.values(figures)), new Set([String(services.length)]))
      }
      assert.equal(ran, 4 * 7 + 1)
    })

    test(`and proposals that are made of them are told of no other service, by ${way}`, async () => {
      await limited.allow({ objects: ['_ALL_:write'], operations, ...places })
      for (const kind of ['rule-exception-proposals', 'profile-proposals']) {
        assert.equal((await limited.get(`services/theirs/${kind}`)).status, 403)
        assert.equal((await limited.get(`services/mine/${kind}`)).status, 200)
      }
    })
  }

  test('tell of a service that is gone to whoever has its name', async () => {
    await limited.allow({ operations, services: ['gone:read'] })
    const [entry, ...more] = entriesIn(await limited.get('access-logs'))
    assert.deepEqual([entry?.['service-name'], more.length], ['gone', 0])
    const [figures = {}] = entriesIn(await limited.get('stats/http-stats'))
    assert.equal(figures.requests, '1')
  })

  test('tell nothing of the traffic to a role that reaches no service, or one policy alone', async () => {
    for (const places of [{}, { 'security-policies': ['secret:write'] }]) {
      await limited.allow({ objects: ['_ALL_:write'], operations, ...places })
      for (const path of ['access-logs', 'web-firewall-logs']) {
        assert.deepEqual(entriesIn(await limited.get(path)), [])
      }
      const [figures = {}] = entriesIn(await limited.get('stats/http-stats'))
      assert.deepEqual(new Set(Object.values(figures)), new Set(['0']))
    }
    const audited = entriesIn(await limited.get('audit-logs?limit=1000'))
    assert.ok(audited.some((entry) => entry['object-name'] === 'secret'))
    assert.ok(audited.every((entry) => entry['object-type'] !== 'Service'))
  })

  test('tell everything to a role for all services, and the audit log to one that names no places', async () => {
    let ran = 0
    for (const allowed of [{ services: ['_ALL_:read'] }, { vsites: ['_ALL_:read'] }]) {
      await limited.allow({ operations, ...allowed })
      for (const { segment } of storedLogs.values()) {
        const everything = entriesIn(await admin.get(`${segment}?limit=1000`))
        assert.deepEqual(entriesIn(await limited.get(`${segment}?limit=1000`)), everything)
        ran++
      }
      assert.equal((await limited.get('stats/system-stats')).status, 200)
    }
    assert.equal(ran, 10)
    await limited.allow({ operations: ['view-audit-logs', 'get-logs'] })
    for (const segment of ['audit-logs', 'system-logs']) {
      const everything = entriesIn(await admin.get(`${segment}?limit=1000`))
      assert.deepEqual(entriesIn(await limited.get(`${segment}?limit=1000`)), everything)
    }
  })

  test('are not sent elsewhere by it, nor had by giving a role without places', async () => {
    const receiver = { name: 'away', 'ip-address': '192.0.2.9', port: 514 }
    const objects = ['syslog-servers:write', 'administrator-roles:write']
    await limited.allow({ objects, operations, services: ['mine:write'] })
    assert.equal((await limited.call('POST', 'syslog-servers', receiver)).status, 403)
    const wider = { name: 'wider', 'api-privilege': 'Yes', operations: ['view-audit-logs'] }
    assert.equal((await limited.call('POST', 'administrator-roles', wider)).status, 403)
    const alike = { ...wider, services: ['mine:read'] }
    assert.equal((await limited.call('POST', 'administrator-roles', alike)).status, 201)
    await limited.allow({ objects, operations, services: ['_ALL_:read'] })
    const { status, text } = await limited.call('POST', 'syslog-servers', receiver)
    assert.equal(status, 201, text)
  })
})
