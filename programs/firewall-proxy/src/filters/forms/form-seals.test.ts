import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import type {
  SnapshotChecks,
  SnapshotForms,
  SnapshotPolicy,
  SnapshotUrlProfile,
} from '@palisade/proxy-protocol'
import { accessEntry } from '../../logs/access-entry.ts'
import { Masking } from '../../logs/masking.ts'
import { carried } from '../../testing/carried.ts'
import { testChecks, testPolicy } from '../../testing/policies.ts'
import { passing } from '../../testing/rules.ts'

const [key, nextKey] = [1, 2].map((id) => ({ id, secret: Buffer.alloc(32, id).toString('base64url') })) as [
  { id: number; secret: string },
  { id: number; secret: string },
]

const forms: SnapshotForms = { keys: [key], parameter: '__ncforminfo', validitySeconds: 3600 }

/** A policy whose forms need a token, and URLs with parameters where it is asked for. */
function preventing(csrf: 'forms' | 'forms-and-urls'): SnapshotPolicy {
  const policy = testPolicy()
  const { urlProtection } = policy
  return urlProtection ? { ...policy, urlProtection: { ...urlProtection, csrf } } : policy
}

/** A profile that says nothing of its URL but what a test adds. */
function profileOf(url: string, more: Partial<SnapshotUrlProfile>): SnapshotUrlProfile {
  const { urlProtection } = testPolicy()
  assert.ok(urlProtection)
  return {
    ...urlProtection,
    name: 'profile',
    host: '*',
    url,
    extendedMatch: '*',
    sequence: 0,
    isPassive: false,
    referrers: [],
    parameterProfiles: [],
    ...more,
  }
}

/** What reached the application. */
interface Reached {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly cookie: string | undefined
  readonly referer: string | undefined
  readonly length: string | undefined
  readonly etags: string | undefined
}

/** An application that shows one page, in pieces, and keeps what reaches it. */
function showing(html: string, headers: Readonly<Record<string, string>> = {}) {
  const reached: Reached[] = []
  const application: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '' } = request
      const { cookie, referer, 'content-length': length, 'if-none-match': etags } = request.headers
      reached.push({
        method,
        url,
        body: Buffer.concat(chunks).toString('latin1'),
        cookie,
        referer,
        length,
        etags,
      })
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
      for (let at = 0; at < html.length; at += 7) response.write(html.slice(at, at + 7))
      response.end()
    })
  }
  return { application, reached }
}

async function protectedForms(
  t: TestContext,
  html: string,
  {
    csrf = 'forms',
    profiles,
    sealing = forms,
    headers = {},
    mode = 'active',
    more = {},
  }: {
    readonly csrf?: 'forms' | 'forms-and-urls' | 'none'
    readonly profiles?: readonly SnapshotUrlProfile[]
    readonly sealing?: SnapshotForms
    readonly headers?: Readonly<Record<string, string>>
    readonly mode?: 'active' | 'passive'
    readonly more?: Partial<SnapshotChecks>
  } = {},
) {
  const { application, reached } = showing(html, headers)
  const told = { isPassive: false, isStrict: false, hosts: [], exceptUrls: [], urlsAllTheSame: [] }
  const { port, exchanges, plane, service, masking } = await carried(t, {
    application,
    rules: passing,
    policy: csrf === 'none' ? testPolicy() : preventing(csrf),
    service: {
      forms: sealing,
      inspection: { mode },
      checks: testChecks({ ...more, ...(profiles ? { profiles: { ...told, urls: profiles } } : {}) }),
    },
  })
  const ask = (path: string, options: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...options })
  /** A visitor who has seen the page. */
  const visit = async (path = '/start') => {
    const answer = await ask(path)
    const page = await answer.text()
    const cookie = answer.headers.getSetCookie().at(-1)?.split(';')[0] ?? ''
    const seals = Array.from(page.matchAll(/name="__ncforminfo" value="([\w-]+)"/g), ([, seal = '']) => seal)
    return { answer, page, cookie, seals, seal: seals[0] ?? '' }
  }
  const post = (
    path: string,
    fields: Readonly<Record<string, string>>,
    more: Readonly<Record<string, string>> = {},
  ) => ask(path, { method: 'POST', body: new URLSearchParams(fields), headers: more })
  const attacks = () => exchanges.at(-1)?.violations.map(({ attack }) => attack) ?? []
  return { port, reached, exchanges, plane, service, masking, ask, visit, post, attacks }
}

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
    policies: { own: preventing('forms') },
  })
  assert.equal((await send()).status, 200)
  await plane.apply({
    services: [{ ...service, forms: { ...forms, validitySeconds: -1 } }],
    policies: { own: preventing('forms') },
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

const order = `<form action="/order?step=2" method=post><input type=hidden name=price value="5 &euro;"><input type=hidden name="item[id]" value="a&amp;b
c"><input type=hidden name=agree value=0><input type=checkbox name=agree value=1><input type=hidden name=note value=x><input name=note>
<input type=hidden name=sum value=5><select name=size><option>S&amp; M <option value=l>Large</select><input name=rank value=3></form>`

test('hidden fields come back as the page had them', async (t) => {
  const { visit, post, ask, attacks, reached } = await protectedForms(t, order, {
    csrf: 'none',
    profiles: [profileOf('/order', { hidden: 'forms' })],
  })
  const { cookie, seal } = await visit()
  const { cookie: otherCookie, seal: otherSeal } = await visit()
  const fields = {
    price: '6',
    'item[id]': 'a&b\r\nc',
    agree: '1',
    note: 'mine',
    sum: '5',
    __ncforminfo: seal,
  }
  const good = await post('/order?step=2', fields, { cookie })
  assert.deepEqual([good.status, attacks()], [200, []])
  assert.ok(!reached.at(-1)?.body.includes('ncforminfo'))
  assert.equal((await post('/order', { agree: '0', __ncforminfo: seal }, { cookie })).status, 200)
  const count = reached.length
  const bad: readonly Record<string, string>[] = [
    { sum: '6' },
    { SUM: '6' },
    { ' sum': '6' },
    { 'sum[]': '6' },
    { 'sum\0': '6' },
    { 'item[id]': 'ab' },
    { agree: '2' },
    { __ncforminfo: '' },
    { __ncforminfo: otherSeal },
  ]
  for (const change of bad) {
    const { status } = await post('/order', { ...fields, ...change }, { cookie })
    assert.deepEqual([status, attacks()], [403, ['read-only-parameter-tampered']], JSON.stringify(change))
  }
  const twice = `sum=5&sum=6&__ncforminfo=${seal}`
  const asForm = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const targets = [
    ['/order', twice],
    ['/order?sum=6', `__ncforminfo=${seal}`],
    ['/%6frder', `sum=5&__ncforminfo=${seal}`],
    ['/order', `sum=5&__ncforminfo=${seal}&__ncforminfo=${seal}`],
  ] as const
  for (const [path, body] of targets) {
    assert.equal((await ask(path, { method: 'POST', body, headers: asForm })).status, 403, `${path} ${body}`)
  }
  assert.equal((await ask('/order', { method: 'PUT', body: '{"sum":6}', headers: { cookie } })).status, 403)
  assert.equal(reached.length, count)
  const { status } = await post('/order', { sum: '5', __ncforminfo: otherSeal }, { cookie: otherCookie })
  assert.equal(status, 200)
})

test('the parameters of profiles have to be ones that a page has offered to the session', async (t) => {
  const { parameterProtection } = testPolicy()
  assert.ok(parameterProtection)
  const parameter = (name: string, seals?: 'read-only' | 'session-choice' | 'session-invariant') => ({
    ...parameterProtection,
    name,
    parameter: name,
    isIgnored: false,
    isRequired: false,
    isFile: false,
    shapes: [],
    ...(seals ? { seals } : {}),
  })
  const { visit, post, ask, attacks } = await protectedForms(t, `${order}<a href="/order?rank=4&amp;q=1">`, {
    csrf: 'none',
    profiles: [
      profileOf('/order', {
        parameterProfiles: [
          parameter('rank', 'read-only'),
          parameter('size', 'session-choice'),
          parameter('step', 'session-invariant'),
          parameter('free'),
        ],
      }),
    ],
  })
  const { cookie, seal, page } = await visit()
  const good = { rank: '3', size: 'S& M', free: 'x', sum: '6', __ncforminfo: seal }
  const first = await post('/order?step=2', good, { cookie })
  assert.deepEqual([first.status, attacks()], [200, []])
  assert.equal((await post('/order', { size: 'l', __ncforminfo: seal }, { cookie })).status, 200)
  assert.equal((await post('/order', { free: '1' }, { cookie })).status, 200)
  for (const [target, fields, attack] of [
    ['/order', { rank: '4', __ncforminfo: seal }, 'read-only-parameter-tampered'],
    ['/order', { rank: '3' }, 'read-only-parameter-tampered'],
    ['/order', { 'rank[]': '4', __ncforminfo: seal }, 'read-only-parameter-tampered'],
    ['/order', { size: 'Large', __ncforminfo: seal }, 'session-choice-parameter-tampered'],
    ['/order?step=3', { __ncforminfo: seal }, 'session-invariant-parameter-tampered'],
  ] as const) {
    const { status } = await post(target, fields, { cookie })
    assert.deepEqual([status, attacks()], [403, [attack]], `${target} ${JSON.stringify(fields)}`)
  }
  const [, link = ''] = /<a href="([^"]+)"/.exec(page) ?? []
  const target = link.replaceAll('&amp;', '&')
  assert.equal((await ask(target, { headers: { cookie } })).status, 200)
  assert.equal((await ask(target.replace('q=1', 'q=2'), { headers: { cookie } })).status, 200)
  assert.equal((await ask(target.replace('rank=4', 'rank=5'), { headers: { cookie } })).status, 403)
  assert.equal((await ask('/order?rank=4', { headers: { cookie } })).status, 403)
})

test('the links of pages come back as they were where they are protected', async (t) => {
  const { visit, ask, attacks, reached } = await protectedForms(t, '<a href="/doc?id=7&amp;lang=de">', {
    csrf: 'none',
    profiles: [profileOf('/doc', { hidden: 'forms-and-urls' })],
  })
  const { cookie, page } = await visit()
  const [, link = ''] = /<a href="([^"]+)"/.exec(page) ?? []
  const target = link.replaceAll('&amp;', '&')
  assert.equal((await ask(target, { headers: { cookie } })).status, 200)
  assert.equal(reached.at(-1)?.url, '/doc?id=7&lang=de')
  assert.equal((await ask('/doc')).status, 200)
  for (const path of [
    target.replace('id=7', 'id=8'),
    `${target}&ID=8`,
    `${target}&id%5b%5d=8`,
    '/doc?id=7',
  ]) {
    assert.equal((await ask(path, { headers: { cookie } })).status, 403, path)
    assert.deepEqual(attacks(), ['read-only-parameter-tampered'])
  }
})

const comments = '<form action="/comment" method="post"><textarea name="text"></textarea></form>'

/** How programs are kept from the form for comments. */
const keepingOut = (fillSeconds: number, isPassive = false) => ({
  csrf: 'none' as const,
  sealing: { ...forms, honeypot: 'contact_homepage' },
  more: {
    formSpam: {
      hasHoneypot: true,
      coversAll: false,
      forms: [{ name: 'comments', url: '/comment', fillSeconds, isPassive }],
    },
  },
})

test('programs that fill in a listed form are refused', async (t) => {
  const { visit, post, attacks, reached } = await protectedForms(t, comments, keepingOut(0))
  const { cookie, seal, page } = await visit()
  assert.match(
    page,
    /<\/textarea><input type="text" name="contact_homepage" value="" hidden="hidden" [^>]+\/><input/,
  )
  const text = 'hello'
  const good = await post('/comment', { text, contact_homepage: '', __ncforminfo: seal }, { cookie })
  assert.deepEqual([good.status, attacks(), reached.at(-1)?.body], [200, [], 'text=hello'])
  assert.equal((await post('/other', { text }, {})).status, 200)
  for (const [fields, headers] of [
    [{ text }, { cookie }],
    [
      { text, contact_homepage: '' },
      { cookie, 'sec-fetch-site': 'same-origin' },
    ],
    [{ text, __ncforminfo: seal }, {}],
    [{ text, contact_homepage: 'https://a.example', __ncforminfo: seal }, { cookie }],
  ] as const) {
    const { status } = await post('/comment', fields, headers)
    assert.deepEqual([status, attacks()], [403, ['form-spam']], JSON.stringify([fields, headers]))
  }
})

test('a form is refused that was filled in sooner than people do, or logged where its rule is Passive', async (t) => {
  for (const [isPassive, status] of [
    [false, 403],
    [true, 200],
  ] as const) {
    const { visit, post, attacks } = await protectedForms(t, comments, keepingOut(1024, isPassive))
    const { cookie, seal } = await visit()
    const answer = await post('/comment', { text: '', __ncforminfo: seal }, { cookie })
    assert.deepEqual([answer.status, attacks()], [status, ['form-spam']])
  }
})

test('forms that nobody has listed are protected where all are, by what their pages say', async (t) => {
  const { visit, post, attacks } = await protectedForms(t, comments, {
    ...keepingOut(0),
    more: { formSpam: { hasHoneypot: true, coversAll: true, forms: [] } },
  })
  const { cookie, seal } = await visit()
  assert.equal((await post('/comment', { text: 'x' }, {})).status, 200)
  const filled = { text: 'x', contact_homepage: 'x', __ncforminfo: seal }
  assert.equal((await post('/comment', filled, { cookie })).status, 403)
  assert.deepEqual(attacks(), ['form-spam'])
})

test('comments with links of advertisers are refused, in the parameters that are for comments alone', async (t) => {
  const spam = {
    name: 'markup',
    type: 'Spam URL List',
    regex: '\\[url=',
    isPassive: false,
    isCaseSensitive: false,
  }
  const { post, ask, attacks, reached } = await protectedForms(t, comments, {
    csrf: 'none',
    more: { commentSpam: { parameters: ['text'], patterns: [spam] } },
  })
  const link = '[URL=https://a.example]'
  assert.equal((await post('/comment', { other: link, text: 'fine' })).status, 200)
  const count = reached.length
  for (const name of ['text', 'TEXT', 'text[]']) {
    assert.equal((await post('/comment', { text: 'fine', [name]: link })).status, 403, name)
    assert.deepEqual(attacks(), ['spam-url-in-parameter'])
  }
  assert.equal((await ask(`/comment?text=${encodeURIComponent(link)}`)).status, 403)
  assert.equal(reached.length, count)
})
