import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadPcre2, type Pcre2 } from '../../testing/pcre2.ts'
import { Random } from '../../testing/random.ts'
import { rulePatterns } from '../../testing/rule-patterns.ts'
import { mutate, randomByte, sampleMatch } from '../../testing/sample.ts'
import {
  enableLinearRegExpEngine,
  hasLinearRegExpEngine,
  longValueLength,
  middleValueLength,
} from '../linear-engine.ts'
import { compilePattern, PatternNotConvertible } from '../pattern.ts'
import { parsePattern } from './parser.ts'

const pcre2 = loadPcre2()
const seconds = Number(process.env.PALISADE_ORACLE_SECONDS ?? 3)

/** Everything that the language has, in small. */
const syntax = [
  ...['abc', 'a|b|', '', '(?:)', 'a*b+c?', 'a{2}b{1,3}c{2,}', 'a{,3}', 'a{x', '{', 'x{20}', 'x{3,40}y'],
  ...['(?:ab){17,20}?c', 'x{17,}', '(a){20}', '((a|b){2,9}){2,9}', 'a*?b', 'a+?', 'a??b', '(a{1,3}?)(a*)'],
  ...[
    'a++b',
    'a*+a',
    '[ab]*+b',
    '(?>a|ab)c',
    '(?>a+)b',
    '(?>a|b)c',
    'a?+a',
    '(?:ab|a)++b',
    'a{1,2}+a',
    '(?>a*?)b',
  ],
  ...['(?=a)ab', '(?!a)[ab]', '(?<=a)b', '(?<!a)b', '(?<=ab|c)d', '(?=(a+))a*b\\1', '(?!.*b)a', 'x(?=.*y)'],
  ...[
    '(a)\\1',
    '(a|b)\\1',
    '(a)?\\1b',
    '(?:(a)|b)*\\1',
    '(a*)*',
    '(a*)+',
    '(?:(a)|(b))*',
    '(a|)+b',
    '(?:|a)*b',
  ],
  ...[
    '(?i)aBc',
    'a(?i)b|c',
    'a(?i:b)c',
    '(?i)a(?-i)b',
    '(?i)(a)\\1',
    '(?i)[a-c]x',
    '(?i)[^a]',
    '(?i)\xe9',
    '(?i)[\xe0-\xef]',
  ],
  ...[
    '^a',
    'a$',
    '\\Aa\\z',
    'a\\Z',
    '(?m)^a$',
    '(?m)a$\\n^b',
    '\\ba\\b',
    '\\Ba',
    '\\G(?:a)',
    '.a',
    '(?-s).a',
    '\\N',
  ],
  ...[
    '[abc]',
    '[^abc]',
    '[]a]',
    '[^]a]',
    '[a-]',
    '[-a]',
    '[a\\-c]',
    '[\\]]',
    '[[:alpha:]]',
    '[[:^digit:][:space:]]',
  ],
  ...[
    '[[:punct:]]',
    '[\\w.-]',
    '[\\d\\s]',
    '[^\\W_]',
    '[\\x41-\\x43]',
    '[\\Qa-c\\E]',
    '[--a]',
    '[+--]',
    '[a-\\x7f]',
  ],
  ...[
    '\\d\\D\\w\\W\\s\\S',
    '\\h\\H',
    '\\v\\V',
    '\\R',
    '\\R\\n',
    '\\x41',
    '\\x4',
    '\\x',
    '\\x{41}',
    '\\101',
    '\\0',
    '\\cA',
    '\\e\\a\\f',
  ],
  ...[
    '\\Qa.b\\E+',
    'a\\E*',
    '\\.\\/\\-\\"',
    '(?#comment)a',
    '(?x) a b # c\n d',
    '(?x)a\\ b',
    '(?xx)[a b]',
    '(?U)a+',
    '(?U)a+?',
  ],
  ...[
    '(?<n>a)\\k<n>',
    '(?P<n>a)(?P=n)',
    "(?'n'a)\\k{n}",
    '(a)\\g1',
    '(a)\\g{-1}',
    '(?|(a)|(b))c',
    '(?|a(b)(c)|(d))e(f)',
  ],
  ...[
    '(?n)(a)(?<x>b)',
    '(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)\\11',
    '\\11',
    '(?^i:A)',
    '(?s-i:.)',
    '(?:a(?=b)|a(?=c))*+.',
  ],
  ...['(?<=(a))b', '(?<!\\w)a', '(?<=^|,)a', '(?:x|y(?!z))+', '((a)|b(?!c))*', '(?>(a+)b)+', '(?:(?>a)|b)*c'],
]

/** The bytes that short values are made of. */
const letters = [...'aabbccddefABCxyz,.-_ 0\n\r\t\xe9\xc9\x01\x1b\xa0\x85/"\\']

test('refuses what PCRE2 refuses', { skip: !pcre2 }, () => {
  assert.ok(pcre2)
  const broken = [
    '(',
    'a)',
    '[a',
    '[b-a]',
    '*a',
    'a**',
    'a{2}{3}',
    '+',
    'a{3,2}',
    '\\',
    '(?<=a*)b',
    '\\2(a)',
    '[[:nothing:]]',
    '(?<n>a)(?<n>b)',
  ]
  for (const pattern of [...broken, '\\x{100}', '(?z)', '\\k<n>', 'a{70000}']) {
    assert.throws(() => compilePattern(pattern), PatternNotConvertible, pattern)
    assert.throws(() => pcre2.compile(pattern), Error, pattern)
  }
})

// In this order: what is enabled stays so.
for (const how of ["without V8's linear engine", "with V8's linear engine"]) {
  test(`matches and captures as PCRE2 does ${how}, whatever the syntax`, { skip: !pcre2 }, () => {
    if (how.startsWith('with ')) enableLinearRegExpEngine()
    assert.equal(hasLinearRegExpEngine(), how.startsWith('with '))
    assert.ok(pcre2)
    const random = new Random(3)
    let compared = 0
    for (const pattern of syntax) compared += comparePattern(pcre2, pattern, random, 300)
    assert.ok(compared > syntax.length * 250)
  })

  test(`matches and captures as PCRE2 does ${how}, all patterns of the Core Rule Set`, {
    skip: !pcre2,
  }, () => {
    if (how.startsWith('with ')) enableLinearRegExpEngine()
    assert.equal(hasLinearRegExpEngine(), how.startsWith('with '))
    assert.ok(pcre2)
    const patterns = [...new Set(rulePatterns().map(({ pattern }) => pattern))]
    const random = new Random(Number(process.env.PALISADE_ORACLE_SEED ?? 5))
    const end = performance.now() + seconds * 1000
    let compared = 0
    let rounds = 0
    do {
      for (const pattern of patterns) compared += comparePattern(pcre2, pattern, random, 4)
      rounds++
    } while (performance.now() < end)
    assert.ok(compared >= patterns.length * 3 * rounds, `only ${compared} comparisons`)
  })
}

/** @returns how many values were compared */
function comparePattern(oracle: Pcre2, pattern: string, random: Random, values: number): number {
  const ours = compilePattern(pattern)
  const theirs = oracle.compile(pattern)
  const { root } = parsePattern(pattern)
  let compared = 0
  try {
    for (let round = 0; round < values; round++) {
      const value = round % 3 === 2 ? randomValue(random) : nearMatch(sampleMatch(root, random), random)
      const expected = theirs.exec(value)
      const givenUpBefore = ours.timesGivenUp
      const actual = ours.exec(value)
      if (expected === undefined || ours.timesGivenUp > givenUpBefore) continue
      const about = `${JSON.stringify(pattern)} over ${JSON.stringify(value)}`
      assert.deepEqual(actual, expected?.slice(0, 10) ?? null, about)
      assert.equal(ours.test(value), expected !== null, about)
      compared++
    }
  } finally {
    theirs.free()
  }
  return compared
}

/** Some are long, because values of middle length and long ones are searched in other ways. */
function nearMatch(sample: string, random: Random): string {
  let value = sample.slice(0, 3000)
  const padding = random.pick([' ', 'a', "'", '\n'])
  if (random.oneIn(20)) value = padding.repeat(random.pick([middleValueLength, longValueLength])) + value
  for (let changes = random.below(3); changes > 0; changes--) value = mutate(value, random)
  return value
}

function randomValue(random: Random): string {
  const length = random.below(10)
  return Array.from({ length }, () => (random.oneIn(8) ? randomByte(random) : random.pick(letters))).join('')
}
