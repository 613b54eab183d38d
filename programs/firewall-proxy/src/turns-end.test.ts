import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as laterTurn } from 'node:timers/promises'
import { turnsEnd } from './turns-end.ts'

test('those who wait in one turn of the event loop go on together, when all that came in it was read', async () => {
  const said: string[] = []
  const waitAs = async (name: string) => {
    await turnsEnd()
    said.push(`${name} goes on`)
  }
  const first = waitAs('one')
  await Promise.resolve()
  said.push('something was read')
  await Promise.all([first, waitAs('another')])
  assert.deepEqual(said, ['something was read', 'one goes on', 'another goes on'])
})

test('who waits once more goes on in a later turn, behind those of this one', async () => {
  const said: string[] = []
  const waitTwice = async () => {
    await turnsEnd()
    said.push('once')
    await turnsEnd()
    said.push('twice')
  }
  const waitOnce = async () => {
    await turnsEnd()
    said.push('beside it')
  }
  await Promise.all([waitTwice(), waitOnce()])
  assert.deepEqual(said, ['once', 'beside it', 'twice'])
})

test('one that is alone waits for nothing but this turn', async () => {
  const said: string[] = []
  const alone = turnsEnd().then(() => said.push('goes on'))
  await laterTurn()
  await laterTurn()
  assert.deepEqual(said, ['goes on'])
  await alone
})
