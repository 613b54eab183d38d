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
import { get, RequestLoad } from './support/firewall/request-load.ts'
import { eventually } from './support/programs/calls.ts'
import {
  descendantsOf,
  descriptorsOf,
  mebibytes,
  residentBytesOf,
  runs,
} from './support/programs/process-state.ts'
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
let server: Server
let management: Management
let ports: { plain: number; secure: number }
before(async () => {
  server = await Server.start()
  proxy = await ProxyProcess.start(server, newFolder(), { workers, spareWorker: true })
  management = await Management.connect(server)
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
  await management.makeCertificate('site', 'shop.example')
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

/** Each round takes four to eight seconds: a change, a flood of attacks, and a killed worker. */
const rounds = Math.max(3, Math.round(soakMs / 8_000))

const attacksOfRound = 60

/** Of each killed worker: the requests on its connections, and on those that it was just accepting. */
const failuresOfKill = 6

test(`${rounds} rounds of changes, attacks in a row and killed workers: nothing that was acknowledged is lost, memory stays flat`, async (t) => {
  // A login ends while the other test lasts for an hour.
  management = await Management.connect(server)
  const loads = [new RequestLoad(ports.plain, 2, true), new RequestLoad(ports.plain, 1, false)]
  t.after(() => Promise.all(loads.map((load) => load.stop())))
  const memory: number[] = []
  for (let round = 0; round < rounds; round++) {
    await management.call('POST', 'services/plain/url-acls', {
      name: `closed-${round}`,
      url: `/closed/${round}`,
      host: '*',
      action: 'Deny and Log',
    })
    const refused = await attack(round)
    assert.equal(refused.length, attacksOfRound)
    await eventually(`the log entries of round ${round}`, async () => {
      const { data = {} } = await management.call('GET', 'web-firewall-logs?limit=1000')
      const logged = JSON.stringify(data)
      const paths = new Set(logged.match(/\/attacked\/\d+-\d+/g))
      return refused.every((path) => paths.has(path)) ? true : undefined
    })
    const ready = workerPids(proxy)
    process.kill(ready.findLast((pid) => runs(pid)) ?? assert.fail(), 'SIGKILL')
    await eventually('another worker', async () =>
      workerPids(proxy).length > ready.length ? true : undefined,
    )
    memory.push(residentBytesOf([proxy.program.pid, ...descendantsOf(proxy.program.pid)]))
  }
  await Promise.all(loads.map((load) => load.stop()))

  const outcomes = loads.flatMap((load) => [...load.outcomes])
  t.diagnostic(`${JSON.stringify(outcomes)}; memory after each round: ${memory.map(mebibytes).join(', ')}`)
  const failures = loads.reduce((sum, load) => sum + load.failures, 0)
  assert.ok(failures <= failuresOfKill * rounds, JSON.stringify(outcomes))
  assert.deepEqual(
    outcomes.filter(([outcome]) => typeof outcome === 'number' && outcome !== 200),
    [],
  )
  for (let round = 0; round < rounds; round++)
    for (let time = 0; time < 2 * workers; time++)
      assert.notEqual(await get(ports.plain, false, `/closed/${round}`), 200, `/closed/${round}`)
  assert.ok(
    medianOfThird(memory, 2) < 1.5 * medianOfThird(memory, 1) + 128 * 1024 * 1024,
    memory.map(mebibytes).join(', '),
  )
})

/** Sends a round's attacks, some at a time. @returns the paths of those that were refused */
async function attack(round: number): Promise<string[]> {
  const paths = Array.from({ length: attacksOfRound }, (_, index) => `/attacked/${round}-${index}`)
  const statuses = await Promise.all(
    paths.map((path) => get(ports.plain, false, `${path}?q=%3Cscript%3Ealert(1)%3C/script%3E`)),
  )
  return paths.filter((_, index) => statuses[index] !== 200 && typeof statuses[index] === 'number')
}
