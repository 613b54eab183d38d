import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { Random } from '../../testing/random.ts'
import { rulePatterns, rulesFolder } from '../../testing/rule-patterns.ts'
import { mutate, sampleMatch } from '../../testing/sample.ts'
import { enableLinearRegExpEngine } from '../linear-engine.ts'
import { parsePattern } from './parser.ts'
import { Recognizer } from './recognizer.ts'
import { relax } from './relax.ts'
import { toJavaScript } from './to-javascript.ts'

enableLinearRegExpEngine()

function recognizerOf(pattern: string) {
  const { root } = relax(parsePattern(pattern).root)
  const recognizer = Recognizer.of(root)
  assert.ok(recognizer, pattern)
  return { root, recognizer, expression: new RegExp(toJavaScript(root).source) }
}

/** What a recognizer says once it knows all the states that a value needs. */
function mayMatch(recognizer: Recognizer, value: string): boolean {
  for (let round = 0; round < 200; round++) if (!recognizer.mayMatch(value)) return false
  return true
}

/** A pattern over few letters, so that values often match almost. */
function randomPattern(random: Random, depth = 3): string {
  const inner = () => randomPattern(random, depth - 1)
  if (depth === 0) return random.pick(['a', 'b', '-', '[ab]', '[^a]', '.', '^', '$', '\\b', '\\B'])
  const repeats = ['*', '+', '?', '{2}', '{1,3}', '{2,}', '*?']
  return random.pick([
    () => inner() + inner(),
    () => `(?:${inner()}|${inner()})`,
    () => `(${inner()})${random.pick(repeats)}`,
    inner,
  ])()
}

test('a recognizer tells values apart as the expression does', () => {
  const random = new Random(1)
  let matching = 0
  for (let round = 0; round < 2000; round++) {
    const pattern = randomPattern(random)
    const { recognizer, expression } = recognizerOf(pattern)
    for (let turn = 0; turn < 8; turn++) {
      const value = Array.from({ length: random.below(9) }, () => random.pick(['a', 'b', '-', 'c'])).join('')
      const isMatch = expression.test(value)
      if (isMatch) matching++
      assert.equal(mayMatch(recognizer, value), isMatch, `${pattern} over ${value}`)
    }
  }
  assert.ok(matching > 2000 && matching < 14_000, `${matching} match`)
})

test('look-behind may always hold', () => {
  const { recognizer } = recognizerOf('(?<!x)a+b')
  assert.equal(mayMatch(recognizer, 'xab'), true)
  assert.equal(mayMatch(recognizer, 'xa'), false)
})

test('a pattern of too many places has no recognizer', () => {
  const { root } = relax(parsePattern(`(?:${'[ab]c'.repeat(6000)}){2}`).root)
  assert.equal(Recognizer.of(root), undefined)
})

test('a value that needs ever new states is not told apart', () => {
  const random = new Random(2)
  const { recognizer } = recognizerOf('a[ab]{40}[ab]*c')
  const value = Array.from({ length: 20_000 }, () => random.pick(['a', 'b'])).join('')
  assert.equal(recognizer.mayMatch(value), true)
})

test('no value that matches a pattern of the Core Rule Set is missed', {
  skip: !existsSync(rulesFolder),
}, () => {
  const random = new Random(3)
  let matches = 0
  for (const { pattern } of rulePatterns()) {
    const { root, recognizer, expression } = recognizerOf(pattern)
    for (let round = 0; round < 20; round++) {
      const match = `${random.pick(['', 'x ', '\n'])}${sampleMatch(root, random)}${random.pick(['', ' y', ';'])}`
      const value = random.oneIn(2) ? mutate(match, random) : match
      if (!expression.test(value)) continue
      assert.equal(recognizer.mayMatch(value), true, pattern)
      matches++
    }
  }
  assert.ok(matches > 1000, `only ${matches} values match`)
})
