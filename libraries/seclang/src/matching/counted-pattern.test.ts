import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { Random } from '../testing/random.ts'
import { rulePatterns, rulesFolder } from '../testing/rule-patterns.ts'
import { mutate, sampleMatch } from '../testing/sample.ts'
import { enableLinearRegExpEngine, hasLinearRegExpEngine } from './linear-engine.ts'
import { compilePattern } from './pattern.ts'
import { parsePattern } from './pcre/parser.ts'

// A pattern is run as it may be when it is compiled. This process compiles all of them without the linear engine first.

const sources = existsSync(rulesFolder) ? [...new Set(rulePatterns().map(({ pattern }) => pattern))] : []
const counted = sources.map((source) => compilePattern(source))
const hostile = compilePattern('(x+x+)+y')
const hostileLong = compilePattern('(?:a?){40}b|.*=.*;.*$')
assert.equal(hasLinearRegExpEngine(), false)
const linearFlag = 'l'
assert.throws(() => new RegExp('a', linearFlag), 'the process is as it was')

test('without the linear engine, no value takes long', () => {
  const values = ['x'.repeat(40), 'x'.repeat(4_000), 'x'.repeat(100_000), `${'a='.repeat(50_000)}`]
  for (const pattern of [hostile, hostileLong]) {
    assert.equal(pattern.isLinear, false)
    for (const value of values) {
      const start = process.cpuUsage()
      assert.equal(pattern.test(value), false)
      assert.ok(process.cpuUsage(start).user < 1_000_000, `${pattern.source}: ${value.slice(0, 10)}`)
    }
  }
  assert.equal(hostile.test(`${'x'.repeat(40)}y`), true)
})

test('without the linear engine, no match is lost behind a long beginning', () => {
  const words = Array.from({ length: 500 }, (_, number) => `word${number}`).join('|')
  const pattern = compilePattern(`(?:${words}) ?\\(`)
  assert.equal(pattern.test('word17 of many words, and '.repeat(150)), false)
  assert.equal(pattern.test('word17 of many words, and '.repeat(150).concat('word17 (')), true)
  assert.equal(pattern.timesGivenUp, 0)
  assert.deepEqual(pattern.exec('a word17 ('), ['word17 ('])
  // There is one, and finding where takes too long.
  assert.deepEqual(pattern.exec('word17 of many words, and '.repeat(1_500).concat('word17 (')), [''])
  const inexact = compilePattern('^(?:x+x+)+y(?=z)')
  assert.equal(inexact.test(`${'x'.repeat(200)}y z`), false)
  assert.equal(inexact.timesGivenUp, 1)
})

test('without the linear engine, what the recognizer takes for granted is asked of the machine', () => {
  for (const [source, match, other] of [
    ['(?<!x)a+b', 'yab', 'xab'],
    ['(?m)a+$', 'a\nb', 'ab'],
    ['(?>a+)b', 'aab', 'aac'],
    ['a++ab', 'aab ab', 'aab'],
  ] as const) {
    const pattern = compilePattern(source)
    assert.deepEqual([pattern.test(other), pattern.exec(other)], [false, null], source)
    assert.equal(pattern.test(match), source !== 'a++ab', source)
  }
})

test('a pattern without repetitions is run by V8 in any case', () => {
  assert.equal(compilePattern('(?i)select|union').isLinear, true)
})

test('the patterns of the Core Rule Set find the same without the linear engine', {
  skip: sources.length === 0,
}, () => {
  enableLinearRegExpEngine()
  const random = new Random(5)
  let matches = 0
  for (const [at, source] of sources.entries()) {
    const linear = compilePattern(source)
    const { root } = parsePattern(source)
    for (let round = 0; round < 12; round++) {
      const sample = sampleMatch(root, random)
      const value = round % 2 === 0 ? sample : mutate(sample, random)
      const expected = linear.exec(value)
      assert.equal(counted[at]?.test(value), expected !== null, `${source} over ${JSON.stringify(value)}`)
      assert.deepEqual(counted[at]?.exec(value), expected, `${source} over ${JSON.stringify(value)}`)
      assert.deepEqual([...(counted[at]?.execAll(value) ?? [])], [...linear.execAll(value)], source)
      if (expected !== null) matches++
    }
  }
  assert.ok(matches > 1_000, `only ${matches} matches`)
  // Of over three thousand values.
  assert.ok(counted.reduce((sum, { timesGivenUp }) => sum + timesGivenUp, 0) <= 4)
})
