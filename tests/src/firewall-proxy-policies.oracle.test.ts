import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, Server } from './support/programs/server.ts'

let server: Server
let management: Management
let shopPort: number
before(async () => {
  server = await Server.start()
  await ProxyProcess.start(server)
  management = await Management.connect(server)
  shopPort = await application((incoming, response) => {
    incoming.resume().on('end', () => {
      const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://shop')
      response.setHeader('server', 'Shop/1.2.3')
      if (pathname === '/broken') response.statusCode = 500
      if (pathname === '/login') response.statusCode = 401
      response.setHeader('content-type', 'text/html')
      response.end(
        pathname === '/card' ? 'card 4111 1111 1111 1111 of Ann' : `you searched ${searchParams.size}`,
      )
    })
  })
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** A service that blocks, with a policy of its own that is changed before anybody comes. */
async function guarded(name: string, change: (policy: string) => Promise<void> = async () => undefined) {
  await management.call('POST', 'security-policies', { name: `${name}-policy` })
  await change(`security-policies/${name}-policy`)
  const port = await management.protect(name, shopPort, { status: 'Off' })
  await management.call('PUT', `services/${name}/basic-security`, {
    mode: 'Active',
    'web-firewall-policy': `${name}-policy`,
  })
  await management.call('PUT', `services/${name}`, { status: 'On' })
  await management.untilHealth(`services/${name}`, 'Up')
  return (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
}

/** The newest entry about an attack on a service. */
async function logged(service: string, attack: string) {
  const [entry] = await management.entries(
    'web-firewall-logs',
    (one) => one['service-name'] === service && one.attack === attack,
  )
  return entry
}

const sql = `/search?q=${encodeURIComponent("1' UNION SELECT password FROM users--")}`

test('what the policy of a fresh installation refuses is refused, with its page, and logged by its name', async () => {
  const get = await guarded('fresh')
  const refused: readonly (readonly [attack: string, path: string, init?: RequestInit])[] = [
    ['sql-injection-in-parameter', sql],
    ['method-not-allowed', '/', { method: 'DELETE' }],
    ['slash-dot-in-url-path', '/.git/config'],
    ['url-length-exceeded', `/${'a'.repeat(4096)}`],
    ['header-value-length-exceeded', '/', { headers: { 'x-a': 'a'.repeat(1025) } }],
    ['cookie-count-exceeded', '/', { headers: { cookie: 'a=1;'.repeat(41) } }],
    ['too-many-parameters', `/?${'a=1&'.repeat(41)}`],
    ['parameter-value-length-exceeded', `/?a=${'1'.repeat(1001)}`],
    ['metacharacter-in-parameter', '/?a=%5c'],
    ['unknown-content-type', '/', { method: 'POST', body: 'a', headers: { 'content-type': 'text/csv' } }],
  ]
  for (const [attack, path, init] of refused) {
    const reply = await get(path, init)
    assert.equal(reply.status, 403, attack)
    const [, number = ''] = /Support number: ([\w-]+)/.exec(await reply.text()) ?? []
    assert.match(number, /^[\da-f-]{36}$/, attack)
    const entry = await logged('fresh', attack)
    assert.equal(entry?.action, 'DENY', attack)
  }
  const entry = await logged('fresh', 'url-length-exceeded')
  assert.deepEqual([entry?.['attack-category'], entry?.severity], ['Limits Violations', 'Alert'])
  const harmless = await get('/search?q=shoes')
  assert.deepEqual(
    [harmless.status, await harmless.text(), harmless.headers.get('server')],
    [200, 'you searched 1', null],
  )
  const broken = await get('/broken')
  assert.deepEqual([broken.status, /cannot answer/.test(await broken.text())], [503, true])
})

test('an action policy decides what follows: nothing, a log, a redirect, a page, and how the client goes on', async () => {
  const get = await guarded('acting', async (policy) => {
    const action = (attack: string, body: object) =>
      management.call('PUT', `${policy}/action-policies/${attack}`, body)
    await management.call('POST', 'response-pages', {
      name: 'too-long',
      'status-code': '414 Too Long',
      headers: 'Content-Type: text/plain\nX-Own: yes',
      body: '%attack-name by %client-ip',
    })
    await action('url-length-exceeded', { 'response-page': 'too-long' })
    await action('query-length-exceeded', { action: 'Allow and Log' })
    await action('sql-injection-in-parameter', { action: 'None' })
    await action('slash-dot-in-url-path', { 'deny-response': 'Temporary Redirect', 'redirect-url': '/start' })
    await action('tilde-in-url-path', { action: 'Protect and Log', 'deny-response': 'Close Connection' })
    await action('method-not-allowed', {
      'follow-up-action': 'Block Client-IP',
      'follow-up-action-time': 600,
    })
  })
  const long = await get(`/${'a'.repeat(4096)}`)
  assert.deepEqual(
    [long.status, await long.text(), long.headers.get('x-own')],
    [414, 'url-length-exceeded by 127.0.0.1', 'yes'],
  )
  assert.equal((await get(`/?${'a'.repeat(40)}=${'b'.repeat(900)}&`.padEnd(4200, '&'))).status, 403)
  assert.equal((await logged('acting', 'query-length-exceeded'))?.action, 'LOG')
  assert.equal((await get(sql)).status, 200)
  const hidden = await get('/.git')
  assert.deepEqual([hidden.status, hidden.headers.get('location')], [302, '/start'])
  await assert.rejects(get('/~root'))
  assert.equal((await get('/', { method: 'DELETE' })).status, 403)
  // Each worker of the proxy hears of it a moment later.
  await eventually('the client being refused', () =>
    get('/').then(
      () => undefined,
      () => true,
    ),
  )
  assert.equal((await logged('acting', 'method-not-allowed'))?.['follow-up-action'], 'Block Client-IP')
})

test('what is switched off is not looked for, neither by the rules nor by anything else', async () => {
  const get = await guarded('lenient', async (policy) => {
    await management.call('PUT', `${policy}/parameter-protection`, {
      'blocked-attack-types': ['Cross-Site Scripting'],
      'ignore-parameters': ['note'],
    })
    await management.call('PUT', `${policy}/request-limits`, { enable: 'No' })
    await management.call('PUT', `${policy}/cloaking`, {
      'filter-response-header': 'No',
      'suppress-return-code': 'No',
    })
    await management.call('PUT', `${policy}/url-protection`, { 'allowed-methods': ['GET', 'DELETE'] })
  })
  const script = encodeURIComponent('<script>alert(document.cookie)</script>')
  assert.equal((await get(sql)).status, 200)
  assert.equal((await get(`/search?q=${script}`)).status, 403)
  assert.equal((await get(`/search?note=${script}`)).status, 200)
  assert.equal((await get(`/${'a'.repeat(5000)}`)).status, 200)
  assert.equal((await get('/', { method: 'DELETE' })).status, 200)
  const broken = await get('/broken')
  assert.deepEqual([broken.status, broken.headers.get('server')], [500, 'Shop/1.2.3'])
})

test('access rules, trusted hosts and URL policies of a service count', async () => {
  const get = await guarded('ruled', async (policy) => {
    await management.call('POST', `${policy}/protected-data-types`, {
      name: 'cards',
      'identity-theft-type': 'Credit Cards',
      action: 'Cloak',
    })
  })
  const add = (kind: string, body: object) => management.call('POST', `services/ruled/${kind}`, body)
  await add('url-acls', {
    name: 'inside',
    url: '/inside/*',
    action: 'Deny and Log',
    'extended-match': '(Header X-Inside nex)',
  })
  await add('url-acls', { name: 'old', url: '/old', action: 'Permanent Redirect', 'redirect-url': '/new' })
  await add('header-acls', {
    name: 'tokens',
    'header-name': 'X-Token',
    mode: 'Active',
    'max-header-value-length': 4,
  })
  await add('url-policies', {
    name: 'cards',
    url: '/card',
    mode: 'Active',
    'enable-data-theft-protection': 'Yes',
  })
  await add('url-policies', {
    name: 'login',
    url: '/login',
    mode: 'Active',
    'enable-bruteforce-prevention': 'Yes',
    'max-allowed-accesses-per-ip': 2,
  })
  await management.untilHealth('services/ruled', 'Up')
  assert.equal((await get('/inside/x')).status, 403)
  assert.equal((await get('/INSIDE/x', { headers: { 'x-inside': '1' } })).status, 200)
  assert.equal((await logged('ruled', 'deny-acl-matched'))?.rule, 'inside')
  const old = await get('/old')
  assert.deepEqual([old.status, old.headers.get('location')], [301, '/new'])
  assert.equal((await get('/', { headers: { 'x-token': '12345' } })).status, 403)
  assert.equal(await (await get('/card')).text(), 'card XXXX XXXX XXXX 1111 of Ann')
  assert.equal((await get('/login')).status, 401)
  await eventually('the next log-ins being refused', async () =>
    (await get('/login')).status === 403 ? true : undefined,
  )
  assert.ok(await logged('ruled', 'brute-force-from-ip'))

  await management.call('POST', 'trusted-host-groups', { name: 'us' })
  await management.call('POST', 'trusted-host-groups/us/trusted-hosts', {
    name: 'here',
    'ip-address': '127.0.0.0',
    mask: '255.0.0.0',
  })
  await management.call('PUT', 'services/ruled/basic-security', {
    'trusted-hosts-group': 'us',
    'trusted-hosts-action': 'Allow',
  })
  await management.untilHealth('services/ruled', 'Up')
  assert.equal((await get(sql)).status, 200)
  assert.equal((await get('/inside/x')).status, 200)
})

test('a profile says what requests for its URL may look like', async () => {
  const get = await guarded('profiled')
  const add = (path: string, body: object) => management.call('POST', `services/profiled/${path}`, body)
  await add('url-profiles', { name: 'search', url: '/search', mode: 'Active', 'allowed-methods': ['GET'] })
  await add('url-profiles/search/parameter-profiles', {
    name: 'number',
    parameter: 'number',
    'parameter-class': 'Integer',
    required: 'Yes',
  })
  await management.untilHealth('services/profiled', 'Up')
  assert.equal((await get('/search?number=12')).status, 200)
  assert.equal((await get('/search?number=twelve')).status, 403)
  assert.equal((await get('/search')).status, 403)
  assert.equal((await get('/search?number=1', { method: 'POST' })).status, 403)
  assert.equal((await get('/elsewhere', { method: 'POST' })).status, 200)
  assert.equal((await logged('profiled', 'mandatory-parameter-missing'))?.rule, 'search')
})

test('an input type says whether the case of letters counts, and which check digit a number has to have', async () => {
  const get = await guarded('typed')
  await management.call('POST', 'input-types', { name: 'codes' })
  for (const [name, regex, cased] of [
    ['any-case', '^[a-z]{3}$', 'No'],
    ['lower-case', '^[a-z]{4}$', 'Yes'],
  ]) {
    await management.call('POST', 'input-types/codes/input-patterns', {
      name,
      regex,
      'case-sensitive': cased,
    })
  }
  for (const [name, type] of [
    ['Card', { 'input-type-validation': 'Credit Cards' }],
    ['Code', { 'input-type-validation': 'CUSTOM', 'custom-input-type-validation': 'codes' }],
  ] as const) {
    await management.call('POST', 'custom-parameter-classes', { name, ...type })
  }
  const add = (path: string, body: object) => management.call('POST', `services/typed/${path}`, body)
  await add('url-profiles', { name: 'pay', url: '/pay', mode: 'Active' })
  for (const [parameter, label] of [
    ['card', 'Card'],
    ['code', 'Code'],
  ]) {
    await add('url-profiles/pay/parameter-profiles', { name: parameter, parameter, 'parameter-class': label })
  }
  await management.untilHealth('services/typed', 'Up')
  assert.equal((await get('/pay?card=4111-1111-1111-1111')).status, 200)
  assert.equal((await get('/pay?card=4111-1111-1111-1112')).status, 403)
  assert.equal((await get('/pay?code=ABC')).status, 200)
  assert.equal((await get('/pay?code=abcd')).status, 200)
  assert.equal((await get('/pay?code=ABCD')).status, 403)
  assert.equal((await logged('typed', 'parameter-input-validation-failed'))?.rule, 'pay')
})

test('a content rule blocks with a policy of its own where the service only logs, however its address is written', async () => {
  const port = await management.protect('divided', shopPort, { status: 'Off' })
  await management.call('POST', 'security-policies', { name: 'of-rule' })
  await management.call('PUT', 'security-policies/of-rule/url-protection', {
    'allowed-methods': ['GET', 'DELETE'],
  })
  await management.call('POST', 'services/divided/content-rules', {
    name: 'admin',
    'host-match': '*',
    'url-match': '/admin/*',
    mode: 'Active',
    'web-firewall-policy': 'of-rule',
  })
  await management.call('PUT', 'services/divided', { status: 'On' })
  await management.untilHealth('services/divided', 'Up', /^(?!.*content-rules)/)
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method })
  for (const folder of ['/admin', '/%61dmin', '//admin', '/ADMIN', '/%2561dmin']) {
    assert.equal((await ask(folder + sql)).status, 403, folder)
  }
  assert.equal((await ask('/admin/', 'PUT')).status, 403)
  assert.equal((await ask('/admin/', 'DELETE')).status, 200)
  assert.equal((await ask(sql)).status, 200)
  assert.equal((await ask('/', 'PUT')).status, 200)
  for (const [action, url] of [
    ['DENY', '/admin/search'],
    ['LOG', '/search'],
  ]) {
    const isIt = (entry: Record<string, string>) =>
      entry['service-name'] === 'divided' &&
      entry.attack === 'sql-injection-in-parameter' &&
      entry.action === action &&
      entry.url === url
    assert.ok((await management.entries('web-firewall-logs', isIt)).length > 0)
  }
})

test('JSON that is too deep, or has a value that its key must not have, is refused and logged by its name', async () => {
  const port = await management.protect('json', shopPort, { status: 'Off' })
  await management.call('PUT', 'services/json/basic-security', { mode: 'Active' })
  await management.call('POST', 'json-security-policies', {
    name: 'flat',
    'max-key-length': 20,
    'max-keys': 10,
    'max-value-length': 100,
    'max-object-depth': 2,
  })
  await management.call('POST', 'services/json/json-profiles', {
    name: 'orders',
    'host-match': '*',
    'url-match': '/orders',
    method: ['POST'],
    mode: 'Active',
    'json-policy': 'flat',
    'allowed-content-types': ['application/json'],
  })
  await management.call('POST', 'services/json/json-profiles/orders/json-key-profiles', {
    name: 'count',
    key: 'count',
    'value-class': 'Integer',
    'value-type': 'Number',
    'max-number-value': '9',
  })
  await management.call('PUT', 'services/json', { status: 'On' })
  await management.untilHealth('services/json', 'Up', /^(?!.*json)/)
  const send = async (document: unknown, path = '/orders') => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(document)
    return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })).status
  }
  for (const [attack, document] of [
    ['json-depth-exceeded', { a: { b: { c: 1 } } }],
    ['json-number-out-of-range', { count: 10 }],
    ['parameter-input-validation-failed', { item: { count: '1' } }],
  ] as const) {
    assert.equal(await send(document), 403, attack)
    assert.equal((await logged('json', attack))?.action, 'DENY', attack)
    assert.equal(await send(document, '/other'), 200, attack)
  }
  assert.equal(await send({ count: 9 }), 200)
})
