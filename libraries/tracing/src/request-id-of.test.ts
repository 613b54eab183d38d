import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestIdOf } from './request-id-of.ts'
import { readTraceparent, writeTraceparent } from './traceparent.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${spanId}-01`

test('a request is called as its caller says, or as its trace, or anew', () => {
  assert.equal(requestIdOf({ 'x-request-id': 'deploy-7', traceparent }), 'deploy-7')
  assert.equal(requestIdOf({ traceparent }), traceId)
  assert.match(requestIdOf({}), /^[0-9a-f]{32}$/)
  assert.notEqual(requestIdOf({}), requestIdOf({}))
})

test('an id that is not well-formed counts for nothing', () => {
  const hostile = [
    '',
    'a b',
    'x'.repeat(65),
    'one, two',
    '{"msg":"forged"}',
    '\u001b[2J',
    "'; drop table x --",
  ]
  for (const text of hostile) {
    assert.equal(requestIdOf({ 'x-request-id': text, traceparent }), traceId, JSON.stringify(text))
  }
  assert.match(requestIdOf({ 'x-request-id': 'a b', traceparent: '00-zz-yy-01' }), /^[0-9a-f]{32}$/)
})

test('reads traceparent as W3C Trace Context has it, and writes it so', () => {
  const read = { traceId, spanId, isSampled: true }
  assert.deepEqual(readTraceparent(traceparent), read)
  assert.equal(writeTraceparent(read), traceparent)
  assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-00`), { ...read, isSampled: false })
  // Flags that are not known, and what a later version adds.
  assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-ff`), read)
  assert.deepEqual(readTraceparent(`01-${traceId}-${spanId}-01-more`), read)
  const wrong = [
    undefined,
    '',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01\n`,
    ` ${traceparent}`,
    `01-${traceId}-${spanId}-01-${'x'.repeat(300)}`,
  ]
  for (const text of wrong) assert.equal(readTraceparent(text), undefined, JSON.stringify(text))
})
