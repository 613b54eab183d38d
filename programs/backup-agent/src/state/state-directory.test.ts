import assert from 'node:assert/strict'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { takeStateDirectory } from './state-directory.ts'

test('is made for the owner alone, and emptied of temporary files when it is taken', (t) => {
  const path = join(temporaryDirectory(t), 'deep', 'state')
  const first = takeStateDirectory(path)
  assert.equal(statSync(path).mode & 0o777, 0o700)
  const leftOver = join(first.workDirectory, 'left-over')
  writeFileSync(leftOver, '')
  first.release()
  takeStateDirectory(path).release()
  assert.ok(!existsSync(leftOver))
})

test('is refused to a second agent, and free again when the first one is gone', (t) => {
  const path = temporaryDirectory(t)
  const first = takeStateDirectory(path)
  assert.throws(() => takeStateDirectory(path), /another agent uses/)
  first.release()
  takeStateDirectory(path).release()
})
