import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOfExpression } from './expression.ts'
import { linearForm, writtenOut } from './linear-form.ts'

/** Numbers from 0 to one below, the same ones in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pieces = ['a', 'b', '.', '[ab]', '[^a]', '\\w', '\\x61', '\\0', '\\x', '{', '^', '$', '\\b', '4', '1']
const repeats = ['', '', '*', '+', '?', '{2}', '{0,3}', '{1,3}?', '{2,}', '{1,}?', '{0}', '*?', '{3}']

function randomExpression(chance: (below: number) => number, depth = 0): string {
  return Array.from({ length: 1 + chance(3) }, () => {
    if (depth < 2 && chance(3) === 0) {
      const opening = ['(', '(?:', '(?<n>'][chance(2)]
      return `${opening}${randomExpression(chance, depth + 1)}|${randomExpression(chance, depth + 1)})${repeats[chance(repeats.length)]}`
    }
    const piece = pieces[chance(pieces.length)] ?? 'a'
    return /^(?:[\^$]|\\b|\{)$/.test(piece) ? piece : `${piece}${repeats[chance(repeats.length)]}`
  }).join('')
}

function isValid(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}

test('an expression whose repetitions are written out finds the same', () => {
  const chance = numbers(5)
  const texts = Array.from({ length: 40 }, () =>
    Array.from({ length: chance(12) }, () => ['a', 'b', 'x', '4', '1', '{', '\0', ' '][chance(8)]).join(''),
  )
  linearForm('a')
  let ran = 0
  for (let count = 0; count < 600; count++) {
    const source = randomExpression(chance)
    if (!isValid(source)) continue
    const form = writtenOut(source, false)
    assert.doesNotMatch(form, /[^\\]\{\d+(,\d*)?\}/)
    const ordinary = new RegExp(source)
    const linear = new RegExp(form, 'l')
    for (const text of texts) {
      const expected = ordinary.exec(text)
      const match = linear.exec(text)
      const title = `${source} as ${form} in ${JSON.stringify(text)}`
      assert.deepEqual([match?.index, match?.[0]], [expected?.index, expected?.[0]], title)
    }
    ran++
  }
  assert.ok(ran > 300)
})

test('groups that are asked for stay what they are', () => {
  const source = '^/([a-z]{1,20})/(\\d{2,40}?)x'
  const form = linearForm(source, { keepsGroups: true })
  const text = '/shop/1234567x'
  assert.deepEqual([...(new RegExp(form).exec(text) ?? [])], [...(new RegExp(source).exec(text) ?? [])])
  assert.match(problemOfExpression('(ab){20}', { keepsGroups: true }) ?? '', /repeats a group by a number/)
  assert.equal(problemOfExpression('(ab){20}'), undefined)
})

test('numbers above 16 are taken up to a size, and refused above it with what to do', () => {
  for (const source of [
    '([a-z]+ ?)+[0-9]{1,20}$',
    '.*.*.*x{20}',
    '(a{4}){5}',
    'x{17,}',
    '(?:a{30}b{30}){30}',
    '[0-9]{2000}',
  ]) {
    assert.equal(problemOfExpression(source), undefined, source)
    assert.ok(new RegExp(linearForm(source), 'l'))
  }
  for (const source of [
    'a{2049}',
    '(?:a{100}){100}',
    'a{1,999999999999}',
    '((a{99}){99}){99}',
    'a{999999}',
  ]) {
    assert.match(
      problemOfExpression(source) ?? '',
      /bounded time: it has more than 2048 parts .* numbers smaller/,
      source,
    )
  }
  assert.match(problemOfExpression('(?i:a)') ?? '', /bounded time/)
})
