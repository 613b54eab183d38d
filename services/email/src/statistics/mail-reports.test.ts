import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, send, settableClock } from '@palisade/platform/testing'
import { configuration, serveEmail, type TestService, tokenFor } from '../testing/email-service.ts'
import { domain, messages, report, sendReport, statistics } from '../testing/mail-reports.ts'

const start = Date.UTC(2030, 2, 10, 12, 34, 56)
const at = '2030-03-10T12:00:00Z'
const dayMs = 24 * 3_600_000

onEveryStore('reports about mail', (newStore) => {
  let served: TestService
  before(async () => {
    served = await serveEmail(await newStore(), configuration, settableClock(start))
  })
  after(() => served.close())

  const serve = async () => serveEmail(await newStore(), configuration, settableClock(start))

  /** What was allowed in on the day of `at`. */
  const counted = async (own: TestService) =>
    (await statistics(own, '?count=1')).inbound['allowed:none:none']?.['2030-03-10T00:00:00.000Z'] ?? 0

  test('are counted once, however often they are sent, and the reply says so', async () => {
    const own = await serve()
    const body = { report: 'mx1/2030-03-10T12', counts: [messages(at, 3), messages(at, 4)] }
    const isNew = []
    for (let turn = 0; turn < 3; turn++) {
      const { status, json } = await sendReport(own, body)
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(json), ['report', 'isNew'])
      assert.equal(json.report, body.report)
      isNew.push(json.isNew)
    }
    assert.deepEqual(isNew, [true, false, false])
    assert.equal(await counted(own), 7)
    const elsewhere = await sendReport(own, body, '5584599/ess/domains/1000')
    assert.equal(elsewhere.json.isNew, true, 'each domain has its own reports')
    assert.equal(await counted(own), 7)
    await own.close()
  })

  test('are counted once when several servers take the same one at the same moment', async () => {
    const store = await newStore()
    const clock = settableClock(start)
    const servers = [
      await serveEmail(store, configuration, clock),
      await serveEmail(store, configuration, clock),
    ]
    for (let round = 1; round <= 3; round++) {
      const body = { report: `round-${round}`, counts: [messages(at, 1)] }
      const replies = await Promise.all(
        [...servers, ...servers, ...servers].map((one) => sendReport(one, body)),
      )
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
      assert.equal(replies.filter(({ json }) => json.isNew).length, 1)
    }
    for (const one of servers) assert.equal(await counted(one), 3)
    for (const one of servers) await one.close()
  })

  test('that name the same counts in any order do not wait for each other', async () => {
    const own = await serve()
    const kinds = Array.from({ length: 50 }, (_, index) => messages(at, 1, { reason: `reason_${index}` }))
    await Promise.all(
      Array.from({ length: 8 }, (_, turn) => report(own, turn % 2 === 0 ? kinds : kinds.toReversed())),
    )
    const { inbound } = await statistics(own, '?period=1h&count=1')
    assert.equal(Object.keys(inbound).length, 50)
    for (const blocks of Object.values(inbound)) assert.deepEqual(blocks, { '2030-03-10T12:00:00.000Z': 8 })
    await own.close()
  })

  test('need the token, the scope, the account and the domain, before anything of them is read', async () => {
    const url = (path: string) => `${served.baseUrl}/beta/accounts/${path}/statistics`
    const asks = async (path: string, ...who: [string, string]) => {
      const authorization = `Bearer ${await tokenFor(served, ...who)}`
      return send(url(path), { method: 'POST', headers: { authorization }, body: {} })
    }
    assert.equal((await send(url(domain), { method: 'POST', body: {} })).status, 401)
    const reader = await asks(domain, 'reader', 'r3ad')
    assert.equal(reader.status, 403)
    assert.match(String(reader.headers['www-authenticate']), /scope="ess:account:write"/)
    assert.equal((await asks('gone/ess/domains/4', 'checker', 'ch3ck')).status, 404)
    assert.equal((await asks('5584599/ess/domains/5', 'checker', 'ch3ck')).status, 404)
    assert.equal((await asks('other/ess/domains/4', 'checker', 'ch3ck')).status, 404)
    assert.equal((await asks(domain, 'checker', 'ch3ck')).status, 400)
    const { status, headers } = await asks('5584599/ess', 'checker', 'ch3ck')
    assert.deepEqual([status, headers.allow], [405, 'GET'])
  })

  test('that are wrong are refused whole, naming the member', async () => {
    const own = await serve()
    const [good, name] = [messages(at), 'wrong']
    const one = (more: object) => ({ report: name, counts: [good, { ...good, ...more }] })
    const cases: [body: unknown, parameter: string][] = [
      [undefined, ''],
      [[], ''],
      [{ report: name }, 'counts'],
      [{ counts: [good] }, 'report'],
      [{ report: name, counts: [good], more: 1 }, 'more'],
      [{ report: '', counts: [good] }, 'report'],
      [{ report: 7, counts: [good] }, 'report'],
      [{ report: 'a b', counts: [good] }, 'report'],
      [{ report: 'ä', counts: [good] }, 'report'],
      [{ report: 'a\0', counts: [good] }, 'report'],
      [{ report: 'a'.repeat(129), counts: [good] }, 'report'],
      [{ report: name, counts: [] }, 'counts'],
      [{ report: name, counts: Array.from({ length: 1001 }, () => good) }, 'counts'],
      [{ report: name, counts: good }, 'counts'],
      [{ report: name, counts: [good, null] }, 'counts.1'],
      [one({ more: 1 }), 'counts.1.more'],
      [one({ direction: 'sideways' }), 'counts.1.direction'],
      [one({ action: 'Allowed' }), 'counts.1.action'],
      ...['', 'Malware', 'a:b', 'a b', 'a-b', '_a', 'a_', 'a__b', '1a', 'ä', 'a\n', 'a'.repeat(65)].flatMap(
        (word): typeof cases => [
          [one({ threatType: word }), 'counts.1.threatType'],
          [one({ reason: word }), 'counts.1.reason'],
        ],
      ),
      ...[0, -1, 1.5, 1_000_000_001, '1', null].map((count): (typeof cases)[0] => [
        one({ count }),
        'counts.1.count',
      ]),
      ...[
        ...['', 'now', '2030-03-10', '2030-03-10T12:00:00', '2030-02-30T12:00:00Z', '2030-03-10T24:00:00Z'],
        ...['2020-07-31T23:59:59.999Z', '2030-03-10T12:39:56.001Z', '2016-12-31T23:59:60Z'],
        ...['2030-03-10T12:00:00Z[UTC]', start],
      ].map((time): (typeof cases)[0] => [one({ at: time }), 'counts.1.at']),
    ]
    for (const [body, parameter] of cases) {
      const { status, headers, json } = await sendReport(own, body)
      const what = JSON.stringify(body)?.slice(0, 200)
      assert.deepEqual([status, json.parameter], [400, parameter], what)
      assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
      assert.deepEqual([json.title, json.status], ['Bad Request', 400])
    }
    assert.equal(await counted(own), 0)
    assert.equal((await sendReport(own, { report: name, counts: [good] })).json.isNew, true)
    await own.close()
  })

  test('say what is wrong in a sentence', async () => {
    const early = { report: 'early', counts: [messages('2020-07-31T00:00:00Z')] }
    const { json } = await sendReport(served, early)
    assert.equal(json.detail, 'The member counts.0.at must be a time from 2020-08-01 to now.')
  })

  test('take what is largest', async () => {
    const own = await serve()
    const word = 'a'.repeat(64)
    const largest = messages('2030-03-10T12:39:56Z', 1_000_000_000, { threatType: word, reason: word })
    const counts = [largest, ...Array.from({ length: 999 }, () => messages(at))]
    assert.equal((await sendReport(own, { report: '~'.repeat(128), counts })).json.isNew, true)
    assert.equal(await counted(own), 999)
    assert.equal(
      (await sendReport(own, { report: 'old', counts: [messages('2020-08-01T00:00:00Z')] })).status,
      200,
    )
    await own.close()
  })

  test('that would give an hour too many kinds, or too many messages, are refused whole', async () => {
    const own = await serve()
    const kinds = Array.from({ length: 199 }, (_, index) => messages(at, 1, { reason: `reason_${index}` }))
    await report(own, [...kinds, messages(at, 1_000_000_000)])
    const further = { report: 'further', counts: [messages(at, 1, { reason: 'further' })] }
    const { status, json } = await sendReport(own, further)
    assert.deepEqual([status, json.parameter], [409, 'counts'])
    assert.equal(
      json.detail,
      'With this report the hour of 2030-03-10T12:00:00.000Z would have more than 200 kinds of messages, or more than 10000000000 messages of a kind.',
    )
    await report(own, [messages('2030-03-10T11:00:00Z', 1, { reason: 'further' })])
    const most = Array.from({ length: 9 }, () => messages(at, 1_000_000_000))
    await report(own, most)
    assert.equal((await sendReport(own, { report: 'one', counts: [messages(at)] })).status, 409)
    assert.equal(await counted(own), 10_000_000_000)
    own.clock.advance(3_600_000)
    assert.equal(
      (await sendReport(own, { ...further, counts: [messages('2030-03-10T13:00:00Z')] })).json.isNew,
      true,
    )
    await own.close()
  })

  test('that come at the same moment do not give an hour too many kinds together', async () => {
    const own = await serve()
    const url = `${own.baseUrl}/beta/accounts/${domain}/statistics`
    const headers = { authorization: `Bearer ${await tokenFor(own, 'checker', 'ch3ck')}` }
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => {
        const counts = Array.from({ length: 50 }, (_, kind) =>
          messages(at, 1, { reason: `r${turn}_${kind}` }),
        )
        return send(url, { method: 'POST', headers, body: { report: `turn-${turn}`, counts } })
      }),
    )
    const statuses = replies.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [200, 200, 200, 200, 409, 409, 409, 409])
    assert.equal(Object.keys((await statistics(own, '?period=1h&count=1')).inbound).length, 200)
    await own.close()
  })

  test('are forgotten when they can no longer be asked for, and not before', async (t) => {
    const store = await newStore()
    const clock = settableClock(start)
    const own = await serveEmail(store, configuration, clock, { lookEveryMs: 10 })
    const tables = store.tables<Record<'email_mail_count' | 'email_mail_report', object>>()
    const rows = async (table: 'email_mail_count' | 'email_mail_report') =>
      (
        await tables
          .selectFrom(table)
          .select((select) => select.fn.countAll<number>().as('rows'))
          .execute()
      )[0]?.rows
    await report(own, [messages('2030-01-09T00:00:00Z')])
    assert.equal(await rows('email_mail_count'), 0, 'what is too old is not kept at all')

    clock.advance(Date.UTC(2030, 2, 10, 23, 58) - start)
    await report(own, [messages(at)])
    const last = { report: 'last', counts: [messages('2030-03-11T00:02:00Z', 3)] }
    await sendReport(own, last)
    clock.advance(29 * dayMs)
    const month = async () => (await statistics(own)).inbound['allowed:none:none']
    const eleventh = { '2030-03-11T00:00:00.000Z': 3 }
    assert.deepEqual(await month(), { '2030-03-10T00:00:00.000Z': 1, ...eleventh })

    clock.advance(10 * 60_000)
    await t.waitFor(async () => assert.equal(await rows('email_mail_count'), 1), { timeout: 10_000 })
    assert.equal((await sendReport(own, last)).json.isNew, false, 'what is shown is not counted twice')
    assert.deepEqual(await month(), eleventh)

    clock.advance(dayMs)
    await t.waitFor(async () => assert.equal(await rows('email_mail_report'), 0), { timeout: 10_000 })
    assert.equal((await sendReport(own, last)).status, 200)
    assert.equal(await month(), undefined)
    assert.equal(await rows('email_mail_count'), 0)
    await own.close()
  })
})
