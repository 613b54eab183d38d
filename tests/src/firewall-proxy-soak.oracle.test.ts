import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  application,
  cleanUpApplications,
  Management,
  ProxyProcess,
  workerPids,
} from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { descriptorsOf, mebibytes, residentBytesOf } from './support/programs/process-state.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

/** How long the traffic lasts; SOAK_MINUTES=10 is the long form. */
const soakMs = Number(process.env.SOAK_MINUTES ?? 1 / 3) * 60_000

const workers = 2
const sampleMs = 500

const page = `<!doctype html><title>Shop</title>${'<p>A <a href="/item?id=7">lamp</a> of brass, three left.</p>\n'.repeat(200)}`
const file = Buffer.alloc(300_000, 'a part of an image ')
const comment = new URLSearchParams({
  name: 'Ann',
  text: 'Lovely lamps, I would buy them again. '.repeat(20),
})

/** What clients ask for in turns, and what has to come back. */
const visits = [
  { method: 'GET', path: '/hello', expected: 'hello' },
  { method: 'GET', path: '/page', expected: page },
  { method: 'GET', path: '/file', expected: file.toString() },
  { method: 'POST', path: '/comment', body: comment.toString(), expected: digestOf(comment.toString()) },
] as const

let proxy: ProxyProcess
let ports: { plain: number; secure: number }
before(async () => {
  const server = await Server.start()
  proxy = await ProxyProcess.start(server, newFolder(), { workers, spareWorker: true })
  const management = await Management.connect(server)
  const behind = await application(async (incoming, response) => {
    if (incoming.url === '/comment') {
      const parts = await incoming.setEncoding('utf8').toArray()
      response.end(digestOf(parts.join('')))
      return
    }
    incoming.resume()
    response.setHeader('content-type', incoming.url === '/file' ? 'image/png' : 'text/html; charset=utf-8')
    if (incoming.url === '/file') response.end(file)
    else if (incoming.url === '/page') response.end(page)
    else response.end('hello')
  })
  await management.call('POST', 'self-signed-certificate', {
    name: 'site',
    'common-name': 'shop.example',
    'country-code': 'DE',
    'key-size': 2048,
  })
  ports = {
    plain: await management.protect('plain', behind),
    secure: await management.protect('secure', behind, { type: 'HTTPS', certificate: 'site' }),
  }
  for (const name of ['plain', 'secure']) {
    await management.call('PUT', `services/${name}/basic-security`, { mode: 'Active' })
    await management.untilHealth(`services/${name}`, 'Up')
  }
  await eventually('all workers', async () => (workerPids(proxy).length === workers ? true : undefined))
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Visits again and again, with a pause after each visit that is as long as that took: half of what it could do. */
class Visitor {
  count = 0
  readonly failures: string[] = []
  readonly #isSecure: boolean
  readonly #kept: HttpAgent | undefined
  readonly #running: Promise<void>
  #isStopped = false

  /** @param keepsConnection whether one connection serves all visits, or each has its own */
  constructor(isSecure: boolean, keepsConnection: boolean) {
    this.#isSecure = isSecure
    const Agent = isSecure ? HttpsAgent : HttpAgent
    this.#kept = keepsConnection ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
    this.#kept?.destroy()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const visit = visits[this.count % visits.length] ?? visits[0]
      const begunAt = performance.now()
      const outcome = await this.#visit(visit)
      this.count++
      const expected = `200 ${visit.expected}`
      if (outcome !== expected) this.failures.push(`${visit.path}: ${outcome.slice(0, 200)}`)
      await pause(performance.now() - begunAt)
    }
  }

  /** @returns status and body, or why there were none */
  #visit(visit: (typeof visits)[number]): Promise<string> {
    const body = 'body' in visit ? visit.body : ''
    return new Promise((resolve) => {
      const request = this.#isSecure ? httpsRequest : httpRequest
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.#isSecure ? ports.secure : ports.plain,
          method: visit.method,
          path: visit.path,
          agent: this.#kept ?? false,
          rejectUnauthorized: false,
          headers: {
            host: 'shop.example',
            'user-agent': 'visitor',
            accept: '*/*',
            ...(body === ''
              ? {}
              : {
                  'content-type': 'application/x-www-form-urlencoded',
                  'content-length': Buffer.byteLength(body),
                }),
          },
        },
        async (reply) => {
          try {
            const parts = await reply.setEncoding('utf8').toArray()
            resolve(`${reply.statusCode} ${parts.join('')}`)
          } catch (error) {
            resolve(String(error))
          }
        },
      )
      sent.on('error', (error) => resolve(error.message)).end(body)
    })
  }
}

/** The value in the middle of those that were seen in one third of the time. @param third 0, 1 or 2 */
function medianOfThird(values: readonly number[], third: number): number {
  const size = Math.floor(values.length / 3)
  const sorted = values.slice(third * size, (third + 1) * size).toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1] ?? 0
}

test(`half of its load for ${Math.round(soakMs / 1000)} seconds: no request fails, descriptors and memory stay flat`, async (t) => {
  const pids = [proxy.program.pid, ...workerPids(proxy)]
  const visitors = [
    [false, true],
    [false, false],
    [true, true],
    [true, false],
  ].flatMap(([isSecure = false, keeps = false]) => [
    new Visitor(isSecure, keeps),
    new Visitor(isSecure, keeps),
  ])
  const memory: number[] = []
  const descriptors: number[] = []
  const endsAt = performance.now() + soakMs
  while (performance.now() < endsAt) {
    await pause(sampleMs)
    memory.push(residentBytesOf(pids))
    descriptors.push(descriptorsOf(pids))
  }
  await Promise.all(visitors.map((visitor) => visitor.stop()))

  const count = visitors.reduce((sum, visitor) => sum + visitor.count, 0)
  const thirds = (values: readonly number[], format: (value: number) => string) =>
    [0, 1, 2].map((third) => format(medianOfThird(values, third))).join(', ')
  t.diagnostic(
    `${count} requests; memory in thirds of the time: ${thirds(memory, mebibytes)}; descriptors: ${thirds(descriptors, String)}`,
  )
  assert.deepEqual(
    visitors.flatMap(({ failures }) => failures),
    [],
  )
  assert.ok(count > visitors.length * visits.length, `${count} requests`)
  assert.ok(
    medianOfThird(memory, 2) < 1.5 * medianOfThird(memory, 1) + 128 * 1024 * 1024,
    thirds(memory, mebibytes),
  )
  assert.ok(medianOfThird(descriptors, 2) <= medianOfThird(descriptors, 1) + 10, thirds(descriptors, String))
  assert.deepEqual([proxy.program.pid, ...workerPids(proxy)], pids, 'no worker was replaced')
})
