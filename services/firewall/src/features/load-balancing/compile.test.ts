import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Values } from '../../kinds/values.ts'
import { objectOfKind } from '../../testing/object-of-kind.ts'
import { balancingOfContentRule, balancingOfService } from './compile.ts'

const ofService = (values: Values = {}) =>
  balancingOfService(objectOfKind('service', { sections: { 'load-balancing': values } }), 'secret')

test('round robin, and another server for a client whose server fails, unless something else is said', () => {
  assert.deepEqual(ofService(), { algorithm: 'round-robin', whenServerFails: 'another' })
  assert.deepEqual(ofService({ algorithm: 'Least Requests', 'failover-method': 'Error' }), {
    algorithm: 'least-requests',
    whenServerFails: 'error',
  })
})

test('content rules have the algorithm under another name', () => {
  const rule = objectOfKind('rule-group', {
    sections: { 'load-balancing': { 'lb-algorithm': 'Weighted Round Robin' } },
  })
  assert.equal(balancingOfContentRule(rule, 'secret').algorithm, 'weighted-round-robin')
})

test('a cookie of our own has its path, and a domain and an age where they are given', () => {
  const method = { 'persistence-method': 'Cookie Insert' }
  const own = { by: 'cookie-insert', name: 'persistence', key: 'secret', path: '/', idleSeconds: 600 }
  assert.deepEqual(ofService(method).persistence, own)
  assert.deepEqual(
    ofService({ ...method, 'persistence-cookie-domain': 'a.example', 'cookie-age': 2 }).persistence,
    { ...own, domain: 'a.example', maxAgeSeconds: 120 },
  )
})

test('clients are known by their network, whose mask is written in either form', () => {
  const prefixLength = (mask: string) =>
    ofService({ 'persistence-method': 'Source IP', 'source-ip-netmask': mask }).persistence
  for (const [mask, length] of [
    ['255.255.240.0', 20],
    ['24', 24],
    ['64', 32],
    ['', 32],
  ] as const)
    assert.deepEqual(prefixLength(mask), { by: 'source-address', prefixLength: length })
})

test('nobody is known by a header or parameter that has no name', () => {
  assert.equal(ofService({ 'persistence-method': 'HTTP Header' }).persistence, undefined)
  assert.deepEqual(
    ofService({ 'persistence-method': 'URL Parameter', 'parameter-name': 'sid' }).persistence,
    { by: 'parameter', name: 'sid' },
  )
})
