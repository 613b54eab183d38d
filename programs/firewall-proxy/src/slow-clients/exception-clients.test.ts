import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExceptionClients } from './exception-clients.ts'

test('clients are excepted by address, range and network', () => {
  const clients = new ExceptionClients([
    '192.0.2.1',
    '198.51.100.10-198.51.100.20',
    '203.0.113.0/28',
    '2001:db8::/32',
  ])
  for (const address of [
    '192.0.2.1',
    '198.51.100.10',
    '198.51.100.20',
    '203.0.113.15',
    '2001:db8::7',
    '::ffff:192.0.2.1',
  ]) {
    assert.ok(clients.has(address), address)
  }
  for (const address of ['192.0.2.2', '198.51.100.9', '198.51.100.21', '203.0.113.16', '2001:db9::1', '']) {
    assert.ok(!clients.has(address), address)
  }
})

test('what is no range excepts nobody', () => {
  const clients = new ExceptionClients(['-', '192.0.2.1-', '192.0.2.0/99', 'localhost'])
  assert.ok(!clients.has('192.0.2.1'))
})
