import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

/** One way to send a value to an application. */
export interface Dress {
  readonly name: string
  /** Path and query; `/` by default. */
  readonly target?: (value: string) => string
  readonly method?: string
  /** Names and values in turn, besides those that every client sends. */
  readonly headers?: readonly string[]
  readonly body?: (value: string) => string | Buffer
  readonly isChunked?: boolean
  /** Whether clients send it in earnest: then a harmless value passes. Otherwise it is refused whatever is in it, or nobody minds. */
  readonly isOrdinary: boolean
  /** Why it is carried although the attack is in it; absent where it is refused. */
  readonly carriedSince?: string
}

const escaped = (value: string) =>
  Array.from(value, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const json = (value: string) => JSON.stringify({ id: value })
const xmlText = (value: string) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/'/g, '&apos;')
const xml = (value: string) => `<?xml version="1.0"?><q><id>${xmlText(value)}</id></q>`
const form = (value: string) => `name=Ann&id=${encodeURIComponent(value)}`
const percent = (value: string) =>
  Array.from(value, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
const wide = (text: string) => Buffer.from(text, 'utf16le')
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16()

const typed = (
  name: string,
  type: string | undefined,
  body: Dress['body'],
  isOrdinary = true,
  more: Partial<Dress> = {},
): Dress => ({
  name,
  ...(type === undefined ? {} : { headers: ['Content-Type', type] }),
  ...(body === undefined ? {} : { body }),
  isOrdinary,
  ...more,
})

const inUrl: readonly Dress[] = [
  { name: 'query', target: (value) => `/?id=${encodeURIComponent(value)}`, isOrdinary: true },
  { name: 'query, every byte encoded', target: (value) => `/?id=${percent(value)}`, isOrdinary: true },
  {
    name: 'query, blanks as plus',
    target: (value) => `/?id=${encodeURIComponent(value).replace(/%20/g, '+')}`,
    isOrdinary: true,
  },
  {
    name: 'query, name of a parameter',
    target: (value) => `/?${encodeURIComponent(value)}=1`,
    isOrdinary: false,
  },
  {
    name: 'query, second of a name',
    target: (value) => `/?id=1&id=${encodeURIComponent(value)}`,
    isOrdinary: true,
  },
  { name: 'query, array', target: (value) => `/?id[]=${encodeURIComponent(value)}`, isOrdinary: true },
  {
    name: 'query of HEAD',
    method: 'HEAD',
    target: (value) => `/?id=${encodeURIComponent(value)}`,
    isOrdinary: true,
  },
]

const formType = 'application/x-www-form-urlencoded'
const inForm: readonly Dress[] = [
  typed('form', formType, form),
  typed('form, charset', `${formType}; charset=UTF-8`, form),
  typed('form, type in capitals', 'Application/X-WWW-Form-Urlencoded', form),
  typed('form, every byte encoded', formType, (value) => `id=${percent(value)}`),
  typed('form, second of a name', formType, (value) => `id=1&id=${encodeURIComponent(value)}`),
  typed('form, chunked', formType, form, true, { isChunked: true }),
  typed('form, PUT', formType, form, true, { method: 'PUT' }),
  typed('form, PATCH', formType, form, true, { method: 'PATCH' }),
  typed('form, DELETE', formType, form, true, { method: 'DELETE' }),
  typed('form, without a type', undefined, form),
  typed('form, text/plain', 'text/plain', form),
  typed('form, text/plain, lines', 'text/plain', (value) => `name=Ann\r\nid=${value}\r\n`),
  typed('form, application/octet-stream', 'application/octet-stream', form),
  typed('form, unknown type', 'application/x-unknown', form),
  typed('form, type without a slash', 'form', form),
  typed('form, UTF-16', `${formType}; charset=utf-16`, (value) => wide(form(value)), false),
  typed('form, UTF-7', `${formType}; charset=utf-7`, (value) => form(value.replace(/ /g, '+ACA-')), false),
  typed('form, IBM037', `${formType}; charset=ibm037`, (value) => ebcdic(form(value)), false),
  typed('form, IBM500 in quotes', `${formType}; charset="ibm500"`, (value) => ebcdic(form(value)), false),
  typed('form, two charsets', `${formType}; charset=utf-8; charset=utf-7`, form, false),
  typed('form said, JSON sent', formType, json),
  typed('form said, escaped JSON sent', formType, (value) => `{"id":"${escaped(value)}"}`),
  typed('form said, XML sent', formType, xml, false),
]

const jsonType = 'application/json'
const inJson: readonly Dress[] = [
  typed('JSON', jsonType, json),
  typed('JSON, charset', `${jsonType}; charset=utf-8`, json),
  typed('JSON, charset in quotes', `${jsonType}; charset="UTF-8"`, json),
  typed('JSON, type in capitals', 'APPLICATION/JSON', json),
  typed('JSON, chunked', jsonType, json, true, { isChunked: true }),
  typed('JSON, PUT', jsonType, json, true, { method: 'PUT' }),
  typed('JSON, PATCH', 'application/merge-patch+json', json, true, { method: 'PATCH' }),
  typed('JSON, JSON Patch', 'application/json-patch+json', (value) =>
    JSON.stringify([{ op: 'replace', path: '/id', value }]),
  ),
  typed('JSON, vnd.api+json', 'application/vnd.api+json', json),
  typed('JSON, ld+json', 'application/ld+json', json),
  typed('JSON, problem+json', 'application/problem+json; charset=utf-8', json),
  typed('JSON, text/json', 'text/json', json),
  typed('JSON, x-json', 'application/x-json', json),
  typed('JSON, csp-report', 'application/csp-report', json),
  typed('JSON, without a type', undefined, json),
  typed('JSON, text/plain', 'text/plain', json),
  typed('JSON, octet-stream', 'application/octet-stream', json),
  typed('JSON, unknown type', 'x/y', json),
  typed('JSON, text/html', 'text/html', json),
  typed('JSON, image/png', 'image/png', json),
  typed('JSON, type that is a list', 'text/plain, application/json', json, false),
  typed('JSON, nested', jsonType, (value) => JSON.stringify({ a: { b: [{ c: [[value]] }] } })),
  typed(
    'JSON, 40 deep',
    jsonType,
    (value) => `${'{"a":'.repeat(40)}${JSON.stringify(value)}${'}'.repeat(40)}`,
  ),
  typed(
    'JSON, 3000 deep',
    jsonType,
    (value) => `${'['.repeat(3000)}${JSON.stringify(value)}${']'.repeat(3000)}`,
    false,
  ),
  typed('JSON, array', jsonType, (value) => JSON.stringify([1, value])),
  typed('JSON, single value', jsonType, (value) => JSON.stringify(value)),
  typed('JSON, name of a member', jsonType, (value) => JSON.stringify({ [value]: 1 }), false),
  typed('JSON, escaped', jsonType, (value) => `{"id":"${escaped(value)}"}`),
  typed('JSON, escaped, text/plain', 'text/plain', (value) => `{"id":"${escaped(value)}"}`),
  typed('JSON, name escaped', jsonType, (value) => `{"\\u0069d":${JSON.stringify(value)}}`),
  typed('JSON, first of a name', jsonType, (value) => `{"id":${JSON.stringify(value)},"id":1}`),
  typed('JSON, last of a name', jsonType, (value) => `{"id":1,"id":${JSON.stringify(value)}}`),
  typed('JSON, byte order mark', jsonType, (value) => `\ufeff${json(value)}`),
  typed('JSON, byte order mark, text/plain', 'text/plain', (value) => `\ufeff${json(value)}`),
  typed('JSON, blanks around', jsonType, (value) => `\r\n\t ${json(value)} \n`),
  typed('JSON, numbers beside', jsonType, (value) => `{"a":-1.5E+300,"b":0,"id":${JSON.stringify(value)}}`),
  typed(
    'JSON, emoji beside',
    jsonType,
    (value) => `{"a":"\\ud83d\\ude00 ü 漢","id":${JSON.stringify(value)}}`,
  ),
  typed('JSON, comment', jsonType, (value) => `/* c */{"id":${JSON.stringify(value)}}`, false),
  typed('JSON, comment in a line', jsonType, (value) => `{"id":${JSON.stringify(value)} // c\n}`, false),
  typed(
    'JSON, comment, escaped, text/plain',
    'text/plain',
    (value) => `{/**/"id":"${escaped(value)}"}`,
    false,
  ),
  typed('JSON, single quotes', jsonType, (value) => `{'id':"${value}"}`, false),
  typed('JSON, name without quotes', jsonType, (value) => `{id:${JSON.stringify(value)}}`, false),
  typed('JSON, comma behind the last', jsonType, (value) => `{"id":${JSON.stringify(value)},}`, false),
  typed('JSON, something behind', jsonType, (value) => `{"a":1}${json(value)}`, false),
  typed('JSON, not a number', jsonType, (value) => `{"a":NaN,"id":${JSON.stringify(value)}}`, false),
  typed('JSON, infinite', jsonType, (value) => `{"a":-Infinity,"id":${JSON.stringify(value)}}`, false),
  typed('JSON, no end', jsonType, (value) => `{"id":${JSON.stringify(value)}`, false),
  typed(
    'JSON, line feed in a string',
    jsonType,
    (value) => `{"a":"\n","id":${JSON.stringify(value)}}`,
    false,
  ),
  typed('JSON, invalid escape', jsonType, (value) => `{"a":"\\x41","id":${JSON.stringify(value)}}`, false),
  typed(
    'JSON, invalid UTF-8',
    jsonType,
    (value) => Buffer.from(`{"a":"\xff","id":${JSON.stringify(value)}}`, 'latin1'),
    false,
  ),
  typed('JSON, NUL before', jsonType, (value) => `\0${json(value)}`, false),
  typed('JSON, UTF-16', jsonType, (value) => wide(json(value)), false),
  typed('JSON, UTF-16, big endian', jsonType, (value) => swapped(json(value)), false),
  typed('JSON, UTF-16 said and sent', `${jsonType}; charset=utf-16`, (value) => wide(json(value)), false),
  typed('JSON, UTF-16 said, not sent', `${jsonType}; charset=utf-16`, json, false),
  typed('JSON, UTF-16, text/plain', 'text/plain', (value) => wide(`\ufeff${json(value)}`)),
  typed('JSON, UTF-16, octet-stream', 'application/octet-stream', (value) => swapped(json(value))),
  typed('JSON, UTF-7', `${jsonType}; charset=utf-7`, json, false),
  typed('JSON, IBM037', `${jsonType}; charset=ibm037`, (value) => ebcdic(json(value)), false),
  typed('JSON, unknown charset', `${jsonType}; charset=nothing`, json, false),
  typed(
    'JSON, more values than allowed',
    jsonType,
    (value) => JSON.stringify([...Array(2000).fill(1), value]),
    false,
  ),
  typed(
    'JSON, longer than allowed',
    jsonType,
    (value) => JSON.stringify({ a: 'x'.repeat(200_000), id: value }),
    false,
  ),
  typed('JSON said, form sent', jsonType, form, false),
  typed('JSON said, XML sent', jsonType, xml, false),
  {
    name: 'JSON, two content types',
    headers: ['Content-Type', 'text/plain', 'Content-Type', jsonType],
    body: json,
    isOrdinary: false,
  },
  typed('JSON lines', 'application/x-ndjson', (value) => `{"a":1}\n${json(value)}\n`),
  typed(
    'JSON lines, suffix',
    'application/vnd.elasticsearch+x-ndjson',
    (value) => `{"a":1}\n${json(value)}\n`,
  ),
  typed('JSON lines, escaped', 'application/jsonl', (value) => `{"a":1}\r\n{"id":"${escaped(value)}"}\r\n`),
  typed('JSON sequence', 'application/json-seq', (value) => `\x1e${json(value)}\n`),
  typed('JSON lines, one is none', 'application/x-ndjson', (value) => `{a}\n${json(value)}\n`, false),
  typed('GraphQL in JSON', jsonType, (value) =>
    JSON.stringify({ query: 'query Q($id:String){person(id:$id){name}}', variables: { id: value } }),
  ),
  typed('GraphQL', 'application/graphql', (value) => `{ person(id: "${value}") { name } }`),
  typed('GraphQL, escaped', 'application/graphql', (value) => `{ person(id: "${escaped(value)}") { name } }`),
  typed('GraphQL, JSON', 'application/graphql', (value) =>
    JSON.stringify({ query: '{a}', variables: { id: value } }),
  ),
]

const inXml: readonly Dress[] = [
  typed('XML', 'application/xml', xml),
  typed('XML, text/xml', 'text/xml; charset=utf-8', xml),
  typed(
    'XML, soap+xml',
    'application/soap+xml; charset=utf-8; action="urn:a"',
    (value) =>
      `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><id>${xmlText(value)}</id></s:Body></s:Envelope>`,
  ),
  typed('XML, atom+xml', 'application/atom+xml', xml),
  typed('XML, unknown suffix', 'application/vnd.nobody.knows+xml', xml),
  typed('XML, CDATA', 'application/xml', (value) => `<q><id><![CDATA[${value}]]></id></q>`),
  typed(
    'XML, character references',
    'application/xml',
    (value) =>
      `<q><id>${Array.from(value, (one) => `&#x${one.charCodeAt(0).toString(16)};`).join('')}</id></q>`,
  ),
  typed('XML, attribute', 'application/xml', (value) => `<q id="${xmlText(value)}"/>`),
  typed(
    'XML, cut by a comment',
    'application/xml',
    (value) => `<q><id>${xmlText(value).replace(/ /g, ' <!-- c -->')}</id></q>`,
  ),
  typed(
    'XML, entities of its own',
    'application/xml',
    (value) => `<!DOCTYPE q [<!ENTITY a "${xmlText(value)}">]><q>&a;</q>`,
    false,
  ),
  typed(
    'XML, entities of its own, text/plain',
    'text/plain',
    (value) => `<!DOCTYPE q [<!ENTITY a "${xmlText(value)}">]><q>&a;</q>`,
    false,
  ),
  typed(
    'XML, external entity',
    'application/xml',
    (value) => `<!DOCTYPE q [<!ENTITY a SYSTEM "file:///etc/passwd">]><q>&a;${xmlText(value)}</q>`,
    false,
  ),
  typed('XML, no end', 'application/xml', (value) => `<q><id>${xmlText(value)}</id>`, false),
  typed(
    'XML, 3000 deep',
    'application/xml',
    (value) => `${'<a>'.repeat(3000)}${xmlText(value)}${'</a>'.repeat(3000)}`,
    false,
  ),
  typed('XML, UTF-16', 'application/xml', (value) =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), wide(`<q><id>${xmlText(value)}</id></q>`)]),
  ),
  typed(
    'XML, UTF-7 declared',
    'application/xml',
    (value) => `<?xml version="1.0" encoding="utf-7"?><q><id>${xmlText(value)}</id></q>`,
    false,
  ),
  typed(
    'XML, IBM037 declared and sent',
    'application/xml',
    (value) => ebcdic(`<?xml version="1.0" encoding="ibm037"?><q>${xmlText(value)}</q>`),
    false,
  ),
  typed(
    'XML, IBM037, octet-stream',
    'application/octet-stream',
    (value) => ebcdic(`<?xml version="1.0" encoding="ibm037"?><q>${xmlText(value)}</q>`),
    false,
  ),
  typed(
    'XML, ISO-8859-1 declared',
    'application/xml',
    (value) => `<?xml version="1.0" encoding="iso-8859-1"?><q>${xmlText(value)}</q>`,
  ),
  typed('XML, without a type', undefined, xml),
  typed('XML, text/plain', 'text/plain', xml),
  typed('XML, octet-stream', 'application/octet-stream', xml),
  typed(
    'XML, SVG',
    'image/svg+xml',
    (value) => `<svg xmlns="http://www.w3.org/2000/svg"><text>${xmlText(value)}</text></svg>`,
  ),
  typed(
    'XML, WebDAV',
    'text/xml',
    (value) =>
      `<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><x:a xmlns:x="http://x.example/">${xmlText(value)}</x:a></d:prop></d:set></d:propertyupdate>`,
  ),
  typed('XML said, JSON sent', 'application/xml', json, false),
]

const boundary = 'aPartOfTheForm7'
const field = (value: string, head = 'Content-Disposition: form-data; name="id"') => `${head}\r\n\r\n${value}`
const parts = (...all: string[]) =>
  `${all.map((one) => `--${boundary}\r\n${one}\r\n`).join('')}--${boundary}--\r\n`
const multipart = (
  name: string,
  body: (value: string) => string | Buffer,
  isOrdinary = true,
  parameter = `boundary=${boundary}`,
): Dress => typed(name, `multipart/form-data; ${parameter}`, body, isOrdinary)

const inParts: readonly Dress[] = [
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
]

const related = (...all: string[]) => parts(...all)
const inMixed: readonly Dress[] = [
  typed('mixed', `multipart/mixed; boundary=${boundary}`, (value) =>
    related(`Content-Type: text/plain\r\n\r\n${value}`),
  ),
  typed('mixed, no headers', `multipart/mixed; boundary=${boundary}`, (value) => related(`\r\n${value}`)),
  typed('mixed, JSON', `multipart/mixed; boundary="${boundary}"`, (value) =>
    related(`Content-Type: application/json\r\n\r\n${`{"id":"${escaped(value)}"}`}`),
  ),
  typed('mixed, base64', `multipart/mixed; boundary=${boundary}`, (value) =>
    related(
      `Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(value).toString('base64')}`,
    ),
  ),
  typed('mixed, quoted-printable', `multipart/mixed; boundary=${boundary}`, (value) =>
    related(
      `Content-Transfer-Encoding: quoted-printable\r\n\r\n${value.replace(/ /g, '=20').replace('SELECT', 'SEL=\r\nECT')}`,
    ),
  ),
  typed(
    'mixed, unknown transfer encoding',
    `multipart/mixed; boundary=${boundary}`,
    (value) => related(`Content-Transfer-Encoding: uuencode\r\n\r\n${value}`),
    false,
  ),
  typed('mixed, nested', `multipart/mixed; boundary=${boundary}`, (value) =>
    related(
      `Content-Type: multipart/alternative; boundary=in\r\n\r\n--in\r\nContent-Type: application/xml\r\n\r\n${xml(value)}\r\n--in--`,
    ),
  ),
  typed('mixed, batch of requests', `multipart/mixed; boundary=${boundary}`, (value) =>
    related(
      `Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPOST /users HTTP/1.1\r\nContent-Type: application/json\r\n\r\n${json(value)}`,
    ),
  ),
  typed('mixed, batch of addresses', `multipart/mixed; boundary=${boundary}`, (value) =>
    related(
      `Content-Type: application/http\r\n\r\nGET /users?id=${encodeURIComponent(value)} HTTP/1.1\r\nAccept: */*\r\n\r\n`,
    ),
  ),
  typed(
    'mixed, preamble',
    `multipart/mixed; boundary=${boundary}`,
    (value) => `${value}\r\n${related('\r\n1')}`,
  ),
  typed('mixed, epilogue', `multipart/mixed; boundary=${boundary}`, (value) => `${related('\r\n1')}${value}`),
  typed('mixed, no boundary', 'multipart/mixed', (value) => related(`\r\n${value}`), false),
  typed(
    'mixed, no last boundary',
    `multipart/mixed; boundary=${boundary}`,
    (value) => `--${boundary}\r\n\r\n${value}\r\n`,
    false,
  ),
  typed('related', `multipart/related; type="application/xop+xml"; boundary="${boundary}"`, (value) =>
    related(
      `Content-Type: application/xop+xml; charset=UTF-8\r\nContent-ID: <root@example>\r\n\r\n${xml(value)}`,
      'Content-Type: image/png\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <a@example>\r\n\r\n\x89PNG',
    ),
  ),
]

const asText: readonly Dress[] = [
  typed('text', 'text/plain', (value) => value),
  typed('text, charset', 'text/plain; charset=utf-8', (value) => `Dear all, ${value}`),
  typed('text, without a type', undefined, (value) => value),
  typed('text, empty type', '', (value) => value, false),
  typed('text, encoded', 'text/plain', (value) => encodeURIComponent(value)),
  typed('text, UTF-16', 'text/plain', (value) => wide(`\ufeff${value}`)),
  typed('CSV', 'text/csv', (value) => `id,name\r\n"${value}",Ann\r\n`),
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
]

const coded = (
  name: string,
  coding: string,
  encode: (plain: string) => Buffer,
  isOrdinary = true,
): Dress => ({
  name: `coded, ${name}`,
  headers: ['Content-Type', jsonType, 'Content-Encoding', coding],
  body: (value) => encode(json(value)),
  isOrdinary,
})
const inCodings: readonly Dress[] = [
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
]

const files: readonly Dress[] = [
  multipart('file in parts', (value) =>
    parts(
      field(value, 'Content-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain'),
    ),
  ),
  typed('PNG', 'image/png', (value) =>
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01', 'latin1'),
      Buffer.alloc(400, '\x03\x9c\0', 'latin1'),
      Buffer.from(value),
    ]),
  ),
].map((dress) => ({
  ...dress,
  carriedSince: 'a file is kept by applications, and its text is no statement of theirs',
}))

/** Every way, each with another name. */
export const dresses: readonly Dress[] = [
  ...inUrl,
  ...inForm,
  ...inJson,
  ...inXml,
  ...inParts,
  ...inMixed,
  ...asText,
  ...inCodings,
  ...files,
]

/** ASCII letters and marks in EBCDIC, code page 037. */
function ebcdic(text: string): Buffer {
  const blocks: readonly (readonly [string, number])[] = [
    ['abcdefghi', 0x81],
    ['jklmnopqr', 0x91],
    ['stuvwxyz', 0xa2],
    ['ABCDEFGHI', 0xc1],
    ['JKLMNOPQR', 0xd1],
    ['STUVWXYZ', 0xe2],
    ['0123456789', 0xf0],
  ]
  const marks: Readonly<Record<string, number>> = {
    ' ': 0x40,
    "'": 0x7d,
    ',': 0x6b,
    '-': 0x60,
    '<': 0x4c,
    '>': 0x6e,
    '?': 0x6f,
    '=': 0x7e,
    '"': 0x7f,
    '/': 0x61,
    '.': 0x4b,
    '{': 0xc0,
    '}': 0xd0,
    ':': 0x7a,
    '&': 0x50,
    ';': 0x5e,
    '%': 0x6c,
  }
  const code = (one: string) => {
    const [letters = '', first = 0] = blocks.find(([all]) => all.includes(one)) ?? []
    return letters === '' ? (marks[one] ?? 0x6f) : first + letters.indexOf(one)
  }
  return Buffer.from(Array.from(text, code))
}
