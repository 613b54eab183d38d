import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLibinjection } from '../../libinjection/libinjection.ts'
import type { InjectionDetector } from '../injection-detector.ts'
import { operators } from './index.ts'
import { type Operator, OperatorArgumentError } from './operator.ts'

const libinjection = openLibinjection()
const missing = libinjection.unavailable ?? false

const files: Readonly<Record<string, string>> = {
  'words.data': '# a comment\n\n  etc/passwd \nx\n|63 6d 64|.exe\r\nboot.ini\n',
  'quoted.data': '"with quotes"\r\nwith \\\\ and \\: in it\nwith||bars\n"at the end"',
  'networks.data': '# ours\n192.0.2.0/24\n2001:db8::/32\n',
}

function make(
  name: string,
  argument: string,
  injections: InjectionDetector | undefined = libinjection,
): Operator {
  const factory = operators.get(name.toLowerCase())
  assert.ok(factory, `there is no operator ${name}`)
  return factory.create(argument, {
    readFile(file) {
      const text = files[file]
      if (text === undefined) throw new Error(`no file ${file}`)
      return text
    },
    injections,
  })
}

/** Operator, argument, values that match, values that do not. */
const examples: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ['rx', '(?i)^a+$', ['a', 'AA'], ['ab', '']],
  ['pm', 'Union "select', ['a UNION b', '"SELECT'], ['select', '']],
  ['pmFromFile', 'words.data', ['/ETC/passwd', 'CMD.exe', 'boot.ini'], ['x', 'comment']],
  [
    'pmFromFile',
    'quoted.data',
    ['"With Quotes"', 'with \\ and : in it', 'at the end'],
    ['with quotes', 'with||bars'],
  ],
  ['streq', 'a', ['a'], ['A', '']],
  ['contains', '', ['', 'a'], []],
  ['containsWord', 'is', ['this is', 'is'], ['this', 'is_']],
  ['beginsWith', 'ab', ['abc'], ['cab']],
  ['endsWith', 'ab', ['cab'], ['abc']],
  ['within', 'GET POST', ['GET', 'T P', ''], ['PUT', 'get']],
  ['strmatch', 'a|42|c', ['xaBcx'], ['abc']],
  ['eq', '5', ['5', ' 5', '5x', '+5'], ['', '6']],
  ['lt', '1', ['0', '', 'x', '-3'], ['1']],
  ['ge', '10', ['10', '11'], ['9', '-10']],
  ['ipMatch', '192.0.2.0/24,2001:db8::1', ['192.0.2.9', '2001:db8::1'], ['192.0.3.1', 'x', '']],
  ['ipMatchFromFile', 'networks.data', ['192.0.2.1', '2001:db8:1::'], ['10.0.0.1']],
  ['validateByteRange', '9,32-126', ['\0', '\xe9'], ['a\t', '']],
  ['validateUrlEncoding', '', ['%', '%4g', '%%41'], ['%41', '']],
  ['validateUtf8Encoding', '', ['\xff', '\xc3', '\xc0\x80', '\xf4\x90\x80\x80'], ['\xc3\xa9', 'a']],
  ['verifyCC', '\\d{16}', ['card 4111111111111111.'], ['4111111111111112']],
  ['verifySSN', '\\d{3}-\\d\\d-\\d{4}', ['078-05-1120'], ['666-05-1120', '123-45-6789']],
  ['verifyCPF', '[\\d.-]{14}', ['111.444.777-35'], ['111.444.777-36', '111.111.111-11']],
  ['unconditionalMatch', '', ['', 'a'], []],
  ['noMatch', '', [], ['', 'a']],
]

test('operators match as the examples say', () => {
  for (const [name, argument, matching, others] of examples) {
    const operator = make(name, argument)
    for (const value of matching)
      assert.ok(operator.match(value), `@${name} ${argument} over ${JSON.stringify(value)}`)
    for (const value of others)
      assert.equal(operator.match(value), undefined, `@${name} over ${JSON.stringify(value)}`)
  }
})

test('a word of @pm is captured as the rule spells it', () => {
  assert.deepEqual(make('pm', 'Union SELECT').match('x select')?.captures, ['SELECT'])
})

test('@rxGlobal captures one match after another', () => {
  assert.deepEqual(make('rxGlobal', '(a)b').match('abab')?.captures, ['ab', 'a', 'ab', 'a'])
})

test('an argument that an operator cannot take is refused', () => {
  const refused = [
    ['ipMatch', '192.0.2.0/33'],
    ['ipMatch', 'localhost'],
    ['validateByteRange', '0-256'],
    ['validateByteRange', 'a'],
    ['pm', ' '],
    ['pmFromFile', ''],
  ] as const
  for (const [name, argument] of refused)
    assert.throws(() => make(name, argument), OperatorArgumentError, name)
  assert.throws(() => make('pmFromFile', 'missing.data'), /no file missing.data/)
})

test('operators that ask others say that they are inactive', () => {
  assert.match(make('rbl', 'dnsbl.example.org').inactive ?? '', /DNS/)
  assert.match(make('geoLookup', '').inactive ?? '', /database/)
})

test('libinjection finds injections and says nothing of ordinary text', {
  skip: missing,
}, () => {
  assert.deepEqual(make('detectSQLi', '').match("' or 1=1--")?.captures, ['s&1c'])
  const script = '<script>alert(1)</script>'
  assert.deepEqual(make('detectXSS', '').match(script)?.captures, [script])
  for (const value of ['', 'Fred', 'a perfectly ordinary sentence', '12345']) {
    assert.equal(make('detectSQLi', '').match(value), undefined)
    assert.equal(make('detectXSS', '').match(value), undefined)
  }
})

test('operators that look for injections ask the detector that they are given, and say so when there is none', () => {
  const values: string[] = []
  const detector: InjectionDetector = {
    detectSqli: (value) => (values.push(value) > 0 ? 'its word' : undefined),
    detectXss: (value) => values.push(value) > 0,
  }
  assert.deepEqual(make('detectSQLi', '', detector).match("a' or 1")?.captures, ['its word'])
  assert.deepEqual(make('detectXSS', '', detector).match('<b')?.captures, ['<b'])
  assert.deepEqual(values, ["a' or 1", '<b'])
  for (const name of ['detectSQLi', 'detectXSS']) {
    const factory = operators.get(name.toLowerCase())
    const without = factory?.create('', { readFile: () => '' })
    assert.match(without?.inactive ?? '', /without a detector of injections/)
    assert.equal(without?.match("<a' or 1=1--"), undefined)
    assert.equal(make(name, '', { ...detector, unavailable: 'it is asleep' }).inactive, 'it is asleep')
  }
  assert.equal(values.length, 2)
})

test('what the detectors pass over libinjection would not find', { skip: missing }, () => {
  const pieces = [
    ...'aZ09_ \t\n"\'`/>!-?;&:\0\xe9',
    'on',
    'script',
    'style',
    'href',
    'javascript:',
    'select',
    'union',
    '0x41',
    'null',
  ]
  let seed = 1
  const next = (limit: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed >>> 8) % limit
  }
  for (let round = 0; round < 20_000; round++) {
    const value = Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join('')
    assert.equal(libinjection.detectXss(value), false, JSON.stringify(value))
    const word = value.replaceAll(/\W/g, '')
    assert.equal(libinjection.detectSqli(word), undefined, word)
  }
})

test('an operator with literals matches no value without one of them', () => {
  for (const [name, argument, matching] of examples) {
    for (const value of matching) {
      for (const set of make(name, argument).literals ?? []) {
        assert.ok(
          set.some((literal) => value.toLowerCase().includes(literal)),
          `@${name} ${argument}: ${JSON.stringify(set)} over ${JSON.stringify(value)}`,
        )
      }
    }
  }
})
