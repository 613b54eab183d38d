import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type {
  SnapshotJsonKeyProfile,
  SnapshotJsonLimits,
  SnapshotJsonProfile,
} from '@palisade/proxy-protocol'
import { carried } from '../../testing/carried.ts'
import { noAttackTypes, testChecks, testPolicy } from '../../testing/policies.ts'
import { emptyRuleSets, ruleSetsOf } from '../../testing/rules.ts'
import { JsonChecks } from './json-checks.ts'

const noLimits: SnapshotJsonLimits = {
  depth: 0,
  keys: 0,
  siblings: 0,
  arrayElements: 0,
  keyCharacters: 0,
  valueCharacters: 0,
  numbers: {},
}

function profile(more: Partial<SnapshotJsonProfile> = {}): SnapshotJsonProfile {
  return {
    name: 'orders',
    host: '*',
    url: '/orders*',
    extendedMatch: '*',
    sequence: 0,
    isPassive: false,
    methods: ['POST'],
    contentTypes: [],
    limits: noLimits,
    ignoredKeys: [],
    checksNames: false,
    attackTypes: noAttackTypes,
    keys: [],
    ...more,
  }
}

function keyProfile(key: string, more: Partial<SnapshotJsonKeyProfile> = {}): SnapshotJsonKeyProfile {
  return {
    name: `profile of ${key}`,
    key,
    type: 'any',
    allowsNull: true,
    shapes: [],
    keys: 0,
    arrayElements: 0,
    numbers: {},
    deniedCharacters: '',
    valueCharacters: 0,
    checksNames: false,
    decodesBase64: false,
    uploads: { by: 'extension', allowed: [] },
    attackTypes: noAttackTypes,
    ...more,
  }
}

/** A service with JSON profiles, to which documents are sent. */
async function served(t: TestContext, jsonProfiles: readonly SnapshotJsonProfile[], rules = emptyRuleSets) {
  const { port, exchanges } = await carried(t, {
    application: (incoming, response) => incoming.resume().on('end', () => response.end('reached')),
    service: { inspection: { mode: 'active' }, checks: testChecks({ jsonProfiles }) },
    rules,
    policy: testPolicy(),
  })
  return async (
    document: unknown,
    {
      path = '/orders',
      type = 'application/json',
      method = 'POST',
    }: Partial<Record<'path' | 'type' | 'method', string>> = {},
  ) => {
    const body = typeof document === 'string' ? document : JSON.stringify(document)
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body,
      headers: { 'content-type': type },
    })
    const violations = exchanges.at(-1)?.violations ?? []
    return { status, attacks: violations.map(({ attack }) => attack), violations }
  }
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

const limits: readonly (readonly [
  attack: string,
  Partial<SnapshotJsonLimits>,
  good: unknown,
  bad: unknown,
])[] = [
  ['json-malformed', {}, { a: 1 }, '{"a":1'],
  ['json-depth-exceeded', { depth: 3 }, nested(3), nested(4)],
  ['json-depth-exceeded', {}, nested(512), nested(513)],
  ['json-key-count-exceeded', { keys: 3 }, { a: { b: 1 }, c: 2 }, { a: { b: 1 }, c: { d: 2 } }],
  ['json-siblings-exceeded', { siblings: 2 }, { a: { b: 1, c: 2 }, d: 3 }, { a: { b: 1, c: 2, d: 3 } }],
  ['json-array-size-exceeded', { arrayElements: 2 }, [[1, 2], [3]], [[1, 2, 3]]],
  ['json-key-length-exceeded', { keyCharacters: 3 }, { abc: 1 }, { abcd: 1 }],
  ['json-value-length-exceeded', { valueCharacters: 3 }, ['abc'], ['abcd']],
  [
    'json-number-out-of-range',
    { numbers: { min: '-2', max: '9999999999999999999' } },
    '[-2,9999999999999999999,1.5]',
    '[10000000000000000000]',
  ],
  ['json-number-out-of-range', { numbers: { min: '0' } }, '[0,1e300]', '[-0.5]'],
  ['json-number-out-of-range', { numbers: { max: '5' } }, '[5,-1e400]', '[1e400]'],
]

for (const [attack, more, good, bad] of limits) {
  test(`${attack}: what is beyond ${JSON.stringify(more)} is refused, and nothing before`, async (t) => {
    const send = await served(t, [profile({ limits: { ...noLimits, ...more } })])
    const refused = await send(bad)
    assert.deepEqual([refused.status, refused.attacks], [403, [attack]])
    assert.equal(refused.violations[0]?.rule, 'orders')
    assert.deepEqual(await send(good), { status: 200, attacks: [], violations: [] })
  })
}

const keys: readonly (readonly [attack: string, SnapshotJsonKeyProfile, good: unknown, bad: unknown])[] = [
  ['parameter-input-validation-failed', keyProfile('a', { type: 'number' }), { a: 1, b: 'x' }, { a: '1' }],
  ['parameter-input-validation-failed', keyProfile('a', { type: 'object' }), { a: { b: 'x' } }, { a: [] }],
  [
    'parameter-input-validation-failed',
    keyProfile('a', { type: 'array', shapes: ['\\d+'] }),
    { a: ['1', '2'] },
    { a: ['x'] },
  ],
  ['parameter-input-validation-failed', keyProfile('a', { allowsNull: false }), { a: 0 }, { a: null }],
  [
    'parameter-input-validation-failed',
    keyProfile('list.a', { shapes: ['\\d+'] }),
    { list: [{ a: '1' }], a: 'x' },
    { list: [{ a: '1' }, { a: 'x' }] },
  ],
  [
    'parameter-input-validation-failed',
    keyProfile('*.a', { shapes: ['\\d+'] }),
    { a: 'x' },
    { b: { c: { a: 'x' } } },
  ],
  [
    'parameter-input-validation-failed',
    keyProfile('a', { shapes: ['\\d+'] }),
    { A: 'x' },
    { b: { c: { a: 'x' } } },
  ],
  ['metacharacter-in-parameter', keyProfile('a', { deniedCharacters: '<' }), { a: '>', b: '<' }, { a: '<' }],
  [
    'json-value-length-exceeded',
    keyProfile('a', { valueCharacters: 2 }),
    { a: 'xx', b: 'xxx' },
    { a: 'xxx' },
  ],
  ['json-array-size-exceeded', keyProfile('a', { arrayElements: 1 }), { a: [1], b: [1, 2] }, { a: [1, 2] }],
  ['json-siblings-exceeded', keyProfile('a', { keys: 1 }), { a: { c: 1 }, b: 2 }, { a: { c: 1, d: 2 } }],
  [
    'json-number-out-of-range',
    keyProfile('a', { numbers: { min: '1', max: '9' } }),
    { a: 9, b: 10 },
    { a: 0 },
  ],
]

for (const [index, [attack, key, good, bad]] of keys.entries()) {
  test(`${attack}: the profile of a key says what its value may be, case ${index + 1}`, async (t) => {
    const send = await served(t, [profile({ keys: [key], limits: { ...noLimits, valueCharacters: 100 } })])
    const refused = await send(bad)
    assert.deepEqual([refused.status, refused.attacks], [403, [attack]])
    assert.equal(refused.violations[0]?.rule, key.name)
    assert.deepEqual(await send(good), { status: 200, attacks: [], violations: [] })
  })
}

test('ignored keys are not looked into, and count', async (t) => {
  const jsonProfile = profile({
    ignoredKeys: ['notes', 'a.b'],
    keys: [keyProfile('*', { type: 'number' })],
    limits: { ...noLimits, keys: 3, valueCharacters: 5 },
  })
  const send = await served(t, [jsonProfile])
  assert.equal((await send({ notes: { x: 'long enough' } })).status, 200)
  assert.equal((await send({ b: 'x' })).status, 403)
  assert.deepEqual((await send({ notes: { x: 1, y: 2, z: 3 } })).attacks, ['json-key-count-exceeded'])
})

test('what profiles are for: methods, types of bodies and URLs; the most specific first', async (t) => {
  const strict = profile({ limits: { ...noLimits, keys: 1 } })
  const send = await served(t, [profile({ url: '/orders/all', limits: noLimits }), strict])
  const large = { a: 1, b: 2 }
  for (const [request, status] of [
    [{ path: '/orders/all' }, 200],
    [{ path: '/%6frders' }, 403],
    [{ path: '/orders', type: 'application/merge-patch+json; charset=utf-8' }, 403],
    [{ path: '/orders', type: 'text/plain' }, 200],
    [{ path: '/orders', method: 'PUT' }, 200],
    [{ path: '/other' }, 200],
  ] as const) {
    assert.equal((await send(large, request)).status, status, JSON.stringify(request))
  }
})

test('a passive profile logs, and goes on to look', async (t) => {
  const send = await served(t, [
    profile({ isPassive: true, limits: { ...noLimits, keyCharacters: 1, valueCharacters: 1 } }),
  ])
  const { status, attacks, violations } = await send({ ab: 'cd' })
  assert.deepEqual([status, attacks], [200, ['json-key-length-exceeded', 'json-value-length-exceeded']])
  assert.ok(violations.every(({ action }) => action === 'LOG'))
})

test('patterns are looked for in values, and in names where that is wanted; rules can be left out', async (t) => {
  const pattern = { name: 'own', type: 'own', regex: 'evil', isCaseSensitive: true, isPassive: false }
  const attackTypes = { ...noAttackTypes, patterns: [pattern] }
  const values = await served(t, [profile({ attackTypes })])
  assert.equal((await values({ a: 'so evil' })).status, 403)
  assert.equal((await values({ evil: 1 })).status, 200)
  const names = await served(t, [profile({ attackTypes, checksNames: true })])
  assert.equal((await names({ evil: 1 })).status, 403)
  const rules = ruleSetsOf(`
    SecRule REQUEST_HEADERS:Content-Type "@contains json" "id:1,phase:1,pass,nolog,ctl:requestBodyProcessor=JSON"
    SecRule ARGS "@rx evil" "id:942100,phase:2,deny,status:403,log"`)
  const exceptRules = [942_100]
  const excepted = await served(
    t,
    [profile({ url: '/orders/free', attackTypes: { ...noAttackTypes, exceptRules } })],
    rules,
  )
  assert.equal((await excepted({ a: 'evil' })).status, 403)
  assert.equal((await excepted({ a: 'evil' }, { path: '/orders/free' })).status, 200)
})

test('a long name is looked at once, not again with each of the values behind it', () => {
  const patterns = [
    {
      name: 'select',
      type: 'SQL Injection strict',
      regex: 'select.+from',
      isCaseSensitive: false,
      isPassive: false,
    },
  ]
  const checks = new JsonChecks(
    profile({ checksNames: true, attackTypes: { ...noAttackTypes, patterns }, keys: [keyProfile('a.b.c')] }),
  )
  const values = Array.from({ length: 10_000 }, () => '"b":1').join(',')
  const before = process.cpuUsage()
  assert.deepEqual(checks.findings(`{"${'a'.repeat(64_000)}":{${values}}}`, true), [])
  const { user } = process.cpuUsage(before)
  assert.ok(user < 5_000_000, `${user} µs`)
  const findingsInNames = checks.findings('{"select x from":{"b":[1,2,3]}}', true)
  assert.deepEqual(
    findingsInNames.map(({ attack }) => attack),
    ['sql-injection-in-parameter'],
  )
})
