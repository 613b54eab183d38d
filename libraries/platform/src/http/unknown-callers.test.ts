import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLog } from '@palisade/log'
import type { FastifyInstance } from 'fastify'
import { createMetrics } from '../metrics.ts'
import { type ErrorEnvelope, RequestRefused } from '../refusal.ts'
import { send } from '../testing/send.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { serverCertificate } from './certificate.ts'
import { Listener } from './listener.ts'
import { mountService } from './mount-service.ts'
import { markAuthenticated } from './unknown-callers.ts'

const envelope: ErrorEnvelope = ({ code, message }) => ({ body: { code, message } })

const limits = { bodyTimeoutMs: 1500, crowdedBodyTimeoutMs: 300, bodiesPerNetworkMax: 4, bodiesMax: 6 }

/** `/login` is for anybody, and `/things` for who says so; both answer with the length of the body. */
async function serve(t: TestContext, trustedProxies: readonly string[] = []): Promise<number> {
  const listener = new Listener({
    log: createLog('silent'),
    envelopeAt: () => envelope,
    unknownCallers: limits,
    trustedProxies,
  })
  const routes = async (scope: FastifyInstance) => {
    const length = ({ body }: { body: unknown }) => ({ length: JSON.stringify(body).length })
    scope.post('/login', async (request) => length(request))
    scope.route({
      method: ['GET', 'POST'],
      url: '/things',
      onRequest: async (request) => {
        if (request.headers.authorization !== 'Bearer known') {
          throw new RequestRefused('unauthenticated', 'Who are you?')
        }
        markAuthenticated(request)
      },
      handler: async (request) => length(request),
    })
  }
  await mountService(
    listener.app,
    { name: 'demo', title: 'Demo', basePath: '/demo', envelope, routes },
    createMetrics(),
  )
  const certificate = await serverCertificate(temporaryDirectory(t), undefined, ['localhost'])
  const ports = await listener.listen({ host: '127.0.0.1', http: 0, https: 0 }, certificate)
  t.after(() => listener.close(0))
  return ports.http
}

const logIn = (port: number) => send(`http://127.0.0.1:${port}/demo/login`, { method: 'POST', body: ['me'] })

interface Sent {
  readonly target: string
  readonly method?: string
  readonly headers?: string
  /** How many bytes of the body are sent, one every 50 ms; of 1,000 that are announced. */
  readonly bytes?: number
  readonly from?: string
}

/** Sends a JSON text byte by byte, until it is complete or the other side has closed. */
async function trickle(port: number, sent: Sent): Promise<{ received: string; ms: number }> {
  const { target, method = 'POST', headers = '', bytes = 1000, from = '127.0.0.1' } = sent
  const begunAt = performance.now()
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => undefined)
  let reply = ''
  socket.setEncoding('latin1').on('data', (text) => {
    reply += text
  })
  // A listener that closes while bytes are on their way resets the connection: that is an end as well.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(
    `${method} /demo/${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
      `Connection: close\r\nContent-Length: ${bytes}\r\n${headers}\r\n"`,
  )
  let rest = bytes - 1
  const sending = setInterval(() => {
    if (rest > 0 && socket.writable) socket.write(--rest === 0 ? '"' : 'x')
  }, 50)
  await closed
  clearInterval(sending)
  return { received: reply, ms: performance.now() - begunAt }
}

test('ends a body of nobody known that does not come, with 408 where nothing was answered before', async (t) => {
  const port = await serve(t)
  const [login, refused, nowhere, read, undecodable] = await Promise.all([
    trickle(port, { target: 'login' }),
    trickle(port, { target: 'things' }),
    trickle(port, { target: 'nowhere' }),
    trickle(port, { target: 'things', method: 'GET' }),
    // The fifth of four is one of a crowd; from another address it is not.
    trickle(port, { target: '%ff', from: '127.0.0.9' }),
  ])
  assert.match(login.received, /^HTTP\/1\.1 408 .*"code":"request-timeout"/s)
  assert.match(refused.received, /^HTTP\/1\.1 401 /)
  assert.match(nowhere.received, /^HTTP\/1\.1 408 /)
  assert.match(read.received, /^HTTP\/1\.1 401 /)
  assert.match(undecodable.received, /^HTTP\/1\.1 400 /)
  for (const { ms } of [login, refused, nowhere, read, undecodable]) {
    assert.ok(ms > limits.bodyTimeoutMs - 100 && ms < limits.bodyTimeoutMs + 2000, `${ms} ms`)
  }
})

test('leaves the body of a known caller its time', async (t) => {
  const port = await serve(t)
  const headers = 'Authorization: Bearer known\r\n'
  const all = await Promise.all(
    Array.from({ length: 8 }, () => trickle(port, { target: 'things', headers, bytes: 42 })),
  )
  for (const { received, ms } of all) {
    assert.match(received, /^HTTP\/1\.1 200 .*\{"length":42\}/s)
    assert.ok(ms > limits.bodyTimeoutMs, `${ms} ms`)
  }
})

test('waits for less while one network sends many, and serves an honest caller of the same network beside', async (t) => {
  const port = await serve(t)
  const attackers = Array.from({ length: 12 }, () => trickle(port, { target: 'login' }))
  await pause(150)
  const honest = await logIn(port)
  assert.deepEqual([honest.status, honest.json], [200, { length: 6 }])
  const lasted = (await Promise.all(attackers)).map(({ ms }) => ms)
  assert.equal(lasted.filter((ms) => ms > limits.bodyTimeoutMs - 100).length, limits.bodiesPerNetworkMax)
  const crowded = lasted.filter((ms) => ms < limits.bodyTimeoutMs - 300).length
  assert.equal(crowded, attackers.length - limits.bodiesPerNetworkMax)
})

test('waits for less while many networks together send much', async (t) => {
  const port = await serve(t)
  const froms = Array.from({ length: 10 }, (_, index) => `127.0.${index + 1}.1`)
  const lasted = (await Promise.all(froms.map((from) => trickle(port, { target: 'login', from })))).map(
    ({ ms }) => ms,
  )
  assert.equal(lasted.filter((ms) => ms > limits.bodyTimeoutMs - 100).length, limits.bodiesMax)
})

test('forgets a body that was refused before it had come, with its connection', async (t) => {
  const port = await serve(t)
  for (let round = 0; round < limits.bodiesMax; round++) {
    const body = ['x'.repeat(10_000_000)]
    assert.equal((await send(`http://127.0.0.1:${port}/demo/login`, { method: 'POST', body })).status, 413)
  }
  // The server notices the end of a connection a little after its client.
  let longestMs = 0
  for (let attempt = 0; attempt < 5 && longestMs <= limits.bodyTimeoutMs - 100; attempt++) {
    longestMs = Math.max(longestMs, (await trickle(port, { target: 'login' })).ms)
  }
  assert.ok(longestMs > limits.bodyTimeoutMs - 100, `${longestMs} ms`)
})

test('counts callers behind a trusted proxy apart, and forgets those that have sent all', async (t) => {
  const port = await serve(t, ['127.0.0.1'])
  for (let round = 0; round < 20; round++) {
    assert.equal((await logIn(port)).status, 200)
  }
  const lasted = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      trickle(port, { target: 'login', headers: `X-Forwarded-For: 192.0.2.${index}\r\n` }),
    ),
  )
  for (const { ms } of lasted) assert.ok(ms > limits.bodyTimeoutMs - 100, `${ms} ms`)
})

test('ends a request with an expectation that is unknown without waiting for its body', async (t) => {
  const port = await serve(t)
  const { received, ms } = await trickle(port, { target: 'login', headers: 'Expect: a miracle\r\n' })
  assert.match(received, /^HTTP\/1\.1 400 .*"code":"bad-request"/s)
  assert.ok(ms < limits.bodyTimeoutMs, `${ms} ms`)
})
