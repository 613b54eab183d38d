import { escaped, form, json, xml } from './forms-of-a-value.ts'
import { boundary, field, parts } from './in-multipart.ts'
import { type RequestVariant, typed } from './request-variant.ts'

export const inMixed: readonly RequestVariant[] = [
  typed('mixed', `multipart/mixed; boundary=${boundary}`, (value) =>
    parts(`Content-Type: text/plain\r\n\r\n${value}`),
  ),
  typed('mixed, no headers', `multipart/mixed; boundary=${boundary}`, (value) => parts(`\r\n${value}`)),
  typed('mixed, JSON', `multipart/mixed; boundary="${boundary}"`, (value) =>
    parts(`Content-Type: application/json\r\n\r\n${`{"id":"${escaped(value)}"}`}`),
  ),
  typed('mixed, base64', `multipart/mixed; boundary=${boundary}`, (value) =>
    parts(
      `Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(value).toString('base64')}`,
    ),
  ),
  typed('mixed, quoted-printable', `multipart/mixed; boundary=${boundary}`, (value) =>
    parts(
      `Content-Transfer-Encoding: quoted-printable\r\n\r\n${value.replace(/ /g, '=20').replace('SELECT', 'SEL=\r\nECT')}`,
    ),
  ),
  typed(
    'mixed, unknown transfer encoding',
    `multipart/mixed; boundary=${boundary}`,
    (value) => parts(`Content-Transfer-Encoding: uuencode\r\n\r\n${value}`),
    false,
  ),
  typed('mixed, nested', `multipart/mixed; boundary=${boundary}`, (value) =>
    parts(
      `Content-Type: multipart/alternative; boundary=in\r\n\r\n--in\r\nContent-Type: application/xml\r\n\r\n${xml(value)}\r\n--in--`,
    ),
  ),
  typed('mixed, batch of requests', `multipart/mixed; boundary=${boundary}`, (value) =>
    parts(
      `Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPOST /users HTTP/1.1\r\nContent-Type: application/json\r\n\r\n${json(value)}`,
    ),
  ),
  typed('mixed, batch of addresses', `multipart/mixed; boundary=${boundary}`, (value) =>
    parts(
      `Content-Type: application/http\r\n\r\nGET /users?id=${encodeURIComponent(value)} HTTP/1.1\r\nAccept: */*\r\n\r\n`,
    ),
  ),
  typed(
    'mixed, preamble',
    `multipart/mixed; boundary=${boundary}`,
    (value) => `${value}\r\n${parts('\r\n1')}`,
  ),
  typed('mixed, epilogue', `multipart/mixed; boundary=${boundary}`, (value) => `${parts('\r\n1')}${value}`),
  typed('mixed, no boundary', 'multipart/mixed', (value) => parts(`\r\n${value}`), false),
  typed(
    'mixed, no last boundary',
    `multipart/mixed; boundary=${boundary}`,
    (value) => `--${boundary}\r\n\r\n${value}\r\n`,
    false,
  ),
  typed('related', `multipart/related; type="application/xop+xml"; boundary="${boundary}"`, (value) =>
    parts(
      `Content-Type: application/xop+xml; charset=UTF-8\r\nContent-ID: <root@example>\r\n\r\n${xml(value)}`,
      'Content-Type: image/png\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <a@example>\r\n\r\n\x89PNG',
    ),
  ),
  typed(
    'mixed, UTF-16 part',
    `multipart/mixed; boundary=${boundary}`,
    (value) => parts(`Content-Type: text/plain; charset=utf-16\r\n\r\n${value}`),
    false,
  ),
  typed('mixed, base64 of JSON', `multipart/mixed; boundary=${boundary}`, (value) =>
    parts(
      `Content-Type: application/json\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(`{"id":"${escaped(value)}"}`).toString('base64')}`,
    ),
  ),
  typed(
    'mixed, base64 with a mark that is none',
    `multipart/mixed; boundary=${boundary}`,
    (value) => parts(`Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(value).toString('base64')}*`),
    false,
  ),
  typed('mixed, base64 in lines', `multipart/mixed; boundary=${boundary}`, (value) =>
    parts(
      `Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(value).toString('base64').replace(/.{8}/g, '$&\r\n')}`,
    ),
  ),
  typed(
    'mixed, quoted-printable that is read as it stands',
    `multipart/mixed; boundary=${boundary}`,
    (value) =>
      parts(`Content-Transfer-Encoding: quoted-printable\r\n\r\n${value.replace(/ /g, ' =00')}${value}`),
    false,
  ),
  typed(
    'mixed, base64 that is none',
    `multipart/mixed; boundary=${boundary}`,
    (value) => parts(`Content-Transfer-Encoding: base64\r\n\r\n${value}`),
    false,
  ),
  typed('mixed, form inside', `multipart/mixed; boundary=${boundary}`, (value) =>
    parts(`Content-Type: application/x-www-form-urlencoded\r\n\r\n${form(value)}`),
  ),
  typed(
    'mixed, form-data inside',
    `multipart/mixed; boundary=${boundary}`,
    (value) => parts(field(value)),
    false,
  ),
  typed(
    'mixed, 100 deep',
    `multipart/mixed; boundary=${boundary}`,
    (value) => {
      let inside = `\r\n${value}`
      for (let depth = 0; depth < 100; depth++)
        inside = `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${inside}\r\n--b${depth}--`
      return parts(inside)
    },
    false,
  ),
  typed('multipart of no known kind', `multipart/x-unknown; boundary=${boundary}`, (value) =>
    parts(`\r\n${value}`),
  ),
  typed(
    'multipart, alternative',
    `multipart/alternative; boundary=${boundary}`,
    (value) => parts(`Content-Type: text/html\r\n\r\n<p>${xml(value)}</p>`),
    false,
  ),
]
