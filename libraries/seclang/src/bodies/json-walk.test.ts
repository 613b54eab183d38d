import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walkJson } from './json-walk.ts'

/** What a visitor is told, in one line, and why the text is no JSON. */
function readingOf(text: string): { readonly told: string; readonly problem: string | undefined } {
  const events: string[] = []
  const problem = walkJson(text, {
    begin: (kind) => events.push(kind === 'object' ? '{' : '['),
    name: (name) => events.push(`${name}:`),
    scalar: (kind, value) => events.push(`${kind}(${value})`),
    end: () => events.push('end'),
  })
  return { told: events.join(' '), problem }
}

test('what is no JSON is said, after what came before it', () => {
  for (const text of [
    '',
    '{',
    '[1,]',
    '{"a"}',
    '{"a":1,}',
    '[1 2]',
    '{"a":1}x',
    '{]',
    '[}',
    "{'a':1}",
    '"\xff"',
    '01',
  ]) {
    assert.ok(readingOf(text).problem, text)
  }
  assert.equal(readingOf('[1,{"a":x').told, '[ number(1) { a:')
})

test('a visitor is told everything in its order', () => {
  assert.deepEqual(readingOf(' {"a": [1, "b\\u00e4", null, [], {}], "c": {"d": true}, "": -1.5e3} '), {
    told: '{ a: [ number(1) string(b\xc3\xa4) null() [ end { end end c: { d: boolean(true) end : number(-1.5e3) end',
    problem: undefined,
  })
  assert.equal(readingOf('"alone"').told, 'string(alone)')
})

test('documents may be as deep as they want', () => {
  const levels = 300_000
  let depth = 0
  let deepest = 0
  const visitor = {
    begin: () => {
      depth++
      deepest = Math.max(deepest, depth)
    },
    name: () => undefined,
    scalar: () => undefined,
    end: () => {
      depth--
    },
  }
  assert.equal(walkJson('['.repeat(levels) + ']'.repeat(levels), visitor), undefined)
  assert.deepEqual([deepest, depth], [levels, 0])
  assert.ok(walkJson('{"a":'.repeat(levels), visitor))
})
