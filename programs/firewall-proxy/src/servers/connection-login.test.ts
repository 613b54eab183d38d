import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type RequestListener, request } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { SnapshotService } from '@palisade/proxy-protocol'
import { carried, serverAt } from '../testing/carried.ts'
import { openedTls, serverTls } from '../testing/servers.ts'

/** An application that knows its users by their connections, as NTLM and Negotiate have it: who has said a name is it from then on. */
function application(connections: Set<Socket>): RequestListener {
  const users = new WeakMap<object, string>()
  return ({ headers, socket, httpVersion }, response) => {
    connections.add(socket)
    const [, name] = /^(?:NTLM|Negotiate) (\w+)/i.exec(headers.authorization ?? '') ?? []
    if (name !== undefined) users.set(socket, name)
    response.setHeader('content-type', 'text/css')
    response.end(`${users.get(socket) ?? 'nobody'} ${httpVersion}`)
  }
}

/** Asks over one connection of its own, until the test ends. */
function client(t: TestContext, port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const ask = async (authorization?: string, path = '/', method = 'GET') => {
    const headers = { host: 'shop', ...(authorization === undefined ? {} : { authorization }) }
    const sent = request({ host: '127.0.0.1', port, path, method, agent, headers })
    sent.end(method === 'POST' ? 'body' : undefined)
    const [response] = await once(sent, 'response')
    let text = ''
    for await (const chunk of response) text += chunk
    await pause(20)
    return text
  }
  return { ask, leave: () => agent.destroy() }
}

async function served(t: TestContext, service: Partial<SnapshotService> = {}) {
  const connections = new Set<Socket>()
  const { port } = await carried(t, { application: application(connections), service })
  return { port, connections }
}

for (const scheme of ['NTLM', 'negotiate']) {
  test(`a connection over which a client has logged in by ${scheme} is its own`, async (t) => {
    const { port, connections } = await served(t)
    const [alice, bob, carol] = [client(t, port), client(t, port), client(t, port)]
    assert.equal(await bob.ask(), 'nobody 1.1')
    assert.equal(await alice.ask(`${scheme} alice`), 'alice 1.1')
    for (let count = 0; count < 3; count++) {
      assert.equal(await bob.ask(), 'nobody 1.1')
      assert.equal(await alice.ask(), 'alice 1.1', 'she stays who she is')
    }
    assert.equal(await carol.ask(`${scheme} carol`), 'carol 1.1')
    assert.equal(await alice.ask(undefined, '/', 'POST'), 'alice 1.1')
    assert.equal(await carol.ask(), 'carol 1.1')
    assert.equal(await bob.ask(), 'nobody 1.1')
    const before = connections.size
    assert.equal(await bob.ask(), 'nobody 1.1')
    assert.equal(connections.size, before, 'connections of nobody are used again')
  })
}

test('such a connection ends with the connection of the client', async (t) => {
  const { port, connections } = await served(t)
  const alice = client(t, port)
  await alice.ask('NTLM alice')
  const [hers] = connections
  assert.ok(hers)
  alice.leave()
  if (!hers.destroyed) await once(hers, 'close')
  assert.equal(await client(t, port).ask(), 'nobody 1.1')
})

test('where a server takes one connection only, one that waits for its client gives way', async (t) => {
  const connections = new Set<Socket>()
  const { plane, port, service } = await carried(t, { application: application(connections) })
  const [server] = service.servers
  assert.ok(server)
  await plane.apply({ services: [{ ...service, servers: [{ ...server, connectionsMax: 1 }] }], policies: {} })
  const [alice, bob] = [client(t, port), client(t, port)]
  assert.equal(await alice.ask('NTLM alice'), 'alice 1.1')
  assert.equal(await bob.ask(), 'nobody 1.1')
  assert.equal(await alice.ask(), 'nobody 1.1', 'she has to log in again')
})

test('who logs in at a server of HTTP/2 is spoken for over HTTP/1.1, alone', async (t) => {
  const server = await openedTls(t, application(new Set()))
  const { port } = await served(t, { servers: [serverAt(server, { tls: serverTls, offersHttp2: true })] })
  const [alice, bob] = [client(t, port), client(t, port)]
  assert.equal(await bob.ask(), 'nobody 2.0')
  assert.equal(await alice.ask('NTLM alice'), 'alice 1.1')
  assert.equal(await alice.ask(), 'alice 1.1')
  assert.equal(await bob.ask(), 'nobody 2.0')
  assert.equal(await bob.ask(undefined, '/', 'POST'), 'nobody 1.1')
})

test('what a client gets that has logged in so is kept for nobody', async (t) => {
  const caching = {
    extensions: ['css'],
    sizeMin: 0,
    sizeMax: 10_000,
    ageSeconds: 60,
    keepsErrors: false,
    ignoresRequestHeaders: false,
    ignoresResponseHeaders: false,
  }
  const { port } = await served(t, { caching })
  const [alice, bob] = [client(t, port), client(t, port)]
  await alice.ask('NTLM alice')
  assert.equal(await alice.ask(undefined, '/account/x.css'), 'alice 1.1')
  assert.equal(await bob.ask(undefined, '/account/x.css'), 'nobody 1.1')
})
