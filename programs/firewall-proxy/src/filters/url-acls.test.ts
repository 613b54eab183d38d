import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SnapshotUrlAcl } from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { emptyRuleSets, ruleSetsOf } from '../testing/rules.ts'

const refusal = { status: 403, headers: {}, body: 'no %s for %client-ip' }

function acl(more: Partial<SnapshotUrlAcl>): SnapshotUrlAcl {
  return {
    name: 'rule',
    host: '*',
    url: '/*',
    extendedMatch: '*',
    sequence: 1,
    does: 'deny',
    logs: true,
    denial: { kind: 'page', page: refusal },
    ...more,
  }
}

const application = (_: unknown, response: { end(text: string): void }) => response.end('reached')

const get = (port: number, target: string, headers = '') =>
  exchangeBytes(port, `GET ${target} HTTP/1.1\r\nHost: shop.example\r\n${headers}\r\n`)

test('a URL that is denied is refused, however it is spelt, and logged by the name of the rule', async (t) => {
  const urlAcls = [acl({ url: '/admin*' })]
  const { port, exchanges } = await carried(t, {
    application,
    service: { inspection: { mode: 'active' }, checks: testChecks({ urlAcls }) },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  for (const target of [
    '/admin',
    '/ADMIN/x',
    '/%61dmin',
    '//admin',
    '/a/../admin',
    '/a/%2e%2e/admin',
    '/\\admin',
    '/;/admin',
    '/a/..;/admin',
  ]) {
    assert.match(await get(port, target), /^HTTP\/1\.1 403 /, target)
  }
  assert.match(await get(port, '/shop'), /reached/)
  const [violation] = exchanges[0]?.violations ?? []
  assert.deepEqual(
    [violation?.attack, violation?.action, violation?.rule, violation?.category],
    ['deny-acl-matched', 'DENY', 'rule', 'Forceful Browsing'],
  )
})

test('a rule may name its URL with letters of any language and blanks, percent-encoded or not', async (t) => {
  const urlAcls = [acl({ url: '/größe/*' }), acl({ url: '/f%C3%BCr' }), acl({ url: '/with%20blank' })]
  const { port } = await carried(t, {
    application,
    service: { inspection: { mode: 'active' }, checks: testChecks({ urlAcls }) },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  for (const target of ['/gr%C3%B6%c3%9fe/1', '/f%C3%BCr', '/with%20blank', '/%77ith%20blank']) {
    assert.match(await get(port, target), /^HTTP\/1\.1 403 /, target)
  }
  assert.match(await get(port, '/gr%C3%B6se/1'), /reached/)
})

test('parameters of a path, which some servers leave out, do not lead around a rule', async (t) => {
  const urlAcls = [acl({ url: '/admin/*' }), acl({ url: '/log' })]
  const { port } = await carried(t, {
    application,
    service: { inspection: { mode: 'active' }, checks: testChecks({ urlAcls }) },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  for (const target of [
    '/admin;/x',
    '/admin;a=b/x',
    '/;/admin/x',
    '/admin%3ba/x',
    '/log;a',
    '/log;a=%2f..%2f',
  ]) {
    assert.match(await get(port, target), /^HTTP\/1\.1 403 /, target)
  }
  assert.match(await get(port, '/shop;a=b/x?/;/admin/x'), /reached/)
})

test('in passive mode what is denied passes and is logged; redirects and answers follow all the same', async (t) => {
  const urlAcls = [
    acl({ url: '/deny' }),
    acl({ url: '/old', does: 'redirect', denial: { kind: 'redirect', status: 301, location: '/new' } }),
    acl({ url: '/closed', does: 'answer' }),
  ]
  const { port, exchanges } = await carried(t, { application, service: { checks: testChecks({ urlAcls }) } })
  assert.match(await get(port, '/deny'), /reached/)
  assert.match(await get(port, '/old'), /^HTTP\/1\.1 301 .*\r\nlocation: \/new\r\n/is)
  assert.match(
    await get(port, '/closed'),
    /^HTTP\/1\.1 403 .*no http:\/\/shop\.example\/closed for 127\.0\.0\.1/s,
  )
  assert.deepEqual(
    exchanges.map(({ violations }) => violations[0]?.action),
    ['LOG', 'REDIRECT', 'DENY'],
  )
})

test('a redirect leads to an address with letters of any language and blanks', async (t) => {
  const denial = { kind: 'redirect', status: 302, location: '/zutritt für gäste €' } as const
  const urlAcls = [acl({ url: '/old', does: 'redirect', denial })]
  const { port } = await carried(t, { application, service: { checks: testChecks({ urlAcls }) } })
  assert.match(
    await get(port, '/old'),
    /^HTTP\/1\.1 302 .*\r\nlocation: \/zutritt%20f%C3%BCr%20g%C3%A4ste%20%E2%82%AC\r\n/is,
  )
})

test('the first rule counts whose condition holds, and one that allows passes everything over', async (t) => {
  const urlAcls = [
    acl({ name: 'friends', url: '/admin', extendedMatch: 'Header X-Friend ex', does: 'allow' }),
    acl({ name: 'others', url: '/admin' }),
  ]
  const { port } = await carried(t, {
    application,
    service: { inspection: { mode: 'active' }, checks: testChecks({ urlAcls }) },
    rules: emptyRuleSets,
    policy: testPolicy({ globalAcls: [acl({ url: '/*' })] }),
  })
  assert.match(await get(port, '/admin', 'X-Friend: 1\r\n'), /reached/)
  assert.match(await get(port, '/admin'), /^HTTP\/1\.1 403 /)
  assert.match(await get(port, '/'), /^HTTP\/1\.1 403 /)
})

test('a client that was denied may be refused altogether for a while, also by the next snapshot', async (t) => {
  const urlAcls = [acl({ url: '/trap', followUp: { does: 'block', seconds: 60 }, denial: { kind: 'close' } })]
  const { port, plane, service, exchanges } = await carried(t, {
    application,
    service: { inspection: { mode: 'active' }, checks: testChecks({ urlAcls }) },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  assert.match(await get(port, '/'), /reached/)
  assert.equal(await get(port, '/trap'), '')
  assert.equal(await get(port, '/'), '')
  assert.equal(exchanges[1]?.violations[0]?.followUp, 'Block Client-IP')
  assert.deepEqual(exchanges[2]?.violations, [])
  await plane.apply({ services: [{ ...service, logsAccess: false }], policies: { own: testPolicy() } })
  assert.equal(await get(port, '/'), '')
})

test('what is let pass without being looked at is not so where a server could take its address for another one', async (t) => {
  const urlAcls = [acl({ url: '/public/*', does: 'allow' }), acl({ url: '/public/*' })]
  const { port } = await carried(t, {
    application,
    service: { inspection: { mode: 'active' }, checks: testChecks({ urlAcls }) },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  assert.match(await get(port, '/public/x'), /reached/)
  for (const target of ['/admin/..%2fpublic/x', '/x/../public/x', '/admin\\..\\public/x', '/public;/x']) {
    assert.match(await get(port, target), /^HTTP\/1\.1 403 /, target)
  }
})

test('nor are other rules passed over for such an address', async (t) => {
  const urlAcls = [acl({ url: '*.css', does: 'process' }), acl({ url: '/admin*' })]
  const { port } = await carried(t, {
    application,
    service: { inspection: { mode: 'active' }, checks: testChecks({ urlAcls }) },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  assert.match(await get(port, '/admin.css'), /reached/)
  assert.match(await get(port, '/admin;.css'), /^HTTP\/1\.1 403 /)
})

test('a rule about methods counts for the method that a request asks an application to take it for, too', async (t) => {
  const urlAcls = [
    acl({ url: '/read/*', extendedMatch: '(Method eq GET)', does: 'process' }),
    acl({ url: '/read/*' }),
    acl({ url: '/items/*', extendedMatch: '(Method eq DELETE)' }),
    acl({ url: '/pages/*', extendedMatch: '(Method neq GET)' }),
  ]
  const { port } = await carried(t, {
    application,
    service: { inspection: { mode: 'active' }, checks: testChecks({ urlAcls }) },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  const post = (target: string, headers = '') =>
    exchangeBytes(port, `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n${headers}\r\n`)
  for (const headers of ['X-HTTP-Method-Override: DELETE\r\n', 'x-method-override: delete\r\n']) {
    assert.match(await post('/items/1', headers), /^HTTP\/1\.1 403 /)
    assert.match(await get(port, '/read/1', headers), /^HTTP\/1\.1 403 /)
  }
  assert.match(await post('/items/1?_method=DELETE'), /^HTTP\/1\.1 403 /)
  assert.match(await post('/items/1?a=b&%5Fmethod=delete'), /^HTTP\/1\.1 403 /)
  assert.match(await post('/pages/1', 'X-HTTP-Method-Override: GET\r\n'), /^HTTP\/1\.1 403 /)
  for (const answer of [
    await get(port, '/read/1'),
    await get(port, '/pages/1'),
    await post('/items/1?method=DELETE'),
  ])
    assert.match(answer, /reached/)
})

test('a rule about methods counts for the method that a body asks an application to take it for, wherever that stands in it', async (t) => {
  const urlAcls = [
    acl({ url: '/read/*', extendedMatch: '(Method eq POST)', does: 'process' }),
    acl({ url: '/read/*' }),
    acl({ url: '/items/*', extendedMatch: '(Method eq DELETE)' }),
  ]
  const given = {
    application,
    service: { inspection: { mode: 'active' as const }, checks: testChecks({ urlAcls }) },
    policy: testPolicy(),
  }
  const { port } = await carried(t, { ...given, rules: emptyRuleSets })
  const rules = ruleSetsOf('SecRequestBodyLimit 131072\nSecRequestBodyLimitAction ProcessPartial')
  const { port: shortReader } = await carried(t, { ...given, rules })
  const post = (target: string, body: string, type = 'application/x-www-form-urlencoded', at = port) =>
    exchangeBytes(
      at,
      `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  const multipart = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`
  const long = `a=${'b'.repeat(200_000)}`
  const refused = {
    plain: await post('/items/1', '_method=DELETE'),
    'behind others, encoded': await post('/items/1', 'a=b&%5fmethod=delete'),
    'as PHP names it': await post('/items/1', 'a=b&.method=delete'),
    multipart: await post('/items/1', multipart('_method', 'delete'), 'multipart/form-data; boundary=b'),
    'JSON, as Laravel takes it': await post(
      '/items/1',
      '{"a":1,"\\u005fmethod":"DELETE"}',
      'application/json',
    ),
    'where another rule let pass by its own method': await post('/read/1', '_method=PUT'),
    'behind much else': await post('/items/1', `${long}&_method=delete`),
    'perhaps in what is too long to be read': await post('/items/1', long, undefined, shortReader),
  }
  for (const [what, answer] of Object.entries(refused)) assert.match(answer, /^HTTP\/1\.1 403 /, what)
  for (const answer of [
    await post('/items/1', '_method=put&a=DELETE'),
    await post('/items/1', 'method=DELETE'),
    await post('/items/1', '_method=DELETE', 'text/plain'),
    await post('/read/1', 'a=b'),
    await post('/items/1', long),
    await post('/items/1', '{"a":{"_method":"DELETE"}}', 'application/json'),
    await post('/items/1', '{"_method":', 'application/json'),
    await post('/else', long, undefined, shortReader),
  ])
    assert.match(answer, /reached/)
})
