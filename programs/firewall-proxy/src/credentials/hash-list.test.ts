import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { HashList } from './hash-list.ts'

const folder = mkdtempSync(join(tmpdir(), 'palisade-hash-list-'))
test.after(() => rmSync(folder, { recursive: true }))

const digestOf = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()

function listOf(lines: readonly string[], end: string): HashList {
  const file = join(folder, 'list.txt')
  writeFileSync(file, lines.map((line) => line + end).join(''))
  return new HashList(file)
}

test('every digest of a list is found, and no other, however it is spread and its lines end', () => {
  const digests = Array.from({ length: 5_000 }, (_, index) => digestOf(String(index))).sort()
  const clustered = Array.from({ length: 5_000 }, (_, index) => `${index.toString(16).padStart(40, '0')}`)
  for (const [all, line, end] of [
    [digests, (digest: string, index: number) => `${digest}:${index ** 3}`, '\r\n'],
    [digests, (digest: string) => digest.toLowerCase(), '\n'],
    [clustered.map((digest) => digest.toUpperCase()), (digest: string) => digest, '\n'],
    [digests.slice(0, 1), (digest: string) => digest, ''],
  ] as const) {
    const list = listOf(all.map(line), end)
    assert.deepEqual(
      all.filter((digest) => !list.has(digest)),
      [],
    )
    for (let index = 0; index < 2_000; index++) assert.equal(list.has(digestOf(`other ${index}`)), false)
    assert.equal(list.has(`${'0'.repeat(39)}G`), false)
    assert.equal(list.has('F'.repeat(40)), false)
    list.close()
  }
})

test('what is no sorted list of digests is refused', () => {
  const digests = Array.from({ length: 200 }, (_, index) => digestOf(String(index)))
  assert.throws(() => listOf(digests, '\n'), /not sorted/)
  assert.throws(() => listOf(['<html>'], '\n'), /no SHA-1 digest/)
  assert.throws(() => listOf([], '\n'), /no SHA-1 digest/)
  assert.throws(() => listOf([digestOf('a').toLowerCase(), 'password'], '\n'), /not all of its lines/)
})
