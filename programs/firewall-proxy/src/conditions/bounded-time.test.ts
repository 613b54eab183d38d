import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enableLinearRegExpEngine, loadRuleSet, type RuleSet } from '@palisade/seclang'
import { directivesOf } from '../filters/caching/freshness.ts'
import { takesGzip } from '../filters/compression/accepted-codings.ts'
import { JsonChecks } from '../filters/json-profiles/json-checks.ts'
import { ValueChecks } from '../filters/request-protection/value-checks.ts'
import { valueChange } from '../filters/rewriting/value-pattern.ts'
import { replaceHeaderLinks } from '../html/answer-links.ts'
import { HtmlLinks } from '../html/html-links.ts'
import type { Links } from '../html/links.ts'
import { StyleLinks } from '../html/style-links.ts'
import { ownRuleSource } from '../inspection/own-rules.ts'
import { BoundedExpression } from '../patterns/bounded-expression.ts'
import { wildcard } from '../patterns/wildcard.ts'
import { namePattern } from '../policy/rule-exclusions.ts'
import { SecondLook } from '../second-opinions/second-look.ts'
import { noAttackTypes } from '../testing/policies.ts'

// As the proxy does when it starts.
enableLinearRegExpEngine()

/** As long as the longest header. */
const length = 64_000
const longest = (piece: string) => piece.repeat(length / piece.length)

/** Milliseconds; what grows with the square of the text takes some seconds. */
const timeMax = 1_500

const links: Links = { link: () => undefined }

function header(name: string, value: string): void {
  replaceHeaderLinks({ status: 200, message: '', headers: [name, value] }, links)
}

function html(text: string): void {
  const filter = new HtmlLinks(links, { isXml: false })
  filter.transform(Buffer.from(text))
  filter.flush()
}

function styles(text: string): void {
  const filter = new StyleLinks(links)
  filter.transform(text)
  filter.flush()
}

const uploads = new ValueChecks({
  deniedCharacters: '',
  valueCharacters: 0,
  checksNames: false,
  decodesBase64: false,
  uploads: { by: 'extension', allowed: ['*'], refused: ['exe'] },
  attackTypes: noAttackTypes,
})

const json = new JsonChecks({
  name: '',
  host: '*',
  url: '/*',
  extendedMatch: '*',
  sequence: 0,
  isPassive: false,
  methods: [],
  contentTypes: [],
  limits: {
    depth: 0,
    keys: 0,
    siblings: 0,
    arrayElements: 0,
    keyCharacters: 0,
    valueCharacters: 0,
    numbers: {},
  },
  ignoredKeys: [],
  checksNames: false,
  attackTypes: noAttackTypes,
  keys: [],
})

const rules = loadRuleSet({
  sources: [
    { name: 'rules', text: 'SecRuleEngine On\nSecRule ARGS "@rx select" "id:942190,phase:1,pass,log"' },
  ],
})

const opinion = new SecondLook(rules, [{ name: namePattern('*a*a*a*a*b'), exceptedRules: [] }])

function lookAt(name: string): void {
  const connection = { clientAddress: '192.0.2.1', clientPort: 1, serverAddress: '192.0.2.2', serverPort: 80 }
  const transaction = rules.newTransaction({ connection })
  transaction.requestHeaders({
    method: 'GET',
    uri: `/?${name}=select`,
    protocol: 'HTTP/1.1',
    headers: ['Host', 'a'],
  })
  assert.ok(transaction.matches.length > 0)
  opinion.at(transaction)
}

const sources = [
  'x(.*y)?',
  'a|a.*b',
  '\\w*!|\\w',
  '[^,]*;|,',
  '(x+x+)+y',
  '\\s+$',
  '(a*)*b',
  '.*.*.*x',
  '(?:a?){40}b',
]
const repeated = ['x', 'a', 'a,', ' ', 'xy', 'aaaaab']

/** What runs over texts of others, and the texts that are the worst for it. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'the codings that a client takes': (text) => takesGzip(['Accept-Encoding', `gzip;q=0.${text}x`]),
  'directives for caches': (text) => directivesOf(['Cache-Control', `${text}x`]),
  'the name of a file': (text) =>
    Array.from(
      uploads.fileFindings({ field: '', fileName: `a.php${text}x`, content: 'x', type: '', headerLines: [] }),
    ),
  'the beginning of a document of JSON': (text) => json.findings(`"${text}x`, false),
  'the name of a parameter that has a second opinion': (text) => lookAt(text.replace(/[^a-z]/g, 'a')),
  'a Link header': (text) => header('Link', text),
  'a Link header with a string': (text) => header('Link', `<a>; title="${text}`),
  'a Refresh header': (text) => header('Refresh', `0${text}x`),
  'a page': html,
  'a set of images': (text) => html(`<img srcset="${text}">`),
  'a style sheet': styles,
  'an address in a style sheet': (text) => styles(`url(${text}x y)`),
  'an address in quotes in a style sheet': (text) => styles(`url("${text}\nx" y)`),
  'a rewriting rule with stars': (text) => valueChange('*a*a*a*b', '$1')?.(text, {}),
  'a wildcard': wildcard('*a*a*a*a*b'),
}

/** What expressions of administrators are used for. */
const searches: Readonly<Record<string, (text: string) => unknown>> = Object.fromEntries(
  sources.flatMap((source) => {
    const expression = new BoundedExpression(source)
    return [
      [`a search for ${source}`, (text: string) => expression.test(text)],
      [`all occurrences of ${source}`, (text: string) => Array.from(expression.occurrencesIn(text))],
      [`replacing ${source}`, (text: string) => expression.replaceIn(text, () => '')],
    ]
  }),
)

const pieces = [
  ...repeated,
  '\t',
  '<',
  '"',
  '\\"',
  '<"',
  ',',
  ';',
  '=',
  '.',
  '/',
  '\x80',
  '(',
  '\\aaaaaa',
  '/*',
  'url(',
  'url("x" ',
]

for (const [users, hostile] of [
  [readers, pieces],
  [searches, repeated],
] as const) {
  for (const [name, run] of Object.entries(users)) {
    test(`${name} takes no noticeable time, whatever it is`, () => {
      for (const piece of hostile) {
        const text = longest(piece)
        const started = performance.now()
        run(text)
        const ms = Math.round(performance.now() - started)
        assert.ok(ms < timeMax, `${piece}: ${ms} ms`)
      }
    })
  }
}

/** How long rules take over a form, in microseconds of the processor. */
function judgedIn(ruleSet: RuleSet, form: string): number {
  const transaction = ruleSet.newTransaction({
    connection: {
      clientAddress: '192.0.2.1',
      clientPort: 1024,
      serverAddress: '192.0.2.2',
      serverPort: 80,
    },
  })
  const before = process.cpuUsage()
  transaction.requestHeaders({
    method: 'POST',
    uri: '/',
    protocol: 'HTTP/1.1',
    headers: ['Host', 'a', 'Content-Type', 'application/x-www-form-urlencoded'],
  })
  transaction.requestBody(Buffer.from(form))
  transaction.finish()
  return process.cpuUsage(before).user
}

test('no rule of ours takes long over a body at its limit, however often what it looks for begins in it', () => {
  const settings = { name: 'settings', text: 'SecRuleEngine On\nSecRequestBodyAccess On' }
  const ruleSet = loadRuleSet({ sources: [settings, ownRuleSource] })
  // Has every rule that looks for one of these look through the whole value.
  const words = '} lipsum subclasses getClass() .toString(x facesContext }}'
  for (const piece of [
    '{{',
    '%{',
    '${',
    '__${',
    '$(',
    '`',
    '/',
    'select ',
    '["',
    '<script ',
    'jdbc:h2:',
    '{% for ',
    '#set(',
    'O:4:"a":1:{',
  ]) {
    const value = encodeURIComponent(piece.repeat(10_000 / piece.length) + words)
    const values = Array.from({ length: 12 }, (_, index) => `a${index}=${index}${value}`)
    const user = judgedIn(ruleSet, values.join('&'))
    assert.ok(user < timeMax * 1_000, `${piece}: ${Math.round(user / 1_000)} ms`)
  }
})

test('no large pattern takes long over many short values', () => {
  // As those of the Core Rule Set that look for commands behind a line end, and as long.
  const words = Array.from({ length: 80 }, (_, at) => `command${at.toString(36)}`).join('|')
  const patterns = Array.from({ length: 40 }, (_, at) => `(?:;|\\n|\\r)\\s*[\\s'(,@]*(?:${words})${at}`)
  const text = patterns
    .map((one, at) => `SecRule ARGS "@rx ${one}" "id:${1_000 + at},phase:2,pass,log"`)
    .join('\n')
  const settings = 'SecRuleEngine On\nSecRequestBodyAccess On\n'
  const ruleSet = loadRuleSet({ sources: [{ name: 'rules', text: settings + text }] })
  const value = encodeURIComponent(`${'\n'.repeat(75)}command`)
  const values = Array.from({ length: 500 }, (_, at) => `a${at}=${value}${at}`)
  const user = judgedIn(ruleSet, values.join('&'))
  assert.ok(user < timeMax * 1_000, `${Math.round(user / 1_000)} ms`)
})

test('a long text has the same occurrences as when it is looked through at once', () => {
  const words = ['4111 1111 1111 1111', 'x', ' ', 'secret', 'ab', '\n', '0']
  let state = 11
  const chance = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (const source of [
    '\\b4[0-9]{3}(?: ?[0-9]{4}){3}\\b',
    '^secret',
    'secret',
    '(?:ab)+',
    'x?',
    '[a-z]{3,40}',
  ]) {
    const expression = new BoundedExpression(source)
    for (let count = 0; count < 20; count++) {
      const text = Array.from({ length: 4_000 }, () => words[chance(words.length)]).join('')
      const expected = Array.from(text.matchAll(new RegExp(source, 'gi')), ({ index, 0: match }) => ({
        start: index,
        text: match,
      })).filter(({ text: match }) => match !== '')
      assert.deepEqual(Array.from(expression.occurrencesIn(text)), expected, source)
    }
  }
})

test('all occurrences are replaced in a short text, and the first fifty in a long one', () => {
  const expression = new BoundedExpression('(a)(b)?|$')
  assert.equal(expression.test('xa'), true)
  assert.equal(
    expression.replaceIn('abAxa', ([, one, other]) => `<${one}${other}>`),
    '<ab><Aundefined>x<aundefined><undefinedundefined>',
  )
  const long = expression.replaceIn('a'.repeat(5_000), () => 'c')
  assert.equal(long, 'c'.repeat(50) + 'a'.repeat(4_950))
})
