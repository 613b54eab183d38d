import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isListed, networkOf } from './address-list.ts'

test('refuses what is no address and no network', () => {
  for (const text of [
    '',
    'localhost',
    '192.0.2',
    '192.0.2.1.1',
    '192.0.2.256',
    '0x7f.1',
    '010.0.0.1',
    '10',
    '1.2.3.4/',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/08x',
    '1.2.3.0/24/1',
    '1.2.3.4/255.0.0.0',
    '::1/129',
    ':::',
    '2001:db8::/',
    ' 1.2.3.4',
    '1.2.3.4:80',
    '[::1]',
  ]) {
    assert.equal(networkOf(text), undefined, JSON.stringify(text))
  }
})

test('finds an address among addresses and in networks', () => {
  const cases: [list: string[], inside: string[], outside: string[]][] = [
    [['192.0.2.1'], ['192.0.2.1'], ['192.0.2.2', '::1', '::ffff:c000:202']],
    [['192.0.2.77/24'], ['192.0.2.0', '192.0.2.255'], ['192.0.3.0', '192.0.1.255']],
    [['0.0.0.0/0'], ['0.0.0.0', '255.255.255.255'], ['::1', '2001:db8::1']],
    [['::/0'], ['::1', '2001:db8::1'], ['192.0.2.1']],
    [['2001:db8::/33'], ['2001:db8::1', '2001:DB8:7fff::'], ['2001:db8:8000::', '2001:db9::']],
    [['2001:db8::1'], ['2001:db8:0:0:0:0:0:1'], ['2001:db8::2']],
    [['::ffff:192.0.2.0/120'], ['192.0.2.9', '::ffff:192.0.2.9'], ['192.0.3.9']],
    [['10.0.0.0/8', '192.0.2.1'], ['10.255.0.1', '192.0.2.1'], ['11.0.0.0']],
    [[], [], ['192.0.2.1', '::1']],
  ]
  for (const [list, inside, outside] of cases) {
    for (const address of inside) assert.equal(isListed(address, list), true, `${address} in ${list}`)
    for (const address of outside) assert.equal(isListed(address, list), false, `${address} not in ${list}`)
  }
})

test('finds nothing that is no address', () => {
  for (const text of ['', 'unknown', '192.0.2.0/24', '1'])
    assert.equal(isListed(text, ['0.0.0.0/0', '::/0']), false)
})
