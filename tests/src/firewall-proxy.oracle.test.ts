import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cleanUp } from './support/clean-up.ts'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/proxy.ts'
import { Server } from './support/server.ts'

let server: Server
let management: Management
let shopPort: number
before(async () => {
  server = await Server.start()
  await ProxyProcess.start(server)
  management = await Management.connect(server)
  shopPort = await application((incoming, response) => {
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    incoming.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ url: incoming.url, headers: incoming.headers, size }))
    })
  })
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** What the application said that it got. */
interface Echo {
  readonly url: string
  readonly headers: Record<string, string>
  readonly size: number
}

const sqlInjection = `/search?q=${encodeURIComponent("1' OR '1'='1' UNION SELECT password FROM users--")}`
const script = `/search?q=${encodeURIComponent('<script>alert(document.cookie)</script>')}`

test('a service answers on its port within 200 ms of its creation', async () => {
  const port = await management.protect('quick', shopPort)
  const createdAt = performance.now()
  let reply: Response | undefined
  while (reply?.status !== 200 && performance.now() - createdAt < 5_000) {
    reply = await fetch(`http://127.0.0.1:${port}/basket?item=7`).catch(() => undefined)
    await reply?.arrayBuffer().catch(() => undefined)
  }
  const elapsed = performance.now() - createdAt
  assert.ok(elapsed < 200, `${elapsed} ms`)
})

test('the server gets the request as it came, with the address of the client', async () => {
  const port = await management.protect('plain', shopPort)
  await management.untilFares('services/plain', 'Up')
  const reply = await fetch(`http://127.0.0.1:${port}/a%20b?x=%C3%A4`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': '192.0.2.1', X_Odd: 'kept' },
    body: 'b'.repeat(3_000_000),
  })
  const { url, headers, size } = (await reply.json()) as Echo
  assert.equal(url, '/a%20b?x=%C3%A4')
  assert.equal(headers['x-forwarded-for'], '192.0.2.1, 127.0.0.1')
  assert.equal(headers.x_odd, 'kept')
  assert.equal(headers.host, `127.0.0.1:${port}`)
  assert.equal(size, 3_000_000)
})

test('attacks are blocked in Active and logged in Passive', async () => {
  const port = await management.protect('guarded', shopPort)
  await management.untilFares('services/guarded', 'Up')
  for (const attack of [sqlInjection, script]) {
    const reply = await fetch(`http://127.0.0.1:${port}${attack}`)
    assert.equal(reply.status, 200)
    await reply.arrayBuffer()
  }
  const seen = await management.entries(
    'web-firewall-logs',
    (entry) => entry['service-name'] === 'guarded' && entry['attack-category'] === 'SQL Attacks',
  )
  assert.ok(seen.every(({ action }) => action === 'LOG'))

  await management.call('PUT', 'services/guarded/basic-security', { mode: 'Active' })
  for (const attack of [sqlInjection, script]) {
    const reply = await fetch(`http://127.0.0.1:${port}${attack}`)
    assert.equal(reply.status, 403, attack)
    assert.match(await reply.text(), /Forbidden/)
  }
  const form = await fetch(`http://127.0.0.1:${port}/login`, {
    method: 'POST',
    body: new URLSearchParams({ user: "admin' OR 1=1--" }),
  })
  assert.equal(form.status, 403)
  await form.arrayBuffer()
  const harmless = await fetch(`http://127.0.0.1:${port}/search?q=shoes`)
  assert.equal(harmless.status, 200)
  await harmless.arrayBuffer()
  await management.entries(
    'web-firewall-logs',
    (entry) => entry['service-name'] === 'guarded' && entry.action === 'DENY',
  )
})
