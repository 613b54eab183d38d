/** A proxy beside a management of another release: it goes on with what it has, and says what is to be upgraded. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ProxyReport, type ProxySnapshot, proxyAddresses } from '@palisade/proxy-protocol'
import { freePort } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder } from './support/programs/server.ts'

/** What the management answers to whoever asks for a snapshot. */
let answer: { readonly status: number; readonly body: object }
let newestReport: ProxyReport | undefined
const requests: string[] = []

const management = createServer((request, response) => void serve(request, response))

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://management')
  let body = ''
  for await (const part of request) body += part
  if (pathname === proxyAddresses.report) newestReport = JSON.parse(body)
  if (pathname !== proxyAddresses.snapshot) {
    response.writeHead(204).end()
    return
  }
  requests.push(searchParams.get('format') ?? '')
  const isNews = 'digest' in answer.body && answer.body.digest !== searchParams.get('except')
  // Held for a while, as the management does.
  if (answer.status === 200 && !isNews) await new Promise((resolve) => setTimeout(resolve, 200))
  if (answer.status === 200 && !isNews) response.writeHead(204).end()
  else
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
}

const folder = newFolder()
let port: number
before(async () => {
  management.listen(0, '127.0.0.1')
  await once(management, 'listening')
  port = await freePort()
  const server = `http://127.0.0.1:${(management.address() as AddressInfo).port}`
  const configuration = {
    server,
    key: 'a key of the tests',
    stateDirectory: folder,
    workers: 1,
    spareWorker: false,
  }
  writeFileSync(join(folder, 'proxy.json'), JSON.stringify(configuration), { mode: 0o600 })
})
after(async () => {
  await cleanUp()
  management.close()
  management.closeAllConnections()
})

const redirecting = (digest: string): ProxySnapshot => ({
  version: 1,
  digest,
  services: [
    {
      name: 'shop',
      address: '127.0.0.1',
      port,
      does: 'redirect',
      inspection: { mode: 'off' },
      idleTimeoutSeconds: 60,
      requestsPerConnectionMax: 0,
      servers: [],
      balancing: { algorithm: 'round-robin', whenServerFails: 'another' },
      contentRules: [],
      maskedParameters: [],
      logsAccess: false,
      allowsWebSockets: false,
    },
  ],
})

async function startProxy(): Promise<Program> {
  newestReport = undefined
  const proxy = new Program(['proxy', '--config', join(folder, 'proxy.json')])
  await proxy.line(/"msg":"carrying traffic"/)
  return proxy
}

const untilReported = (problem: RegExp, digest: string) =>
  eventually(`a report of ${problem} with ${digest}`, async () => {
    const isIt = newestReport?.digest === digest && problem.test(newestReport.problem)
    return isIt ? true : undefined
  })

const untilRedirected = () =>
  eventually('a redirect', async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).catch(() => undefined)
    return reply?.status === 301 ? true : undefined
  })

const newer =
  /^The newest configuration cannot be taken: the snapshot has format 2, and this proxy reads formats up to 1; upgrade the proxy\.$/

test('a snapshot of a release before, which names no format, is obeyed', async () => {
  answer = { status: 200, body: redirecting('first') }
  const proxy = await startProxy()
  await untilRedirected()
  await untilReported(/^$/, 'first')
  assert.ok(requests.length > 0 && requests.every((format) => format === '1'), requests.join())

  answer = { status: 200, body: { format: 2, digest: 'second', services: 'in another form' } }
  await untilReported(newer, 'first')
  await untilRedirected()
  await proxy.stop()
})

test('what was obeyed last is obeyed after a restart, beside a management whose snapshots are newer', async () => {
  const proxy = await startProxy()
  await untilRedirected()
  await untilReported(newer, 'first')
  const messages = proxy.output.match(/a snapshot cannot be read/g)
  assert.equal(messages?.length, 1, 'it is told once')
  await proxy.stop()
})

test('a management that knows the proxy to be older says so itself', async () => {
  answer = {
    status: 406,
    body: {
      msg: 'The proxy reads snapshots of format 1, and this management writes format 2: upgrade the proxy.',
    },
  }
  const proxy = await startProxy()
  await untilReported(
    /^The newest configuration cannot be taken: the management says: The proxy reads .* upgrade the proxy\.$/,
    'first',
  )
  await untilRedirected()
  await proxy.stop()
})

test('a snapshot on the disk that cannot be read keeps no proxy from starting', async () => {
  writeFileSync(join(folder, 'snapshot.json'), '{"format":1,"services":[', { mode: 0o600 })
  const proxy = await startProxy()
  assert.match(proxy.output, /"reason":"the snapshot is not valid JSON"/)
  answer = { status: 200, body: redirecting('third') }
  await untilRedirected()
  await untilReported(/^$/, 'third')
  await proxy.stop()
})
