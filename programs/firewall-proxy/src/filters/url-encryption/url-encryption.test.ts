import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { SnapshotUrlEncryptionRule } from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../../testing/carried.ts'
import { noRules } from '../../testing/no-rules.ts'
import { encryptedPrefix } from './encrypted-url.ts'

const [key, nextKey] = [1, 2].map((id) => ({ id, secret: Buffer.alloc(32, id).toString('base64url') })) as [
  { id: number; secret: string },
  { id: number; secret: string },
]
const rule: SnapshotUrlEncryptionRule = {
  name: 'all',
  host: '*',
  url: '/*',
  allowsPlainRequests: false,
  excludedUrls: ['/start', '*.jpg'],
}

/** An application that answers with a page, and the addresses that it was asked for. */
function pages(
  html: string,
  headers: readonly string[] = [],
): { application: RequestListener; requests: string[] } {
  const requests: string[] = []
  return {
    requests,
    application: (request, response) => {
      requests.push(request.url ?? '')
      request.resume()
      response.writeHead(200, ['Content-Type', 'text/html; charset=utf-8', ...headers])
      response.end(html)
    },
  }
}

async function protectedPages(
  t: TestContext,
  application: RequestListener,
  { rules = [rule], mode = 'passive' as const, keys = [key] } = {},
) {
  const { port, exchanges, plane, service } = await carried(t, {
    application,
    service: { urlEncryption: { keys, rules }, inspection: { mode } },
  })
  const get = (path: string, options: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...options })
  return { get, port, exchanges, plane, service }
}

/** The addresses of a page, by what stands before them. */
function linkOf(html: string, before: string): string {
  const [, link = ''] = new RegExp(`${before}=["']?([^"' >]+)`).exec(html) ?? []
  return link.replaceAll('&amp;', '&')
}

test('links lead where they led, and show nothing of it', async (t) => {
  const { application, requests } = pages(
    '<a id=1 href="/shop/item?id=7&amp;x=%20#top"><a id=2 href="next.html"><img src="a.jpg">',
  )
  const { get } = await protectedPages(t, application)
  const html = await (await get('/start')).text()
  for (const plain of ['/shop', 'next']) assert.ok(!html.includes(plain), html)
  assert.match(html, /#top"/)
  assert.match(html, /<img src="a\.jpg">$/)
  for (const [id, expected] of [
    ['id=1 href', '/shop/item?id=7&x=%20'],
    ['id=2 href', '/next.html'],
  ] as const) {
    const link = linkOf(html, id)
    assert.ok(link.startsWith(encryptedPrefix), link)
    await get(link)
    assert.equal(requests.at(-1), expected)
  }
})

test('relative links of an encrypted page mean what they mean on the plain one', async (t) => {
  const { application, requests } = pages(
    '<a href="sub/x"><a id=2 href="?page=2"><img src="b.jpg"><p style="background:url(c.jpg)">',
  )
  const { get } = await protectedPages(t, application)
  const first = await (await get('/start')).text()
  const second = await (await get(linkOf(first, 'href'))).text()
  assert.deepEqual(requests, ['/start', '/sub/x'])
  assert.match(second, /src="\/sub\/b\.jpg"/)
  assert.match(second, /url\(\/sub\/c\.jpg\)/)
  await get(linkOf(second, 'href'))
  assert.equal(requests.at(-1), '/sub/sub/x')
  await get(linkOf(second, 'id=2 href'))
  assert.equal(requests.at(-1), '/sub/x?page=2')
})

test('a changed address is told of, and one for another host does not open', async (t) => {
  const { application } = pages('<a href="/secret">')
  const { get, exchanges, port } = await protectedPages(t, application)
  const link = linkOf(await (await get('/start')).text(), 'href')
  const changed = link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A')
  for (const path of [changed, `${link}/more`, encryptedPrefix, `${encryptedPrefix}AAAA`]) {
    await get(path)
    assert.equal(exchanges.at(-1)?.violations[0]?.attack, 'invalid-encrypted-url', path)
  }
  await exchangeBytes(port, `GET ${link} HTTP/1.1\r\nHost: other.example\r\n\r\n`)
  assert.equal(exchanges.at(-1)?.violations[0]?.attack, 'invalid-encrypted-url')
  await get(link)
  assert.deepEqual(exchanges.at(-1)?.violations, [])
})

test('plain addresses are told of where the rule does not allow them, but for excluded ones', async (t) => {
  const { application } = pages('')
  const { get, exchanges } = await protectedPages(t, application, {
    rules: [{ ...rule, name: 'open', url: '/open/*', allowsPlainRequests: true }, rule],
  })
  for (const [path, violations] of [
    ['/admin', 1],
    ['/start?x=1', 0],
    ['/x/y.jpg', 0],
    ['/open/x', 0],
  ] as const) {
    await get(path)
    assert.equal(exchanges.at(-1)?.violations.length, violations, path)
  }
})

test('no spelling of a plain address gets around a rule', async (t) => {
  const { application } = pages('')
  const rules = [
    { ...rule, name: 'open', url: '/open/*', allowsPlainRequests: true },
    { ...rule, url: '/app/*', excludedUrls: ['/app/static/*', '*.css'] },
    { ...rule, name: 'letters', url: '/gr%C3%B6\u00dfe/*', excludedUrls: ['/gr\u00f6%C3%9Fe/start?a=*'] },
  ]
  const { port, exchanges } = await protectedPages(t, application, { rules })
  const violationsOf = async (target: string) => {
    await exchangeBytes(port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
    return exchanges.at(-1)?.violations.map(({ attack }) => attack)
  }
  for (const target of [
    '/app/item?id=8',
    '/%61pp/item?id=8',
    '//app/item?id=8',
    '/./app/item?id=8',
    '/x/../app/item?id=8',
    '/x/..%2fapp/item?id=8',
    '/x\\..\\app/item',
    '/app;a=1/item',
    '/app/static/../item?id=8',
    '/app/static/%2e%2e/item?id=8',
    '/app/static/..%2fitem?id=8',
    '/app/static/..;/item?id=8',
    '/app/item;.css?id=8',
    '/app/item/..%2fstatic/a',
    '/app/..%2fopen/../app/item',
    '/gr%c3%b6%C3%9Fe/x',
    '/gr%C3%B6%C3%9Fe/start?b=1',
  ]) {
    assert.deepEqual(await violationsOf(target), ['invalid-encrypted-url'], target)
  }
  for (const target of [
    '/app/static/a%20b',
    '/app/x.css?id=8',
    '/open/x',
    '/gr%C3%B6%C3%9Fe/start?a=1',
    '/x;a',
  ]) {
    assert.deepEqual(await violationsOf(target), [], target)
  }
})

test('an address that a server could take for another one is not let pass by a rule that allows plain ones', async (t) => {
  const { application } = pages('')
  const rules = [{ ...rule, name: 'open', url: '/open/*', allowsPlainRequests: true }, rule]
  const { port, exchanges } = await protectedPages(t, application, { rules })
  await exchangeBytes(port, 'GET /admin/..%2fopen/x HTTP/1.1\r\nHost: a\r\n\r\n')
  assert.deepEqual(
    exchanges.at(-1)?.violations.map(({ rule: name }) => name),
    ['all'],
  )
})

test('scripts may append parameters, but not again those that were encrypted', async (t) => {
  const { application, requests } = pages('<a id=1 href="/list?id=7"><a id=2 href="/all">')
  const { get, exchanges } = await protectedPages(t, application)
  const html = await (await get('/start')).text()
  const [withQuery, without] = [linkOf(html, 'id=1 href'), linkOf(html, 'id=2 href')]
  for (const [link, expected] of [
    [`${withQuery}?_=123`, '/list?id=7&_=123'],
    [`${withQuery}&_=123`, '/list?id=7&_=123'],
    [`${withQuery}&identity=8&x[id]=1`, '/list?id=7&identity=8&x[id]=1'],
    [`${without}?q=a+b`, '/all?q=a+b'],
    [`${without}?`, '/all'],
  ] as const) {
    await get(link)
    assert.equal(requests.at(-1), expected)
    assert.deepEqual(exchanges.at(-1)?.violations, [])
  }
  for (const again of [
    '?id=8',
    '?x=1&%69d=8',
    '&id=',
    '&id',
    '&%20id=8',
    '&+id+=8',
    '&ID=8',
    '&id[]=8',
    '&id%5b%5d=8',
    '&[id]=8',
    '&id%00=8',
    '&a=1;id=8',
  ]) {
    await get(withQuery + again)
    assert.equal(exchanges.at(-1)?.violations.length, 1, again)
  }
})

test('the fields of a form stand in the place of the query of its action', async (t) => {
  const { application, requests } = pages('<form action="/search?old=1"><form id=2 method=post>')
  const { get } = await protectedPages(t, application)
  const html = await (await get('/start')).text()
  const action = linkOf(html, 'form action')
  await get(`${action}?q=new`)
  assert.equal(requests.at(-1), '/search?q=new')
  await get(action, { method: 'POST', body: 'q=new' })
  assert.equal(requests.at(-1), '/search?old=1')
  const own = await (await get(`${action}?old=2`)).text()
  await get(`${linkOf(own, 'form action')}?old=3`)
  assert.equal(requests.at(-1), '/search?old=3')
  const post = /<form action="(\/~enc~[^"]+)" id=2 method=post>/.exec(own)?.[1] ?? ''
  await get(post, { method: 'POST', body: 'q=new' })
  assert.equal(requests.at(-1), '/search?old=2')
  assert.equal((await get(`${post}?old=3`)).status, 200)
  assert.notEqual(requests.at(-1), '/search?old=3')
})

test('what does not lead to the host stays as it is', async (t) => {
  const html =
    '<a href="https://other.example/x"><a href="//other.example/y"><a href="#z"><a href="javascript:go()"><a href="mailto:a@b"><img src="data:,x"><a href=""><a href="http://user@127.0.0.1/"><script>"/plain"</script>'
  const { application } = pages(html)
  const { get } = await protectedPages(t, application)
  assert.equal(await (await get('/start')).text(), html)
})

test('letters beyond ASCII reach the server as a browser would send them, or as the bytes of the page', async (t) => {
  const requests: string[] = []
  const { get } = await protectedPages(t, (request, response) => {
    requests.push(request.url ?? '')
    response.setHeader('content-type', 'text/html')
    response.end(Buffer.from('<a href="/\xc3\xa4?q=\xc3\xa4"><a id=2 href="/x?q=\xe4">', 'latin1'))
  })
  const html = await (await get('/start')).text()
  await get(linkOf(html, '<a href'))
  await get(linkOf(html, 'id=2 href'))
  assert.deepEqual(requests.slice(1), ['/%C3%A4?q=%C3%A4', '/x?q=%E4'])
})

test('links with scheme and host keep both', async (t) => {
  let html = ''
  const { get, port } = await protectedPages(t, (_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(html)
  })
  html = `<a href="http://127.0.0.1:${port}/x"><a id=2 href="//127.0.0.1:${port}/y">`
  const page = await (await get('/start')).text()
  for (const link of [linkOf(page, '<a href'), linkOf(page, 'id=2 href')]) {
    assert.ok(link.startsWith(`http://127.0.0.1:${port}${encryptedPrefix}`), link)
  }
})

test('redirections, other headers and cookies say nothing plain', async (t) => {
  const { application } = pages('', [
    'Location',
    '/after?x=1',
    'Refresh',
    '3; url=/later',
    'Link',
    '</style.css>; rel="preload"; title="</no>"',
    'Set-Cookie',
    'sid=1; Path=/shop; HttpOnly',
    'ETag',
    '"abc"',
  ])
  const { get } = await protectedPages(t, application)
  const { headers } = await get('/start')
  assert.match(headers.get('location') ?? '', /^\/~enc~[\w-]+$/)
  assert.match(headers.get('refresh') ?? '', /^3; url=\/~enc~[\w-]+$/)
  assert.match(headers.get('link') ?? '', /^<\/~enc~[\w-]+>; rel="preload"; title="<\/no>"$/)
  assert.equal(headers.get('set-cookie'), 'sid=1; HttpOnly; Path=/')
  assert.match(headers.get('etag') ?? '', /^W\/"abc~enc~s[\w-]{8}"$/)
})

test('the base of a page counts for its links', async (t) => {
  const { application, requests } = pages('<base href="/deep/er/"><a href="x"><a id=2 href="../y">')
  const { get } = await protectedPages(t, application)
  const html = await (await get('/start')).text()
  await get(linkOf(html, '<a href'))
  await get(linkOf(html, 'id=2 href'))
  assert.deepEqual(requests.slice(1), ['/deep/er/x', '/deep/y'])
})

test('links in style sheets are encrypted, and servers are told plain referrers', async (t) => {
  let referrer: string | undefined
  const { get, port } = await protectedPages(t, (request, response) => {
    referrer = request.headers.referer
    response.setHeader('content-type', request.url === '/start' ? 'text/html' : 'text/css')
    response.end(request.url === '/start' ? '<link rel=stylesheet href="/css/a.css">' : '@import url(b.css);')
  })
  const link = linkOf(await (await get('/start')).text(), 'href')
  assert.match(await (await get(link)).text(), /^@import url\(\/~enc~[\w-]+\);$/)
  await get('/start', { headers: { referer: `http://127.0.0.1:${port}${link}` } })
  assert.equal(referrer, `http://127.0.0.1:${port}/css/a.css`)
})

test('open pages go on working when another key comes', async (t) => {
  const { application, requests } = pages('<a href="/x">')
  const { get, plane, service } = await protectedPages(t, application)
  const older = linkOf(await (await get('/start')).text(), 'href')
  await plane.apply({ services: [{ ...service, urlEncryption: { keys: [nextKey, key], rules: [rule] } }] })
  const newer = linkOf(await (await get('/start')).text(), 'href')
  assert.notEqual(newer, older)
  for (const link of [older, newer]) {
    await get(link)
    assert.equal(requests.at(-1), '/x')
  }
  assert.equal(linkOf(await (await get('/start')).text(), 'href'), newer)
})

/** An application with a page and a picture, of which servers say whether they are still true. */
function revalidated() {
  const conditionals: (readonly [etags: string | undefined, date: string | undefined])[] = []
  const application: RequestListener = (request, response) => {
    const { 'if-none-match': etags, 'if-modified-since': date } = request.headers
    conditionals.push([etags, date])
    response.setHeader('etag', '"abc"')
    response.setHeader('last-modified', 'Sun, 01 Nov 2026 10:00:00 GMT')
    response.setHeader('content-type', request.url === '/start' ? 'text/html' : 'image/png')
    response.statusCode = etags === '"abc"' || (etags === undefined && date !== undefined) ? 304 : 200
    response.end(response.statusCode === 304 ? undefined : '<a href="/x">')
  }
  return { application, told: conditionals }
}

/** As browsers ask for pages. */
const accept = 'text/html,*/*;q=0.8'

test('a kept page is still true as long as its links are, whatever the server says', async (t) => {
  const { application, told } = revalidated()
  const { get, plane, service } = await protectedPages(t, application)
  const first = await get('/start')
  const etag = first.headers.get('etag') ?? ''
  assert.equal(first.headers.get('last-modified'), null)
  const again = await get('/start', { headers: { accept, 'if-none-match': etag } })
  assert.deepEqual(told.at(-1), ['"abc"', undefined])
  assert.deepEqual([again.status, again.headers.get('etag')], [304, etag])
  for (const headers of [
    { accept, 'if-none-match': '"abc"' },
    { accept, 'if-modified-since': 'Sun, 01 Nov 2026 10:00:00 GMT' },
    { accept, 'if-none-match': '"abc"', 'if-modified-since': 'Sun, 01 Nov 2026 10:00:00 GMT' },
  ]) {
    assert.equal((await get('/start', { headers })).status, 200, 'it was kept before links were encrypted')
  }
  for (const urlEncryption of [
    { keys: [nextKey, key], rules: [rule] },
    { keys: [key], rules: [{ ...rule, excludedUrls: ['/start', '/x'] }] },
  ]) {
    await plane.apply({ services: [{ ...service, urlEncryption }] })
    const changed = await get('/start', { headers: { accept, 'if-none-match': etag } })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
  }
})

test('what has no links is asked about as if links were not encrypted', async (t) => {
  const { application, told } = revalidated()
  const { get } = await protectedPages(t, application)
  const picture = await get('/a.jpg')
  assert.deepEqual(
    [picture.headers.get('etag'), picture.headers.get('last-modified')],
    ['"abc"', 'Sun, 01 Nov 2026 10:00:00 GMT'],
  )
  const date = 'Sun, 01 Nov 2026 10:00:00 GMT'
  const headers = { 'if-none-match': '"abc"', 'if-modified-since': date }
  assert.equal((await get('/a.jpg', { headers })).status, 304)
  assert.deepEqual(told.at(-1), ['"abc"', date])
})

test('a file is saved by its plain name', async (t) => {
  const files: Readonly<Record<string, readonly [type: string, disposition?: string]>> = {
    '/files/a%20report%20(1).pdf?x=/y': ['application/pdf'],
    '/files/%C3%A4.zip': ['application/zip', 'attachment'],
    '/files/1': ['application/zip', 'attachment; filename="named.zip"'],
    '/files/%E4.zip': ['application/zip'],
    '/files/data.json': ['application/json'],
    '/files/': ['application/zip'],
  }
  const { get } = await protectedPages(t, (request, response) => {
    const [type = 'text/html', disposition] = files[request.url ?? ''] ?? []
    response.setHeader('content-type', type)
    if (disposition !== undefined) response.setHeader('content-disposition', disposition)
    response.end(
      Object.keys(files)
        .map((file, index) => `<a id=${index} href="${file}">`)
        .join(''),
    )
  })
  const html = await (await get('/start')).text()
  const names = []
  for (const index of Object.keys(files).keys()) {
    const { headers } = await get(linkOf(html, `id=${index} href`))
    names.push(headers.get('content-disposition'))
  }
  assert.deepEqual(names, [
    "inline; filename*=UTF-8''a%20report%20%281%29.pdf",
    "attachment; filename*=UTF-8''%C3%A4.zip",
    'attachment; filename="named.zip"',
    null,
    null,
    null,
  ])
  assert.equal((await get('/a.jpg')).headers.get('content-disposition'), null)
})

test('a page that is not HTML or that nobody asked to protect passes byte by byte', async (t) => {
  const { get } = await protectedPages(
    t,
    (request, response) => {
      response.setHeader('content-type', request.url === '/json' ? 'application/json' : 'text/html')
      response.end('<a href="/x">')
    },
    {
      rules: [
        { ...rule, url: '/app/*' },
        { ...rule, url: '/json', allowsPlainRequests: true },
      ],
    },
  )
  for (const path of ['/elsewhere', '/json']) {
    assert.equal(await (await get(path)).text(), '<a href="/x">')
  }
})

test('a link is good for the application alone that made it', async (t) => {
  const keys = [key]
  const of = async (name: string, more: object = {}) => {
    const { application } = pages('<a href="/admin?id=8">')
    const service = {
      name,
      urlEncryption: { keys, rules: [rule] },
      inspection: { mode: 'active' as const },
      ...more,
    }
    const { port } = await carried(t, { application, rules: noRules(), service })
    return (path: string) =>
      exchangeBytes(port, `GET ${path} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`)
  }
  const [shop, sibling, other] = [
    await of('shop'),
    await of('secure', { application: 'shop' }),
    await of('other'),
  ]
  const link = linkOf(await shop('/start'), 'href')
  assert.match(link, /~enc~/)
  assert.match(await shop(link), /^HTTP\/1\.1 200 /)
  assert.match(await sibling(link), /^HTTP\/1\.1 200 /)
  assert.match(await other(link), /^HTTP\/1\.1 403 /)
})
