import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type OutgoingHttpHeaders, request as requestOf } from 'node:http'
import { connect } from 'node:http2'
import { type TestContext, test } from 'node:test'
import type { SnapshotService, SnapshotUrlProtection } from '@palisade/proxy-protocol'
import { MemoryCollectionStorage } from '@palisade/seclang'
import { loadRuleSets } from '../inspection/rule-sets.ts'
import { carried } from '../testing/carried.ts'
import { http2Tls } from '../testing/http2-tls.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'

/** Debian's modsecurity-crs. */
const rules = loadRuleSets(
  {
    named: { folder: '/usr/share/modsecurity-crs/rules', setup: '/etc/modsecurity/crs/crs-setup.conf' },
    withoutRules: 'refuse',
  },
  { of: () => new MemoryCollectionStorage() },
)

const form = 'application/x-www-form-urlencoded'
const base = testPolicy()

async function portOfProtected(
  t: TestContext,
  allowed: Partial<SnapshotUrlProtection>,
  service: Partial<SnapshotService> = {},
) {
  assert.ok(base.urlProtection)
  const { port } = await carried(t, {
    application: (request, response) => request.resume().on('end', () => response.end('served')),
    rules,
    policy: testPolicy({ urlProtection: { ...base.urlProtection, ...allowed } }),
    service: { inspection: { mode: 'active' }, checks: testChecks(), ...service },
  })
  return port
}

async function protectedBy(...given: Parameters<typeof portOfProtected>) {
  const port = await portOfProtected(...given)
  return async (init: RequestInit, target = '/') => {
    const reply = await fetch(`http://127.0.0.1:${port}${target}`, init)
    await reply.text()
    return reply.status
  }
}

const ofWebDav: Readonly<Record<string, string>> = {
  if: '(<opaquelocktoken:1f6b4d00-0000-4000-8000-000000000000>)',
  'lock-token': '<opaquelocktoken:1f6b4d00-0000-4000-8000-000000000000>',
  'content-range': 'bytes 0-4/10',
}

test('headers of methods that the policy allows are let pass, and refused where it does not allow these', async (t) => {
  const loose = await protectedBy(t, { methods: ['GET', 'POST', 'PUT', 'LOCK'] })
  const tight = await protectedBy(t, { methods: ['GET', 'POST'] })
  for (const [name, value] of Object.entries(ofWebDav)) {
    const init = { method: 'POST', body: 'a=1', headers: { 'content-type': form, [name]: value } }
    assert.equal(await loose(init), 200, name)
    assert.equal(await tight(init), 403, name)
  }
})

test('a coding of the body is let pass where the policy leaves content types to the rules, and `Proxy` nowhere', async (t) => {
  const loose = await protectedBy(t, { contentTypes: ['*'] })
  const tight = await protectedBy(t, { contentTypes: [form] })
  const coded = {
    method: 'POST',
    body: 'a=1',
    headers: { 'content-type': form, 'content-encoding': 'identity' },
  }
  assert.deepEqual([await loose(coded), await tight(coded)], [200, 403])
  const proxy = { headers: { proxy: 'http://192.0.2.1/' } }
  assert.deepEqual([await loose(proxy), await tight(proxy)], [403, 403])
})

const jsonTypes = ['application/json', 'application/*+json']

test('content types of JSON pass with the parameters that clients send, and `utf8` as a charset with every type', async (t) => {
  const send = await protectedBy(t, { contentTypes: [...jsonTypes, form] })
  const ordinary: readonly (readonly [type: string, body: string])[] = [
    ['application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"', '{"a":1}'],
    ['application/vnd.api+json;profile="https://a.example/one https://a.example/two/"', '{"a":1}'],
    ['application/json;odata=minimalmetadata', '{"a":1}'],
    ['application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false', '{"a":1}'],
    ['application/json; charset=utf-8; version=1.2', '{"a":1}'],
    ['application/json; charset=utf8', '{"a":1}'],
    ['application/json;odata=verbose; charset="UTF8"', '{"a":1}'],
    [`${form}; charset=utf8`, 'a=1'],
  ]
  for (const [type, body] of ordinary) {
    assert.equal(await send({ method: 'POST', body, headers: { 'content-type': type } }), 200, type)
  }
  const attack = { method: 'POST', body: JSON.stringify({ a: "1' or '1'='1' -- " }) }
  for (const [type] of ordinary.slice(0, 7)) {
    assert.equal(await send({ ...attack, headers: { 'content-type': type } }), 403, type)
  }
})

test('calendars and contacts pass with the parameters that are registered for their types', async (t) => {
  const send = await protectedBy(t, { methods: ['POST'], contentTypes: ['text/calendar', 'text/vcard'] })
  const body = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n'
  const status = (type: string) => send({ method: 'POST', body, headers: { 'content-type': type } })
  for (const type of [
    'text/calendar; component=VEVENT; method=REQUEST',
    'text/calendar;charset=utf-8;method=REPLY',
    'text/vcard; charset=utf-8; version=4.0',
  ])
    assert.equal(await status(type), 200, type)
  for (const type of [
    'text/calendar; component=VEVENT; boundary=x',
    'text/calendar; method=#{7*7}',
    'text/calendar; method=REQUEST; charset=utf-7',
    'text/html; method=REQUEST',
  ])
    assert.equal(await status(type), 403, type)
})

test('parameters that could mean anything to whoever reads the body stay refused', async (t) => {
  const everything = await protectedBy(t, { contentTypes: ['*'] })
  const refused = [
    `application/json; ext="%{(#_='multipart/form-data').(#cmd='id')}"`,
    'application/json; ext="#{7*7}"',
    'application/json; a=multipart/form-data',
    'application/json; a="https://a.example/multipart/form-data"',
    'application/json; odata=xml',
    'application/json; odata=verbose; boundary=x',
    'application/json; odata=verbose; charset=utf-7',
    'application/json; odata=verbose; charset=ibm037',
    'application/json; charset=utf8; charset=utf-16',
    'application/json; charset=utf16',
    'application/json; x="charset=utf8"; charset=utf-7',
    'application/json; odata="a',
    'application/json; odata=a"b"',
    'application/json; odata=<script>',
    `application/json; odata=${'x'.repeat(65)}`,
    `${form}; odata=verbose`,
    `${form}; charset=utf-7`,
    `${form}; charset=utf8; charset=ibm037`,
    'multipart/form-data; boundary=x; odata=verbose',
    'text/xml; odata=verbose',
    'application/json, text/html; odata=verbose',
  ]
  let ran = 0
  for (const type of refused) {
    const body = type.startsWith('application/json') ? '{"a":1}' : 'a=1'
    assert.equal(await everything({ method: 'POST', body, headers: { 'content-type': type } }), 403, type)
    ran++
  }
  assert.equal(ran, refused.length)
  const tight = await protectedBy(t, { contentTypes: [form] })
  const json = { 'content-type': 'application/json;odata=verbose' }
  assert.equal(await tight({ method: 'POST', body: '{"a":1}', headers: json }), 403)
})

test('texts in UTF-8 are no malformed US-ASCII, and bytes that are none still are', async (t) => {
  const send = await protectedBy(t, {})
  const texts = ['Номер телефона', 'Документ № 5, но не более', '¼ Tasse, ¾ Löffel', 'ｼﾞｬﾊﾞ']
  for (const text of texts) {
    assert.equal(await send({}, `/?a=${encodeURIComponent(text)}`), 200, text)
    const json = {
      method: 'POST',
      body: JSON.stringify({ text }),
      headers: { 'content-type': 'application/json' },
    }
    assert.equal(await send(json), 200, text)
  }
  const attacks = [
    '%bcscript%bealert(%a2XSS%a2)%bc/script%be',
    '%25bcscript%25bealert(1)%25bc/script%25be',
    '%26%23xbc;script%26%23xbe;',
    '%5cxbcscript%5cxbe',
    '%d0%9d%bcscript%be',
  ]
  for (const attack of attacks) assert.equal(await send({}, `/?a=${attack}`), 403, attack)
})

test('lines of text that end with a word behind a verb are no requests, and the beginnings of requests are', async (t) => {
  const send = await protectedBy(t, {})
  const withText = (text: string) => ({ method: 'POST', body: new URLSearchParams({ text }) })
  const ordinary = [
    'Since then I get this:\nerror 5',
    'Head office:\r\nto move boxes\r\n',
    'please lock it\n',
  ]
  for (const text of ordinary) {
    assert.equal(await send(withText(text)), 200, text)
    assert.equal(await send({}, `/?text=${encodeURIComponent(text)}`), 200, text)
  }
  const requests = [
    'a\r\nGet /foo\r',
    'a\nGET / HTTP/1.1',
    'a\rHEAD http://example.com/ HTTP/1.1',
    'a\r\nPOST b HTTP/1.0\r\n',
    'a\r\nconnect example.com:443\r\n',
    'get%20/foo%0d%0a',
    'get &#47;foo&#10;',
    'get %u002ffoo\r\n',
  ]
  for (const text of requests) assert.equal(await send(withText(text)), 403, text)
})

test('names of parameters, files and uploads are let pass that only look like what rules refuse', async (t) => {
  const send = await protectedBy(t, { contentTypes: ['*'] })
  const upload = (name: string) => {
    const body = `--b\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n\r\nx\r\n--b--\r\n`
    return { method: 'POST', body, headers: { 'content-type': 'multipart/form-data; boundary=b' } }
  }
  const posted = (value: string) => ({ method: 'POST', body: new URLSearchParams({ value }) })
  const ordinary: readonly (readonly [init: RequestInit, target?: string])[] = [
    [{}, '/odata/Orders?$select=name'],
    [{}, '/articles?filters[$or][0][price][$gte]=10'],
    [{}, '/WebResource.axd?d=x0Yw2'],
    [{}, '/sites/example.com'],
    [{}, '/api/user.profile'],
    [{}, '/soap/cmd.php?wsdl=1'],
    [{}, '/plan?routing.profile=car&vehicles[0].maxDistance=2147483647&page_size=4294967295'],
    [{}, '/_next/static/chunks/app/[lang]/(shop)/[...slug]/page-1a2b.js'],
    [{}, '/_next/static/chunks/app/%5Blang%5D/(shop)/%5B...slug%5D/page-1a2b.js'],
    [upload("Ann's photo (1).jpg")],
    [posted('http/1.1')],
    [posted('Request failed: GET /api/v1/orders\nat load')],
  ]
  for (const [init, target = '/'] of ordinary)
    assert.equal(await send(init, target), 200, `${target} ${init.body}`)
  const attacks: readonly (readonly [init: RequestInit, target?: string])[] = [
    [{}, '/?union+select+1,2+from+users--=1'],
    [{}, '/login?user[$ne]=1'],
    [{}, '/trace.axd'],
    [{}, '/.profile'],
    [{}, '/uploads/cmd.php'],
    [{}, '/?.profile=car'],
    [{}, '/?id=2147483648'],
    [{}, '/package.json'],
    [{}, '/(system)(id)'],
    [upload('a.txt; filename=b')],
    [posted('x\r\nHTTP/1.1 200 OK')],
    [posted('x\r\nGET /admin HTTP/1.1\r\n')],
  ]
  for (const [init, target = '/'] of attacks)
    assert.equal(await send(init, target), 403, `${target} ${init.body}`)
})

test('addresses are let pass that are written as sites write them, and not those that only resemble them', async (t) => {
  const send = await protectedBy(t, {})
  const ordinary = [
    '/js/??a.js,b/c.min.js?v=20240101',
    '/seal/logo.dll?size=1',
    '/Handlers/Image.axd?id=3',
    '/frag/20250735_273960925.inc',
    '/?url=http://www.example.org/?',
    '/?url=http://ad.example.org/a%3Bsrc=1%3Bord=2?',
    '/?avatar=https://pictures.example.org/u/5?',
    '/?session_id=1a2b',
    '/token/abc.eyJhbGciOiJIUzI1NiJ9~',
  ]
  for (const target of ordinary) assert.equal(await send({}, target), 200, target)
  const attacks = [
    '/js/??/../../etc/passwd',
    '/js/.?/.?/etc/passwd',
    '/msadc/msadcs.dll',
    '/elmah.axd',
    '/config.inc',
    '/?url=http://www.example.org/shell.txt?',
    '/?url=http://192.0.2.1/?',
    '/?phpsessid=1a2b',
    '/index.php~',
  ]
  for (const target of attacks) assert.equal(await send({}, target), 403, target)
})

test('XML passes whose elements are set off in lines, and commands in lines of one element are refused', async (t) => {
  const send = await protectedBy(t, { contentTypes: ['*'] })
  const call = (name: string, value: string) => ({
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body: `<?xml version="1.0"?>\n<methodCall>\n<methodName>record.list</methodName>\n<params>\n<member>\n<name>${name}</name>\n<value>${value}</value>\n</member>\n</params>\n</methodCall>\n`,
  })
  for (const name of ['type', 'id', 'name', 'sort'])
    assert.equal(await send(call(name, 'TXT 3264970857')), 200, name)
  for (const value of ['x\ntype c:\\boot.ini', 'a\n/bin/cat /etc/passwd'])
    assert.equal(await send(call('note', value)), 403, value)
})

test('a GET passes whose body is JSON, which rules look through, and one with another body does not', async (t) => {
  const port = await portOfProtected(t, { contentTypes: ['*'] })
  const get = (body: string, headers: Readonly<Record<string, string>>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const length = String(Buffer.byteLength(body))
      const request = requestOf({
        port,
        path: '/_search',
        headers: { accept: '*/*', ...headers, 'content-length': length },
      })
      request.on('error', reject).on('response', (reply) => {
        reply.resume().on('end', () => resolve(reply.statusCode))
      })
      request.end(body)
    })
  const json = { 'content-type': 'application/json; charset=UTF-8' }
  for (const body of ['{}', '{"query":{"match":{"title":"boats"}}}', '[1,2]', 'null', '"boats"']) {
    assert.equal(await get(body, json), 200, body)
    assert.equal(await get(body, {}), 200, body)
  }
  assert.equal(await get('', json), 200)
  const request = 'GET /admin HTTP/1.1\r\nHost: a\r\n\r\n'
  for (const body of ['{"query":"<script>alert(1)</script>"}', request, `{}${request}`, 'a=1']) {
    assert.equal(await get(body, json), 403, body)
    assert.equal(await get(body, {}), 403, body)
  }
  assert.equal(await get('{}', { 'content-type': form }), 403)
  assert.equal(await get('{}', { 'content-type': 'application/json; charset=utf-16' }), 403)
})

test('over HTTP/2 no header has to tell of a body, and it is the same', async (t) => {
  const port = await portOfProtected(t, { contentTypes: ['*'] }, { tls: http2Tls() })
  const session = connect(`https://localhost:${port}`, { rejectUnauthorized: false })
  t.after(() => session.close())
  const ask = async (body: string, headers: OutgoingHttpHeaders) => {
    const stream = session.request(
      { ':path': '/_search', accept: '*/*', 'user-agent': 'test', ...headers },
      { endStream: false },
    )
    const answered = once(stream, 'response')
    stream.end(body).resume()
    const [{ ':status': status }] = await answered
    return status
  }
  const json = { 'content-type': 'application/json' }
  for (const headers of [json, {}]) {
    for (const body of ['', '{}', '[1,2]']) assert.equal(await ask(body, headers), 200, body)
    for (const body of ['{}x', 'a=1', 'GET /a HTTP/1.1\r\n'])
      assert.equal(await ask(body, headers), 403, body)
  }
  assert.equal(await ask('a=1', { 'content-type': form }), 403)
  assert.equal(await ask('', { ':method': 'HEAD' }), 200)
  assert.equal(await ask('{}', { ':method': 'HEAD' }), 403)
  assert.equal(await ask('a=1', { ':method': 'POST', 'content-type': form }), 200)
})

test('texts under the type of a form pass that have several lines, and not with a header in one', async (t) => {
  const send = await protectedBy(t, { contentTypes: [form, 'application/json'] })
  const posted = (body: string, type = form) => ({ method: 'POST', body, headers: { 'content-type': type } })
  const ordinary = [
    'first line\nsecond line\n',
    'name;price\r\ntea;2\r\n',
    '{"index":{}}\n{"title":"Tea\\nfor two"}\n',
    '<order>\n<item>1</item>\n</order>',
  ]
  for (const body of ordinary) assert.equal(await send(posted(body)), 200, body)
  assert.equal(await send(posted('{"Price\\nwithout tax":1}', 'application/json')), 200)
  const attacks = [
    'a%0d%0aSet-Cookie:b=c',
    'a%0aLocation%20: //example.org',
    'a%250d%250aX-A:b',
    'a%0d%0a%0d%0ab',
    'a%0ab',
    'a%0db',
    'a%0d%0aHTTP/1.1 200 OK',
  ]
  for (const attack of attacks) {
    assert.equal(await send(posted(attack)), 403, attack)
    assert.equal(await send({}, `/?${attack}=1`), 403, attack)
  }
  assert.equal(await send(posted('{"a\\r\\nSet-Cookie: b":1}', 'application/json')), 403)
})

test('files are stored below the script of a server, and no script is', async (t) => {
  const send = await protectedBy(t, { methods: ['PUT', 'MOVE'], contentTypes: ['*'] })
  const put = { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } }
  const move = (to: string) => ({ method: 'MOVE', headers: { destination: `http://cloud.example${to}` } })
  for (const path of ['/remote.php/dav/files/ann/tea.txt', '/caldav.php/ann/home/1.ics', '/Dav.aspx/a.txt']) {
    assert.equal(await send(put, path), 200, path)
    assert.equal(await send(move(path), '/remote.php/dav/files/ann/a.txt'), 200, path)
  }
  for (const path of [
    '/a.php/',
    '/a.php;.txt',
    '/a.php.',
    '/a.php//?b',
    '/a.php%00.txt',
    '/a.jsp/',
    '/a.jsp/b',
    '/a.aspx/',
  ]) {
    assert.equal(await send(put, path), 403, path)
    assert.equal(await send(move(path), '/b.txt'), 403, path)
  }
  assert.equal(await send(move('/a.php'), '/b.txt'), 403)
})
