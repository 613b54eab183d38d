import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { joinedValues } from './joined-values.ts'
import { readingsOf } from './readings.ts'

const attack = "1' or '1'='1"

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')

test('each encoding is taken off, and those in it, whatever their order', () => {
  for (const encoded of [
    "1' or '1'='\\u0031",
    "1\\x27 or '1\\'=\\'1",
    '1&#39; or &apos;1&quot;&#x3d;&#0000039;1'.replace('&quot;', '&#x27;'),
    '1+ACc- or +ACcAMQAn-=+ACc-1',
    '1%2527 or %25271%2527=%25271',
    "1%C0%A7 or '1'%C0%BD'%C0%B1",
    "1'% %o%r% %'%1%'%=%'%1",
    "1'\x01or\x1f'1'='1",
    '1%u0025u0027 or %u0025271%u002527=%u0025271',
    base64(attack),
    base64(attack).replace(/=+$/, ''),
    base64(base64(base64(attack))),
    Buffer.from(attack).toString('hex'),
    `0x${Buffer.from(attack).toString('hex')}`,
    JSON.stringify({ a: [{ b: attack }] }),
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify([attack]) }) }),
    base64(JSON.stringify({ a: "1\\u0027 or &#39;1'='1" })),
    `{"a":"${attack}",`,
  ]) {
    assert.ok(readingsOf(encoded).includes(attack), encoded)
  }
})

test('a serialized object in hexadecimal digits or in gzip comes out in Base64, and a text in gzip as it is', () => {
  const object = Buffer.from('aced0005737200116a6176612e7574696c2e486173684d6170', 'hex')
  const inGzip = (bytes: string | Buffer) => gzipSync(bytes).toString('base64')
  // More than is taken out of gzip: resets of Java's stream, which mean nothing.
  const resets = Buffer.alloc(10_000_000, 'y')
  // The header of gzip has a name of a file that is longer than what is read at first.
  const named = Buffer.concat([
    Buffer.from('1f8b0808000000000003', 'hex'),
    Buffer.from(`${'n'.repeat(5_000)}\0`),
    deflateRawSync(object),
  ])
  const damaged = Buffer.concat([gzipSync(object).subarray(0, -8), Buffer.alloc(3_000, 0xff)])
  for (const encoded of [
    object.toString('hex'),
    inGzip(object),
    inGzip(Buffer.concat([object, resets])),
    named.toString('base64'),
    damaged.toString('base64'),
  ]) {
    assert.ok(
      readingsOf(encoded).some((one) => one.startsWith('rO0ABXNyABFqYXZh')),
      encoded.slice(0, 100),
    )
  }
  assert.ok(readingsOf(inGzip(attack)).includes(attack))
  assert.ok(readingsOf(inGzip(attack + 'a'.repeat(10_000_000))).some((one) => one.startsWith(attack)))
  assert.deepEqual(readingsOf(`data:image/png;base64,${base64('<?php system("id"); ?>')}`), [
    '<?php system("id"); ?>',
  ])
  assert.deepEqual(readingsOf(`data:image/svg+xml;base64,${base64('<svg><script>f()</script></svg>')}`), [])
})

test('what rules decode by themselves has a reading where marks of commands and templates come out', () => {
  assert.deepEqual(readingsOf('a%3Bid'), ['a;id'])
  assert.deepEqual(readingsOf('%7B%7B7*7%7D%7D'), ['{{7*7}}'])
})

test('what rules decode by themselves, and what is in no encoding, has no other reading', () => {
  for (const value of [
    '',
    'Ann',
    '12345678901234567',
    'The quick brown fox jumps over the lazy dog',
    'Rock & Roll, 100 % pure',
    'C:\\Users\\ann\\xmas.txt',
    '\\d+\\.\\d*',
    '1%27 or %271%27=%271',
    'https://example.org/?a=1&b=2&copy=3',
    'f81d4fae7dec11d0a76500a0c91e6bf6',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N',
    '+49 30 1234567',
    Buffer.from(Array.from({ length: 60 }, (_, at) => (at * 151) % 256)).toString('base64'),
  ]) {
    assert.deepEqual(readingsOf(value), [], value)
  }
})

test('characters beyond ASCII come out in UTF-8, and control characters of what was whole as blanks', () => {
  assert.deepEqual(readingsOf('\\u00e9\\ud7ff'), ['\xc3\xa9\xed\x9f\xbf'])
  assert.deepEqual(readingsOf(base64('select\0from\x01users where')), ['select from users where'])
})

test('readings are no longer together than the value in each layer, however it is made', () => {
  const layered = (text: string, wrap: (text: string) => string, times: number): string =>
    times === 0 ? text : layered(wrap(text), wrap, times - 1)
  for (const value of [
    layered('x'.repeat(64), base64, 12),
    layered(attack, (text) => JSON.stringify({ a: text, b: [text] }), 9),
    `%${'25'.repeat(20_000)}27`,
    '&amp;'.repeat(20_000),
    '[['.repeat(20_000),
    `{"a":"${'\\u0041'.repeat(20_000)}"}`,
    '+ACc-'.repeat(20_000),
  ]) {
    const length = readingsOf(value).reduce((sum, one) => sum + one.length, 0)
    assert.ok(length <= 2 * 5 * value.length, `${length} of ${value.length}: ${value.slice(0, 20)}`)
  }
})

test('values of one name are joined, unless they are plain words', () => {
  const list = (query: string) =>
    query.split('&').map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return { name, value }
    })
  assert.deepEqual(joinedValues(list("a=1'&b=2&A=3&a=(")), [{ name: 'a', value: "1',3,(" }])
  assert.deepEqual(joinedValues(list("a=1&a=2&b='&c='")), [])
})
