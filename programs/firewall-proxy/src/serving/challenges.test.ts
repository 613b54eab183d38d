import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect as connectPlain, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { carried } from '../testing/carried.ts'
import { http2Tls } from '../testing/http2-tls.ts'

const token = 'LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0'
const keyAuthorization = `${token}.9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI`

async function ask(port: number, path: string): Promise<string> {
  const sent = request({ host: '127.0.0.1', port, path, agent: false }).end()
  const [response] = await once(sent, 'response')
  return `${response.statusCode} ${Buffer.concat(await response.toArray())}`
}

test('authorities are answered before anything else is done with a request, for as long as the snapshot says', async (t) => {
  const { plane, port, service } = await carried(t, {
    application: (_, response) => response.end('application'),
    service: { does: 'redirect' },
  })
  const path = `/.well-known/acme-challenge/${token}`
  assert.match(await ask(port, path), /^301 /)
  const challenges = { http: [{ token, keyAuthorization }], tls: [] }
  await plane.apply({ services: [service], challenges })
  assert.equal(await ask(port, path), `200 ${keyAuthorization}`)
  assert.match(await ask(port, `${path}x`), /^301 /)
  assert.match(await ask(port, '/'), /^301 /)
  await plane.apply({ services: [{ ...service, does: 'forward' }], challenges })
  assert.equal(await ask(port, `${path}x`), '200 application')
  await plane.apply({ services: [service] })
  assert.match(await ask(port, path), /^301 /)
})

async function handshake(t: TestContext, port: number, servername: string, ...protocols: string[]) {
  const socket: TLSSocket = connect({
    host: '127.0.0.1',
    port,
    servername,
    ALPNProtocols: protocols,
    rejectUnauthorized: false,
  })
  t.after(() => socket.destroy())
  await once(socket, 'secureConnect')
  return { socket, protocol: socket.alpnProtocol, shown: socket.getPeerX509Certificate()?.fingerprint256 }
}

test('a handshake for acme-tls/1 is shown the proof, and clients the certificate of the service', async (t) => {
  const tls = http2Tls()
  const [certificate] = http2Tls().certificates
  assert.ok(certificate)
  const { plane, port, service } = await carried(t, {
    application: (_, response) => response.end('application'),
    service: { tls },
  })
  const ordinary = await handshake(t, port, 'shop.example', 'h2', 'http/1.1')
  ordinary.socket.destroy()
  await assert.rejects(handshake(t, port, 'shop.example', 'acme-tls/1'))
  const challenges = { http: [], tls: [{ name: 'shop.example', certificate }] }
  await plane.apply({ services: [service], challenges })

  const proof = await handshake(t, port, 'SHOP.example', 'acme-tls/1')
  assert.equal(proof.protocol, 'acme-tls/1')
  assert.notEqual(proof.shown, ordinary.shown)
  await once(proof.socket, 'close')
  await assert.rejects(handshake(t, port, 'other.example', 'acme-tls/1'))

  const { socket, protocol, shown } = await handshake(t, port, 'shop.example', 'http/1.1', 'acme-tls/1')
  assert.deepEqual([protocol, shown], ['http/1.1', ordinary.shown])
  socket.write('GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n')
  assert.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1\.1 200 .*application/s)

  await plane.apply({ services: [service] })
  await assert.rejects(handshake(t, port, 'shop.example', 'acme-tls/1'))
})

test('what begins slowly, or with no TLS, is met as ever while there is a proof', async (t) => {
  const tls = http2Tls()
  const [certificate] = tls.certificates
  assert.ok(certificate)
  const { plane, port, service } = await carried(t, {
    application: (_, response) => response.end('application'),
    service: { tls },
  })
  await plane.apply({
    services: [service],
    challenges: { http: [], tls: [{ name: 'a.example', certificate }] },
  })
  const garbage = connectPlain(port, '127.0.0.1', () => garbage.write('GET / HTTP/1.1\r\n\r\n'))
  t.after(() => garbage.destroy())
  await once(garbage.resume(), 'close')
  const silent = connectPlain(port, '127.0.0.1', () => silent.end())
  t.after(() => silent.destroy())
  await once(silent.resume(), 'close')

  const raw = connectPlain(port, '127.0.0.1')
  await once(raw, 'connect')
  const socket = connect({ socket: trickling(raw), servername: 'shop.example', rejectUnauthorized: false })
  t.after(() => socket.destroy())
  await once(socket, 'secureConnect')
  socket.write('GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n')
  assert.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1\.1 200 .*application/s)
})

/** Sends what is written in three pieces, with pauses between them. */
function trickling(socket: Socket): Duplex {
  socket.setNoDelay(true)
  const slow = new Duplex({
    read: () => undefined,
    write: async (bytes: Buffer, _encoding, written) => {
      for (const [from, to] of [
        [0, 3],
        [3, 60],
        [60, bytes.length],
      ] as const) {
        socket.write(bytes.subarray(from, to))
        await pause(20)
      }
      written()
    },
    destroy: (error, destroyed) => {
      socket.destroy()
      destroyed(error)
    },
  })
  socket.on('data', (chunk) => slow.push(chunk)).on('end', () => slow.push(null))
  return slow
}
