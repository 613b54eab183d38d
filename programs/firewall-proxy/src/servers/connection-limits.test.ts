import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { asError } from '../failure.ts'
import { ask } from '../testing/ask.ts'
import { serverAt } from '../testing/carried.ts'
import { http2Tls } from '../testing/http2-tls.ts'
import { listenOnLoopback, serverTls } from '../testing/servers.ts'
import { Http1Connections } from './http1/http1-connections.ts'
import { Http2Connections } from './http2-connections.ts'
import { ServerUnavailable } from './server-connections.ts'

/** A server whose first connection speaks TLS and HTTP/1.1; the others are accepted, and nothing is ever said over them. */
async function halfOpenServer(t: TestContext) {
  const [certificate] = http2Tls().certificates
  const secret = { cert: certificate?.chain, key: certificate?.privateKey }
  const site = createHttpsServer(secret, (_, response) => response.write('begun'))
  const silent: Socket[] = []
  const server = createServer().once('connection', (socket) => {
    site.emit('connection', socket)
    server.on('connection', (next: Socket) => silent.push(next.on('error', () => undefined)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { server, silent, site, port: (server.address() as AddressInfo).port }
}

for (const Connections of [Http1Connections, Http2Connections]) {
  test(`${Connections.name} opens only so many connections at once, and the next when one has failed`, async (t) => {
    const { server, silent, site, port } = await halfOpenServer(t)
    const settings = { tls: serverTls, offersHttp2: true, establishingMax: 2 }
    const connections = new Connections(serverAt(port, settings))
    t.after(() => connections.close())
    const first = new Promise<void>((resolve) => void ask(connections, {}, undefined, resolve))
    await first
    const outcomes = Promise.all(Array.from({ length: 4 }, () => ask(connections)))
    while (silent.length < 2) await once(server, 'connection')
    await pause(50)
    assert.equal(silent.length, 2)
    silent[0]?.destroy()
    while (silent.length < 3) await once(server, 'connection')
    await pause(50)
    assert.equal(silent.length, 3)
    server.on('connection', (socket) => socket.destroy())
    for (const socket of silent) socket.destroy()
    for (const { failure } of await outcomes) assert.ok(failure)
    site.closeAllConnections()
  })
}

for (const Connections of [Http1Connections, Http2Connections]) {
  test(`${Connections.name} lets only so many requests wait, and refuses what comes then without blaming the server`, async (t) => {
    const responses: ServerResponse[] = []
    const [certificate] = http2Tls().certificates
    const secret = { cert: certificate?.chain, key: certificate?.privateKey }
    const server = createHttpsServer(secret, (_, response) => responses.push(response))
    const settings = { tls: serverTls, offersHttp2: true, connectionsMax: 1, waitingMax: 2 }
    const connections = new Connections(serverAt(await listenOnLoopback(t, server), settings))
    t.after(() => connections.close())
    const served = ask(connections)
    while (responses.length === 0) await once(server, 'request')
    const waiting = [ask(connections), ask(connections)]
    await pause(10)
    const failure = await ask(connections).then((outcome) => outcome.failure, asError)
    assert.ok(failure instanceof ServerUnavailable && failure.othersMayServe)
    server.on('request', (_, response) => response.end('ok'))
    responses[0]?.end('ok')
    for (const { body } of await Promise.all([served, ...waiting])) assert.equal(body, 'ok')
  })
}
