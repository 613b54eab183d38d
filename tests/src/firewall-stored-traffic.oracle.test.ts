import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, Server } from './support/programs/server.ts'

/* What is kept of requests where a service asks for that, and what trials against it say: the Core Rule Set judges. */

let server: Server
let management: Management
let port: number
before(async () => {
  server = await Server.start()
  await ProxyProcess.start(server, undefined, { workers: 2 })
  management = await Management.connect(server)
  const shopPort = await application((incoming, response) => {
    incoming.resume().on('end', () => response.end('reached'))
  })
  port = await management.protect('shop', shopPort)
  await management.call('PUT', 'services/shop/basic-security', {
    mode: 'Active',
    'client-ip-addr-header': 'X-Forwarded-For',
  })
  await management.untilHealth('services/shop', 'Up')
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

interface Sent {
  readonly headers?: Record<string, string>
  readonly body?: string | URLSearchParams
}

/** @returns the status, and the id that the page of a refused request shows */
async function send(path: string, { headers = {}, body }: Sent = {}): Promise<number> {
  const reply = await fetch(`http://localhost:${port}${path}`, {
    headers: { 'x-forwarded-for': '192.0.2.1', connection: 'close', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body }),
  })
  await reply.arrayBuffer()
  return reply.status
}

interface Kept {
  readonly requests: string
  readonly newest: readonly {
    readonly id: string
    readonly method: string
    readonly url: string
    readonly headers: readonly string[]
    readonly body: string
    readonly refused: string
  }[]
}

async function kept(): Promise<Kept> {
  const { data } = await management.call('GET', 'services/shop/stored-requests')
  return data as Kept
}

function keptSoon(count: number): Promise<Kept> {
  return eventually(`${count} requests`, async () => {
    const all = await kept()
    return Number(all.requests) >= count ? all : undefined
  })
}

const attack = "1' UNION SELECT password FROM users-- -"

test('nothing is kept unasked', async () => {
  assert.equal(await send(`/search?q=${encodeURIComponent(attack)}`), 403)
  assert.equal(await send('/search?q=chairs'), 200)
  await management.call('PUT', 'services/shop/stored-traffic', { status: 'On', 'ordinary-requests': 1 })
  await management.untilHealth('services/shop', 'Up')
  assert.equal((await kept()).requests, '0')
})

test('refused and ordinary requests are kept without their secrets', async () => {
  const headers = { cookie: 'sid=abc-123', authorization: 'Bearer T0ken', 'x-api-key': 'k3y' }
  assert.equal(await send('/login', { headers, body: new URLSearchParams({ name: 'Ada', password: 'Secr3t!' }) }), 200)
  const json = JSON.stringify({ user: { name: 'Ada', password: 'Op3n"S' }, note: attack })
  assert.equal(await send('/notes?token=t0p', { headers: { 'content-type': 'application/json' }, body: json }), 403)
  const { newest } = await keptSoon(2)
  const login = newest.find(({ url }) => url === '/login')
  assert.equal(login?.body, 'name=Ada&password=Xxxx1x%21')
  assert.equal(login.refused, 'No')
  for (const line of ['cookie: sid=xxx-111', 'authorization: Bearer X1xxx', 'x-api-key: x1x'])
    assert.ok(login.headers.includes(line), line)
  const note = newest.find(({ url }) => url === '/notes?token=x1x')
  assert.equal(note?.refused, 'Yes')
  const { user } = JSON.parse(note.body)
  assert.deepEqual(user, { name: 'Ada', password: 'Xx1x"X' })
  assert.equal(JSON.parse(note.body).note, attack)
})

test('the smallest exception is tried against what is kept, and created when that is asked for', async () => {
  for (const q of ['select a chair from the list where price = 1', attack])
    assert.equal(await send('/catalogue', { body: new URLSearchParams({ q }) }), 403, q)
  await keptSoon(4)
  const [entry] = await management.entries(
    'web-firewall-logs',
    (one) => one['service-name'] === 'shop' && one.url === '/catalogue',
  )
  const id = String(entry?.['request-id'])
  const address = `refused-requests/${id}/smallest-exception`
  const { data } = (await management.call('POST', address, {})) as { data: Record<string, unknown> }
  console.log(JSON.stringify(data, null, 1).slice(0, 3000))
})
