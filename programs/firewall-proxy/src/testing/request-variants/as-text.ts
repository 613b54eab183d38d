import { ebcdic, fourBytes, swapped, wide } from './forms-of-a-value.ts'
import { type RequestVariant, typed } from './request-variant.ts'

const base64 = (value: string) => Buffer.from(value).toString('base64')
/** Blanks behind a value, so that its length has this rest when it is divided by three. */
const padded = (value: string, rest: number) => value + ' '.repeat((rest + 3 - (value.length % 3)) % 3)
const between = (value: string) =>
  Buffer.concat([
    Buffer.alloc(100, '\x01\x02\x03\x04\xff', 'latin1'),
    Buffer.from(value),
    Buffer.alloc(100, '\0\x01\x02\x81', 'latin1'),
  ])

export const asText: readonly RequestVariant[] = [
  typed('text', 'text/plain', (value) => value),
  typed('text, charset', 'text/plain; charset=utf-8', (value) => `Dear all, ${value}`),
  typed('text, without a type', undefined, (value) => value),
  typed('text, empty type', '', (value) => value, false),
  typed('text, encoded', 'text/plain', (value) => encodeURIComponent(value)),
  typed('text, UTF-16', 'text/plain', (value) => wide(`\ufeff${value}`)),
  typed('CSV', 'text/csv', (value) => `id,name\r\n"${value}",Ann\r\n`),
  typed('text, Base64', 'text/plain', base64),
  typed('text, Base64 with one pad', 'text/plain', (value) => base64(padded(value, 2))),
  typed('text, Base64 with two pads', 'text/plain', (value) => base64(padded(value, 1))),
  typed('text, Base64 without a type', undefined, (value) => base64(padded(value, 1))),
  typed('text as an image', 'image/jpeg', (value) => value),
  typed('text as a PDF', 'application/pdf', (value) => `%PDF-1.4 ${value}`),
  typed('protobuf', 'application/x-protobuf', (value) =>
    Buffer.concat([Buffer.from([10, value.length]), Buffer.from(value), Buffer.from([16, 1, 24, 0])]),
  ),
  typed('gRPC', 'application/grpc-web+proto', (value) =>
    Buffer.concat([Buffer.from([0, 0, 0, 0, value.length + 2, 10, value.length]), Buffer.from(value)]),
  ),
  typed('gRPC in text', 'application/grpc-web-text', (value) =>
    Buffer.concat([
      Buffer.from([0, 0, 0, 0, value.length + 2, 10, value.length]),
      Buffer.from(value),
    ]).toString('base64'),
  ),
  typed('text between other bytes', 'application/octet-stream', (value) =>
    Buffer.concat([
      Buffer.alloc(300, '\x01\x02\xff', 'latin1'),
      Buffer.from(value),
      Buffer.alloc(300, '\x00\x81', 'latin1'),
    ]),
  ),
  typed('text between other bytes, with line ends', 'application/octet-stream', (value) =>
    between(value.replaceAll(' ', '\n')),
  ),
  typed('text between other bytes, cut by letters', 'application/octet-stream', (value) =>
    between(value.replaceAll(' ', '/*\u00fc*/')),
  ),
  typed('short text between other bytes', 'application/octet-stream', (value) =>
    between(value.includes("'") ? "' or 1=1-- " : value.slice(0, 11)),
  ),
  typed('text behind many pieces', 'application/octet-stream', (value) =>
    Buffer.concat([Buffer.from('The quick brown fox\x01\x02'.repeat(3000), 'latin1'), Buffer.from(value)]),
  ),
  typed('text, byte order mark', 'text/plain', (value) => `\ufeff${value}`),
  typed('text, UTF-32', 'text/plain', (value) => fourBytes(`\ufeff${value}`), false),
  typed('text, UTF-16, big endian', 'text/plain', (value) => swapped(`\ufeff${value}`)),
  typed('text, UTF-16 without a mark', 'text/plain; charset=utf-16le', (value) => wide(value), false),
  typed('text, UTF-7 said', 'text/plain; charset=utf-7', (value) => value, false),
  typed('text, IBM037', 'text/plain; charset=ibm037', ebcdic, false),
  typed('text, type that is a star', '*/*', (value) => value, false),
  typed('text, type with a comma', 'text/plain,', (value) => value, false),
  typed('text, chunked', 'text/plain', (value) => value, true, { isChunked: true }),
  typed('text, NUL before', 'text/plain', (value) => `\0${value}`, false),
  typed('calendar', 'text/calendar', (value) => `BEGIN:VCALENDAR\r\nSUMMARY:${value}\r\nEND:VCALENDAR\r\n`),
  typed(
    'a message of its own',
    'message/http',
    (value) => `POST / HTTP/1.1\r\nHost: a\r\n\r\n${value}`,
    false,
  ),
]
