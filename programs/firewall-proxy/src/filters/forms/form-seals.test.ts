import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { accessEntry } from '../../logs/access-entry.ts'
import { Masking } from '../../logs/masking.ts'
import { http2Tls } from '../../testing/http2-tls.ts'
import { csrfPolicy, forms, key, nextKey, profileOf, protectedForms } from '../../testing/protected-forms.ts'

const transfer = '<form action="/transfer" method="post"><input name="to"><input name="sum"></form>'

test('a forged form is refused, and one of a page of the application reaches it as it would without us', async (t) => {
  const { visit, post, reached, attacks } = await protectedForms(t, transfer)
  const { cookie, seal, page } = await visit()
  assert.match(page, /<input name="sum"><input type="hidden" name="__ncforminfo" value="[\w-]+" \/><\/form>$/)
  const other = await visit()
  const count = reached.length
  const forged: readonly (readonly [fields: Record<string, string>, headers: Record<string, string>])[] = [
    [{}, { cookie }],
    [{ __ncforminfo: 'x' }, { cookie }],
    [{ __ncforminfo: other.seal }, { cookie }],
    [{ __ncforminfo: seal }, {}],
    [{ __ncforminfo: seal }, { cookie: other.cookie }],
    [{ __ncforminfo: seal }, { cookie: `${cookie}; ${other.cookie}` }],
    [{ __NCFORMINFO: seal }, { cookie }],
    [{}, { cookie, origin: 'https://evil.example' }],
    [{}, { cookie, origin: 'null' }],
    [{}, { cookie, referer: 'https://evil.example/127.0.0.1' }],
    [{}, { cookie, 'sec-fetch-site': 'same-site' }],
    [{}, { cookie, 'sec-fetch-site': 'cross-site' }],
    [{}, { cookie, 'sec-fetch-site': 'none' }],
    [{}, { cookie, 'x-http-method-override': 'GET' }],
  ]
  for (const [fields, headers] of forged) {
    const { status } = await post('/transfer', { to: 'me', sum: '1', ...fields }, headers)
    assert.deepEqual(
      [status, attacks()],
      [403, ['cross-site-request-forgery']],
      JSON.stringify([fields, headers]),
    )
  }
  assert.equal(reached.length, count)
  const { status } = await post(
    '/transfer',
    { to: 'a&b', __ncforminfo: seal, sum: '1' },
    { cookie: `${cookie}; own=1` },
  )
  assert.equal(status, 200)
  const { method, url, body, cookie: own, length } = reached.at(-1) ?? {}
  assert.deepEqual([method, url, body, own, length], ['POST', '/transfer', 'to=a%26b&sum=1', 'own=1', '14'])
})

test('the browser may say itself that a page of the application sends something', async (t) => {
  const { post, ask, port, reached } = await protectedForms(t, transfer)
  const own = [
    { 'sec-fetch-site': 'same-origin' },
    { origin: `http://127.0.0.1:${port}` },
    { referer: `http://127.0.0.1:${port}/start?x=1` },
    { origin: `https://127.0.0.1:${port}` },
  ]
  for (const headers of own) assert.equal((await post('/transfer', { sum: '1' }, headers)).status, 200)
  const count = reached.length
  const others = [
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site', origin: `http://127.0.0.1:${port}` },
    { origin: 'null', referer: `http://127.0.0.1:${port}/start` },
    { origin: `ftp://127.0.0.1:${port}` },
  ]
  for (const headers of others) assert.equal((await post('/transfer', { sum: '1' }, headers)).status, 403)
  for (const [method, type] of [
    ['PUT', 'application/json'],
    ['DELETE', 'text/plain'],
    ['POST', 'text/plain'],
  ] as const) {
    const { status } = await ask('/transfer', { method, body: '{}', headers: { 'content-type': type } })
    assert.equal(status, 403, method)
  }
  assert.equal((await ask('/transfer', { method: 'DELETE' })).status, 403)
  assert.equal(reached.length, count)
  assert.equal((await ask('/transfer?sum=1')).status, 200)
  assert.equal((await ask('/transfer', { method: 'OPTIONS' })).status, 200)
})

test('parts of files reach the application as they came, whatever stands in them', async (t) => {
  const { visit, ask, reached } = await protectedForms(t, transfer)
  const { cookie, seal } = await visit()
  const file = `--x\r\nname="__ncforminfo"\r\n\r\n${'\xff\0'.repeat(50_000)}`
  const part = (name: string, value: string, more = '') =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  const upload = part('file', file.replace('--x', '--y'), '; filename="a"')
  const send = (parts: readonly string[]) =>
    ask('/transfer', {
      method: 'POST',
      body: Buffer.from(`${parts.join('')}--x--\r\n`, 'latin1'),
      headers: { cookie, 'content-type': 'multipart/form-data; boundary=x' },
    })
  const own = part('__ncforminfo', seal)
  for (const parts of [
    [own, part('a', '1'), upload],
    [part('a', '1'), own, upload],
    [part('a', '1'), upload, own],
  ]) {
    assert.equal((await send(parts)).status, 200)
    const expected = `${parts.filter((one) => one !== own).join('')}--x--\r\n`
    assert.equal(reached.at(-1)?.body, expected)
    assert.equal(reached.at(-1)?.length, String(expected.length))
  }
  assert.equal((await send([part('a', '1'), upload])).status, 403)
})

test('forms get a seal unless they lead elsewhere', async (t) => {
  const { visit } = await protectedForms(
    t,
    `<form method=post id=1></form><FORM METHOD=POST action="x"><form action="https://evil.example/"></FORM>
     <form method=post action="https://evil.example/"></form><form method=post action="//evil.example/x"></form>
     <form method=post action="/x"><button formaction="https://evil.example/">go</button></form>
     <form method=post action="/x"><input type=submit formaction="https&colon;//evil.example/"></form>
     <form method=post action="javascript:go()"></form><form method=dialog></form><form action="/search"></form>
     <form><button formmethod=post></button></form>
     <script>"<form method=post></form>"</script><!-- <form method=post></form> --><textarea><form method=post></form></textarea>
     <svg><form method=post></form></svg></form>
     <template><form method=post></form></template>
     <form method=post action="/unclosed">`,
  )
  const { page } = await visit()
  const before = page.split('<input type="hidden" name="__ncforminfo"').slice(0, -1)
  assert.deepEqual(
    before.map((text) => /[^\n]{0,28}$/.exec(text)?.[0].trim()),
    [
      '<form method=post id=1>',
      'action="https://evil.example/">',
      '<form><button formmethod=post></button>',
      '<template><form method=post>',
      '<form method=post action="/unclosed">',
    ].map((text) => text.slice(-28)),
  )
})

test('a base that leads elsewhere counts for all forms but those without an action', async (t) => {
  const { visit } = await protectedForms(
    t,
    '<base href="https://evil.example/"><form method=post action="/x"></form><form method=post id=own></form>',
  )
  const { page, seals } = await visit()
  assert.equal(seals.length, 1)
  assert.match(page, /id=own><input/)
})

test('a seal is good until it expires, and while its key is known', async (t) => {
  const { visit, post, plane, service, attacks, exchanges } = await protectedForms(t, transfer)
  const { cookie, seal } = await visit()
  const send = () => post('/transfer', { __ncforminfo: seal }, { cookie })
  await plane.apply({
    services: [{ ...service, forms: { ...forms, keys: [nextKey, key] } }],
    policies: { own: csrfPolicy('forms') },
  })
  assert.equal((await send()).status, 200)
  await plane.apply({
    services: [{ ...service, forms: { ...forms, validitySeconds: -1 } }],
    policies: { own: csrfPolicy('forms') },
  })
  assert.equal((await send()).status, 403)
  assert.deepEqual(attacks(), ['cross-site-request-forgery'])
  assert.match(exchanges.at(-1)?.violations[0]?.detail ?? '', /too long ago/)
})

test('nobody keeps a page with seals, and one that was kept before is asked for as a whole', async (t) => {
  const { ask, visit, reached } = await protectedForms(t, transfer, {
    headers: {
      etag: '"a"',
      'last-modified': 'Sun, 01 Nov 2026 10:00:00 GMT',
      'cache-control': 'public, max-age=60',
    },
  })
  const { answer, cookie } = await visit()
  assert.deepEqual(
    ['etag', 'last-modified', 'cache-control'].map((name) => answer.headers.get(name)),
    [null, null, 'private, no-cache'],
  )
  assert.match(
    answer.headers.getSetCookie()[0] ?? '',
    /^palisade_forms=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const again = await ask('/start', { headers: { cookie, accept: 'text/html', 'if-none-match': '"a"' } })
  assert.deepEqual(again.headers.getSetCookie(), [])
  assert.equal(reached.at(-1)?.etags, undefined)
  await ask('/a.png', { headers: { cookie, accept: 'image/*', 'if-none-match': '"a"' } })
  assert.equal(reached.at(-1)?.etags, '"a"')
})

test('where URLs are protected too, links, forms and redirections of the application carry a seal', async (t) => {
  const { visit, ask, reached, exchanges } = await protectedForms(
    t,
    `<a href="/item?id=7&amp;x=1#top">a</a><a href="/plain">b</a><a href="https://evil.example/?x=1">c</a><img src="/i?x=1">
     <form action="/search"><input name=q></form>`,
    { csrf: 'forms-and-urls', headers: { location: '/next?done=1' } },
  )
  const { page, cookie, seals, answer } = await visit()
  assert.equal(seals.length, 1)
  const [, link = ''] = /<a href="(\/item[^"]+)"/.exec(page) ?? []
  assert.match(link, /^\/item\?id=7&amp;x=1&amp;__ncforminfo=[\w-]+#top$/)
  assert.match(
    page,
    /<a href="\/plain">b<\/a><a href="https:\/\/evil.example\/\?x=1">c<\/a><img src="\/i\?x=1">/,
  )
  assert.match(answer.headers.get('location') ?? '', /^\/next\?done=1&__ncforminfo=[\w-]+$/)
  const [target = ''] = link.replaceAll('&amp;', '&').split('#')
  const get = (path: string, headers: Record<string, string> = { cookie }) => ask(path, { headers })
  const count = reached.length
  for (const path of ['/item?id=7', '/item?id=7&__ncforminfo=x', '/item?__ncforminfo=&id=7']) {
    assert.equal((await get(path)).status, 403, path)
  }
  assert.equal((await get(target, {})).status, 403)
  assert.equal(reached.length, count)
  assert.equal((await get('/plain', {})).status, 200)
  assert.equal((await get(target)).status, 200)
  assert.equal(reached.at(-1)?.url, '/item?id=7&x=1')
  const referer = `http://127.0.0.1/item?__ncforminfo=${seals[0]}&a=1`
  assert.equal((await get(`/search?q=1&__ncforminfo=${seals[0]}`, { cookie, referer })).status, 200)
  assert.deepEqual(
    [reached.at(-1)?.url, reached.at(-1)?.referer],
    ['/search?q=1', 'http://127.0.0.1/item?a=1'],
  )
  const last = exchanges.at(-1)
  assert.ok(last)
  assert.ok(!JSON.stringify(accessEntry(last, new Masking([]), Date.now())).includes(seals[0] ?? '-'))
})

test('a profile says for its URL what the policy does not, and a Passive service lets everything pass', async (t) => {
  const { visit, post, attacks, reached } = await protectedForms(t, transfer, {
    csrf: 'none',
    profiles: [profileOf('/transfer', { csrf: 'forms' })],
    mode: 'passive',
  })
  const { cookie, seal } = await visit()
  await post('/other', {}, { cookie })
  assert.deepEqual(attacks(), [])
  await post('/transfer', { __ncforminfo: seal }, { cookie })
  assert.deepEqual(attacks(), [])
  await post('/transfer', { sum: '1' }, { cookie })
  assert.deepEqual(attacks(), ['cross-site-request-forgery'])
  assert.equal(reached.at(-1)?.body, 'sum=1')
})

test('a seal is good at every proxy of its application, and for no other one', async (t) => {
  const one = await protectedForms(t, transfer)
  const { cookie, seal } = await one.visit()
  const sibling = await protectedForms(t, transfer, { service: { name: 'secure', application: 'shop' } })
  const other = await protectedForms(t, transfer, { service: { name: 'other' } })
  assert.equal((await sibling.post('/transfer', { __ncforminfo: seal }, { cookie })).status, 200)
  assert.equal((await other.post('/transfer', { __ncforminfo: seal }, { cookie })).status, 403)
})

test('over TLS and HTTP/2 the cookie is of this host alone, and an origin without TLS is another one', async (t) => {
  const { port, reached } = await protectedForms(t, transfer, { service: { tls: http2Tls() } })
  const client = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  t.after(() => client.close())
  const ask = async (headers: Readonly<Record<string, string>>, body = '') => {
    const stream = client.request({ ':authority': 'shop.example', ...headers }, { endStream: body === '' })
    if (body !== '') stream.end(body)
    const [answer] = await once(stream, 'response')
    return { status: answer[':status'], cookies: answer['set-cookie'], text: await text(stream) }
  }
  const { cookies, text: page } = await ask({ ':path': '/start' })
  assert.match(cookies[0], /^__Host-palisade_forms=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  const [, seal] = /name="__ncforminfo" value="([\w-]+)"/.exec(page) ?? []
  const [cookie = ''] = cookies[0].split(';')
  const post = {
    ':method': 'POST',
    ':path': '/transfer',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const body = `sum=1&__ncforminfo=${seal}`
  assert.equal((await ask({ ...post, cookie }, body)).status, 200)
  assert.equal(reached.at(-1)?.body, 'sum=1')
  assert.equal((await ask({ ...post, origin: 'https://shop.example' }, 'sum=2')).status, 200)
  const count = reached.length
  for (const headers of [
    { cookie: cookie.replace('__Host-', '') },
    { origin: 'http://shop.example' },
    { origin: 'https://shop.example.evil.example' },
    { origin: `https://127.0.0.1:${port}` },
  ]) {
    assert.equal((await ask({ ...post, ...headers } as Readonly<Record<string, string>>, body)).status, 403)
  }
  assert.equal(reached.length, count)
})
