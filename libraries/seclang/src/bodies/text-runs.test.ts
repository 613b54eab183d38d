import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { shortestRun, textRuns } from './text-runs.ts'

const runs = (bytes: string, lengthMin = 8) => [...textRuns(bytes, lengthMin)]

test('a run goes on behind line ends and other letters, and ends at what is no text', () => {
  const letters = Buffer.from('über allem, 漢字 and 🦊', 'utf8').toString('latin1')
  assert.deepEqual(runs('\x01SELECT\na\x0bFROM\x0cb\r\n\0short\x02'), ['SELECT\na\x0bFROM\x0cb\r\n'])
  assert.deepEqual(runs(`\xff${letters}\xc3`), [letters])
  assert.deepEqual(runs('12345678\xc3\xc312345678\x8012345678'), ['12345678', '12345678', '12345678'])
  assert.deepEqual(runs('1234567\x001234567'), [])
  assert.deepEqual(runs(''), [])
})

test('short runs count in short messages, and neither in long bodies nor in what could be encrypted', () => {
  assert.equal(shortestRun('\x01'.repeat(60)), 8)
  assert.ok(shortestRun('\x01'.repeat(1000)) < 12)
  assert.equal(shortestRun('\x01'.repeat(1_000_000)), 16)
  for (let count = 0; count < 200; count++) {
    assert.equal(shortestRun(randomBytes(300).toString('latin1')), 16)
  }
})

test('a body of one run after the other takes no longer than others', () => {
  const before = process.cpuUsage()
  for (const piece of ['a', 'a\0', '\xc3', '\xf0\x9f\xa6', '\0']) {
    runs(piece.repeat(12_000_000 / piece.length))
  }
  assert.ok(process.cpuUsage(before).user < 15_000_000)
})
