import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { form, json, xml } from './forms-of-a-value.ts'
import { formType } from './in-forms.ts'
import { jsonType } from './in-json.ts'
import { boundary, field, parts } from './in-multipart.ts'
import type { RequestVariant } from './request-variant.ts'

const coded = (
  name: string,
  coding: string,
  encode: (plain: string) => Buffer,
  isOrdinary = true,
): RequestVariant => ({
  name: `coded, ${name}`,
  headers: ['Content-Type', jsonType, 'Content-Encoding', coding],
  body: (value) => encode(json(value)),
  isOrdinary,
})
export const inCodings: readonly RequestVariant[] = [
  coded('gzip', 'gzip', (plain) => gzipSync(plain)),
  coded('x-gzip', 'x-gzip', (plain) => gzipSync(plain)),
  coded('GZIP', 'GZIP', (plain) => gzipSync(plain)),
  coded('deflate', 'deflate', (plain) => deflateSync(plain)),
  coded('deflate without its header', 'deflate', (plain) => deflateRawSync(plain)),
  coded('brotli', 'br', (plain) => brotliCompressSync(plain)),
  coded('zstd', 'zstd', (plain) => zstdCompressSync(plain)),
  coded('identity', 'identity', (plain) => Buffer.from(plain)),
  coded('twice', 'gzip, gzip', (plain) => gzipSync(gzipSync(plain)), false),
  coded('unknown', 'compress', (plain) => Buffer.from(plain), false),
  coded('said and not done', 'gzip', (plain) => Buffer.from(plain), false),
  coded('cut short', 'gzip', (plain) => gzipSync(plain).subarray(0, -6), false),
  coded('a bomb', 'gzip', (plain) => gzipSync(plain + ' '.repeat(40 * 1024 * 1024)), false),
  {
    name: 'coded form',
    headers: ['Content-Type', formType, 'Content-Encoding', 'gzip'],
    body: (value) => gzipSync(form(value)),
    isOrdinary: true,
  },
  {
    name: 'coded parts',
    headers: ['Content-Type', `multipart/form-data; boundary=${boundary}`, 'Content-Encoding', 'gzip'],
    body: (value) => gzipSync(parts(field(value))),
    isOrdinary: true,
  },
  coded('two members', 'gzip', (plain) => Buffer.concat([gzipSync(' '), gzipSync(plain)]), false),
  coded('something behind', 'gzip', (plain) => Buffer.concat([gzipSync(plain), Buffer.from('more')]), false),
  coded('another coding than said', 'br', (plain) => gzipSync(plain), false),
  coded('brotli cut short', 'br', (plain) => brotliCompressSync(plain).subarray(0, -4), false),
  coded('damaged', 'gzip', (plain) => gzipSync(plain).fill(0xff, 12, 16), false),
  coded('with identity', 'gzip, identity', (plain) => gzipSync(plain), false),
  coded('empty name', '', (plain) => Buffer.from(plain), false),
  {
    name: 'coded, said twice',
    headers: ['Content-Type', jsonType, 'Content-Encoding', 'identity', 'Content-Encoding', 'gzip'],
    body: (value) => gzipSync(json(value)),
    isOrdinary: false,
  },
  {
    name: 'coded, not said',
    headers: ['Content-Type', jsonType],
    body: (value) => gzipSync(json(value)),
    isOrdinary: false,
  },
  {
    name: 'coded XML',
    headers: ['Content-Type', 'application/xml', 'Content-Encoding', 'br'],
    body: (value) => brotliCompressSync(xml(value)),
    isOrdinary: true,
  },
  {
    name: 'coded text',
    headers: ['Content-Type', 'text/plain', 'Content-Encoding', 'deflate'],
    body: (value) => deflateSync(value),
    isOrdinary: true,
  },
]
