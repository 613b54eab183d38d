import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { flood } from './support/firewall/flooding.ts'
import { HonestClient } from './support/firewall/honest-client.ts'
import {
  application,
  cleanUpApplications,
  Management,
  oneWorker,
  ProxyProcess,
  workerPids,
} from './support/firewall/proxy.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

let proxy: ProxyProcess
let management: Management
/** Of services of one worker: over TLS with HTTP/2, and without. */
let port: number
let plainPort: number
before(async () => {
  const server = await Server.start()
  proxy = await ProxyProcess.start(server, newFolder(), oneWorker)
  management = await Management.connect(server)
  const behind = await application((incoming, response) => {
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    incoming.on('end', () => response.end(incoming.method === 'POST' ? String(size) : 'served'))
  })
  await management.call('POST', 'self-signed-certificate', {
    name: 'site',
    'common-name': 'shop.example.org',
    'country-code': 'DE',
    'key-size': 2048,
  })
  port = await management.protect('secure', behind, { type: 'HTTPS', certificate: 'site' })
  await management.call('PUT', 'services/secure/advanced-configuration', { 'enable-http2': 'Yes' })
  plainPort = await management.protect('plain', behind)
  for (const service of ['secure', 'plain']) await management.untilHealth(`services/${service}`, 'Up')
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

function opened(t: TestContext): ClientHttp2Session {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  session.on('error', () => undefined)
  t.after(() => session.destroy())
  return session
}

/** Sends messages over one stream, each in a frame of its own. @returns what is answered: how many bytes have come */
async function talk(session: ClientHttp2Session, messages: number, everyMs: number): Promise<string> {
  const stream = session.request({ ':method': 'POST', ':path': '/' })
  const answered = once(stream, 'response')
  for (let count = 0; count < messages; count++) {
    stream.write('hello')
    await pause(everyMs)
  }
  stream.end()
  await answered
  let answer = ''
  for await (const text of stream.setEncoding('utf8')) answer += text
  return answer
}

for (const { of, detail } of [
  { of: 'frames', detail: 'Its body came in too many small pieces.' },
  { of: 'chunks', detail: 'Its body came in too many small pieces.' },
  { of: 'resets', detail: 'It took too many requests back.' },
] as const) {
  test(`a flood of ${of} is ended and logged, while others are served and talk in small messages`, async (t) => {
    const pids = workerPids(proxy)
    const honest = new HonestClient(plainPort, '/', 'served')
    const session = opened(t)
    const [endedCount, answers] = await Promise.all([
      flood({ port: of === 'chunks' ? plainPort : port, connections: 2, of }),
      Promise.all(Array.from({ length: 5 }, () => talk(session, 200, 5))),
    ]).finally(() => honest.stop())
    t.diagnostic(
      `an honest client waited ${honest.medianMs.toFixed(0)} ms for a page, ${honest.worstMs.toFixed(0)} ms at most (${honest.count} pages)`,
    )
    assert.equal(endedCount, 2)
    assert.deepEqual(answers, Array(5).fill('1000'))
    assert.deepEqual(honest.failures, [])
    assert.ok(honest.count > 0)
    assert.deepEqual(workerPids(proxy), pids, 'no worker was replaced')
    const service = of === 'chunks' ? 'plain' : 'secure'
    await management.entries(
      'web-firewall-logs',
      (entry) =>
        entry.attack === 'rate-control-intrusion' &&
        entry['service-name'] === service &&
        entry['attack-detail'] === detail,
    )
  })
}

test('a body of 100,000 small chunks that are sent as fast as can be gets there whole', async (t) => {
  const sent = request({ host: '127.0.0.1', port: plainPort, method: 'POST', agent: false })
  t.after(() => sent.destroy())
  const answered = once(sent, 'response')
  for (let count = 0; count < 100_000; count++) {
    if (!sent.write('hello')) await once(sent, 'drain')
  }
  sent.end()
  const [answer] = (await answered) as [IncomingMessage]
  let text = ''
  for await (const piece of answer.setEncoding('utf8')) text += piece
  assert.equal(text, '500000')
})
