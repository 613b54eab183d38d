import { escaped, form, json, wide } from './forms-of-a-value.ts'
import { type RequestVariant, typed } from './request-variant.ts'

export const boundary = 'aPartOfTheForm7'
export const field = (value: string, head = 'Content-Disposition: form-data; name="id"') =>
  `${head}\r\n\r\n${value}`
export const parts = (...all: string[]) =>
  `${all.map((one) => `--${boundary}\r\n${one}\r\n`).join('')}--${boundary}--\r\n`
export const multipart = (
  name: string,
  body: (value: string) => string | Buffer,
  isOrdinary = true,
  parameter = `boundary=${boundary}`,
): RequestVariant => typed(name, `multipart/form-data; ${parameter}`, body, isOrdinary)

export const inMultipart: readonly RequestVariant[] = [
  multipart('parts', (value) => parts(field(value))),
  multipart('parts, boundary in quotes', (value) => parts(field(value)), true, `boundary="${boundary}"`),
  multipart(
    'parts, preamble',
    (value) => `This is a multi-part message in MIME format.\r\n${parts(field(value))}`,
  ),
  multipart('parts, epilogue', (value) => `${parts(field(value))}\r\n`),
  multipart('parts, attack in the preamble', (value) => `${value}\r\n${parts(field('1'))}`),
  multipart('parts, attack in the epilogue', (value) => `${parts(field('1'))}${value}\r\n`),
  multipart('parts, second of a name', (value) => parts(field('1'), field(value))),
  multipart('parts, with a type', (value) =>
    parts(
      field(value, 'Content-Disposition: form-data; name="id"\r\nContent-Type: text/plain; charset=UTF-8'),
    ),
  ),
  multipart('parts, JSON', (value) =>
    parts(field(json(value), 'Content-Disposition: form-data; name="id"\r\nContent-Type: application/json')),
  ),
  multipart('parts, escaped JSON', (value) =>
    parts(
      field(
        `{"id":"${escaped(value)}"}`,
        'Content-Disposition: form-data; name="id"\r\nContent-Type: application/json',
      ),
    ),
  ),
  multipart('parts, escaped JSON in a file', (value) =>
    parts(
      field(
        `{"id":"${escaped(value)}"}`,
        'Content-Disposition: form-data; name="id"; filename="blob"\r\nContent-Type: application/json',
      ),
    ),
  ),
  multipart('parts, XML in a file', (value) =>
    parts(
      field(
        `<q><![CDATA[${value}]]></q>`,
        'Content-Disposition: form-data; name="id"; filename="a.xml"\r\nContent-Type: text/xml',
      ),
    ),
  ),
  multipart('parts, mixed inside', (value) =>
    parts(
      field(
        `--in\r\n\r\n${value}\r\n--in--\r\n`,
        'Content-Disposition: form-data; name="id"\r\nContent-Type: multipart/mixed; boundary=in',
      ),
    ),
  ),
  multipart('parts, empty name of a file', (value) =>
    parts(field(value, 'Content-Disposition: form-data; name="id"; filename=""')),
  ),
  multipart(
    'parts, name of a file',
    (value) => parts(field('x', `Content-Disposition: form-data; name="id"; filename="${value}"`)),
    false,
  ),
  multipart('parts, BOUNDARY', (value) => parts(field(value)), false, `BOUNDARY=${boundary}`),
  multipart(
    'parts, two boundaries',
    (value) => parts(field(value)),
    false,
    `boundary=other; boundary=${boundary}`,
  ),
  multipart(
    'parts, blank before the boundary',
    (value) => parts(field(value)),
    false,
    `boundary= ${boundary}`,
  ),
  multipart('parts, blank behind the name', (value) => parts(field(value)), false, `boundary =${boundary}`),
  multipart('parts, no semicolon', (value) => parts(field(value)), false, `x boundary=${boundary}`),
  multipart(
    'parts, boundary in single quotes',
    (value) => parts(field(value)),
    false,
    `boundary='${boundary}'`,
  ),
  multipart('parts, boundary with one quote', (value) => parts(field(value)), false, `boundary="${boundary}`),
  multipart('parts, no boundary', (value) => parts(field(value)), false, 'charset=utf-8'),
  multipart('parts, boundary that goes on', (value) => parts(field(value)), false, `boundary=${boundary},x`),
  multipart(
    'parts, boundary of 100',
    (value) => parts(field(value)).replaceAll(boundary, 'b'.repeat(100)),
    false,
    `boundary=${'b'.repeat(100)}`,
  ),
  multipart(
    'parts, blank behind the delimiter',
    (value) => parts(field(value)).replace(`--${boundary}\r\n`, `--${boundary} \r\n`),
    false,
  ),
  multipart(
    'parts, no last boundary',
    (value) => parts(field(value)).replace(`--${boundary}--\r\n`, ''),
    false,
  ),
  multipart('parts, no boundary at all', (value) => field(value), false),
  multipart('parts, parts behind the last', (value) => `${parts(field('1'))}${parts(field(value))}`, false),
  multipart(
    'parts, boundary behind a bare CR',
    (value) => parts(field(`1\r--${boundary}\r\n${field(value)}`)),
    false,
  ),
  multipart('parts, bare LF', (value) => parts(field(value)).replaceAll('\r\n', '\n'), false),
  multipart('parts, one bare LF', (value) => parts(field(value)).replace('"id"\r\n', '"id"\n'), false),
  multipart(
    'parts, filename*',
    (value) => parts(field(value, `Content-Disposition: form-data; name="id"; filename*=UTF-8''a.txt`)),
    false,
  ),
  multipart(
    'parts, filename* of another name',
    (value) =>
      parts(
        field(value, `Content-Disposition: form-data; name="id"; filename="a.png"; filename*=UTF-8''a.php`),
      ),
    false,
  ),
  multipart(
    'parts, name twice',
    (value) => parts(field(value, 'Content-Disposition: form-data; name="a"; name="id"')),
    false,
  ),
  multipart('parts, no name', (value) => parts(field(value, 'Content-Disposition: form-data')), false),
  multipart(
    'parts, header twice',
    (value) =>
      parts(
        field(value, 'Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="id"'),
      ),
    false,
  ),
  multipart('parts, no disposition', (value) => parts(field(value, 'Content-Type: text/plain')), false),
  multipart(
    'parts, disposition of a file',
    (value) => parts(field(value, 'Content-Disposition: attachment; name="id"')),
    false,
  ),
  multipart(
    'parts, folded header',
    (value) => parts(field(value, 'Content-Disposition: form-data;\r\n name="id"; filename="a"')),
    false,
  ),
  multipart(
    'parts, name in single quotes',
    (value) => parts(field(value, "Content-Disposition: form-data; name='id'")),
    false,
  ),
  multipart(
    'parts, NUL in a header',
    (value) => parts(field(value, 'Content-Disposition: form-data; name="id\0"')),
    false,
  ),
  multipart(
    'parts, base64',
    (value) =>
      parts(
        field(
          Buffer.from(value).toString('base64'),
          'Content-Disposition: form-data; name="id"\r\nContent-Transfer-Encoding: base64',
        ),
      ),
    false,
  ),
  multipart(
    'parts, quoted-printable',
    (value) =>
      parts(
        field(
          value.replace(/ /g, '=20'),
          'Content-Disposition: form-data; name="id"\r\nContent-Transfer-Encoding: quoted-printable',
        ),
      ),
    false,
  ),
  multipart(
    'parts, UTF-7',
    (value) =>
      parts(
        field(value, 'Content-Disposition: form-data; name="id"\r\nContent-Type: text/plain; charset=utf-7'),
      ),
    false,
  ),
  multipart(
    'parts, _charset_',
    (value) => parts(field('utf-7', 'Content-Disposition: form-data; name="_charset_"'), field(value)),
    false,
  ),
  multipart('parts, JSON sent', json, false),
  typed('parts, type in capitals', `Multipart/Form-Data; boundary=${boundary}`, (value) =>
    parts(field(value)),
  ),
  typed('parts, chunked', `multipart/form-data; boundary=${boundary}`, (value) => parts(field(value)), true, {
    isChunked: true,
  }),
  typed('parts, without a type', undefined, (value) => parts(field(value)), false),
  typed('parts, octet-stream', 'application/octet-stream', (value) => parts(field(value)), false),
  multipart(
    'parts, name without quotes',
    (value) => parts(field(value, 'Content-Disposition: form-data; name=id')),
    false,
  ),
  multipart(
    'parts, name in capitals',
    (value) => parts(field(value, 'Content-Disposition: form-data; NAME="id"')),
    false,
  ),
  multipart(
    'parts, header in capitals',
    (value) => parts(field(value, 'CONTENT-DISPOSITION: form-data; name="id"')),
    false,
  ),
  multipart('parts, header in small letters', (value) =>
    parts(field(value, 'content-disposition: form-data; name="id"')),
  ),
  multipart(
    'parts, quote escaped in the name',
    (value) => parts(field(value, 'Content-Disposition: form-data; name="i\\"d"')),
    false,
  ),
  multipart(
    'parts, quote encoded in the name',
    (value) => parts(field(value, 'Content-Disposition: form-data; name="i%22d"')),
    false,
  ),
  multipart(
    'parts, name*',
    (value) => parts(field(value, "Content-Disposition: form-data; name*=UTF-8''id")),
    false,
  ),
  multipart(
    'parts, encoded word as name',
    (value) => parts(field(value, 'Content-Disposition: form-data; name="=?utf-8?q?id?="')),
    false,
  ),
  multipart(
    'parts, name of a file in pieces',
    (value) =>
      parts(field(value, 'Content-Disposition: form-data; name="id"; filename*0="a."; filename*1="php"')),
    false,
  ),
  multipart(
    'parts, filename twice',
    (value) =>
      parts(field(value, 'Content-Disposition: form-data; name="id"; filename="a.png"; filename="a.php"')),
    false,
  ),
  multipart(
    'parts, blank before the colon',
    (value) => parts(field(value, 'Content-Disposition : form-data; name="id"')),
    false,
  ),
  multipart(
    'parts, header without a colon',
    (value) => parts(field(value, 'Content-Disposition: form-data; name="id"\r\nnothing')),
    false,
  ),
  multipart(
    'parts, binary',
    (value) =>
      parts(field(value, 'Content-Disposition: form-data; name="id"\r\nContent-Transfer-Encoding: binary')),
    false,
  ),
  multipart(
    'parts, 8bit',
    (value) =>
      parts(field(value, 'Content-Disposition: form-data; name="id"\r\nContent-Transfer-Encoding: 8bit')),
    false,
  ),
  multipart(
    'parts, unknown transfer encoding',
    (value) =>
      parts(field(value, 'Content-Disposition: form-data; name="id"\r\nContent-Transfer-Encoding: uuencode')),
    false,
  ),
  multipart(
    'parts, base64 in a file',
    (value) =>
      parts(
        field(
          Buffer.from(json(value)).toString('base64'),
          'Content-Disposition: form-data; name="id"; filename="a.json"\r\nContent-Type: application/json\r\nContent-Transfer-Encoding: base64',
        ),
      ),
    false,
  ),
  multipart(
    'parts, compressed part',
    (value) => parts(field(value, 'Content-Disposition: form-data; name="id"\r\nContent-Encoding: gzip')),
    false,
  ),
  multipart(
    'parts, UTF-16 said of a part',
    (value) =>
      parts(
        field(value, 'Content-Disposition: form-data; name="id"\r\nContent-Type: text/plain; charset=utf-16'),
      ),
    false,
  ),
  multipart('parts, with a length', (value) =>
    parts(field(value, `Content-Disposition: form-data; name="id"\r\nContent-Length: ${value.length}`)),
  ),
  multipart(
    'parts, LF before the delimiter',
    (value) => parts(field('1'), field(value)).replace(`1\r\n--`, '1\n--'),
    false,
  ),
  multipart(
    'parts, delimiter that goes on',
    (value) => parts(field(`1\r\n--${boundary}x\r\n${field(value)}`)),
    false,
  ),
  multipart(
    'parts, delimiter in the value',
    (value) => parts(field(`1--${boundary}\r\n${field(value)}`)),
    false,
  ),
  multipart(
    'parts, last delimiter in the middle',
    (value) =>
      parts(field('1')).replace(/--\r\n$/, `--\r\n--${boundary}\r\n${field(value)}\r\n--${boundary}--\r\n`),
    false,
  ),
  multipart('parts, first delimiter behind a CR LF', (value) => `\r\n${parts(field(value))}`),
  multipart('parts, no line end at the end', (value) => parts(field(value)).replace(/\r\n$/, '')),
  multipart('parts, NUL in the value', (value) => parts(field(`\0${value}`)), false),
  multipart(
    'parts, more than allowed',
    (value) => parts(...Array(2000).fill(field('1')), field(value)),
    false,
  ),
  multipart('parts, byte order mark', (value) => `\ufeff${parts(field(value))}`, false),
  multipart('parts, UTF-16', (value) => wide(parts(field(value))), false),
  multipart(
    'parts, charset UTF-8',
    (value) => parts(field(value)),
    false,
    `charset=utf-8; boundary=${boundary}`,
  ),
  multipart(
    'parts, charset UTF-7',
    (value) => parts(field(value)),
    false,
    `charset=utf-7; boundary=${boundary}`,
  ),
  multipart(
    "parts, browser's boundary",
    (value) => parts(field(value)).replaceAll(boundary, '----WebKitFormBoundary7MA4YWxkTrZu0gW'),
    true,
    'boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW',
  ),
  multipart(
    'parts, boundary with marks in quotes',
    (value) => parts(field(value)).replaceAll(boundary, "a'()+_,-./:=?"),
    false,
    `boundary="a'()+_,-./:=?"`,
  ),
  multipart(
    'parts, boundary escaped in quotes',
    (value) => parts(field(value)),
    false,
    `boundary="\\${boundary}"`,
  ),
  multipart('parts, boundary*', (value) => parts(field(value)), false, `boundary*=UTF-8''${boundary}`),
  multipart(
    'parts, empty boundary',
    (value) => parts(field(value)).replaceAll(boundary, ''),
    false,
    'boundary=""',
  ),
  multipart('parts, form sent', form, false),
]
