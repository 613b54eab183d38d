import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesOfExtension, parseAlternativeNames } from './alternative-names.ts'
import { CertificateUnreadable } from './certificate-unreadable.ts'

test('reads alternative names as clients write them', () => {
  const parsed = (...texts: string[]) =>
    parseAlternativeNames(texts).map(({ type, value }) => `${type} ${value}`)
  assert.deepEqual(
    parsed('DNS:www.example.com', 'dns: a.example ', 'DNS Name=b.example', '*.c.example', 'localhost'),
    ['dns www.example.com', 'dns a.example', 'dns b.example', 'dns *.c.example', 'dns localhost'],
  )
  assert.deepEqual(parsed('IP:192.0.2.1', 'IP Address:2001:db8::1', '::1', '10.0.0.1'), [
    'ip 192.0.2.1',
    'ip 2001:db8::1',
    'ip ::1',
    'ip 10.0.0.1',
  ])
  assert.deepEqual(parsed('email:a@example.com', 'b@example.com'), [
    'email a@example.com',
    'email b@example.com',
  ])
  assert.deepEqual(parsed('URI:https://e.example/a,b', 'spiffe://e.example/x', 'URL:urn:uuid:1'), [
    'url https://e.example/a,b',
    'url spiffe://e.example/x',
    'url urn:uuid:1',
  ])
  assert.deepEqual(parsed('DNS:a.example, DNS:b.example,,', ''), ['dns a.example', 'dns b.example'])
  assert.deepEqual(parsed('DNS:bücher.example'), ['dns xn--bcher-kva.example'])
})

test('refuses what is no name of its sort, and says which', () => {
  const wrong = [
    'IP:www.example.com',
    'DNS:192.0.2.1',
    'IP:fe80::1%eth0',
    'DNS:a b',
    'DNS:-a.example',
    'email:none',
    'URI:none',
  ]
  for (const text of [...wrong, 'DNS:', 'a..example', `${'a'.repeat(64)}.example`, 'x\ny']) {
    assert.throws(
      () => parseAlternativeNames(['DNS:good.example', text]),
      (failure) => failure instanceof CertificateUnreadable && failure.message.startsWith(`"${text}" is no`),
    )
  }
})

test('separates the names of an extension also where they hold commas', () => {
  assert.deepEqual(namesOfExtension(undefined), [])
  assert.deepEqual(namesOfExtension('DNS:a.example, URI:"https://a.example/?b,\\"c", IP Address:192.0.2.1'), [
    'DNS:a.example',
    'URI:https://a.example/?b,"c',
    'IP Address:192.0.2.1',
  ])
})
