import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried, exchangeBytes } from '../testing/carried.ts'
import { testPolicy } from '../testing/policies.ts'
import { emptyRuleSets } from '../testing/rules.ts'

const requestLimits = {
  headBytes: 400,
  requestLineBytes: 100,
  urlBytes: 50,
  queryBytes: 30,
  headers: 6,
  headerNameBytes: 20,
  headerValueBytes: 40,
  cookies: 3,
  cookieNameBytes: 8,
  cookieValueBytes: 50,
}

/** What is sent besides the host, and what is found in it. */
const cases: readonly (readonly [target: string, headers: readonly string[], attack: string | undefined])[] =
  [
    [`/${'a'.repeat(49)}?${'b'.repeat(30)}`, [], undefined],
    [`/${'a'.repeat(50)}`, [], 'url-length-exceeded'],
    [`/?${'b'.repeat(31)}`, [], 'query-length-exceeded'],
    [`/?${'b'.repeat(90)}`, [], 'query-length-exceeded'],
    ['/', ['A: 1', 'B: 1', 'C: 1', 'D: 1', 'E: 1'], undefined],
    ['/', ['A: 1', 'B: 1', 'C: 1', 'D: 1', 'E: 1', 'F: 1'], 'header-count-exceeded'],
    ['/', [`${'n'.repeat(21)}: 1`], 'header-name-length-exceeded'],
    ['/', [`A: ${'v'.repeat(41)}`], 'header-value-length-exceeded'],
    ['/', ['Cookie: a=1; b=2; c=3'], undefined],
    ['/', ['Cookie: a=1; b=2; c=3; d=4'], 'cookie-count-exceeded'],
    ['/', ['Cookie: longernam=1'], 'cookie-name-length-exceeded'],
    ['/', [`Cookie: a=${'v'.repeat(50)}`], undefined],
    ['/', [`Cookie: a=${'v'.repeat(51)}`], 'cookie-value-length-exceeded'],
    [
      '/',
      ['A', 'B', 'C', 'D', 'E']
        .map((name) => `${name}: ${'v'.repeat(40)}`)
        .concat(`Cookie: a=${'v'.repeat(50)};b=${'v'.repeat(50)};c=${'v'.repeat(50)}`),
      'total-request-length-exceeded',
    ],
  ]

test('what is larger than the policy allows is refused, and nothing that is as large', async (t) => {
  const { port, exchanges } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: { inspection: { mode: 'active' } },
    rules: emptyRuleSets,
    policy: testPolicy({ requestLimits }),
  })
  for (const [target, headers, attack] of cases) {
    const head = [`GET ${target} HTTP/1.1`, 'Host: a', ...headers].join('\r\n')
    const answer = await exchangeBytes(port, `${head}\r\n\r\n`)
    const what = `${target} ${headers}`
    assert.match(answer, attack ? new RegExp(`^HTTP/1.1 403 [^]*refused: ${attack}`) : /reached/, what)
    assert.deepEqual(
      exchanges.at(-1)?.violations.map((violation) => violation.attack),
      attack ? [attack] : [],
      what,
    )
  }
})

test('an action policy may let a violation pass, with a log or without', async (t) => {
  const action = { category: 'Limits Violations', denial: 0 }
  const { port, exchanges } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: { inspection: { mode: 'active' } },
    rules: emptyRuleSets,
    policy: testPolicy({
      requestLimits,
      actions: {
        'url-length-exceeded': { ...action, denies: false, logs: true },
        'query-length-exceeded': { ...action, denies: false, logs: false },
        'header-count-exceeded': { ...action, denies: true, logs: false },
      },
    }),
  })
  const send = (target: string, headers = '') =>
    exchangeBytes(port, `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)
  assert.match(await send(`/${'a'.repeat(50)}?${'b'.repeat(31)}`), /reached/)
  assert.deepEqual(
    exchanges[0]?.violations.map(({ attack, action: did, category }) => [attack, did, category]),
    [['url-length-exceeded', 'LOG', 'Limits Violations']],
  )
  assert.match(await send('/', 'A: 1\r\n'.repeat(6)), /^HTTP\/1\.1 403 /)
  assert.deepEqual(exchanges[1]?.violations, [])
})
