import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { enableLinearRegExpEngine, hasLinearRegExpEngine } from './linear-engine.ts'
import { compilePattern } from './pattern.ts'
import { parsePattern } from './pcre/parser.ts'
import { rulePatterns, rulesFolder } from './testing/core-rule-set.ts'
import { Random } from './testing/random.ts'
import { mutate, sampleMatch } from './testing/sample.ts'

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
      assert.deepEqual(counted[at]?.exec(value), expected, `${source} over ${JSON.stringify(value)}`)
      assert.deepEqual([...(counted[at]?.execAll(value) ?? [])], [...linear.execAll(value)], source)
      if (expected !== null) matches++
    }
  }
  assert.ok(matches > 1_000, `only ${matches} matches`)
  // Of over three thousand values.
  assert.ok(counted.reduce((sum, { timesGivenUp }) => sum + timesGivenUp, 0) <= 4)
})
