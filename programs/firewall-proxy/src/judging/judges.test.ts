import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SnapshotContentRule, SnapshotPolicy, SnapshotRuleChecks } from '@palisade/proxy-protocol'
import { carried, exchangeBytes, type GivenService } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { ruleSetsOf } from '../testing/rules.ts'

const rules = ruleSetsOf(`
SecRule ARGS|REQUEST_HEADERS:X-Word "@rx evil" "id:942100,phase:2,deny,status:403,log,severity:CRITICAL,tag:'attack-sqli',msg:'Found'"
`)

/** A content rule for an address, whose requests are judged otherwise. */
function ruleFor(url: string, checks?: SnapshotRuleChecks, extendedMatch = '*'): SnapshotContentRule {
  return {
    name: `rule for ${url} ${extendedMatch}`,
    host: '*',
    url,
    extendedMatch,
    sequence: 0,
    servers: [],
    balancing: { algorithm: 'round-robin', whenServerFails: 'another' },
    logsAccess: true,
    ...(checks ? { checks } : {}),
  }
}

const active = { mode: 'active' } as const
const reached = 'reached'

/** Carries a service with content rules, and sends it requests as they are written. */
async function carry(
  t: TestContext,
  contentRules: readonly SnapshotContentRule[],
  more: Partial<GivenService> = {},
) {
  const { service, ...others } = more
  const { port, exchanges } = await carried(t, {
    application: (_, response) => {
      response.setHeader('server', 'Shop/1')
      response.end(reached)
    },
    rules,
    service: { checks: testChecks(), ...service, contentRules },
    policy: testPolicy(),
    ...others,
  })
  const ask = (target: string, headers = '', method = 'GET', host = 'shop') =>
    exchangeBytes(
      port,
      `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`,
    )
  return { ask, exchanges }
}

function statusOf(answer: string): number {
  return Number(answer.split(' ', 2)[1])
}

const disguises = [
  '/admin/',
  '/%61dmin/',
  '//admin/',
  '/./admin/',
  '/x/../admin/',
  '/ADMIN/',
  '/%2e/admin/',
  '/\\admin/',
]

test('an active rule in a service that only logs refuses, however its address is written', async (t) => {
  const { ask, exchanges } = await carry(t, [ruleFor('/admin/*', active)])
  for (const target of disguises) {
    assert.equal(statusOf(await ask(`${target}?a=evil`)), 403, target)
  }
  assert.ok((await ask('/shop/?a=evil')).endsWith(reached))
  assert.equal(exchanges.at(-1)?.transaction?.matches.length, 1, 'the service still logs')
  assert.ok((await ask('/admin/?a=good')).endsWith(reached))
})

test('a rule that is milder than its service is not so for an address that could be another one', async (t) => {
  const contentRules = [ruleFor('/static/*', { mode: 'passive' })]
  const { ask } = await carry(t, contentRules, { service: { inspection: active } })
  assert.ok((await ask('/static/x?a=evil')).endsWith(reached))
  assert.ok((await ask('/st%61tic/x?a=evil')).endsWith(reached))
  for (const target of ['/static/..;/admin', '/static/%2e%2e%3bx/admin', '//static/x']) {
    assert.equal(statusOf(await ask(`${target}?a=evil`)), 403, target)
  }
})

test('a rule for a host counts also where that is written with a dot at its end', async (t) => {
  const { ask } = await carry(t, [{ ...ruleFor('/*', active), host: 'shop' }])
  assert.equal(statusOf(await ask('/?a=evil')), 403)
  for (const host of ['shop.', 'SHOP.:80', 'shop:']) {
    assert.equal(statusOf(await ask('/?a=evil', '', 'GET', host)), 403, host)
  }
})

test('an address that the policy makes plain is judged by the rule that it is then one of', async (t) => {
  const normalization = { decodesTwice: true, narrowsCharacters: true, parameterSeparators: '&' }
  const { ask } = await carry(t, [ruleFor('/admin/*', active)], { policy: testPolicy({ normalization }) })
  assert.equal(statusOf(await ask('/%2561dmin/?a=evil')), 403)
  assert.equal(statusOf(await ask('/%EF%BD%81dmin/?a=evil')), 403)
})

test('a rule with a policy of its own refuses what that finds, with its page, and hides what it hides', async (t) => {
  const page = { status: 418, headers: {}, body: 'by the other policy' }
  const limits = {
    headBytes: 100_000,
    requestLineBytes: 100_000,
    urlBytes: 100_000,
    queryBytes: 10,
    headers: 100,
    headerNameBytes: 100,
    headerValueBytes: 100,
    cookies: 100,
    cookieNameBytes: 100,
    cookieValueBytes: 100,
  }
  const other = testPolicy({
    requestLimits: limits,
    hiddenHeaders: ['server'],
    denials: [{ kind: 'page', page }],
  })
  const { ask, exchanges } = await carry(t, [ruleFor('/api/*', { ...active, own: { policy: 'other' } })], {
    otherPolicies: { other },
  })
  const refused = await ask('/api/?a=12345678901')
  assert.equal(statusOf(refused), 418)
  assert.match(refused, /by the other policy/)
  assert.deepEqual(
    exchanges.at(-1)?.violations.map(({ attack }) => attack),
    ['query-length-exceeded'],
  )
  assert.match(await ask('/?a=12345678901'), /Server: Shop\/1/i)
  const passed = await ask('/api/?a=1')
  assert.ok(passed.endsWith(reached))
  assert.doesNotMatch(passed, /Server:/i)
})

test("where the policy of a rule is milder in something, the service's does not count there", async (t) => {
  const protection = { ...testPolicy().urlProtection, methods: ['GET'] } as SnapshotPolicy['urlProtection']
  const { ask } = await carry(t, [ruleFor('/api/*', { ...active, own: { policy: 'other' } })], {
    service: { inspection: active },
    policy: testPolicy({ ...(protection ? { urlProtection: protection } : {}) }),
    otherPolicies: { other: testPolicy() },
  })
  assert.equal(statusOf(await ask('/', '', 'DELETE')), 403)
  assert.ok((await ask('/api/', '', 'DELETE')).endsWith(reached))
})

test('the first rule that takes a request decides, also one that leaves it to the service', async (t) => {
  const { ask } = await carry(t, [ruleFor('/admin/help'), ruleFor('/admin/*', active)])
  assert.ok((await ask('/admin/help?a=evil')).endsWith(reached))
  assert.equal(statusOf(await ask('/admin/other?a=evil')), 403)
})

test('a rule counts where its condition holds, and no client that is trusted is met more strictly', async (t) => {
  const trusted = { does: 'passive', clients: ['192.0.2.0/24'] } as const
  const { ask } = await carry(t, [ruleFor('/*', active, 'Header X-Word co evil')], {
    service: {
      trustedProxies: ['127.0.0.1'],
      checks: testChecks({ trusted, clientAddressHeader: 'x-client' }),
    },
  })
  assert.equal(statusOf(await ask('/', 'X-Word: evil\r\n')), 403)
  assert.ok((await ask('/?a=evil')).endsWith(reached))
  assert.ok((await ask('/', 'X-Word: evil\r\nX-Client: 192.0.2.5\r\n')).endsWith(reached))
})

test('without rules, the requests of an active rule are refused and those of the service pass', async (t) => {
  const { ask } = await carry(t, [ruleFor('/admin/*', active)], { rules: { problem: 'They are not there.' } })
  assert.equal(statusOf(await ask('/admin/')), 503)
  assert.ok((await ask('/')).endsWith(reached))
})

test('a client whom the policy of a rule blocks is refused by the whole service', async (t) => {
  const followUp = { does: 'block', seconds: 60 } as const
  const action = { category: 'SQL Attacks', denies: true, logs: true, denial: 0, followUp }
  const other = testPolicy({ actions: { 'sql-injection-in-parameter': action } })
  const { ask } = await carry(t, [ruleFor('/api/*', { ...active, own: { policy: 'other' } })], {
    service: { inspection: active, checks: testChecks() },
    otherPolicies: { other },
  })
  assert.ok((await ask('/')).endsWith(reached))
  assert.equal(statusOf(await ask('/api/?a=evil')), 403)
  assert.equal(await ask('/'), '', 'its connection is closed')
})

test('answers that one policy let pass are not given to requests that another one judges', async (t) => {
  const caching = {
    extensions: ['*'],
    sizeMin: 0,
    sizeMax: 1_000,
    ageSeconds: 60,
    keepsErrors: false,
    ignoresRequestHeaders: true,
    ignoresResponseHeaders: true,
  }
  const checks = { ...active, own: { policy: 'other' } }
  const rule = { ...ruleFor('/*', checks, 'Header X-Word co hidden'), caching }
  const { ask, exchanges } = await carry(t, [rule], {
    service: { caching },
    otherPolicies: { other: testPolicy({ hiddenHeaders: ['server'] }) },
  })
  for (const [headers, isHidden, isKept] of [
    ['', false, false],
    ['', false, true],
    ['X-Word: hidden\r\n', true, false],
    ['X-Word: hidden\r\n', true, true],
    ['', false, true],
  ] as const) {
    const answer = await ask('/page', headers)
    assert.equal(!/Server: Shop/i.test(answer), isHidden)
    assert.equal(exchanges.at(-1)?.isFromCache, isKept)
  }
})
