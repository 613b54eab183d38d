import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originOf } from './message-origin.ts'
import { parseAgentMessage, parseServerMessage } from './messages.ts'

const hello = { type: 'hello', agentVersion: '9', hostName: 'x', platform: 'linux', running: [] }

test('members that a newer side adds to a message are passed over', () => {
  const more = { ...hello, mood: 'good', running: [{ task: 'backup', id: '1', since: 7 }] }
  assert.deepEqual(parseAgentMessage(JSON.stringify(more)), more)
  const cancel = { type: 'cancel', task: 'backup', id: '1', reason: 'no time' }
  assert.deepEqual(parseServerMessage(JSON.stringify(cancel)), cancel)
})

test('a source with a member that is not known is not taken: something else would be backed up', () => {
  const start = { type: 'start-backup', id: '1', source: { path: '/x' } }
  assert.deepEqual(parseServerMessage(JSON.stringify(start)), start)
  const other = { ...start, source: { path: '/x', snapshot: 'monday' } }
  assert.equal(parseServerMessage(JSON.stringify(other)), undefined)
})

test('messages of a type that is not known, and what is no JSON, are none', () => {
  for (const text of ['', '{', 'null', '[]', '{}', '{"type":"sing"}']) {
    assert.equal(parseAgentMessage(text), undefined)
    assert.equal(parseServerMessage(text), undefined)
  }
})

test('any message of the server may say what it comes of; what is wrong there is passed over', () => {
  const task = { type: 'start-backup', id: 'b', source: { path: '/dev/sdb1' } }
  const originIn = (origin: unknown) => {
    const message = parseServerMessage(JSON.stringify({ ...task, origin }))
    assert.ok(message)
    return originOf(message)
  }
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  assert.deepEqual(originIn({ requestId: 'r-1', traceparent }), { requestId: 'r-1', traceparent })
  assert.deepEqual(originIn({ requestId: 'r-1' }), { requestId: 'r-1' })
  for (const wrong of [
    undefined,
    null,
    'r-1',
    {},
    { requestId: 'a b' },
    { requestId: '\u001b[2J' },
    { requestId: 7 },
  ]) {
    assert.equal(originIn(wrong), undefined, JSON.stringify(wrong))
  }
})
