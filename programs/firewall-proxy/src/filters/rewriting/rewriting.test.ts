import assert from 'node:assert/strict'
import type { IncomingMessage, RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { SnapshotHeaderChange, SnapshotRewriting, SnapshotUrlChange } from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../../testing/carried.ts'
import { TextReplacement } from './text-replacement.ts'
import { valueChange } from './value-pattern.ts'

const nothing: SnapshotRewriting = {
  requests: [],
  responses: [],
  bodies: [],
  translations: [],
  secureHosts: [],
}

const header = (rule: Partial<SnapshotHeaderChange>): SnapshotHeaderChange => ({
  does: 'insert-header',
  condition: '*',
  header: 'X-Test',
  oldValue: '',
  newValue: '',
  continues: true,
  ...rule,
})

const url = (rule: Partial<SnapshotUrlChange>): SnapshotUrlChange => ({
  does: 'rewrite-url',
  condition: '*',
  oldValue: '',
  newValue: '',
  continues: true,
  ...rule,
})

/** A service that rewrites as it is told, and the last request that reached its application. */
async function rewritten(
  t: TestContext,
  settings: Partial<SnapshotRewriting>,
  application?: RequestListener,
) {
  let arrived: IncomingMessage | undefined
  const { port } = await carried(t, {
    application: (request, response) => {
      arrived = request
      if (application) application(request, response)
      else response.end('reached')
    },
    service: { rewriting: { ...nothing, ...settings } },
  })
  const send = async (path: string, headers: readonly string[] = []) => {
    arrived = undefined
    const lines = [
      `GET ${path} HTTP/1.1`,
      ...(headers.some((line) => /^host:/i.test(line)) ? [] : ['Host: shop.example']),
      ...headers,
    ]
    const text = await exchangeBytes(port, `${lines.join('\r\n')}\r\n\r\n`)
    const [head = '', ...body] = text.split('\r\n\r\n')
    return { head, body: joined(body.join('\r\n\r\n')), reached: arrived as IncomingMessage | undefined }
  }
  return { send, port }
}

/** A body without the sizes of its chunks. */
function joined(chunked: string): string {
  let [text, rest] = ['', chunked]
  for (;;) {
    const [line, digits = ''] = /^([0-9a-f]+)\r\n/i.exec(rest) ?? []
    const size = Number.parseInt(digits, 16)
    if (line === undefined || size === 0) return line === undefined ? chunked : text
    text += rest.slice(line.length, line.length + size)
    rest = rest.slice(line.length + size + '\r\n'.length)
  }
}

test('headers of requests are inserted, removed and rewritten where the condition holds, in order', async (t) => {
  const { send } = await rewritten(t, {
    requests: [
      header({ header: 'X-Client', newValue: 'from $SRC_ADDR for $URI' }),
      header({ does: 'remove-header', header: 'X-Secret' }),
      header({ does: 'remove-header', header: 'X-Debug', oldValue: 'on*' }),
      header({ does: 'rewrite-header', header: 'X-Path', oldValue: '/old/*', newValue: '/new/$1' }),
      header({ does: 'rewrite-header', header: 'X-Path', oldValue: '(\\d+)', newValue: '<$1>' }),
      header({ header: 'X-Never', newValue: '1', condition: 'Method eq POST' }),
      header({ header: 'Content-Length', newValue: '7' }),
      header({ does: 'remove-header', header: 'Transfer-Encoding' }),
      header({ header: 'X-Odd', newValue: '1', condition: 'Colour eq red' }),
    ],
  })
  const { reached } = await send('/a?b=1', [
    'X-Secret: 1',
    'x-secret: 2',
    'X-Debug: off',
    'x-debug: ON!',
    'X-Path: /OLD/7/8',
  ])
  assert.equal(reached?.headers['x-client'], 'from 127.0.0.1 for /a?b=1')
  assert.equal(reached?.headers['x-secret'], undefined)
  assert.equal(reached?.headers['x-debug'], 'off')
  assert.equal(reached?.headers['x-path'], '/new/<7>/<8>')
  assert.equal(reached?.headers['x-never'], undefined)
  assert.equal(reached?.headers['x-odd'], undefined)
})

test('a header that a rule inserts reaches the server, whatever the client says of its connection', async (t) => {
  const { send } = await rewritten(t, { requests: [header({ header: 'X-Test', newValue: 'ours' })] })
  const { reached } = await send('/', ['Connection: close, X-Test', 'X-Test: of the client'])
  assert.equal(reached?.headers['x-test'], 'ours')
})

test('letters of any language stand in headers in UTF-8, and in addresses percent-encoded', async (t) => {
  const rewrite = header({ header: 'X-Price', newValue: 'für 3 €' })
  const { send } = await rewritten(t, {
    requests: [
      rewrite,
      header({ header: 'X-Größe', newValue: '1' }),
      header({ does: 'rewrite-header', header: 'X-Town', oldValue: 'Köln*', newValue: 'Łódź$1' }),
      url({ does: 'redirect-url', oldValue: '/leave', newValue: '/für/😀' }),
    ],
    responses: [rewrite],
  })
  const inUtf8 = (text: string | string[] | undefined) => Buffer.from(String(text), 'latin1').toString()
  const { reached, head } = await send('/', [`X-Town: ${Buffer.from('Köln!').toString('latin1')}`])
  assert.equal(inUtf8(reached?.headers['x-price']), 'für 3 €')
  assert.equal(inUtf8(reached?.headers['x-town']), 'Łódź!')
  assert.match(inUtf8(head), /\r\nX-Price: für 3 €\r\n/)
  assert.match((await send('/leave')).head, /^HTTP\/1\.1 302 .*\r\nlocation: \/f%C3%BCr\/%F0%9F%98%80\r\n/is)
})

test('a rule after which nothing is to follow ends the rules once it was applied', async (t) => {
  const { send } = await rewritten(t, {
    requests: [
      header({ does: 'remove-header', header: 'X-Absent', continues: false }),
      header({ header: 'X-One', newValue: '1', continues: false, condition: 'URI-path eq /stop' }),
      header({ header: 'X-Two', newValue: '2' }),
    ],
  })
  assert.equal((await send('/stop')).reached?.headers['x-two'], undefined)
  assert.equal((await send('/go')).reached?.headers['x-two'], '2')
})

test('servers are asked for other addresses, and clients sent to them', async (t) => {
  const { send } = await rewritten(t, {
    requests: [
      url({ oldValue: '/old/*', newValue: '/new/$1' }),
      url({ oldValue: '/item/([0-9]+)$', newValue: '/show?id=$1' }),
      url({ oldValue: '/else*', newValue: 'http://inside.example/there$1' }),
      url({ does: 'redirect-url', oldValue: '/leave', newValue: 'https://shop.example$URI' }),
    ],
  })
  assert.equal((await send('/old/a/b?c=d')).reached?.url, '/new/a/b?c=d')
  assert.equal((await send('/item/7')).reached?.url, '/show?id=7')
  const { reached } = await send('/elsewhere')
  assert.deepEqual([reached?.url, reached?.headers.host], ['/therewhere', 'inside.example'])
  const left = await send('/leave')
  assert.match(left.head, /^HTTP\/1\.1 302 .*\r\nlocation: https:\/\/shop\.example\/leave\r\n/is)
  assert.equal(left.reached, undefined)
})

test('what comes with a request cannot write headers of its own', async (t) => {
  const { send } = await rewritten(t, {
    requests: [url({ does: 'redirect-url', oldValue: '/go/*', newValue: '/to/$1' })],
    responses: [header({ does: 'insert-header', header: 'X-Uri', newValue: '$URI' })],
  })
  const { head } = await send('/go/%0d%0aSet-Cookie:x=1')
  assert.match(head, /location: \/to\/%0d%0aSet-Cookie:x=1\r\n/i)
})

test('headers of answers are changed, also by what the answer is', async (t) => {
  const { send } = await rewritten(
    t,
    {
      responses: [
        header({ does: 'remove-header', header: 'Server' }),
        header({ does: 'rewrite-header', header: 'X-Version', oldValue: '*', newValue: 'hidden' }),
        header({
          header: 'X-Found',
          newValue: 'no',
          condition: '(Status-code eq 404) && (Response-header X-Version ex)',
        }),
      ],
    },
    (request, response) => {
      response.writeHead(request.url === '/' ? 200 : 404, { server: 'secret/1.0', 'x-version': '3' })
      response.end()
    },
  )
  const { head } = await send('/')
  assert.doesNotMatch(head, /secret|X-Found/i)
  assert.match(head, /x-version: hidden/i)
  assert.match((await send('/x')).head, /X-Found: no/)
})

test('texts in bodies are replaced wherever pieces meet, in their order and only in texts', async (t) => {
  const { send } = await rewritten(
    t,
    {
      bodies: [
        { host: '*', url: '/page', search: 'internal', replacement: 'public' },
        { host: '*', url: '/page*', search: 'public name', replacement: 'name ä' },
        { host: 'other.example', url: '/*', search: 'a', replacement: 'b' },
      ],
    },
    (request, response) => {
      response.writeHead(200, {
        'content-type': request.url === '/image' ? 'image/png' : 'text/plain',
        etag: '"1"',
      })
      response.write('an inter')
      setTimeout(() => response.end('nal name, internals intern'), 20)
    },
  )
  const { head, body } = await send('/page', ['Connection: close'])
  assert.match(body, /an name Ã¤, publics intern$/)
  assert.match(head, /etag: W\/"1"/i)
  assert.match((await send('/pages', ['Connection: close'])).body, /internal name, internals/)
  assert.match((await send('/image', ['Connection: close'])).body, /internal name, internals/)
})

test('a text is found at every place at which it can be cut', () => {
  const text = 'aabaabaaabaab-aab'
  for (let length = 1; length <= text.length; length++) {
    const filter = new TextReplacement('aab', '[x]')
    let out = ''
    for (let at = 0; at < text.length; at += length)
      out += filter.transform(Buffer.from(text.slice(at, at + length)))
    assert.equal(out + filter.flush(), text.replaceAll('aab', '[x]'), String(length))
  }
})

const translation = {
  inside: { host: 'finance.abc', prefix: '/' },
  outside: { host: 'www.example.com', prefix: '/finance/' },
}

test('servers are asked for what clients know by other addresses', async (t) => {
  const { send } = await rewritten(t, { translations: [translation] })
  const { reached } = await send('/finance/x?y=1', [
    'Host: WWW.example.com:8080',
    'Referer: https://www.example.com/finance/z',
    'Origin: https://www.example.com',
  ])
  assert.deepEqual([reached?.url, reached?.headers.host], ['/x?y=1', 'finance.abc'])
  assert.equal(reached?.headers.referer, 'https://finance.abc/z')
  for (const [path, host] of [
    ['/other', 'www.example.com'],
    ['/financex', 'www.example.com'],
    ['/finance/x', 'example.com'],
  ] as const) {
    const untouched = (await send(path, [`Host: ${host}`])).reached
    assert.deepEqual([untouched?.url, untouched?.headers.host], [path, host])
  }
})

test('answers show addresses as clients know them', async (t) => {
  const { send } = await rewritten(t, { translations: [translation] }, (_, response) => {
    response.writeHead(200, [
      'Content-Type',
      'text/html',
      'Location',
      'http://finance.abc/next',
      'Set-Cookie',
      'a=1; Domain=.finance.abc; Path=/app',
      'Set-Cookie',
      'b=2',
    ])
    response.end(
      '<a href="/x"><a href="y"><a href="http://finance.abc/z"><a href="//other/w"><script>"http:\\/\\/finance.abc\\/v";\'https://finance.abc/u\'</script>',
    )
  })
  const { head, body } = await send('/finance/', ['Host: www.example.com:8080', 'Connection: close'])
  assert.match(head, /Location: http:\/\/www\.example\.com:8080\/finance\/next\r\n/)
  assert.match(head, /Set-Cookie: a=1; Domain=www\.example\.com; Path=\/finance\/app\r\n/)
  assert.match(head, /Set-Cookie: b=2\r\n/)
  assert.ok(
    body.includes(
      '<a href="/finance/x"><a href="y"><a href="http://www.example.com:8080/finance/z"><a href="//other/w"><script>"http:\\/\\/www.example.com:8080\\/finance\\/v";\'http://www.example.com:8080/finance/u\'</script>',
    ),
    body,
  )
})

test('links to secure hosts lead to HTTPS', async (t) => {
  const { send } = await rewritten(
    t,
    { secureHosts: ['*.example.com', 'shop.example:8080'] },
    (_, response) => {
      response.writeHead(302, { 'content-type': 'text/html', location: 'http://www.example.com:80/a' })
      response.end(
        '<a href="http://www.example.com/b"><a href="http://shop.example/c"><a href="HTTP://shop.example:8080/d">',
      )
    },
  )
  const { head, body } = await send('/', ['Connection: close'])
  assert.match(head, /location: https:\/\/www\.example\.com\/a\r\n/)
  assert.ok(
    body.includes(
      '<a href="https://www.example.com/b"><a href="http://shop.example/c"><a href="https://shop.example:8080/d">',
    ),
    body,
  )
})

test('browsers are told which pages may show those of the service', async (t) => {
  for (const [frames, expected] of [
    [{ by: 'never' }, /X-Frame-Options: DENY\r\nContent-Security-Policy: frame-ancestors 'none'/],
    [{ by: 'same-origin' }, /X-Frame-Options: SAMEORIGIN\r\nContent-Security-Policy: frame-ancestors 'self'/],
    [
      { by: 'origin', origin: 'https://portal.example/x' },
      /X-Frame-Options: ALLOW-FROM https:\/\/portal\.example\/x\r\nContent-Security-Policy: frame-ancestors https:\/\/portal\.example(?:\r|$)/,
    ],
  ] as const) {
    const { send } = await rewritten(t, { frames })
    assert.match((await send('/')).head, expected)
  }
})

test('values change as their patterns say', () => {
  for (const [oldValue, newValue, value, expected] of [
    ['', 'x', 'anything', 'x'],
    ['*', 'x$1', 'y', 'xy'],
    ['a*c*', '$2-$1', 'ABCD', 'D-B'],
    ['a.c', 'x', 'abc', undefined],
    ['/(a|b)/', '<$1>', '/a/b/', '<a>b/'],
    ['x.*', '$NONE', 'yxz', 'y$NONE'],
  ] as const) {
    assert.equal(valueChange(oldValue, newValue)?.(value, {}), expected, oldValue)
  }
  assert.equal(valueChange('(', ''), undefined)
})
