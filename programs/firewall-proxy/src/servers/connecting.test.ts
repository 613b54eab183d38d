import assert from 'node:assert/strict'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { SnapshotServer } from '@palisade/proxy-protocol'
import { ask } from '../testing/ask.ts'
import { serverAt } from '../testing/carried.ts'
import { listenOnLoopback, openedTls, serverTls as tls } from '../testing/servers.ts'
import { probe } from './probe.ts'
import { ServerPool } from './server-pool.ts'

/** Connections to a server until the test has ended. */
function pool(t: TestContext, port: number, settings: Partial<SnapshotServer>): ServerPool {
  const created = new ServerPool(serverAt(port, settings), Date.now, () => undefined)
  t.after(() => created.close())
  return created
}

test('a server is reached from the address that it says, whatever is spoken with it', async (t) => {
  const application: RequestListener = (request, response) =>
    response.end(`${request.httpVersion} ${request.socket.remoteAddress}`)
  const [plainPort, tlsPort] = [
    await listenOnLoopback(t, createHttpServer(application)),
    await openedTls(t, application),
  ]
  const protocolsAt = async (port: number, settings: Partial<SnapshotServer>, asksForWebSocket = false) => {
    const { connections } = pool(t, port, { ...settings, localAddress: '127.0.0.2' })
    return (await ask(connections, { asksForWebSocket })).body
  }
  assert.equal(await protocolsAt(plainPort, {}), '1.1 127.0.0.2')
  assert.equal(await protocolsAt(plainPort, {}, true), '1.1 127.0.0.2')
  assert.equal(await protocolsAt(tlsPort, { tls }), '1.1 127.0.0.2')
  assert.equal(await protocolsAt(tlsPort, { tls, offersHttp2: true }), '2.0 127.0.0.2')
})

test('a probe comes from the address that its server says', async (t) => {
  const port = await openedTls(t, (request, response) => response.end(request.socket.remoteAddress))
  const request = { method: 'GET', path: '/', headers: [], status: 200, contains: '127.0.0.2' }
  const server = serverAt(port, { tls, localAddress: '127.0.0.2' })
  assert.equal(
    await probe({ ...server, health: { ...server.health, probe: { everySeconds: 1, request } } }),
    undefined,
  )
})

test('a server that nothing can be opened to as it is configured fails its requests', async (t) => {
  const certificate = { chain: 'no certificate', privateKey: 'no key' }
  for (const offersHttp2 of [false, true]) {
    const settings = { tls: { ...tls, certificate }, offersHttp2, connectionsMax: 1 }
    const { connections } = pool(t, await openedTls(t, () => undefined), settings)
    assert.match((await ask(connections)).failure?.message ?? '', /PEM/)
    assert.match((await ask(connections)).failure?.message ?? '', /PEM/)
  }
})

test('a connection for another host takes the place of one, and of no more', async (t) => {
  let count = 0
  let askedAtOnce = 0
  const port = await openedTls(t, (_, response) => {
    askedAtOnce = Math.max(askedAtOnce, ++count)
    setTimeout(() => {
      count--
      response.end('ok')
    }, 50)
  })
  const { connections } = pool(t, port, { tls, connectionsMax: 1 })
  const hosts = ['shop', 'blog', 'blog', 'wiki', 'shop']
  const outcomes = await Promise.all(hosts.map((host) => ask(connections, { headers: ['Host', host] })))
  assert.deepEqual(
    outcomes.map(({ body }) => body),
    hosts.map(() => 'ok'),
  )
  assert.equal(askedAtOnce, 1)
})

test('nothing is opened where a server may not lie, by address or by name, whatever is spoken with it', async (t) => {
  const reached: string[] = []
  const application: RequestListener = (_, response) => {
    reached.push('reached')
    response.end('ok')
  }
  const [plainPort, tlsPort] = [
    await listenOnLoopback(t, createHttpServer(application)),
    await openedTls(t, application),
  ]
  const ways: [port: number, given: Partial<SnapshotServer>, asksForWebSocket: boolean][] = [
    [plainPort, {}, false],
    [plainPort, {}, true],
    [tlsPort, { tls }, false],
    [tlsPort, { tls, offersHttp2: true }, false],
    [tlsPort, { tls, offersHttp2: true }, true],
  ]
  let refused = 0
  for (const [port, settings, asksForWebSocket] of ways) {
    for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '::ffff:127.0.0.1']) {
      const elsewhere = { networks: ['::1'], endpoints: [{ network: '127.0.0.0/8', port: port + 1 }] }
      const allowed = pool(t, port, { ...settings, host, forbidden: elsewhere })
      assert.equal((await ask(allowed.connections, { asksForWebSocket })).body, 'ok', `${host} ${port}`)
      const count = reached.length
      const here = { networks: ['::1'], endpoints: [{ network: '127.0.0.0/8', port }] }
      const { connections } = pool(t, port, { ...settings, host, forbidden: here })
      const outcome = await ask(connections, { asksForWebSocket })
      assert.match(
        outcome.failure?.message ?? '',
        /the operator has forbidden connections to/,
        `${host} ${port}`,
      )
      assert.equal(reached.length, count)
      refused++
    }
  }
  assert.equal(refused, 4 * ways.length)
})

test('a probe asks nobody where its server may not lie', async (t) => {
  const port = await listenOnLoopback(
    t,
    createHttpServer((_, response) => response.end('ok')),
  )
  const request = { method: 'GET', path: '/', headers: [], status: 200 }
  for (const secondRequest of [undefined, request]) {
    for (const host of ['127.0.0.1', 'localhost']) {
      const probing = { everySeconds: 1, ...(secondRequest === undefined ? {} : { request: secondRequest }) }
      const server = serverAt(port, { host })
      const probed = { ...server, health: { ...server.health, probe: probing } }
      assert.equal(await probe(probed), undefined)
      const forbidden = { networks: ['127.0.0.0/8', '::1'], endpoints: [] }
      assert.match((await probe({ ...probed, forbidden })) ?? '', /the operator has forbidden connections/)
    }
  }
})
