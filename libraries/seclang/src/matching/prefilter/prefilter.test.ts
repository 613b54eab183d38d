import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { Random } from '../../testing/random.ts'
import { rulePatterns, rulesFolder } from '../../testing/rule-patterns.ts'
import { mutate, sampleMatch } from '../../testing/sample.ts'
import { foldCase } from '../fold-case.ts'
import { compilePattern, type LiteralSet } from '../pattern.ts'
import { parsePattern } from '../pcre/parser.ts'
import { PrefilterBuilder } from './prefilter.ts'

const hasRules = existsSync(rulesFolder)

function candidatesOf(
  sets: readonly (readonly LiteralSet[] | undefined)[],
  value: string,
): readonly number[] {
  const builder = new PrefilterBuilder()
  for (const literals of sets) builder.add(literals)
  const prefilter = builder.build()
  const bits = new Uint32Array(prefilter.words)
  prefilter.scan(value, bits)
  return sets.map((_, pattern) => pattern).filter((pattern) => hasBit(bits, pattern))
}

function hasBit(bits: Uint32Array, bit: number): boolean {
  return (((bits[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1
}

test('a pattern is a candidate when one of its literals occurs, in any case', () => {
  const sets = [[['union', 'select']], [['etc/passwd']], undefined, [['\xe9']]]
  assert.deepEqual(candidatesOf(sets, 'UNION'), [0, 2])
  assert.deepEqual(candidatesOf(sets, 'of /ETC/Passwd'), [1, 2])
  assert.deepEqual(candidatesOf(sets, '\xc9'), [2])
  assert.deepEqual(candidatesOf(sets, ''), [2])
})

test('bits of an earlier value stay', () => {
  const builder = new PrefilterBuilder()
  builder.add([['a']])
  builder.add([['b']])
  const prefilter = builder.build()
  const bits = new Uint32Array(prefilter.words)
  prefilter.scan('a', bits)
  prefilter.scan('b', bits)
  assert.equal(bits[0], 3)
})

test('a scan reports all patterns that a search for every literal reports', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcAB\xe9'), minLength: 1, maxLength: 5 })
  const value = fc.string({ unit: fc.constantFrom(...'abcABC\xe9\xc9 '), maxLength: 40 })
  fc.assert(
    fc.property(
      fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { maxLength: 40 }),
      value,
      (sets, text) => {
        const expected = sets.flatMap((set, pattern) =>
          set.some((literal) => foldCase(text).includes(foldCase(literal))) ? [pattern] : [],
        )
        assert.deepEqual(
          candidatesOf(
            sets.map((set) => [set]),
            text,
          ),
          expected,
        )
      },
    ),
  )
})

test('no pattern of the Core Rule Set matches without being a candidate', { skip: !hasRules }, () => {
  const patterns = [...new Set(rulePatterns().map(({ pattern }) => pattern))].map(compilePattern)
  const builder = new PrefilterBuilder()
  for (const { literals } of patterns) builder.add(literals)
  const prefilter = builder.build()
  const random = new Random(23)
  let matches = 0
  for (const [number, pattern] of patterns.entries()) {
    const { root } = parsePattern(pattern.source)
    for (let round = 0; round < 30; round++) {
      let value = sampleMatch(root, random).slice(0, 2000)
      for (let changes = random.below(3); changes > 0; changes--) value = mutate(value, random)
      if (!pattern.test(value)) continue
      matches++
      const bits = new Uint32Array(prefilter.words)
      prefilter.scan(value, bits)
      assert.ok(hasBit(bits, number), `${pattern.source} over ${JSON.stringify(value)}`)
      for (const set of pattern.literals ?? []) {
        assert.ok(
          set.some((literal) => foldCase(value).includes(literal)),
          `${JSON.stringify(set)} of ${pattern.source} over ${JSON.stringify(value)}`,
        )
      }
    }
  }
  assert.ok(matches > 2000, `only ${matches} matches`)
})

test('few patterns of the Core Rule Set are candidates for every value', { skip: !hasRules }, () => {
  const builder = new PrefilterBuilder()
  for (const { pattern } of rulePatterns()) builder.add(compilePattern(pattern).literals)
  assert.ok(builder.build().unfiltered.length <= 26, String(builder.build().unfiltered.length))
})
