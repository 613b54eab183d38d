import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SnapshotPolicy } from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { ruleSetsOf } from '../testing/rules.ts'
import { violationEntries } from './violation-entries.ts'

const rules = ruleSetsOf(`
SecRule ARGS "@rx evil" "id:942100,phase:2,pass,log,severity:CRITICAL,tag:'attack-sqli',msg:'Found %{MATCHED_VAR}',setvar:'tx.score=+5'"
SecRule REQUEST_METHOD "@streq PUT" "id:920170,phase:2,pass,log,severity:NOTICE,tag:'attack-protocol',msg:'Odd',setvar:'tx.score=+5'"
SecRule TX:score "@ge 5" "id:949110,phase:2,deny,status:403,nolog"
`)

const category = 'SQL Attacks'
const actions = {
  'sql-injection-in-parameter': { category, denies: true, logs: true, denial: 0 },
  'get-request-with-content-length': { category: 'Protocol Violations', denies: true, logs: true, denial: 0 },
}

/** What the log says about a request, and whether it was answered by the server. */
async function entriesOf(t: TestContext, request: string, policy: Partial<SnapshotPolicy>, logLevel = 7) {
  const { port, exchanges, masking } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: {
      inspection: { mode: 'active' },
      checks: testChecks({ logLevel, clientAddressHeader: 'x-client' }),
      maskedParameters: ['password'],
    },
    rules,
    policy: testPolicy({ actions, ...policy }),
  })
  const answer = await exchangeBytes(port, `${request} HTTP/1.1\r\nHost: a\r\nX-Client: 192.0.2.1\r\n\r\n`)
  const [exchange] = exchanges
  assert.ok(exchange)
  return { entries: violationEntries(exchange, masking), isReached: answer.includes('reached') }
}

test('what rules find is logged by the name, category and severity of the attack', async (t) => {
  const { entries } = await entriesOf(t, 'GET /?a=evil', {})
  assert.equal(entries.length, 1)
  const [{ attack, action, severity, rule, ...entry } = {} as Record<string, unknown>] = entries
  assert.deepEqual(
    [attack, action, severity, rule, entry['attack-category'], entry['attack-detail']],
    ['sql-injection-in-parameter', 'DENY', 'Critical', '942100', category, 'Found evil. ARGS:a'],
  )
  assert.deepEqual([entry['client-ip'], entry['proxy-ip']], ['192.0.2.1', '127.0.0.1'])
})

test('what no log may show is in none', async (t) => {
  for (const query of [
    'password=evil',
    'password[]=evil',
    'user[password]=evil',
    'password.value=evil',
    '+password=evil',
    'password=x;evil',
    'u=http://b/?password=evil',
    'u=http%3A%2F%2Fb%2F%3Fa=1%26password%3Devil',
  ]) {
    const { entries } = await entriesOf(t, `GET /?${query}`, {})
    assert.equal(entries.length, 1, query)
    assert.ok(!JSON.stringify(entries).includes('evil'), query)
  }
})

test('what is less grave than the service logs is left out, and what the policy does not log', async (t) => {
  assert.equal((await entriesOf(t, 'PUT /', {}, 5)).entries.length, 1)
  assert.equal((await entriesOf(t, 'PUT /', {}, 4)).entries.length, 0)
  const silent = {
    actions: {
      ...actions,
      'sql-injection-in-parameter': { ...actions['sql-injection-in-parameter'], logs: false },
    },
  }
  const { entries, isReached } = await entriesOf(t, 'GET /?a=evil', silent)
  assert.deepEqual([entries.length, isReached], [0, false])
})

test('an attack that one rule finds follows its action, wherever it was found', async (t) => {
  const action = { ...actions['get-request-with-content-length'], denies: false }
  const logged = await entriesOf(t, 'PUT /', {
    actions: { ...actions, 'get-request-with-content-length': action },
  })
  assert.deepEqual(
    [logged.entries[0]?.attack, logged.entries[0]?.action, logged.isReached],
    ['get-request-with-content-length', 'LOG', true],
  )
  const none = { ...action, logs: false }
  const left = await entriesOf(t, 'PUT /', {
    actions: { ...actions, 'get-request-with-content-length': none },
  })
  assert.deepEqual([left.entries.length, left.isReached], [0, true])
})

/** Many parameters are found by one rule before another one, and the one that refuses comes last. */
const manyRules = ruleSetsOf(`
SecRule ARGS "@rx evil" "id:942100,phase:2,pass,log,severity:CRITICAL,msg:'Evil',setvar:'tx.score=+5'"
SecRule ARGS:a0 "@rx evil" "id:942101,phase:2,pass,log,severity:CRITICAL,msg:'Evil first'"
SecRule ARGS "@rx worse" "id:942102,phase:2,pass,log,severity:CRITICAL,msg:'Worse'"
SecRule TX:score "@ge 5" "id:949110,phase:2,deny,status:403,log,severity:CRITICAL,msg:'Score %{TX.score}'"
`)

test('of more entries than a request may have, the rule that refused and one of each rule stay, in order, and the rest is counted', async (t) => {
  for (const mode of ['active', 'passive'] as const) {
    const { port, exchanges, masking } = await carried(t, {
      application: (_, response) => response.end('reached'),
      service: { inspection: { mode }, checks: testChecks({ logLevel: 7 }) },
      rules: manyRules,
      policy: testPolicy(),
    })
    const query = Array.from({ length: 80 }, (_, number) => `a${number}=evil`).join('&')
    await exchangeBytes(port, `GET /?${query}&z=worse HTTP/1.1\r\nHost: a\r\n\r\n`)
    const [exchange] = exchanges
    assert.ok(exchange)
    const entries = violationEntries(exchange, masking)
    const rules = entries.map(({ rule }) => rule)
    assert.equal(entries.length, 50, mode)
    assert.deepEqual([...new Set(rules)], ['942100', '942101', '942102', '949110'], mode)
    assert.deepEqual(
      entries.slice(0, 3).map((entry) => entry['rule-target']),
      ['ARGS:a0', 'ARGS:a1', 'ARGS:a2'],
    )
    const overflow = entries.filter((entry) => String(entry['attack-detail']).includes('left out'))
    assert.deepEqual(
      overflow.map((entry) => [
        entry.rule,
        /\d+ more entries are left out\./.exec(String(entry['attack-detail']))?.[0],
      ]),
      [['949110', '33 more entries are left out.']],
      mode,
    )
  }
})

test('what was found without rules is kept in the same way', async (t) => {
  const { port, exchanges, masking } = await carried(t, { application: (_, response) => response.end() })
  await exchangeBytes(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [exchange] = exchanges
  assert.ok(exchange)
  for (let number = 0; number < 70; number++) {
    exchange.violations.push({ attack: 'noted', detail: `${number}.`, action: 'LOG' })
  }
  exchange.violations.push({ attack: 'also noted', detail: 'Also.', action: 'LOG' })
  exchange.violations.push({ attack: 'refused', detail: 'Refused.' })
  const entries = violationEntries(exchange, masking)
  assert.equal(entries.length, 50)
  assert.deepEqual(
    entries.slice(-3).map((entry) => entry['attack-detail']),
    ['47.', 'Also.', 'Refused. 22 more entries are left out.'],
  )
})

test('the score that refused is told, and what else rules keep is not', async (t) => {
  const rules = ruleSetsOf(`
SecRule ARGS:pin "@rx ^(\\d+)$" "id:1,phase:2,pass,capture,nolog,setvar:'tx.inbound_anomaly_score_pl1=+25',setvar:'tx.pin=%{TX.1}'"
SecRule TX:pin "@rx ." "id:2,phase:2,pass,log,severity:CRITICAL,msg:'Pin',logdata:'%{MATCHED_VAR}'"
SecRule TX:inbound_anomaly_score_pl1 "@ge 5" "id:949110,phase:2,deny,status:403,log,severity:CRITICAL,msg:'Exceeded (Total Score: %{TX.inbound_anomaly_score_pl1})'"
`)
  const { port, exchanges, masking } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: { inspection: { mode: 'active' }, checks: testChecks({ logLevel: 7 }) },
    rules,
    policy: testPolicy(),
  })
  await exchangeBytes(port, 'GET /?pin=4711 HTTP/1.1\r\nHost: a\r\n\r\n')
  const [exchange] = exchanges
  assert.ok(exchange)
  const summaries = violationEntries(exchange, masking).map((entry) => [
    entry.rule,
    entry.attack,
    entry['attack-detail'],
  ])
  assert.deepEqual(summaries, [
    ['2', 'Pin', 'TX:pin: XXXXXXXX'],
    ['949110', 'Exceeded (Total Score: 25)', 'TX:inbound_anomaly_score_pl1'],
  ])
})
