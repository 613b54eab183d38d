import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dnsNameOf } from './dns-name.ts'

test('all spellings of a name are one name in DNS', () => {
  const spellings: [name: string, ...others: string[]][] = [
    ['example.org', 'EXAMPLE.ORG', 'Example.org.', 'example。org'],
    ['xn--bcher-kva.example', 'bücher.example', 'BÜCHER.example', 'XN--BCHER-KVA.example'],
    ['_mail.example', '_mail.example'],
    ['localhost', 'localhost'],
  ]
  for (const [name, ...others] of spellings) {
    for (const other of [name, ...others]) assert.equal(dnsNameOf(other), name, other)
  }
})

test('what DNS can have no name for is none', () => {
  const others = [
    '',
    '.',
    'a..example',
    '.example',
    '-a.example',
    'a-.example',
    'a b.example',
    'a\n.example',
    'a.example/b',
    'a.example?b',
    'a.example#b',
    'user@a.example',
    'a.example:25',
    'a%2Eb.example',
    '127.0.0.1',
    '[::1]',
    '*.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(124)}example`,
    '\0',
    '\ud800.example',
  ]
  for (const other of others) assert.equal(dnsNameOf(other), undefined, JSON.stringify(other))
})
