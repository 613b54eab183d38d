import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TestAgent } from '../testing/agent/test-agent.ts'
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

const otherUser = 65_533

test('of another user is refused, so that he cannot choose what the agent writes over', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can be attacked by another user')
  const agent = await TestAgent.prepare(t)
  const precious = join(agent.directory, 'precious')
  writeFileSync(precious, 'only root writes this', { mode: 0o600 })
  mkdirSync(agent.stateDirectory)
  // What the agent writes when it has enrolled.
  symlinkSync(precious, join(agent.stateDirectory, 'credential.json.new'))
  chownSync(agent.stateDirectory, otherUser, otherUser)
  await assert.rejects(agent.start(), /belongs to another user \(65533\)/)
  assert.equal(readFileSync(precious, 'utf8'), 'only root writes this')
})

test('behind a link of another user is refused, and keeps its mode', (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can be attacked by another user')
  const directory = temporaryDirectory(t)
  const [target, link] = [join(directory, 'etc'), join(directory, 'state')]
  mkdirSync(target)
  chmodSync(target, 0o755)
  symlinkSync(target, link)
  lchownSync(link, otherUser, otherUser)
  assert.throws(() => takeStateDirectory(link), /belongs to another user/)
  assert.equal(statSync(target).mode & 0o777, 0o755)
  lchownSync(link, 0, 0)
  takeStateDirectory(link).release()
})
