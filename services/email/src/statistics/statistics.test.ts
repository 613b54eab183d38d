import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, send, settableClock } from '@palisade/platform/testing'
import { call, configuration, serveEmail, type TestService, tokenFor } from '../testing/email-service.ts'
import { domain, messages, report, statistics } from '../testing/mail-reports.ts'

/** A moment within an hour and a day. */
const start = Date.UTC(2030, 2, 10, 12, 34, 56)

onEveryStore('statistics', (newStore) => {
  let served: TestService
  before(async () => {
    served = await serveEmail(await newStore())
  })
  after(() => served.close())

  const serve = async () => serveEmail(await newStore(), configuration, settableClock(start))

  for (const path of ['5584599/ess', domain, '5584599/ess/domains/example.org']) {
    test(`of ${path} have the documented form when nothing was reported`, async () => {
      const { status, headers, text } = await call(served, `${path}/statistics`)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      assert.deepEqual(JSON.parse(text), {
        accountId: '5584599',
        type: 'email',
        count: '30',
        period: '24h',
        inbound: {},
        outbound: {},
      })
    })

    test(`of ${path} take the documented parameters`, async () => {
      for (const [query, period, count] of [
        ['?type=email', '24h', '30'],
        ['?period=24h&count=1', '24h', '1'],
        ['?period=daily&count=30', '24h', '30'],
        ['?period=1h', '1h', '30'],
        ['?period=1h&count=168', '1h', '168'],
        ['?period=hourly&count=1', '1h', '1'],
        ['?types=x&Period=x', '24h', '30'],
      ]) {
        const json = await statistics(served, query, path)
        assert.deepEqual([json.period, json.count], [period, count], query)
      }
    })

    test(`of ${path} refuse other parameters, naming the first`, async () => {
      for (const [query, parameter, detail] of [
        ['?type=web', 'type', 'must be email'],
        ['?type=&period=x', 'type', 'must be email'],
        ['?type=email&type=email', 'type', 'may be given once only'],
        ['?period=1d&count=x', 'period', 'must be 1h or 24h or hourly or daily'],
        ['?period=24H', 'period', 'must be 1h or 24h or hourly or daily'],
        ['?period=__proto__', 'period', 'must be 1h or 24h or hourly or daily'],
        ['?period=1h&period=24h', 'period', 'may be given once only'],
        ['?count=0', 'count', 'must be an integer from 1 to 30'],
        ['?count=31', 'count', 'must be an integer from 1 to 30'],
        ['?period=daily&count=31', 'count', 'must be an integer from 1 to 30'],
        ['?period=hourly&count=169', 'count', 'must be an integer from 1 to 168'],
        ['?count=1.5', 'count', 'must be an integer from 1 to 30'],
        ['?count=', 'count', 'must be an integer from 1 to 30'],
        ['?count=1&count=1', 'count', 'may be given once only'],
      ]) {
        const { status, headers, json } = await call(served, `${path}/statistics${query}`)
        assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
        const expected = [400, parameter, `The parameter ${parameter} ${detail}.`]
        assert.deepEqual([status, json.parameter, json.detail], expected, query)
      }
    })

    test(`of ${path} are checked for token, scope, account and domain, then parameters`, async () => {
      const url = (below: string) => `${served.baseUrl}/beta/accounts/${below}/statistics?count=x`
      assert.equal((await send(url(path))).status, 401)
      const asks = async (below: string, ...who: [string, string]) => {
        const authorization = `Bearer ${await tokenFor(served, ...who)}`
        return (await send(url(below), { headers: { authorization } })).status
      }
      assert.equal(await asks(path, 'powerless', 'p0wer'), 403)
      assert.equal(await asks(path.replace('5584599', 'other'), 'reader', 'r3ad'), 404)
      assert.equal(await asks(path.replace('5584599', 'gone'), 'both', 'b0th'), 404)
      assert.equal(await asks(path, 'reader', 'r3ad'), 400)
    })
  }

  test('of a domain that does not exist are refused', async () => {
    const { status, json } = await call(served, '5584599/ess/domains/5/statistics')
    assert.deepEqual([status, json.detail], [404, 'There is no such domain.'])
  })

  test('count by direction, action, threat type and reason', async () => {
    const own = await serve()
    const at = '2030-03-10T12:00:00Z'
    await report(own, [
      messages(at, 5),
      messages(at, 2, { action: 'blocked', threatType: 'malware', reason: 'antivirus' }),
      messages(at, 3, { direction: 'outbound', action: 'deferred', reason: 'barracuda_reputation' }),
      messages(at, 4, { action: 'quarantined', threatType: 'data_exfiltration', reason: 'atp_scan_2' }),
    ])
    const json = await statistics(own, '?period=1h&count=1')
    const block = '2030-03-10T12:00:00.000Z'
    assert.deepEqual(json.inbound, {
      'allowed:none:none': { [block]: 5 },
      'blocked:malware:antivirus': { [block]: 2 },
      'quarantined:data_exfiltration:atp_scan_2': { [block]: 4 },
    })
    assert.deepEqual(json.outbound, { 'deferred:none:barracuda_reputation': { [block]: 3 } })
    await own.close()
  })

  test('have whole hours of UTC, that under way among them', async () => {
    const own = await serve()
    await report(own, [
      messages('2030-03-10T09:59:59.999Z', 1),
      messages('2030-03-10T10:00:00Z', 10),
      messages('2030-03-10T10:59:59.999Z', 100),
      messages('2030-03-10T16:45:00+05:45', 1000),
      messages('2030-03-10T12:39:56Z', 10_000),
    ])
    const hours = async (count: number) => {
      const { inbound } = await statistics(own, `?period=1h&count=${count}`)
      return inbound['allowed:none:none']
    }
    const [ten, eleven, twelve] = [10, 11, 12].map((hour) => `2030-03-10T${hour}:00:00.000Z`)
    assert.ok(ten && eleven && twelve)
    assert.deepEqual(await hours(1), { [twelve]: 10_000 })
    assert.deepEqual(await hours(2), { [eleven]: 1000, [twelve]: 10_000 })
    assert.deepEqual(await hours(3), { [ten]: 110, [eleven]: 1000, [twelve]: 10_000 })
    own.clock.advance(25 * 60_000 + 3999)
    assert.deepEqual(await hours(1), { [twelve]: 10_000 })
    own.clock.advance(1)
    assert.equal(await hours(1), undefined)
    await own.close()
  })

  test('have whole days of UTC, that under way among them, as sums of hours', async () => {
    const own = await serve()
    await report(own, [
      messages('2030-03-08T23:59:59.999Z', 1),
      messages('2030-03-09T00:00:00Z', 10),
      messages('2030-03-09T23:59:59.999Z', 100),
      messages('2030-03-10T00:00:00Z', 1000),
      messages('2030-03-10T12:00:00Z', 10_000),
      messages('2030-02-09T00:00:00Z', 100_000),
      messages('2030-02-08T23:59:59Z', 1_000_000),
    ])
    const days = async (count: number) =>
      (await statistics(own, `?count=${count}`)).inbound['allowed:none:none']
    const [tenth, ninth, eighth] = ['10', '09', '08'].map((day) => `2030-03-${day}T00:00:00.000Z`)
    assert.ok(tenth && ninth && eighth)
    assert.deepEqual(await days(1), { [tenth]: 11_000 })
    assert.deepEqual(await days(2), { [ninth]: 110, [tenth]: 11_000 })
    const month = { '2030-02-09T00:00:00.000Z': 100_000, [eighth]: 1, [ninth]: 110, [tenth]: 11_000 }
    assert.deepEqual(await days(30), month)
    await own.close()
  })

  test('leave out an hour that has not begun until it has', async () => {
    const own = await serve()
    own.clock.advance(24 * 60_000)
    await report(own, [messages('2030-03-10T13:01:00Z')])
    assert.deepEqual((await statistics(own, '?period=1h')).inbound, {})
    own.clock.advance(2 * 60_000)
    assert.equal(Object.keys((await statistics(own, '?period=1h')).inbound).length, 1)
    await own.close()
  })

  test('of an account are the sums over its domains, and of no others', async () => {
    const [account] = configuration.accounts
    assert.ok(account)
    const accounts = [account, { ...account, id: 'other' }]
    const own = await serveEmail(await newStore(), { ...configuration, accounts }, settableClock(start))
    const at = '2030-03-10T12:00:00Z'
    await report(own, [messages(at, 1)], '5584599/ess/domains/4')
    await report(own, [messages(at, 10)], '5584599/ess/domains/zebra.example')
    await report(own, [messages(at, 100)], 'other/ess/domains/4')
    const sum = async (path: string) =>
      (await statistics(own, '', path)).inbound['allowed:none:none']['2030-03-10T00:00:00.000Z']
    assert.equal(await sum('5584599/ess'), 11)
    assert.equal(await sum('5584599/ess/domains/example.org'), 1)
    assert.equal(await sum('5584599/ess/domains/2346'), 10)
    assert.equal(await sum('other/ess'), 100)
    await own.close()
  })
})
