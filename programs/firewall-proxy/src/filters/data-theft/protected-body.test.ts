import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Exchange } from '../../exchange/exchange.ts'
import { Policy } from '../../policy/policy.ts'
import { cardNumbers } from '../../testing/policies.ts'
import { DataFindings } from './data-findings.ts'
import { ProtectedBody } from './protected-body.ts'
import { ProtectedType } from './protected-type.ts'

const pattern = { type: 'data', isCaseSensitive: false, isPassive: false }
const type = new ProtectedType({
  ...cardNumbers,
  patterns: [
    ...cardNumbers.patterns,
    { ...pattern, name: 'person', regex: '\\b[0-9]{3}-[0-9]{2}-[0-9]{4}\\b' },
  ],
})

interface Told {
  readonly type?: string
  readonly charset?: string
}

/** What becomes of a body that comes in these chunks. */
function passedBytes(
  chunks: readonly Buffer[],
  { type: name = 'text/html', charset = '' }: Told = {},
): Buffer {
  const exchange = {
    mode: 'active',
    violations: [],
    judge: { policy: new Policy(undefined) },
    runtime: { service: {} },
  }
  const findings = new DataFindings(exchange as unknown as Exchange, false)
  const body = new ProtectedBody([type], findings, { type: name, charset })
  const parts = chunks.map((chunk) => body.transform(chunk))
  return Buffer.concat([...parts, body.flush()].filter((part) => Buffer.isBuffer(part)))
}

function passed(chunks: readonly string[]): string {
  return passedBytes(chunks.map((chunk) => Buffer.from(chunk, 'latin1'))).toString('latin1')
}

/** Pieces of a text, as long as these numbers say and then the rest. */
function cut<T extends string | Buffer>(whole: T, sizes: readonly number[]): T[] {
  const piece = (from: number, to?: number) =>
    (typeof whole === 'string' ? whole.slice(from, to) : whole.subarray(from, to)) as T
  const chunks: T[] = []
  let at = 0
  for (const size of sizes) {
    chunks.push(piece(at, at + size))
    at += size
  }
  return [...chunks, piece(at)]
}

test('what is overwritten does not depend on where the chunks end', () => {
  const piece = fc.constantFrom(
    '4111 1111 1111 1111',
    '4111111111111111',
    '4111111111111112',
    '123-45-6789',
    'a'.repeat(600),
    ' ',
    'x',
    '1',
    '-',
    'é',
    '\n',
    '\\',
    '&',
    '&#',
    '4&#49;11 1111&nbsp;1111&#xA0;1111',
    '4111\xc2\xa01111\xe2\x80\x911111 1111',
    '\\u0034111 1111 1111 1111',
    '4111%201111%201111%20111%31',
  )
  let matches = 0
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat(700), { maxLength: 30 }),
      (pieces, sizes) => {
        const text = pieces.join('')
        const whole = passed([text])
        assert.equal(passed(cut(text, sizes)), whole)
        assert.ok(whole.length <= text.length)
        if (whole !== text) matches++
      },
    ),
    { numRuns: 500 },
  )
  assert.ok(matches > 50)
})

test('a number is found however its digits and blanks are written, and what stays keeps its writing', () => {
  for (const [written, expected] of [
    ['4111&nbsp;1111&nbsp;1111&nbsp;1111', 'XXXX&nbsp;XXXX&nbsp;XXXX&nbsp;1111'],
    ['&#52;111 1111 1111 111&#49;', 'XXXX XXXX XXXX 111&#49;'],
    ['&#x34;11&#X00031 1111 1111&#x2D;1111', 'XXXX XXXX XXXX&#x2D;1111'],
    ['"\\u00341111111\\u00311111111"', '"XXXXXXXXXXXX1111"'],
    ['?n=4111%201111%201111%2D1111&x', '?n=XXXX%20XXXX%20XXXX%2D1111&x'],
    ['4111\xc2\xa01111\xe2\x80\x931111\xa01111', 'XXXX\xc2\xa0XXXX\xe2\x80\x93XXXX\xa01111'],
    // A backslash that is itself escaped begins no other escape.
    ['"\\\\u0034111111111111111"', '"\\\\u0034111111111111111"'],
    ['&#52;1111111 &amp; &#233; &#128512; &#0;', '&#52;1111111 &amp; &#233; &#128512; &#0;'],
  ] as const) {
    for (const sizes of [[], Array.from(written, () => 1)])
      assert.equal(passed(cut<string>(written, sizes)), expected)
  }
})

test('UTF-16 is read by its mark, by its zeros or by its charset, and stays as long as it was', () => {
  const text = '<p>caf\u00e9 4111 1111-1111 1111 \ud83d\ude00 \ud800</p>'
  const masked = text.replace('4111 1111-1111', 'XXXX XXXX-XXXX')
  const bytesOf = (one: string, isBig: boolean) => {
    const bytes = Buffer.from(one, 'utf16le')
    return isBig ? bytes.swap16() : bytes
  }
  let ran = 0
  for (const isBig of [false, true]) {
    for (const [before, told] of [
      ['\ufeff', {}],
      ['\ufeff', { charset: 'utf-8' }],
      ['', {}],
      ['', { charset: isBig ? 'utf-16be' : 'utf-16' }],
      ['\u20ac\u20ac', { charset: isBig ? 'utf-16be' : 'utf-16le' }],
      ['\ufeff', { type: 'application/octet-stream' }],
    ] as const) {
      const bytes = bytesOf(before + text, isBig)
      for (const size of [bytes.length, 1, 3, 7]) {
        const sizes = Array.from({ length: Math.ceil(bytes.length / size) }, () => size)
        const odd = Buffer.concat([bytes, Buffer.from('x')])
        const after = passedBytes(cut(odd, sizes), told)
        assert.deepEqual(after, Buffer.concat([bytesOf(before + masked, isBig), Buffer.from('x')]))
        ran++
      }
    }
  }
  assert.equal(ran, 2 * 6 * 4)
})

test('what is called a stream of bytes is looked at where it begins like a text', () => {
  const head = { type: 'application/octet-stream' }
  const rows = Buffer.from(`name,card\n${'anna,4111111111111111\n'.repeat(100)}`)
  const expected = rows.toString().replaceAll('411111111111', 'XXXXXXXXXXXX')
  const archive = Buffer.concat([Buffer.from('PK\x03\x04'), rows])
  for (const size of [10_000, 1, 100]) {
    const sizes = Array.from({ length: 30 }, () => size)
    assert.equal(passedBytes(cut(rows, sizes), head).toString(), expected)
    assert.deepEqual(passedBytes(cut(archive, sizes), head), archive)
  }
  assert.equal(passedBytes([], head).length, 0)
})
