import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExtendedMatch } from '@palisade/proxy-protocol'
import { type ExampleRequest, exampleExchange } from '../testing/example-exchange.ts'
import { conditionOf } from './extended-match.ts'

const browser = 'Mozilla/5.0 (X11; "Linux") \\ (end)'

/** A request, and what holds for it and what does not. */
const cases: readonly {
  readonly request: ExampleRequest
  readonly holds: string[]
  readonly not: string[]
}[] = [
  {
    request: { target: '/shop/view.cgi/item/7?user=Ann%20B&tag=x&tag=y&bare' },
    holds: [
      '*',
      '',
      '(*)',
      'Method eq get',
      '(Method eq GET) && (HTTP-Version eq HTTP/1.1)',
      'HTTP-VERSION EQ 1.1',
      'URI co user=',
      'URI-path eq /shop/view.cgi/item/7',
      'URI-Path req /shop/.*',
      'URI-path rco "/item/[0-9]+$"',
      'Pathinfo eq /item/7',
      'Parameter user ex',
      'Parameter user eq "ann b"',
      'Parameter user eq Ann\\ B',
      'Parameter tag eq y',
      'Parameter $NONAME_PARAM co bar',
      'Parameter other nex',
      'Parameter other neq 1',
      'Header Host co SHOP',
      '(Method eq POST) || ((Header host ex) && (URI nco admin))',
      '(Method eq GET) || (Method eq POST) && (Method eq PUT)',
      'Client-IP eq 192.0.2.7',
      'Client-IP eq 192.0.2.0/24',
      'Client-IP eq 192.0.2.0/255.255.255.0',
      'Client-IP neq 10.0.0.0/8',
      'Client-IP neq 2001:db8::/32',
      'Status-code nex',
    ],
    not: [
      'Method eq POST',
      'URI-path co user=',
      'URI-path req /shop',
      'Parameter tag neq y',
      'Parameter bare ex',
      'Header Host nex',
      'Client-IP neq 192.0.2.0/24',
      '(Method eq GET) && (Method eq PUT)',
      'Status-code eq 200',
    ],
  },
  {
    request: { headers: ['Host', 'a', 'User-Agent', browser, 'X-Twice', '1', 'x-twice', '2'] },
    holds: [
      'Header User-Agent co "(X11; \\"Linux\\")"',
      'Header User-Agent co \\(X11;\\ \\"',
      'Header User-Agent co "\\\\ (end"',
      'Header X-Twice eq 2',
      'Header X-Twice neq 3',
    ],
    not: ['Header X-Twice neq 2', 'Pathinfo ex', 'Header User-Agent eq "(x11"'],
  },
  {
    request: { target: '/%61dmin/', clientAddress: '2001:db8::1' },
    holds: ['URI-path eq /admin/', 'URI-path eq /%61dmin/', 'Client-IP eq 2001:db8::/32'],
    not: ['URI-path neq /admin/', 'Client-IP eq 0.0.0.0/0'],
  },
]

test('conditions hold where they should, and only there', () => {
  let ran = 0
  for (const { request, holds, not } of cases) {
    const exchange = exampleExchange(request)
    for (const text of holds) {
      assert.equal(conditionOf(text)?.(exchange), true, text)
      ran++
    }
    for (const text of not) {
      assert.equal(conditionOf(text)?.(exchange), false, text)
      ran++
    }
  }
  assert.ok(ran > 40)
})

test('answers are looked at where there is one', () => {
  const head = { status: 302, message: '', headers: ['Set-Cookie', 'sid=1', 'Set-Cookie', 'theme=dark'] }
  const holds = (text: string) => conditionOf(text)?.(exampleExchange({}), head)
  assert.equal(holds('(Status-code eq 302) && (Response-Header set-cookie co theme)'), true)
  assert.equal(holds('Status-code req 4..'), false)
  assert.equal(holds('Response-header Location ex'), false)
})

test('what is not understood is told, and is no condition', () => {
  const problems: Readonly<Record<string, RegExp>> = {
    'Colour eq red': /"colour" is none of method/,
    'Method is GET': /"is" is none of eq/,
    'Method eq': /Expected a value, not the end/,
    'Header eq x': /"x" is none of eq/,
    '(Method eq GET': /not closed/,
    'Method eq "GET': /quote is not closed/,
    'Method eq GET)': /"\)" is not expected/,
    'Header User-Agent co a b': /"b" is not expected/,
    'Client-IP co 10': /eq and neq only/,
    'Client-IP eq 10.0.0.0/33': /no network/,
    'Client-IP eq shop.example': /no IP address/,
    'URI req "("': /no regular expression/,
    'URI req "(?=a)"': /looks around/,
    'URI req "(a)\\\\1"': /refers back/,
    '&&': /Expected an element/,
    'Method eq GET &&': /Expected an element/,
    [`${'('.repeat(40)}Method ex${')'.repeat(40)}`]: /nested deeper/,
  }
  let ran = 0
  for (const [text, expected] of Object.entries(problems)) {
    const parsed = parseExtendedMatch(text)
    assert.match('problem' in parsed ? parsed.problem : 'understood', expected, text)
    assert.equal(conditionOf(text), undefined)
    ran++
  }
  assert.equal(ran, Object.keys(problems).length)
})

test('no text is too odd to be read or refused', () => {
  const words = [
    '(',
    ')',
    '&&',
    '||',
    '*',
    'Method',
    'header',
    'Host',
    'eq',
    'NEX',
    'rco',
    '"a b"',
    '"',
    '\\',
    '\\"',
    'x',
    '[',
    '10.0.0.1',
  ]
  let state = 7
  const chance = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  let understood = 0
  for (let count = 0; count < 5_000; count++) {
    const text = Array.from({ length: 1 + chance(9) }, () => words[chance(words.length)]).join(
      chance(2) === 0 ? ' ' : '',
    )
    const condition = conditionOf(text)
    assert.equal(condition === undefined, 'problem' in parseExtendedMatch(text), text)
    if (condition === undefined) continue
    understood++
    assert.equal(typeof condition(exampleExchange({})), 'boolean', text)
  }
  assert.ok(understood > 10)
})

test('an expression that would take forever takes moments', () => {
  for (const [pattern, text] of [
    ['(a+)+$', `${'a'.repeat(60_000)}b`],
    ['.*x.*y.*z', 'xy'.repeat(30_000)],
    ['(a|a)*c', `${'a'.repeat(4_000)}b`],
  ]) {
    const started = performance.now()
    assert.equal(conditionOf(`URI rco "${pattern}"`)?.(exampleExchange({ target: `/${text}` })), false)
    assert.ok(performance.now() - started < 5_000, pattern)
  }
})
