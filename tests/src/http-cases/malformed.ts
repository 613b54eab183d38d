import { chunked, get, type HttpCase, post } from './http-case.ts'

/** What a parser that reads the first message otherwise than ours would take for the next one. */
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a.example\r\n\r\n'

const framedTwice: readonly HttpCase[] = [
  ...[
    ['a length and chunks', `Content-Length: 5\r\n${chunked}`],
    ['chunks and a length', `${chunked}Content-Length: 5\r\n`],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n'],
    ['the same length twice', 'Content-Length: 5\r\nContent-Length: 5\r\n'],
    ['a list of lengths', 'Content-Length: 5, 5\r\n'],
    ['a length in letters', 'Content-Length: five\r\n'],
    ['a length with letters behind it', 'Content-Length: 5x\r\n'],
    ['a length with a plus', 'Content-Length: +5\r\n'],
    ['a length below zero', 'Content-Length: -5\r\n'],
    ['a length in hexadecimal', 'Content-Length: 0x5\r\n'],
    ['a length with a point', 'Content-Length: 5.0\r\n'],
    ['an empty length', 'Content-Length:\r\n'],
    ['a length of many digits', 'Content-Length: 99999999999999999999999\r\n'],
    ['a length with a blank in it', 'Content-Length: 1 5\r\n'],
  ].map(([name = '', lines = '']) => ({ name, send: post(lines, `0\r\n\r\n${smuggled}`) })),
]

const codings: readonly HttpCase[] = [
  ...[
    ['an unknown coding', 'Transfer-Encoding: xchunked\r\n'],
    ['chunked twice', 'Transfer-Encoding: chunked, chunked\r\n'],
    ['chunked in two headers', `${chunked}${chunked}`],
    ['chunked before another coding', 'Transfer-Encoding: chunked, gzip\r\n'],
    ['identity', 'Transfer-Encoding: identity\r\n'],
    ['chunked and identity', 'Transfer-Encoding: chunked, identity\r\n'],
    ['an empty coding', 'Transfer-Encoding:\r\n'],
    ['chunked in quotes', 'Transfer-Encoding: "chunked"\r\n'],
    ['chunked behind a vertical tab', 'Transfer-Encoding: \x0bchunked\r\n'],
    ['chunked before a vertical tab', 'Transfer-Encoding: chunked\x0b\r\n'],
    ['a blank before the colon', 'Transfer-Encoding : chunked\r\n'],
    ['a tab before the colon', 'Transfer-Encoding\t: chunked\r\n'],
    ['a coding in a folded line', 'Transfer-Encoding:\r\n chunked\r\n'],
    ['a coding behind a bare CR', 'X: y\rTransfer-Encoding: chunked\r\n'],
    ['a coding behind a bare LF', 'X: y\nTransfer-Encoding: chunked\r\n'],
  ].map(([name = '', lines = '']) => ({ name, send: post(lines, `0\r\n\r\n${smuggled}`) })),
  {
    name: 'chunks in HTTP/1.0',
    send: `POST / HTTP/1.0\r\nHost: a\r\n${chunked}\r\n0\r\n\r\n${smuggled}`,
  },
]

const chunks: readonly HttpCase[] = [
  ...[
    ['a chunk size with a sign', '+5\r\nhello\r\n0\r\n\r\n'],
    ['a chunk size below zero', '-1\r\nhello\r\n0\r\n\r\n'],
    ['a chunk size with a prefix', '0x5\r\nhello\r\n0\r\n\r\n'],
    ['a chunk size that is no number', 'g\r\nhello\r\n0\r\n\r\n'],
    ['an empty chunk size', '\r\nhello\r\n0\r\n\r\n'],
    ['a chunk size beyond 64 bits', '10000000000000005\r\nhello\r\n0\r\n\r\n'],
    ['a blank before a chunk size', ' 5\r\nhello\r\n0\r\n\r\n'],
    ['a chunk size that ends with LF', '5\nhello\r\n0\r\n\r\n'],
    ['a chunk size that ends with CR', '5\rhello\r\n0\r\n\r\n'],
    ['a chunk that is longer than its size', '3\r\nhello\r\n0\r\n\r\n'],
    ['a chunk that ends with LF', '5\r\nhello\n0\r\n\r\n'],
    ['a chunk without an end', '5\r\nhello0\r\n\r\n'],
    ['a bare CR in a chunk extension', '5;a\rb\r\nhello\r\n0\r\n\r\n'],
    ['a bare LF in a chunk extension', '5;a\nb\r\nhello\r\n0\r\n\r\n'],
    ['a null byte in a chunk extension', '5;a\x00b\r\nhello\r\n0\r\n\r\n'],
    ['a trailer without a colon', '5\r\nhello\r\n0\r\nnothing\r\n\r\n'],
    ['a trailer that is folded', '5\r\nhello\r\n0\r\nX-T: a\r\n b\r\n\r\n'],
  ].map(([name = '', body = '']) => ({ name, send: post(chunked, body + smuggled) })),
]

const lines: readonly HttpCase[] = [
  ...[
    ['a header without a colon', 'nothing\r\n'],
    ['a header without a name', ': value\r\n'],
    ['a blank in a name', 'X Y: value\r\n'],
    ['a blank before the first header', ' X: value\r\n'],
    ['a folded header', 'X: a\r\n b\r\n'],
    ['a header folded with a tab', 'X: a\r\n\tb\r\n'],
    ['a null byte in a value', 'X: a\x00b\r\n'],
    ['a null byte in a name', 'X\x00Y: a\r\n'],
    ['a control character in a name', 'X\x01Y: a\r\n'],
    ['a byte beyond ASCII in a name', 'X\xe4Y: a\r\n'],
    ['a slash in a name', 'X/Y: a\r\n'],
    ['brackets in a name', 'X(Y): a\r\n'],
    ['a bare CR in a value', 'X: a\rb\r\n'],
    ['a bare CR before the end of a line', 'X: a\r\r\n'],
    ['a line that ends with LF', 'X: a\nY: b\r\n'],
    ['two hosts', 'Host: b.example\r\n'],
    ['headers of 200 KB', `X: ${'v'.repeat(200_000)}\r\n`],
  ].map(([name = '', line = '']) => ({ name, send: get(line) + smuggled })),
  { name: 'no host in HTTP/1.1', send: 'GET / HTTP/1.1\r\n\r\n' },
]

const requestLines: readonly HttpCase[] = [
  ...[
    ['a tab behind the method', 'GET\t/ HTTP/1.1'],
    ['a blank in the target', 'GET /a b HTTP/1.1'],
    ['a null byte in the target', 'GET /a\x00b HTTP/1.1'],
    ['a control character in the target', 'GET /a\x01b HTTP/1.1'],
    ['a fragment', 'GET /a#b HTTP/1.1'],
    ['a target without a slash', 'GET a HTTP/1.1'],
    ['an asterisk for GET', 'GET * HTTP/1.1'],
    ['another scheme', 'GET ftp://a/ HTTP/1.1'],
    ['CONNECT', 'CONNECT a.example:443 HTTP/1.1'],
    ['a method in small letters', 'get / HTTP/1.1'],
    ['an unknown method', 'NONSENSE / HTTP/1.1'],
    ['a method with other characters', 'G(T / HTTP/1.1'],
    ['no target', 'GET HTTP/1.1'],
    ['no version', 'GET /'],
    ['a version in small letters', 'GET / http/1.1'],
    ['the version 1.2', 'GET / HTTP/1.2'],
    ['the version 2.0', 'GET / HTTP/2.0'],
    ['the version 3.0', 'GET / HTTP/3.0'],
    ['a version of many digits', 'GET / HTTP/1.10'],
    ['a version without a point', 'GET / HTTP/11'],
    ['a line of 200 KB', `GET /${'p'.repeat(200_000)} HTTP/1.1`],
  ].map(([name = '', line = '']) => ({ name, send: `${line}\r\nHost: a.example\r\n\r\n` })),
  { name: 'lines that end with LF', send: 'GET / HTTP/1.1\nHost: a\n\n' },
  { name: 'a request line that ends with CR', send: 'GET / HTTP/1.1\rHost: a\r\r' },
  { name: 'a blank before the method', send: ' GET / HTTP/1.1\r\nHost: a\r\n\r\n' },
  { name: 'the preface of HTTP/2', send: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { name: 'a greeting of TLS', send: '\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00' },
  { name: 'something else', send: '\x00\x01\x02\x03\r\n\r\n' },
]

/** What servers read in different ways, or not at all: nothing of it may reach an application. */
export const malformed: readonly HttpCase[] = [
  ...framedTwice,
  ...codings,
  ...chunks,
  ...lines,
  ...requestLines,
]
