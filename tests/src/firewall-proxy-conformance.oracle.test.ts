import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { HttpCase, Reached } from './http-cases/http-case.ts'
import { malformed } from './http-cases/malformed.ts'
import { wellFormed } from './http-cases/well-formed.ts'
import { freePort, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { untilListening } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

/** What the application was asked, with its headers. */
interface SeenRequest extends Reached {
  readonly headers: Readonly<Record<string, string>>
}

let requests: SeenRequest[] = []
const application = createServer((incoming, response) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    )
    const body = Buffer.concat(chunks).toString('latin1')
    requests.push({ method: incoming.method ?? '', url: incoming.url ?? '', body, headers })
    response.end('served')
  })
})

let ours: number
let nginxs: number
let nginx: ChildProcess
before(async () => {
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  const { port } = application.address() as AddressInfo
  const server = await Server.start()
  await ProxyProcess.start(server)
  const management = await Management.connect(server)
  ours = await management.protect('plain', port)
  await management.call('PUT', 'services/plain/advanced-configuration', {
    'enable-web-application-firewall': 'No',
  })
  await management.untilHealth('services/plain', 'Up')
  nginxs = await startNginx(port)
})
after(async () => {
  nginx.kill()
  application.close().closeAllConnections()
  await cleanUp()
})

/** The judge: nginx before the same application. @returns its port */
async function startNginx(behind: number): Promise<number> {
  const folder = newFolder()
  const port = await freePort()
  mkdirSync(join(folder, 'temporary'))
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; master_process off; error_log stderr crit; pid ${folder}/pid;
events { worker_connections 64; }
http {
  access_log off; underscores_in_headers on; ignore_invalid_headers off; client_body_temp_path ${folder}/temporary;
  proxy_temp_path ${folder}/temporary; fastcgi_temp_path ${folder}/temporary; uwsgi_temp_path ${folder}/temporary;
  scgi_temp_path ${folder}/temporary; large_client_header_buffers 4 16k;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://127.0.0.1:${behind}; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`,
  )
  nginx = spawn('/usr/sbin/nginx', ['-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  await untilListening('nginx', port)
  return port
}

/** How long an answer may take on a machine that is busy. */
const patienceMs = 10_000

/** What is wrong is answered and the connection closed; what comes after that would come soon. */
const aftermathMs = 20

/** Sends the bytes of a case and gives what came back: as many answers as requests reach the application, and one at least. */
async function converse(port: number, { send, reaches = [] }: HttpCase): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const answersMin = Math.max(1, reaches.length)
  let reply = ''
  const answered = new Promise<void>((resolve) => {
    socket.setEncoding('latin1').on('data', (text) => {
      reply += String(text)
      if (answersIn(reply) >= answersMin) resolve()
    })
    socket.once('close', () => resolve())
  })
  socket.on('error', () => undefined)
  for (const packet of [send].flat()) {
    socket.write(packet, 'latin1')
    if (Array.isArray(send)) await pause(1)
  }
  await Promise.race([answered, pause(patienceMs, undefined, { ref: false })])
  await pause(aftermathMs)
  socket.destroy()
  return reply
}

/** Final answers whose body has come, too: the application says "served", and our pages end with the document. */
function answersIn(reply: string): number {
  const withoutBody = reply.match(/^HTTP\/1\.1 200 OK\r\n.*?\r\n\r\n$/s) ? 1 : 0
  return Math.max(withoutBody, reply.match(/served|<\/html>/g)?.length ?? 0)
}

function statusOf(reply: string): number | undefined {
  const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(reply.replace(/^HTTP\/1\.1 100.*?\r\n\r\n/s, '')) ?? []
  return status === undefined ? undefined : Number(status)
}

/** What the application was asked that the case does not say. */
function strip({ method, url, body }: Reached): Reached {
  return { method, url, body: body ?? '' }
}

function check(one: HttpCase, reply: string, by: string): void {
  const { name, reaches = [], status } = one
  assert.deepEqual(requests.map(strip), reaches.map(strip), `${by}: ${name}`)
  for (const [index, { headers = {} }] of reaches.entries()) {
    for (const [header, value] of Object.entries(headers)) {
      assert.equal(requests[index]?.headers[header], value, `${by}: ${name}: ${header}`)
    }
    assert.equal(requests[index]?.headers['x-hop'], undefined, `${by}: ${name}`)
  }
  if (status !== undefined) assert.equal(statusOf(reply), status, `${by}: ${name}: ${reply.slice(0, 200)}`)
}

test('what is well-formed is passed on as nginx passes it on', async () => {
  assert.ok(wellFormed.length >= 50, `${wellFormed.length} cases`)
  for (const one of wellFormed) {
    for (const [by, port] of [
      ['ours', ours],
      ['nginx', nginxs],
    ] as const) {
      requests = []
      const reply = await converse(port, one)
      // nginx keeps hop-by-hop headers of its own choice only.
      if (by === 'ours' || !one.name.startsWith('headers that Connection')) check(one, reply, by)
    }
  }
})

test('what servers read in different ways reaches none', async () => {
  assert.ok(malformed.length >= 80, `${malformed.length} cases`)
  const wrong: string[] = []
  for (const one of malformed) {
    requests = []
    const status = statusOf(await converse(ours, one))
    if (status !== undefined && status < 400) wrong.push(`${one.name}: answered ${status}`)
    if (requests.length > 0) wrong.push(`${one.name}: reached ${JSON.stringify(requests)}`)
  }
  assert.deepEqual(wrong, [])
})

test('after all that, the next request is served', async () => {
  requests = []
  const reply = await fetch(`http://127.0.0.1:${ours}/after`)
  assert.equal(await reply.text(), 'served')
  assert.equal(requests.length, 1)
})
