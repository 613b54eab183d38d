import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLog, migrate, RequestRefused, type Store } from '@palisade/platform'
import { onEveryStore, settableClock } from '@palisade/platform/testing'
import { HourlyCalls } from './hourly-calls.ts'
import { awarenessMigrations } from './migrations.ts'
import type { AwarenessTables } from './tables.ts'
import { campaign, credentials, dayMs, hourMs, powerless, refusalOf, serveAwareness } from './test-service.ts'

const countOf = ({ json }: { json: { notifications: Record<string, unknown> } }) =>
  json.notifications['Your API calls in the last hour']

onEveryStore('the sliding hour', (newStore) => {
  /** A counter over the store, as one server has it. */
  async function counterOn(
    t: TestContext,
    store: Store,
    clock: ReturnType<typeof settableClock>,
    callsPerHour = 10,
  ) {
    await migrate(store, 'awareness', awarenessMigrations)
    const calls = await HourlyCalls.open({ store, clock, log: createLog('silent'), callsPerHour })
    t.after(() => calls.close())
    return calls
  }

  test('refuses calls beyond the hour with 429, Retry-After and the envelope', async () => {
    const served = await serveAwareness(await newStore(), { configuration: { callsPerHour: 3 } })
    const token = await served.tokenFor(credentials)
    assert.equal((await served.get('/campaigns', token)).status, 200)
    served.clock.advance(1000)
    assert.equal((await served.get('/campaigns', token)).status, 200)
    for (const reply of [await served.get('/campaigns', token), await served.authenticate(credentials)]) {
      assert.deepEqual([reply.status, reply.headers['retry-after']], [429, '3599'])
      assert.deepEqual(
        reply.json,
        refusalOf(429, 'TooManyRequests', 'The maximum of 3 API calls per hour is used up.'),
      )
    }
    assert.equal((await served.authenticate(powerless)).status, 200, 'another user has an hour of his own')
    const wrong = await served.authenticate({ ...credentials, bof_ticket_pw: 'wrong' })
    assert.equal(wrong.status, 401, 'only who knows the password hears of the budget')
    served.clock.advance(hourMs - 1001)
    assert.equal((await served.get('/campaigns', token)).status, 429)
    served.clock.advance(1)
    const again = await served.get('/campaigns', token)
    assert.deepEqual([again.status, countOf(again)], [200, 2])
    await served.close()
  })

  test('"Your API calls in the last hour" counts the authentication, and all tokens of the user', async () => {
    const served = await serveAwareness(await newStore(), { configuration: { campaigns: [campaign(1)] } })
    const first = await served.authenticate(credentials)
    assert.equal(countOf(first), 1)
    assert.equal(first.json.notifications['Maximum API calls per hour'], 1000)
    const second = await served.authenticate(credentials, { from: '127.0.0.2' })
    assert.equal(countOf(second), 2)
    assert.equal(countOf(await served.get('/campaigns', first.json.data.access_token)), 3)
    assert.equal(countOf(await served.get('/campaigns', second.json.data.access_token, '127.0.0.2')), 4)
    await served.close()
  })

  test('counts calls whose token was accepted, whatever becomes of them, and no others', async () => {
    const served = await serveAwareness(await newStore())
    const token = await served.tokenFor(credentials)
    const counted = ['/campaigns', '/campaigns/9', '/campaigns/x', '/campaigns/0/x']
    for (const path of counted) await served.get(path, token)
    await served.get('/nothing', token)
    await served.get('/campaigns', `${token}x`)
    await served.get('/campaigns', token, '127.0.0.2')
    await served.authenticate({ ...credentials, bof_ticket_pw: 'wrong' })
    await served.authenticate({ ...credentials, api_key: 'wrong' })
    await served.authenticate({})
    assert.equal(countOf(await served.get('/campaigns', token)), 1 + counted.length + 1)
    await served.close()
  })

  test('slides: each call leaves the count exactly one hour after it was made', async () => {
    const served = await serveAwareness(await newStore())
    const token = await served.tokenFor(credentials)
    served.clock.advance(20 * 60_000)
    assert.equal(countOf(await served.get('/campaigns', token)), 2)
    served.clock.advance(40 * 60_000 - 1)
    assert.equal(countOf(await served.get('/campaigns', token)), 3)
    served.clock.advance(1)
    assert.equal(countOf(await served.get('/campaigns', token)), 3)
    served.clock.advance(20 * 60_000)
    assert.equal(countOf(await served.get('/campaigns', token)), 3)
    served.clock.advance(hourMs)
    assert.equal(countOf(await served.get('/campaigns', token)), 1)
    await served.close()
  })

  test('gives no new budget after a restart', async () => {
    const store = await newStore()
    const settings = { configuration: { callsPerHour: 3 } }
    const first = await serveAwareness(store, settings)
    const token = await first.tokenFor(credentials)
    first.clock.advance(60_000)
    await first.get('/campaigns', token)
    await first.get('/campaigns', token)
    await first.close()
    const second = await serveAwareness(store, { ...settings, clock: first.clock })
    assert.equal((await second.get('/campaigns', token)).headers['retry-after'], '3540')
    second.clock.advance(hourMs - 60_000)
    assert.equal(countOf(await second.get('/campaigns', token)), 3)
    await second.close()
    const third = await serveAwareness(store, { ...settings, clock: first.clock })
    assert.equal((await third.get('/campaigns', token)).status, 429)
    await third.close()
  })

  test('counts nothing of a clock that was ahead, neither at once nor after a restart', async () => {
    const store = await newStore()
    const clock = settableClock()
    const settings = { configuration: { callsPerHour: 2 }, clock }
    const first = await serveAwareness(store, settings)
    clock.advance(365 * dayMs)
    await first.get('/campaigns', await first.tokenFor(credentials))
    assert.equal((await first.authenticate(credentials)).status, 429)
    clock.advance(-365 * dayMs)
    assert.equal(countOf(await first.authenticate(credentials)), 1)
    await first.close()
    const second = await serveAwareness(store, settings)
    assert.equal(countOf(await second.authenticate(credentials)), 2)
    assert.equal((await second.authenticate(credentials)).headers['retry-after'], '3600')
    await second.close()
  })

  test('leaves no calls behind that were made after its clock was put right', async (t) => {
    const store = await newStore()
    const clock = settableClock()
    const calls = await counterOn(t, store, clock)
    clock.advance(365 * dayMs)
    calls.count('user')
    await calls.synchronise()
    clock.advance(-365 * dayMs)
    for (let hour = 0; hour < 5; hour++) {
      calls.count('user')
      await calls.synchronise()
      clock.advance(hourMs)
    }
    const rows = await store.tables<AwarenessTables>().selectFrom('awareness_call').selectAll().execute()
    assert.deepEqual(
      rows.map(({ called_at }) => called_at - clock.now()).sort((a, b) => a - b),
      [-hourMs, 365 * dayMs - 5 * hourMs],
    )
  })

  test('is shared by the servers of one database', async (t) => {
    const store = await newStore()
    const clock = settableClock()
    const [one, two, three] = [
      await counterOn(t, store, clock),
      await counterOn(t, store, clock),
      await counterOn(t, store, clock),
    ]
    for (let round = 0; round < 4; round++) {
      one.count('user')
      two.count('user')
      if (round % 2 === 1) await Promise.all([one.synchronise(), two.synchronise()])
    }
    two.count('somebody else')
    for (const server of [one, two, three]) await server.synchronise()
    for (const server of [one, two, three]) await server.synchronise()
    assert.equal(three.count('user'), 9)
    assert.equal(one.count('user'), 9, 'it has not heard yet of the call before')
    await three.synchronise()
    await two.synchronise()
    assert.equal(two.count('user'), 10)
    assert.throws(() => two.count('user'), RequestRefused)
    assert.equal(two.count('somebody else'), 2)
  })

  test('keeps counting while the store fails, and writes it all down afterwards', async (t) => {
    const store = await newStore()
    const clock = settableClock()
    const calls = await counterOn(t, store, clock)
    const { schema } = store.tables<AwarenessTables>()
    await schema.alterTable('awareness_call').renameTo('away').execute()
    for (const expected of [1, 2]) assert.equal(calls.count('user'), expected)
    await assert.rejects(calls.synchronise())
    assert.equal(calls.count('user'), 3)
    await assert.rejects(calls.synchronise())
    await schema.alterTable('away').renameTo('awareness_call').execute()
    await calls.synchronise()
    assert.equal((await counterOn(t, store, clock)).count('user'), 4)
  })

  test('ends in good order, and says so in the log, when the store is gone', async () => {
    const lines: string[] = []
    const store = await newStore()
    await migrate(store, 'awareness', awarenessMigrations)
    const log = createLog('warn', { write: (line) => void lines.push(line) })
    const calls = await HourlyCalls.open({ store, clock: settableClock(), log, callsPerHour: 10 })
    calls.count('user')
    await store.close()
    await calls.close()
    assert.match(lines.join(''), /the hourly call counts could not be synchronised/)
  })

  test('leaves nothing in the store that is older than an hour', async (t) => {
    const store = await newStore()
    const clock = settableClock()
    const deadCounter = await counterOn(t, store, clock)
    const calls = await counterOn(t, store, clock)
    deadCounter.count('user')
    await deadCounter.close()
    for (let minute = 0; minute < 90; minute += 5) {
      calls.count(`user ${minute}`)
      await calls.synchronise()
      clock.advance(5 * 60_000)
    }
    const tables = store.tables<AwarenessTables>()
    const rows = await tables.selectFrom('awareness_call').selectAll().execute()
    assert.equal(rows.length, 12)
    assert.ok(rows.every((row) => row.called_at >= clock.now() - hourMs))
    assert.equal((await tables.selectFrom('awareness_call_server').selectAll().execute()).length, 1)
  })

  test('writes many thousands of calls in one go', async (t) => {
    const store = await newStore()
    const clock = settableClock()
    const calls = await counterOn(t, store, clock, 1_000_000)
    for (let index = 0; index < 5000; index++) {
      calls.count('busy')
      if (index % 2 === 0) clock.advance(1)
    }
    await calls.synchronise()
    assert.equal((await counterOn(t, store, clock, 1_000_000)).count('busy'), 5001)
  })
})
