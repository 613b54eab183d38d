/** A request to be compared with Apache. */
export interface OracleRequest {
  readonly title: string
  readonly bytes: Buffer
  /** Why our result differs on purpose. */
  readonly differs?: string
}

/** Requests with everything that is easily read in two ways. */
export function oracleRequests(): readonly OracleRequest[] {
  return [
    ...uris.map((uri) => requestOf({ uri })),
    requestOf({ headers: ['Cookie: a=1; b = 2;c;=d; a=%41; e="x y"'] }),
    requestOf({ headers: ['Cookie: a=1', 'Cookie: b=2'], differs: 'Apache joins headers of the same name' }),
    ...forms.map(([type, body]) => requestOf({ type, body })),
    ...jsons.map((body) => requestOf({ type: 'application/json', body })),
    requestOf({
      type: 'application/json',
      body: '{"a":[],"b":{}}',
      differs: 'ModSecurity leaves out empty ones',
    }),
    requestOf({
      type: 'application/json',
      body: '{"a.b":{"c":1},"d":2}',
      differs: 'ModSecurity then has a.d',
    }),
    ...xmls.map((body) => requestOf({ type: 'text/xml', body })),
    requestOf({
      type: 'text/xml',
      body: '<!DOCTYPE a [<!ENTITY e "v">]><a>&e;</a>',
      differs: 'we expand nothing',
    }),
    ...multiparts.map((body) => requestOf({ type: `multipart/form-data; boundary=${boundary}`, body })),
    requestOf({
      type: `multipart/form-data; boundary=${boundary}`,
      body: `${part('name="a"; filename=""', 'v')}${end}`,
      differs: 'ModSecurity takes it for a file and nothing else',
    }),
    ...contentTypes.map((type) => requestOf({ type, body: `${part('name="a"', 'v')}${end}` })),
    requestOf({
      type: `multipart/form-data; boundary="${boundary}"`,
      body: `--"${boundary}"\r\nx\r\n${part('name="a"', 'v')}${end}`,
    }),
  ]
}

interface Parts {
  readonly uri?: string
  readonly headers?: readonly string[]
  readonly type?: string
  readonly body?: string
  readonly differs?: string
}

function requestOf({ uri = '/', headers = [], type, body, differs }: Parts): OracleRequest {
  const lines = [
    `${body === undefined ? 'GET' : 'POST'} ${uri} HTTP/1.1`,
    'Host: localhost:80',
    'Connection: close',
    ...headers,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ]
  return {
    title: [uri, ...headers, type, body?.slice(0, 200)].filter((piece) => piece !== undefined).join(' '),
    bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'latin1'),
    ...(differs === undefined ? {} : { differs }),
  }
}

const uris: readonly string[] = [
  '/p/x.php?a=1&b&&c=%zz&d=%41+x&=v&e==f&ab=q',
  '/p/?',
  '/a%20b/c%5cd\\e?aB=1&AB=2&a=xby',
  '/%FF%zz',
  '/?skip=1',
  '/?skip=2',
  '/?skip=3',
  '/?ctl=1&b=2&c=b',
  '/?a=B%00b&b=BB',
  '/?a=%u0041&b=%E4',
]

const forms: readonly (readonly [string, string])[] = [
  ['application/x-www-form-urlencoded', 'a=1&b=%3cx%3e&c'],
  ['application/x-www-form-urlencoded; charset=utf-8', 'a=%'],
  ['text/plain', 'hello=1'],
]

const jsons: readonly string[] = [
  '{"a":1}',
  '{"a":{"b":[1,2,{"c":"x"}],"d":null},"e":true,"f":-1.5e3}',
  '[1,"two",[3,[4]]]',
  '"text"',
  '5',
  '{"a":"\\u0041\\u00e9\\n"}',
  '{"a":}',
  '{"a":1} x',
  '',
  '{"a":[[1],[2]],"b":3}',
  '[{"a":1},{"a":2}]',
  '{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}',
  '{"a":{"b":{"c":{"d":{"e":{"f":{"g":1}}}}}}}',
  '{"a":"b","a":"c"}',
  '{"a":tru}',
  '{"a":01}',
  "{'a':1}",
  '{"a":1,"b":"\xff","c":2}',
]

const xmls: readonly string[] = [
  '<a>text<b c="attribute">in</b></a>',
  '<?xml version="1.0"?><a><![CDATA[x<y]]>&lt;z</a>',
  '<a/>',
  '<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>',
  '<a xmlns:x="u"><x:b>1</x:b><!-- comment --></a>',
  '<?xml version="1.0"?>\n<a>\n text</a>\n',
]

const boundary = 'AaB03x'
const end = `--${boundary}--\r\n`

function part(disposition: string, data: string, headers = ''): string {
  return `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n${data}\r\n`
}

const whole = part('name="a"', 'v')

const multiparts: readonly string[] = [
  `${part('name="a"', 'v1')}${part('name="f"; filename="x.txt"', 'file', 'Content-Type: text/plain\r\n')}${end}`,
  ...[
    "name='a'",
    'name=a',
    "name=a'b",
    'name="a',
    'name="a"; name="b"',
    'name="a"; foo="b"',
    'name="a"; filename*=UTF-8\'\'b',
    'filename="a"',
    'name="a";',
    'name="a" x',
    'name="a"x',
    'name ="a"',
    'name= "a"',
    'name="a"; filename="c:\\\\x\\y"',
  ].map((disposition) => `${part(disposition, 'v')}${end}`),
  ...[
    'X-H: 1\r\n folded\r\n',
    'X-H: 1\r\nX-H: 2\r\n',
    'nocolon\r\n',
    'X H: 1\r\n',
    '\x0bfold\r\n',
    'X\xe9: 1\r\n',
    ': 1\r\n',
  ].map((headers) => `${part('name="a"', 'v', headers)}${end}`),
  ...[
    '',
    'l1\r\nl2\n\r\n',
    '--notboundary\r\nx',
    `x--${boundary}`,
    `-- ${boundary}`,
    'x\0y',
    'v'.repeat(5000),
  ].map((data) => `${part('name="a"', data)}${end}`),
  `before\r\n${whole}${end}`,
  `${whole}${end}after`,
  `${whole}--${boundary}--`,
  `${whole.replaceAll('\r\n', '\n')}--${boundary}--\n`,
  `${whole}--${boundary}x\r\n${end}`,
  `--${boundary}\r\nContent-Type: text/plain\r\n\r\nv\r\n${end}`,
  `--${boundary}\r\n${whole}${end}`,
  `${whole}${part('name="a"', 'w')}${end}`,
  `${part('name="a"', 'v', `X-L: ${'y'.repeat(5000)}\r\n`)}${end}`,
  `${part('name="a\0b"', 'x')}${end}`,
  end,
]

const contentTypes: readonly string[] = [
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary="${boundary}"`,
  `multipart/form-data boundary=${boundary}`,
  `multipart/form-data; charset=utf-8; boundary=${boundary}`,
  `multipart/form-data; boundary=${boundary}; boundary=y`,
  `multipart/form-data; BOUNDARY=${boundary}`,
  `multipart/form-data; boundary=${boundary}"`,
  `multipart/form-data; boundary=${boundary} `,
  `Multipart/Form-Data; boundary=${boundary}`,
  `multipart/form-data;boundary=${boundary}`,
  `multipart/form-data, boundary=${boundary}`,
]
