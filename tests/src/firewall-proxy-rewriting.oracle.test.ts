import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, Server } from './support/programs/server.ts'

let server: Server
let management: Management
before(async () => {
  server = await Server.start()
  await ProxyProcess.start(server)
  management = await Management.connect(server)
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

const listing = 'An item of the list, and the next one. '.repeat(300)

/** An application with pages, cookies and addresses of its own; it remembers what it was asked. */
async function shop(): Promise<{ readonly port: number; readonly asked: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const pages: Readonly<Record<string, (response: ServerResponse) => void>> = {
    '/': (response) => {
      response.setHeader('set-cookie', 'role=customer; Path=/shop')
      response.end(
        '<a href="/shop/item?id=7&amp;price=5">item</a><form action="/shop/search?old=1"><input name=q></form>',
      )
    },
    '/shop/list': (response) => response.end(listing),
  }
  const port = await application((request, response) => {
    requests.push(request)
    request.resume()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('server', 'secret/1.0')
    const page = pages[request.url ?? '']
    if (page) page(response)
    else response.end(`asked for ${request.url}`)
  })
  return { port, asked: requests }
}

test('forged and plain addresses are refused, offered ones work, and both are logged as they are', async () => {
  const { port: behind, asked } = await shop()
  const port = await management.protect('sealed', behind)
  await management.call('PUT', 'services/sealed/basic-security', { mode: 'Active' })
  await management.call('POST', 'services/sealed/url-encryption-rules', {
    name: 'everything',
    host: '*',
    url: '/*',
    'exclude-urls': ['/'],
  })
  await management.call('PUT', 'services/sealed/url-encryption', { status: 'On' })
  await management.untilHealth('services/sealed', 'Up')
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)

  const page = await (await get('/')).text()
  const [, link = ''] = /href="([^"]+)"/.exec(page) ?? []
  const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
  assert.ok(!/shop|price|old/.test(page), page)
  const count = asked.length
  const refused = [
    '/admin',
    '/shop/item?id=7&price=1',
    `${link.slice(0, -2)}AA`,
    `${link}?price=1`,
    '/~enc~x',
  ]
  for (const path of refused) assert.equal((await get(path)).status, 403, path)
  assert.equal(asked.length, count)

  assert.equal(await (await get(link)).text(), 'asked for /shop/item?id=7&price=5')
  assert.equal(await (await get(`${link}?_=1`)).text(), 'asked for /shop/item?id=7&price=5&_=1')
  assert.equal(await (await get(`${action}?q=lamp`)).text(), 'asked for /shop/search?q=lamp')
  const entries = await management.entries(
    'web-firewall-logs',
    (entry) => entry['service-name'] === 'sealed' && entry.attack === 'invalid-encrypted-url',
    refused.length,
  )
  assert.equal(entries.length, refused.length)
  const [offered] = await management.entries('access-logs', (entry) => entry['encrypted-url'] === link)
  assert.deepEqual([offered?.url, offered?.['query-string']], ['/shop/item', 'id=7&price=5'])
})

test('changed cookies do not reach the server, and its own come back to it as they were set', async () => {
  const { port: behind, asked } = await shop()
  const port = await management.protect('cookies', behind)
  await management.call('POST', 'security-policies', { name: 'sealing' })
  const sealing = { 'tamper-proof-mode': 'Signed' }
  await management.call('PUT', 'security-policies/sealing/cookie-security', sealing)
  const inspection = { mode: 'Active', 'web-firewall-policy': 'sealing' }
  await management.call('PUT', 'services/cookies/basic-security', inspection)
  await management.untilHealth('services/cookies', 'Up')
  const reply = await fetch(`http://127.0.0.1:${port}/`)
  const pairs = reply.headers.getSetCookie().map((cookie) => cookie.replace(/;.*/, ''))
  assert.equal(pairs[0], 'role=customer')
  assert.equal(pairs.length, 2)
  const send = async (cookie: string) => {
    const { status } = await fetch(`http://127.0.0.1:${port}/shop/x`, { headers: { cookie } })
    assert.equal(status, 200)
    return asked.at(-1)?.headers.cookie
  }
  assert.equal(await send(pairs.join('; ').replace('customer', 'admin')), undefined)
  assert.equal(await send(pairs.join('; ')), 'role=customer')
  const [entry] = await management.entries('web-firewall-logs', ({ attack }) => attack === 'cookie-tampered')
  assert.equal(entry?.['service-name'], 'cookies')
})

test('requests and answers are rewritten, compressed and kept as the service says', async () => {
  const { port: behind, asked } = await shop()
  const port = await management.protect('rewritten', behind)
  await management.call('POST', 'services/rewritten/http-request-rewrite-rules', {
    name: 'old',
    'sequence-number': 1,
    action: 'Rewrite URL',
    condition: '(Method eq GET) && (Header X-Never nex)',
    'old-value': '/old/*',
    'rewrite-value': '/shop/$1',
  })
  await management.call('POST', 'services/rewritten/http-response-rewrite-rules', {
    name: 'quiet',
    'sequence-number': 1,
    action: 'Remove Header',
    header: 'Server',
  })
  await management.call('POST', 'services/rewritten/response-body-rewrite-rules', {
    name: 'words',
    'sequence-number': 1,
    host: '*',
    url: '/old/*',
    'search-string': 'item of the list',
    'replace-string': 'article',
  })
  await management.call('PUT', 'services/rewritten/clickjacking', { status: 'On' })
  await management.call('PUT', 'services/rewritten/compression', {
    status: 'On',
    'content-types': ['text[/]html'],
    'min-size': 100,
  })
  await management.call('PUT', 'services/rewritten/caching', { status: 'On', 'file-extensions': ['*'] })
  await management.untilHealth('services/rewritten', 'Up')

  const get = () => fetch(`http://127.0.0.1:${port}/old/list`, { headers: { 'accept-encoding': 'gzip' } })
  const reply = await get()
  assert.equal(await reply.text(), listing.replaceAll('item of the list', 'article'))
  assert.equal(asked.at(-1)?.url, '/shop/list')
  const { headers } = reply
  assert.deepEqual(
    ['server', 'content-encoding', 'vary', 'x-frame-options'].map((name) => headers.get(name)),
    [null, 'gzip', 'Accept-Encoding', 'SAMEORIGIN'],
  )
  const count = asked.length
  await eventually('an answer that was kept', async () => {
    const again = await get()
    assert.equal(await again.text(), listing.replaceAll('item of the list', 'article'))
    return again.headers.has('age') ? true : undefined
  })
  assert.ok(asked.length <= count + 1)
  await management.entries(
    'access-logs',
    (entry) => entry['service-name'] === 'rewritten' && entry.cached === 'Yes',
  )
})
