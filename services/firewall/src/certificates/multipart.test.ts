import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CertificateUnreadable, type MultipartPart, readMultipart } from './index.ts'

const type = (boundary: string) => `multipart/form-data; boundary=${boundary}`
const form = (...lines: string[]) => Buffer.from(lines.join('\r\n'))

test('reads fields and files of a browser’s form', () => {
  const body = form(
    'words before it',
    '--b',
    'Content-Disposition: form-data; name="name"',
    '',
    'www',
    '--b',
    'Content-Disposition: form-data; name="signed_certificate"; filename="www ü.pem"',
    'Content-Type: application/x-pem-file',
    '',
    'line 1',
    '--bnot a delimiter',
    ' --b',
    '',
    '--b--',
    'words after it',
  )
  assert.deepEqual(readMultipart(body, type('b')), [
    { name: 'name', content: Buffer.from('www') },
    {
      name: 'signed_certificate',
      filename: 'www ü.pem',
      content: Buffer.from('line 1\r\n--bnot a delimiter\r\n --b\r\n'),
    },
  ])
})

test('reads what scripts send: line feeds, quotes, a last delimiter without its end', () => {
  const body = Buffer.from(
    [
      '--f3b2-11',
      'Content-Disposition: form-data; name="signed_certificate"; filename="C:\\certificates\\new.pfx"',
      'Content-Type: text/plain',
      '',
      'first',
      'second',
      '--f3b2-11',
      'content-disposition: form-data;',
      '  name=key_type',
      '',
      '',
      '--f3b2-11',
      'Content-Disposition: form-data; name="password"',
      '',
      '--f3b2-11',
      '',
    ].join('\n'),
  )
  assert.deepEqual(readMultipart(body, 'Multipart/Form-Data; charset=utf-8; Boundary="f3b2-11"'), [
    {
      name: 'signed_certificate',
      filename: 'C:\\certificates\\new.pfx',
      content: Buffer.from('first\nsecond'),
    },
    { name: 'key_type', content: Buffer.alloc(0) },
    { name: 'password', content: Buffer.alloc(0) },
  ])
})

const field = ['--b', 'Content-Disposition: form-data; name="a"', '', 'value']
const refused: readonly (readonly [string, Buffer, string, RegExp])[] = [
  ['JSON', form('{}'), 'application/json', /not multipart\/form-data/],
  ['no boundary', form(...field, '--b--'), 'multipart/form-data; charset=utf-8', /holds no boundary/],
  ['an endless boundary', form(...field, '--b--'), type('b'.repeat(201)), /holds no boundary of 1 to 200/],
  ['an empty body', form(''), type('b'), /no parts/],
  ['another boundary', form(...field, '--b--'), type('c'), /no parts/],
  ['a form that is cut off', form(...field), type('b'), /cut off/],
  ['a form that is cut off after a part', form(...field, ...field), type('b'), /cut off/],
  [
    'a part without an empty line',
    form('--b', 'Content-Disposition: form-data; name="a"', '--b--'),
    type('b'),
    /no empty line/,
  ],
  [
    'a part without a name',
    form('--b', 'Content-Disposition: form-data', '', 'x', '--b--'),
    type('b'),
    /with a name/,
  ],
  ['a part without headers', form('--b', '', 'x', '', 'y', '--b--'), type('b'), /with a name/],
  [
    'an open quote',
    form('--b', 'Content-Disposition: form-data; name="a', '', 'x', '--b--'),
    type('b'),
    /with a name/,
  ],
]

test('refuses what cannot be understood, and says why', () => {
  for (const [what, body, contentType, sentence] of refused) {
    assert.throws(
      () => readMultipart(body, contentType),
      (failure) => failure instanceof CertificateUnreadable && sentence.test(failure.message),
      what,
    )
  }
})

test('reads no more than the limits', () => {
  const limits = { partsMax: 2, partSizeBytesMax: 5, headerSizeBytesMax: 60 }
  const read = (...lines: string[]) => readMultipart(form(...lines, '--b--'), type('b'), limits)
  assert.equal(read(...field, ...field).length, 2)
  assert.throws(() => read(...field, ...field, ...field), /more than 2 parts/)
  assert.throws(
    () => read('--b', 'Content-Disposition: form-data; name="a"', '', '123456'),
    /larger than 5 bytes/,
  )
  const long = `Content-Disposition: form-data; name="${'a'.repeat(60)}"`
  assert.throws(() => read('--b', long, '', 'x'), /no empty line/)
})

const part = fc
  .record({
    name: fc.stringMatching(/^[a-z_]{1,20}$/),
    filename: fc.option(fc.stringMatching(/^[A-Za-z0-9 ._=;-]{0,20}$/), { nil: undefined }),
    content: fc.uint8Array({ maxLength: 300 }),
  })
  .map(({ name, filename, content }) => ({
    name,
    ...(filename === undefined ? {} : { filename }),
    content: Buffer.from(content),
  }))

function written(
  parts: readonly MultipartPart[],
  boundary: string,
  lineEnd: string,
  isFinished: boolean,
): Buffer {
  const heads = parts.map(({ name, filename, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"${lineEnd}Content-Type: text/plain`
    const head = `--${boundary}${lineEnd}Content-Disposition: form-data; name="${name}"${file}${lineEnd}${lineEnd}`
    return Buffer.concat([Buffer.from(head), content, Buffer.from(lineEnd)])
  })
  return Buffer.concat([...heads, Buffer.from(`--${boundary}${isFinished ? '--' : ''}${lineEnd}`)])
}

test('gives the parts that were written, whichever way', () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 8 }),
      fc.stringMatching(/^[A-Za-z0-9'()+_,./:=?-]{16,40}$/),
      fc.constantFrom('\r\n', '\n'),
      fc.boolean(),
      (parts, boundary, lineEnd, isFinished) => {
        // With bare line feeds, a carriage return at the end of the content would belong to the line end.
        fc.pre(lineEnd === '\r\n' || parts.every(({ content }) => content.at(-1) !== 0x0d))
        const body = written(parts, boundary, lineEnd, isFinished)
        assert.deepEqual(readMultipart(body, type(`"${boundary}"`)), parts)
      },
    ),
    { numRuns: 500 },
  )
})

test('reads or refuses every body, and quickly', () => {
  const piece = fc.constantFrom(
    '--b',
    '--b--',
    '\r\n',
    '\n',
    '\r',
    ' ',
    ':',
    '"',
    '\\"',
    ';',
    'name=',
    'Content-Disposition:',
    'x',
    'é',
    '\0',
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.constantFrom('b', '"b"', '-', '""', '\\'),
      (pieces, boundary) => {
        try {
          for (const { name } of readMultipart(Buffer.from(pieces.join('')), type(boundary))) assert.ok(name)
        } catch (failure) {
          if (!(failure instanceof CertificateUnreadable)) throw failure
        }
      },
    ),
    { numRuns: 3000 },
  )
  const since = performance.now()
  for (const text of ['--b', '--b\n', '\n--b x', '\n--b ', '--b\r\nname="\\"', ';name="\\"']) {
    const body = Buffer.from(text.repeat(Math.floor(4_000_000 / text.length)))
    assert.throws(() => readMultipart(body, type('b')), CertificateUnreadable)
  }
  assert.ok(performance.now() - since < 5_000)
})
