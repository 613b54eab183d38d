import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReadableOnTheWay, parseServerUrl, parseServerUrls } from './connection.ts'

test('the backup service is looked for below a bare server address, and where a path says', () => {
  const urls = {
    'http://127.0.0.1:8080': 'http://127.0.0.1:8080/backup',
    'http://127.0.0.1:8080/': 'http://127.0.0.1:8080/backup',
    'https://example.org/backup/': 'https://example.org/backup',
    'https://example.org:8444/a/b': 'https://example.org:8444/a/b',
    'http://[::1]:8080': 'http://[::1]:8080/backup',
  }
  for (const [url, expected] of Object.entries(urls)) assert.equal(parseServerUrl(url), expected)
})

test('refuses an address that is none, or carries more than an address', () => {
  for (const text of [
    '',
    'example.org',
    'ftp://example.org',
    'http://user:secret@example.org',
    'http://a/?q',
    'http://a/#f',
  ]) {
    assert.throws(() => parseServerUrl(text), /address/, text)
  }
})

test('takes up to sixteen servers, in their order', () => {
  const urls = Array.from({ length: 16 }, (_, index) => `https://${index}.example.org/backup`)
  const [first = '', ...others] = urls
  assert.deepEqual(parseServerUrls([first, ...others]), urls)
  assert.throws(() => parseServerUrls(['https://example.org', ...urls]), /--server may be given 16 times/)
})

test('refuses a server that comes twice, however it is written, and https for some only', () => {
  const twice = [
    'https://example.org',
    'https://other.example.org',
    'https://EXAMPLE.org:443/backup/',
  ] as const
  assert.throws(() => parseServerUrls([...twice]), /names https:\/\/example\.org\/backup twice/)
  assert.throws(() => parseServerUrls(['https://example.org', 'http://example.org']), /https for all/)
})

test('knows when what is sent could be read on the way', () => {
  assert.ok(isReadableOnTheWay('http://192.0.2.1:8080/backup'))
  assert.ok(isReadableOnTheWay('http://127.0.0.1.example.org/backup'))
  for (const url of [
    'https://192.0.2.1/backup',
    'http://127.0.0.1:8080/backup',
    'http://localhost/backup',
    'http://[::1]/backup',
  ]) {
    assert.ok(!isReadableOnTheWay(url), url)
  }
})
