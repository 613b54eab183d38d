import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRuleSet, type RuleExclusions, type RuleSet } from '@palisade/seclang'
import { openLibinjection } from '@palisade/seclang/libinjection'
import {
  caseRequest,
  casesFolder,
  connection,
  coreRuleSet,
  hasCoreRuleSet,
  hasRegressionCases,
  parseRequest,
  type ReadableRequest,
  readRegressionCases,
  regressionSettings,
} from '@palisade/seclang/testing'
import { harmlessShapes } from '../filters/request-protection/harmless-shapes.ts'
import { isOrdinaryText } from './ordinary-text.ts'
import { SecondLook } from './second-look.ts'

const injections = openLibinjection()

const missing = !hasCoreRuleSet()
  ? "Debian's package modsecurity-crs is not installed"
  : !hasRegressionCases() && `the regression cases are not in ${casesFolder}`

const ordinary = [
  "It's for Mondays; select & sum",
  'Minutes; who was there, and what we chose',
  'Please select the table by the window, or the union of both.',
  'He said "drop the table" and left at 10:30 on 2026-07-01.',
  'Wir treffen uns (wie immer) um 12:00; wer mag, bringt Kaffee mit.',
]

test('sentences are ordinary text, whatever words are in them', () => {
  for (const text of ordinary) {
    for (const sort of ['sqli', 'xss', 'rce', 'php'] as const) {
      assert.ok(isOrdinaryText(Buffer.from(text).toString('latin1'), sort, injections), `${sort}: ${text}`)
    }
  }
  assert.ok(isOrdinaryText('<form> and onsubmit="check"', 'xss', injections))
  assert.ok(isOrdinaryText('<b>Tags</b> and "quotes"', 'xss', injections))
})

test('nothing can be hidden among words', () => {
  const words = 'please read this text about our table'
  const hidden = [
    "' or 1=1",
    '; rm -rf /',
    '`id`',
    '$(id)',
    '| whoami',
    '<script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">',
    '<plaintext>',
    'onload=alert(1)',
    '../../etc/passwd',
    '{{constructor}}',
    "x' union select",
    'a" or true or "b',
    '%3cscript%3e',
    '\0',
    '\\u003c',
  ]
  for (const attack of hidden) {
    for (const text of [`${words} ${attack}`, `${attack} ${words}`, `${words}\n${attack}\n${words}`]) {
      const sorts = ['sqli', 'xss', 'rce', 'php', 'lfi'] as const
      const ordinarySorts = sorts.filter((sort) => isOrdinaryText(text, sort, injections))
      assert.deepEqual(ordinarySorts, [], text)
    }
  }
})

test('what a shell would take for a command is no text for rules about commands', () => {
  for (const text of [
    'this is about tables; reboot',
    'this is about tables; who',
    'this is about tables & kill all of them',
    'reboot the machine when it is late',
    'two lines of text\nrm the old ones',
  ]) {
    assert.ok(!isOrdinaryText(text, 'rce', injections), text)
  }
})

/** What becomes of a request: with these values left out from the beginning, and looked at again where it is refused. */
function becomes(
  request: ReadableRequest,
  rules: RuleSet,
  look: SecondLook,
  leftOut?: RuleExclusions,
): 'passes' | 'refused' | 'excused' {
  const first = rules.newTransaction({ connection, ...(leftOut ? { exclusions: leftOut } : {}) })
  const interruption = first.requestHeaders(request.head) ?? first.requestBody(request.body)
  if (interruption === undefined) return 'passes'
  const opinion = look.at(first)
  if (opinion === undefined) return 'refused'
  const exclusions = leftOut ? leftOut.and(opinion.exclusions) : opinion.exclusions
  const second = rules.newTransaction({ connection, exclusions })
  return (second.requestHeaders(request.head) ?? second.requestBody(request.body)) ? 'refused' : 'excused'
}

/** What profiles have decided about that take values of every harmless form. */
function decidedByProfiles(rules: RuleSet): RuleExclusions {
  const shapes = Object.values(harmlessShapes)
  return rules.exclusions([
    {
      rules: { first: 930_000, last: 943_999 },
      targets: ['ARGS', 'ARGS_GET', 'ARGS_POST'],
      inWholeChain: true,
      hasValue: (value) => shapes.some((shape) => shape.test(value)),
    },
  ])
}

for (const [how, settings, removed] of [
  ['as the rules come', '', ''],
  ['at the highest level', regressionSettings, ''],
  // Many cases are no proper HTTP either, and would be refused for that.
  ['by rules about attacks alone', regressionSettings, 'SecRuleRemoveById 920000-921999'],
] as const) {
  test(`no attack among the cases of the Core Rule Set gets through, were all its parameters learnt and written by people: ${how}`, {
    skip: missing,
  }, (context) => {
    const rules = loadRuleSet({
      sources: [...coreRuleSet(`SecRuleEngine On\n${settings}`), { name: 'removed', text: removed }],
      injections,
    })
    const look = new SecondLook(rules, [{ name: '/.*/', exceptedRules: [] }])
    const decided = decidedByProfiles(rules)
    const letThrough: string[] = []
    let refused = 0
    for (const { title, stages } of readRegressionCases(casesFolder)) {
      for (const { input } of stages) {
        const request = parseRequest(caseRequest(input))
        if ('refusedBecause' in request || becomes(request, rules, nothing(rules)) !== 'refused') continue
        refused++
        if (becomes(request, rules, look, decided) !== 'refused') letThrough.push(title)
      }
    }
    context.diagnostic(`${refused} are refused`)
    assert.deepEqual(letThrough, [])
    assert.ok(refused > 800)
  })
}

/** Looks at nothing again. */
function nothing(rules: RuleSet): SecondLook {
  return new SecondLook(rules, [])
}

test('a harmless sentence is excused, and an attack beside it is not', { skip: missing }, () => {
  const rules = loadRuleSet({ sources: coreRuleSet('SecRuleEngine On'), injections })
  const look = new SecondLook(rules, [
    { name: 'note', exceptedRules: [] },
    { name: 'text', exceptedRules: [941_110, 941_120, 941_160] },
  ])
  const ask = (query: string) => {
    const headers = ['Host', 'wiki.test', 'User-Agent', 'browser', 'Accept', '*/*']
    const head = { method: 'GET', uri: `/?${query}`, protocol: 'HTTP/1.1', headers }
    return becomes({ head, body: Buffer.alloc(0) }, rules, look)
  }
  const sentence = encodeURIComponent("It's for Mondays; select & sum")
  assert.equal(ask(`note=${sentence}`), 'excused')
  assert.equal(ask(`note=${sentence}&note=${encodeURIComponent('; cat /etc/passwd')}`), 'refused')
  assert.equal(ask(`note=${sentence}&id=${encodeURIComponent("1' or '1'='1")}`), 'refused')
  assert.equal(ask(`other=${sentence}`), 'refused')
  assert.equal(
    ask(`text=${encodeURIComponent('<form onsubmit>')}`),
    'excused',
    'of a sort that is known there',
  )
  assert.equal(ask(`note=${encodeURIComponent('<form onsubmit>')}`), 'refused', 'no word in it')
  assert.equal(ask(`text=${sentence}`), 'excused')
  assert.equal(ask(`text=${encodeURIComponent('; cat /etc/passwd')}`), 'refused', 'of another sort')
})
