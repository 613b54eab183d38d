import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { Random } from '../testing/random.ts'
import { rulePatterns, rulesFolder } from '../testing/rule-patterns.ts'
import { sampleMatch } from '../testing/sample.ts'
import { enableLinearRegExpEngine } from './linear-engine.ts'
import { compilePattern, PatternNotConvertible } from './pattern.ts'
import { parsePattern } from './pcre/parser.ts'

enableLinearRegExpEngine()

const hasRules = existsSync(rulesFolder)

test('a pattern finds the leftmost match and its groups', () => {
  const pattern = compilePattern('(?i)(union)\\s+(all\\s+)?select')
  assert.deepEqual(pattern.exec('x Union SELECT y'), ['Union SELECT', 'Union', undefined])
  assert.equal(pattern.exec('union'), null)
  assert.equal(pattern.test('UNION ALL SELECT'), true)
})

test('the dot matches line feeds, and the end is the very end', () => {
  assert.deepEqual(compilePattern('a.b$').exec('a\nb'), ['a\nb'])
  assert.equal(compilePattern('a$').test('a\n'), false)
})

test('letters beyond ASCII have no case, and no other blanks than those of ASCII are blanks', () => {
  assert.equal(compilePattern('(?i)\xe9').test('\xc9'), false)
  assert.equal(compilePattern('\\s').test('\xa0'), false)
})

test('a group keeps what an earlier round of a loop gave it', () => {
  assert.deepEqual(compilePattern('(?:(a)|b)*').exec('ab'), ['ab', 'a'])
})

test('possessive and atomic groups do not go back', () => {
  assert.equal(compilePattern('a++a').test('aaa'), false)
  assert.equal(compilePattern('(?>a|ab)c').test('abc'), false)
  assert.equal(compilePattern('\\s++x').isLinear, true)
})

test('at most ten captures are told', () => {
  assert.equal(compilePattern('(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)').exec('abcdefghijk')?.length, 10)
})

test('all matches are found one after another', () => {
  const matches = (manner: 'apart' | 'overlapping') =>
    [...compilePattern('a.').execAll('aaab', manner)].map(({ captures, index }) => [captures[0], index])
  assert.deepEqual(matches('apart'), [
    ['aa', 0],
    ['ab', 2],
  ])
  assert.deepEqual(matches('overlapping'), [
    ['aa', 0],
    ['aa', 1],
    ['ab', 2],
  ])
})

test('what cannot be converted is refused with the reason', () => {
  const reasons = new Map([
    ['(?R)', /this kind of group is not supported at offset 1/],
    ['(*SKIP)a', /verbs/],
    ['(a', /a group is not closed/],
    ['\\x{20ac}', /20ac is more than a byte/],
    ['\\pL', /\\p is not supported/],
    ['\u20ac', /no byte string/],
  ])
  for (const [pattern, reason] of reasons) {
    assert.throws(
      () => compilePattern(pattern),
      (error) =>
        error instanceof PatternNotConvertible && reason.test(error.reason) && error.source === pattern,
      pattern,
    )
  }
})

test('every static pattern of the Core Rule Set converts', { skip: !hasRules }, () => {
  const patterns = rulePatterns()
  const notLinear = new Set<string>()
  for (const { id, pattern } of patterns) if (!compilePattern(pattern).isLinear) notLinear.add(id)
  assert.ok(patterns.length >= 264, `only ${patterns.length} patterns were found`)
  assert.ok(notLinear.size <= 4, `not linear: ${[...notLinear].join(', ')}`)
})

test("V8's linear engine takes what every pattern is searched by", { skip: !hasRules }, () => {
  for (const { id, pattern } of rulePatterns()) {
    assert.doesNotThrow(() => new RegExp(compilePattern(pattern).regExp.source, 'l'), id)
  }
})

test('a long value takes time in proportion to its length', () => {
  const pattern = compilePattern('.*\\.(?:php\\d*|phtml)\\.*$')
  const start = performance.now()
  assert.equal(pattern.test(`${'p910..'.repeat(20_000)}.php-`), false)
  assert.deepEqual(pattern.exec(`${'x'.repeat(100_000)}.PHP.php`)?.[0]?.length, 100_008)
  assert.ok(performance.now() - start < 10_000)
})

test('no pattern of the Core Rule Set takes long over a value made to be hard', { skip: !hasRules }, () => {
  const random = new Random(17)
  const slow: string[] = []
  let compared = 0
  for (const source of new Set(rulePatterns().map(({ pattern }) => pattern))) {
    const pattern = compilePattern(source)
    const { root } = parsePattern(source)
    for (let round = 0; round < 4; round++) {
      const sample = sampleMatch(root, random).slice(0, 200)
      const piece = sample.slice(random.below(sample.length + 1)).slice(0, 1 + random.below(12)) || 'a'
      const value = `${sample.slice(0, 20)}${piece.repeat(Math.ceil(4000 / piece.length))}\0`
      const start = process.cpuUsage()
      pattern.test(value)
      const { user } = process.cpuUsage(start)
      const milliseconds = user / 1000
      if (milliseconds > 500)
        slow.push(`${milliseconds.toFixed()} ms: ${source} over ${JSON.stringify(piece)}`)
      compared++
    }
  }
  assert.ok(compared > 900)
  assert.deepEqual(slow, [])
})

test('no pattern of the Core Rule Set takes long over a body of many values made to be hard', {
  skip: !hasRules,
}, () => {
  const values = Array.from({ length: 34 }, (_, index) => `${index}${'<'.repeat(3500)}`)
  let compared = 0
  for (const source of new Set(rulePatterns().map(({ pattern }) => pattern))) {
    const pattern = compilePattern(source)
    const start = process.cpuUsage()
    for (const value of values) pattern.test(value)
    const { user } = process.cpuUsage(start)
    assert.ok(user < 1_500_000, `${Math.round(user / 1000)} ms: ${source}`)
    compared++
  }
  assert.ok(compared > 200)
})

test('a value that takes too many steps counts as not matching, and is counted', () => {
  const pattern = compilePattern('^(?:x+x+)+y(?=z)')
  assert.equal(pattern.test('xxyz'), true)
  const start = performance.now()
  assert.equal(pattern.test(`${'x'.repeat(200)}y`), false)
  assert.ok(performance.now() - start < 5000)
  assert.equal(pattern.timesGivenUp, 1)
})
