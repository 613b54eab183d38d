import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as laterTurn } from 'node:timers/promises'
import { endOfTurn, sendAtEndOfTurn } from './event-loop-turn.ts'

test('those who wait in one turn of the event loop go on together, when all that came in it was read', async () => {
  const events: string[] = []
  const waitAs = async (name: string) => {
    await endOfTurn()
    events.push(`${name} goes on`)
  }
  const first = waitAs('one')
  await Promise.resolve()
  events.push('something was read')
  await Promise.all([first, waitAs('another')])
  assert.deepEqual(events, ['something was read', 'one goes on', 'another goes on'])
})

test('who waits once more goes on in a later turn, behind those of this one', async () => {
  const events: string[] = []
  const waitTwice = async () => {
    await endOfTurn()
    events.push('once')
    await endOfTurn()
    events.push('twice')
  }
  const waitOnce = async () => {
    await endOfTurn()
    events.push('beside it')
  }
  await Promise.all([waitTwice(), waitOnce()])
  assert.deepEqual(events, ['once', 'beside it', 'twice'])
})

test('one that is alone waits for nothing but this turn', async () => {
  const events: string[] = []
  const alone = endOfTurn().then(() => events.push('goes on'))
  await laterTurn()
  await laterTurn()
  assert.deepEqual(events, ['goes on'])
  await alone
})

test('what is sent waits for those who go on in the same turn, and goes with what they send', async () => {
  const events: string[] = []
  const send = (name: string) => sendAtEndOfTurn(() => events.push(`sends ${name}`))
  send('an answer')
  const judged = endOfTurn().then(() => {
    events.push('goes on')
    send('a request')
  })
  await laterTurn()
  await judged
  assert.deepEqual(events, ['goes on', 'sends an answer', 'sends a request'])
})

test('what is sent while others send goes in a later turn', async () => {
  const events: string[] = []
  sendAtEndOfTurn(() => {
    events.push('one')
    sendAtEndOfTurn(() => events.push('its consequence'))
  })
  sendAtEndOfTurn(() => events.push('another'))
  await laterTurn()
  await laterTurn()
  assert.deepEqual(events, ['one', 'another', 'its consequence'])
})

test('who waits while others go on is not forgotten, whether or not anything is sent', async () => {
  const events: string[] = []
  const waiting = endOfTurn().then(async () => {
    sendAtEndOfTurn(() => events.push('sent'))
    await endOfTurn()
    events.push('goes on')
  })
  await waiting
  assert.deepEqual(events, ['sent', 'goes on'])
})
