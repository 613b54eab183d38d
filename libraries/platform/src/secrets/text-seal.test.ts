import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TextSeal } from './text-seal.ts'

const key = Buffer.alloc(32, 1)
const seal = new TextSeal(key, 'tests')

test('a sealed text is opened again, and looks different each time', () => {
  for (const text of ['', 'correct horse', 'Schlüssel 🔑', 'x'.repeat(100_000)]) {
    const sealed = seal.seal(text)
    assert.ok(seal.isSealed(sealed) && !seal.isSealed(text))
    assert.equal(seal.open(sealed), text)
    assert.notEqual(seal.seal(text), sealed)
    if (text !== '') assert.ok(!sealed.includes(text))
  }
})

test('a text that was altered, or sealed with another key or for another purpose, is not opened', () => {
  const sealed = seal.seal('correct horse')
  for (const position of [10, 30, sealed.length - 3]) {
    const other = sealed[position] === 'A' ? 'B' : 'A'
    assert.throws(() => seal.open(sealed.slice(0, position) + other + sealed.slice(position + 1)))
  }
  assert.throws(() => seal.open('sealed:1:'))
  assert.throws(() => seal.open(seal.seal('correct horse', 'restore 1'), 'restore 2'))
  assert.throws(() => new TextSeal(key, 'another purpose').open(sealed))
  assert.throws(() => new TextSeal(Buffer.alloc(32, 2), 'tests').open(sealed))
})
