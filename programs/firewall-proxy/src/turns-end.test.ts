import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as laterTurn } from 'node:timers/promises'
import { sendAtTurnsEnd, turnsEnd } from './turns-end.ts'

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

test('what is sent waits for those who go on in the same turn, and goes with what they send', async () => {
  const said: string[] = []
  const send = (name: string) => sendAtTurnsEnd(() => said.push(`sends ${name}`))
  send('an answer')
  const judged = turnsEnd().then(() => {
    said.push('goes on')
    send('a request')
  })
  await laterTurn()
  await judged
  assert.deepEqual(said, ['goes on', 'sends an answer', 'sends a request'])
})

test('what is sent while others send goes in a later turn', async () => {
  const said: string[] = []
  sendAtTurnsEnd(() => {
    said.push('one')
    sendAtTurnsEnd(() => said.push('its consequence'))
  })
  sendAtTurnsEnd(() => said.push('another'))
  await laterTurn()
  await laterTurn()
  assert.deepEqual(said, ['one', 'another', 'its consequence'])
})

test('who waits while others go on is not forgotten, whether or not anything is sent', async () => {
  const said: string[] = []
  const waiting = turnsEnd().then(async () => {
    sendAtTurnsEnd(() => said.push('sent'))
    await turnsEnd()
    said.push('goes on')
  })
  await waiting
  assert.deepEqual(said, ['sent', 'goes on'])
})
