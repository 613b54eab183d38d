import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import {
  application,
  cleanUpApplications,
  freePort,
  Management,
  ProxyProcess,
} from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

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

test('a service answers on its port soon after its creation', async (t) => {
  const port = await management.protect('quick', shopPort)
  const createdAt = performance.now()
  let reply: Response | undefined
  while (reply?.status !== 200 && performance.now() - createdAt < 20_000) {
    reply = await fetch(`http://127.0.0.1:${port}/basket?item=7`).catch(() => undefined)
    await reply?.arrayBuffer().catch(() => undefined)
  }
  assert.equal(reply?.status, 200)
  t.diagnostic(`${Math.round(performance.now() - createdAt)} ms`)
})

test('the server gets the request as it came, with the address of the client', async () => {
  const port = await management.protect('plain', shopPort)
  await management.untilHealth('services/plain', 'Up')
  const reply = await fetch(`http://127.0.0.1:${port}/a%20b?x=%C3%A4`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': '192.0.2.1', X_Odd: 'kept' },
    body: 'b'.repeat(3_000_000),
  })
  const { url, headers, size } = (await reply.json()) as Echo
  assert.equal(url, '/a%20b?x=%C3%A4')
  assert.equal(headers['x-forwarded-for'], '127.0.0.1')
  assert.equal(headers.x_odd, 'kept')
  assert.equal(headers.host, `127.0.0.1:${port}`)
  assert.equal(size, 3_000_000)
})

test('attacks are blocked in Active and logged in Passive', async () => {
  const port = await management.protect('guarded', shopPort)
  await management.untilHealth('services/guarded', 'Up')
  for (const attack of [sqlInjection, script]) {
    const reply = await fetch(`http://127.0.0.1:${port}${attack}`)
    assert.equal(reply.status, 200)
    await reply.arrayBuffer()
  }
  const entries = await management.entries(
    'web-firewall-logs',
    (entry) => entry['service-name'] === 'guarded' && entry['attack-category'] === 'SQL Attacks',
  )
  assert.ok(entries.every(({ action }) => action === 'LOG'))

  await management.call('PUT', 'services/guarded/basic-security', { mode: 'Active' })
  await management.untilHealth('services/guarded', 'Up')
  for (const attack of [sqlInjection, script]) {
    const reply = await fetch(`http://127.0.0.1:${port}${attack}`)
    assert.equal(reply.status, 403, attack)
    assert.match(await reply.text(), /Request refused/)
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

test('a masked parameter never appears in a log, wherever it was sent', async () => {
  // Opened when everything is said, so that no request meets an older snapshot.
  const port = await management.protect('masked', shopPort, { status: 'Off' })
  await management.call('PUT', 'services/masked/sensitive-parameter-names', {
    'sensitive-parameter-names': 'password,card*',
  })
  await management.call('PUT', 'services/masked', { status: 'On' })
  await management.untilHealth('services/masked', 'Up')
  const at = `http://127.0.0.1:${port}`
  const secret = "hunter2' OR '1'='1"
  const boundary = 'a-boundary'
  const sent: [path: string, init?: RequestInit][] = [
    [`/query?user=ann&password=${encodeURIComponent(secret)}&cardNumber=hunter2&PASS%57ORD=hunter2`],
    ['/referred', { headers: { referer: `http://x/?password=${encodeURIComponent(secret)}` } }],
    ['/form', { method: 'POST', body: new URLSearchParams({ user: 'ann', password: secret }) }],
    [
      '/json',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ login: { password: secret } }),
      },
    ],
    [
      '/multipart',
      {
        method: 'POST',
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: `--${boundary}\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--${boundary}--\r\n`,
      },
    ],
  ]
  for (const [path, init] of sent) {
    const reply = await fetch(at + path, init)
    assert.equal(reply.status, 200, path)
    await reply.arrayBuffer()
  }
  const isOurs = (entry: Record<string, string>) => entry['service-name'] === 'masked'
  await management.entries('access-logs', (entry) => entry.url === '/multipart')
  const access = await management.entries('access-logs', isOurs)
  const violations = await management.entries('web-firewall-logs', isOurs)
  for (const [path] of sent) {
    const [url] = path.split('?')
    assert.ok(
      access.some((entry) => entry.url === url),
      `${url} is in the access log`,
    )
    if (url !== '/referred')
      assert.ok(
        violations.some((entry) => entry.url === url),
        `${url} offends a rule`,
      )
  }
  const text = JSON.stringify([access, violations])
  assert.doesNotMatch(text, /hunter2/)
  assert.match(text, /password=XXXX/)
  assert.match(text, /user=ann/)
})

test('a change under load loses no request', async () => {
  const port = await management.protect('busy', shopPort)
  await management.untilHealth('services/busy', 'Up')
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let isOver = false
  let count = 0
  const ask = async () => {
    while (!isOver) {
      assert.equal(await statusOf(agent, port), 200)
      count++
    }
  }
  const clients = Array.from({ length: 8 }, ask)
  const changes = 60
  for (let change = 1; change <= changes; change++) {
    await management.call('PUT', 'services/busy/sensitive-parameter-names', {
      'sensitive-parameter-names': `name${change}`,
    })
    if (change % 20 === 0)
      await management.call('PUT', 'services/busy/basic-security', {
        mode: change % 40 === 0 ? 'Passive' : 'Active',
      })
    if (change % 15 === 0) await management.addServer('busy', `more-${change}`, shopPort)
  }
  isOver = true
  await Promise.all(clients)
  agent.destroy()
  assert.ok(count > changes, `${count} requests`)
})

test('a client that goes away takes its request away from the server', async () => {
  const events = { request: false, end: false }
  const slow = await application((_, response) => {
    events.request = true
    response.once('close', () => {
      events.end = true
    })
  })
  const port = await management.protect('left', slow)
  await management.untilHealth('services/left', 'Up')
  const aborted = request({ port, host: '127.0.0.1' })
  aborted.on('error', () => undefined)
  aborted.end()
  await eventually('the request', async () => (events.request ? true : undefined))
  aborted.destroy()
  await eventually('the end of the request', async () => (events.end ? true : undefined))
})

test('a server that is away is passed over, and told about', async () => {
  const nobody = await freePort()
  const port = await management.protect('halved', nobody)
  await management.addServer('halved', 'two', shopPort)
  await management.untilHealth('services/halved', 'Up')
  for (let count = 0; count < 10; count++) assert.equal(await statusOf(undefined, port), 200)
  await management.untilHealth('services/halved/servers/one', 'Down', /cannot be reached/)
  await management.untilHealth('services/halved/servers/two', 'Up')
  await management.call('DELETE', 'services/halved/servers/two')
  await eventually(
    'the answer 502',
    async () => ((await statusOf(undefined, port)) === 502 ? true : undefined),
    3_000,
  )
  await management.call('DELETE', 'services/halved/servers/one')
  await eventually(
    'the answer 503',
    async () => ((await statusOf(undefined, port)) === 503 ? true : undefined),
    3_000,
  )
})

test('a deleted service is closed, and a port that is taken is told about until it is free', async () => {
  const port = await management.protect('brief', shopPort)
  await management.untilHealth('services/brief', 'Up')
  await management.call('DELETE', 'services/brief')
  await eventually(
    'the end of the service',
    async () => {
      return (await statusOf(undefined, port).catch(() => 'refused')) === 'refused' ? true : undefined
    },
    3_000,
  )

  const app = await application((_, response) => response.end())
  const reason = `127.0.0.1, port ${app}, cannot be opened: another program listens there already.`
  const text = `Clients cannot reach the service late. ${reason}`
  const place = { 'ip-address': '127.0.0.1', port: app }
  const { warning } = await management.call('POST', 'services', { name: 'late', ...place })
  assert.equal(warning, text)
  await server.program.line(new RegExp(`"level":40,.*"msg":"${text}"`))
  const { data: systemLog } = await management.call('GET', 'system-logs')
  const entries = Object.values(systemLog as Record<string, Record<string, string>>)
  const entry = entries.find(({ message }) => message === `The service late is down. ${reason}`)
  assert.equal(entry?.severity, 'Alert')
  const { warnings } = (await (await fetch(`${server.services}/readyz`)).json()) as {
    warnings?: { condition: string }[]
  }
  assert.ok(warnings?.some(({ condition }) => condition === 'unserved-services'))
  await management.untilHealth(
    'services/late',
    'Down',
    /cannot be opened: another program listens there already\./,
  )
})

test('HTTPS is spoken with the certificate of the service', async () => {
  await management.call('POST', 'self-signed-certificate', {
    name: 'site',
    'common-name': 'shop.example',
    'country-code': 'DE',
    'key-type': 'ECDSA',
  })
  const port = await management.protect('secure', shopPort, { type: 'HTTPS', certificate: 'site' })
  await management.call('PUT', 'services/secure/ssl-security', { 'enable-hsts': 'Yes' })
  await management.untilHealth('services/secure', 'Up')
  const [subject, hsts] = await new Promise<[string | undefined, string | undefined]>((resolve, reject) => {
    const secure = httpsRequest({ port, host: '127.0.0.1', rejectUnauthorized: false }, (reply) => {
      const certificate = (reply.socket as TLSSocket).getPeerCertificate()
      resolve([String(certificate.subject.CN), reply.headers['strict-transport-security']])
      reply.resume()
    })
    secure.on('error', reject)
    secure.end()
  })
  assert.equal(subject, 'shop.example')
  assert.equal(hsts, `max-age=${365 * 86_400}`)
})

test('traffic goes on without the management, also when the proxy is started again', async () => {
  const own = await Server.start()
  const state = newFolder()
  let carrier = await ProxyProcess.start(own, state)
  const its = await Management.connect(own)
  const port = await its.protect('alone', shopPort)
  await its.untilHealth('services/alone', 'Up')
  await own.program.stop('SIGKILL')
  assert.equal(await statusOf(undefined, port), 200)
  await carrier.program.stop()
  carrier = await ProxyProcess.start(own, state)
  assert.equal(await statusOf(undefined, port), 200)
  assert.equal(statSync(join(state, 'snapshot.json')).mode & 0o777, 0o600)
  await carrier.program.stop()
})

/** The status of the answer to a GET. */
function statusOf(agent: Agent | undefined, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const message = request(
      { port, host: '127.0.0.1', path: '/some?x=1', ...(agent ? { agent } : {}) },
      (reply) => {
        reply.resume()
        reply.on('end', () => resolve(reply.statusCode))
        reply.on('error', reject)
      },
    )
    message.on('error', reject)
    message.end()
  })
}
