import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLog } from '@palisade/log'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { DatabaseCheck } from './database-check.ts'

const silent = createLog('silent')

function databaseOf(t: TestContext): string {
  const file = join(temporaryDirectory(t), 'a.sqlite')
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE thing (name TEXT)')
  const insert = database.prepare('INSERT INTO thing VALUES (?)')
  for (let count = 0; count < 100; count++) insert.run('x'.repeat(1000))
  database.close()
  return file
}

function damage(file: string, page: number): void {
  const fd = openSync(file, 'r+')
  writeSync(fd, randomBytes(4096), 0, 4096, page * 4096)
  closeSync(fd)
}

test('finds no damage in a database that is sound, empty or not there', async (t) => {
  const file = databaseOf(t)
  const empty = join(temporaryDirectory(t), 'empty.sqlite')
  closeSync(openSync(empty, 'w'))
  for (const path of [file, empty, join(temporaryDirectory(t), 'none.sqlite')]) {
    const check = await DatabaseCheck.begin(path, silent)
    assert.equal(check.damage, '')
    check.close()
  }
})

test('refuses a database with a damaged page, naming it in one line', async (t) => {
  const file = databaseOf(t)
  damage(file, 5)
  await assert.rejects(DatabaseCheck.begin(file, silent), {
    message: /^the database .*a\.sqlite is damaged \(Tree 2 page 6: .*\); nothing was written to it; see .*$/,
  })
})

test('goes on beside the server when it takes long, and tells of damage then', async (t) => {
  const file = databaseOf(t)
  damage(file, 5)
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const check = await DatabaseCheck.begin(file, log, 0)
  assert.equal(check.damage, '')
  for (let waited = 0; check.damage === '' && waited < 20_000; waited += 20) await pause(20)
  assert.match(check.damage, /is damaged \(Tree 2 page 6: .*\): stop the server; see /)
  assert.ok(lines.some((line) => JSON.parse(line).level === 50))
})

test('takes a file that belongs to another user for no damage', async (t) => {
  const file = databaseOf(t)
  for (const path of [file, `${file}-wal`]) {
    writeFileSync(path, '', { flag: 'a' })
    chmodSync(path, 0o400)
    chmodSync(dirname(path), 0o755)
    // Root may write to it all the same.
    const isRoot = process.geteuid?.() === 0
    if (isRoot) process.seteuid?.(65_534)
    try {
      await assert.rejects(DatabaseCheck.begin(file, silent), { code: 'EACCES', path })
    } finally {
      if (isRoot) process.seteuid?.(0)
      chmodSync(path, 0o666)
    }
  }
})
