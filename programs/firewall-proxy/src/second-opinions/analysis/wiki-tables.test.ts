import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyHarmlessSql } from './sql.ts'
import { withoutWikiTables } from './wiki-tables.ts'

function table(cells: string): string {
  return `Rivers and their towns in the north\n{| class="wikitable"\n! Town !! People\n|-\n| ${cells} || 1.000\n|}\nSee the other page for more.`
}

test('marks and attributes of tables are left out, and cells stay', () => {
  assert.equal(
    withoutWikiTables(table('Leeds')),
    'Rivers and their towns in the north\n Town   People\n Leeds   1.000\nSee the other page for more.',
  )
  assert.equal(
    withoutWikiTables('{| class="a"\n|+ Title\n|- style="color: red"\n| rowspan="2" | A || B\n|}').trim(),
    'Title\n  A   B',
  )
})

test('a text about anything with a table in it is no statement', () => {
  for (const cells of ['Leeds', "King's Lynn", 'style="color: red" | Hull'])
    assert.ok(whyHarmlessSql(table(cells)), cells)
})

test('statements in and around cells stay what they are', () => {
  for (const cells of [
    "x' || 'y",
    "x' or '1'='1",
    '1 union select a, b from users',
    'x" or "1"="1',
    "o'brien || (select password from users)",
    '1 and sleep(5)',
    '1; drop table users -- ',
  ]) {
    assert.equal(whyHarmlessSql(table(cells)), undefined, cells)
    assert.equal(whyHarmlessSql(`${cells}\n${table('Leeds')}`), undefined, cells)
    assert.equal(whyHarmlessSql(`${table('Leeds')}\n${cells}`), undefined, cells)
  }
  const inAttribute = table('Leeds').replace('wikitable', 'or 1')
  assert.equal(whyHarmlessSql(inAttribute), undefined)
})

test('what is no whole table is left as it is', () => {
  for (const text of [
    '{| class="a"\n| b',
    '{| onload=alert\n| b\n|}',
    '{|\n{|\n| a\n|}\n|}',
    'a {| b',
    '{| class="or"\n|}',
  ])
    assert.equal(withoutWikiTables(text), text)
})
