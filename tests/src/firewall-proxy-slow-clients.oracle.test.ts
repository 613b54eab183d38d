import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { cleanUp, Server } from './support/programs/server.ts'

const largeBytes = 24 * 1024 * 1024

let management: Management
let port: number
let patientPort: number
before(async () => {
  const server = await Server.start()
  await ProxyProcess.start(server)
  management = await Management.connect(server)
  const behind = await application((incoming, response) => {
    incoming.resume()
    incoming.on('end', () =>
      response.end(incoming.url === '/large' ? Buffer.alloc(largeBytes, 'x') : 'served'),
    )
  })
  port = await management.protect('strict', behind)
  patientPort = await management.protect('patient', behind)
  const limits = {
    status: 'On',
    'data-transfer-rate': 1,
    'incremental-request-timeout': 1,
    'max-request-timeout': 4,
    'incremental-response-timeout': 1,
    'max-response-timeout': 4,
  }
  await management.call('PUT', 'services/strict/slow-client-attack', limits)
  await management.call('PUT', 'services/patient/slow-client-attack', {
    ...limits,
    'exception-clients': '192.0.2.0/24, 127.0.0.1-127.0.0.3',
  })
  await management.untilHealth('services/strict', 'Up')
  await management.untilHealth('services/patient', 'Up')
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** A connection, everything that came over it, and how long it lived. */
class Client {
  readonly socket: Socket
  readonly #openedAt = performance.now()
  readonly ended: Promise<number>
  received = ''

  constructor(at: number) {
    this.socket = connect(at, '127.0.0.1')
    this.socket.on('error', () => undefined)
    this.ended = new Promise((resolve) => {
      this.socket.once('close', () => resolve(performance.now() - this.#openedAt))
    })
  }

  read(): this {
    this.socket.setEncoding('latin1').on('data', (text) => {
      this.received += String(text).slice(0, 100)
    })
    return this
  }

  /** Sends pieces in an interval until all are sent or the connection has ended. */
  async trickle(pieces: Iterable<string>, everyMs: number): Promise<void> {
    for (const piece of pieces) {
      if (this.socket.destroyed || !this.socket.writable) return
      this.socket.write(piece)
      await pause(everyMs)
    }
  }
}

function* repeated(text: string, times: number): Generator<string> {
  for (let count = 0; count < times; count++) yield text
}

test('slow clients are sent away, and an honest one beside them is served', async (t) => {
  const idle = new Client(port).read()

  const headers = new Client(port).read()
  headers.socket.write('GET / HTTP/1.1\r\nHost: a\r\n')
  void headers.trickle(repeated('X-A: b\r\n', 40), 200)

  const body = new Client(port).read()
  body.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n')
  void body.trickle(repeated('slowly', 40), 200)

  // Keeps the rate, but takes longer than the maximum.
  const endless = new Client(port).read()
  endless.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n')
  void endless.trickle(repeated('y'.repeat(600), 40), 200)

  const reader = new Client(port)
  reader.socket.pause()
  reader.socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')

  // 600 bytes every 200 ms for 2.4 s: faster than 1 KB/s, and done before the maximum.
  const honest = new Client(port).read()
  honest.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 7200\r\nConnection: close\r\n\r\n')
  await honest.trickle(repeated('z'.repeat(600), 12), 200)
  await honest.ended
  assert.match(honest.received, /^HTTP\/1.1 200 /)

  for (const [name, client, atLeastMs] of [
    ['idle', idle, 1000],
    ['headers', headers, 1000],
    ['body', body, 1000],
    ['endless', endless, 3900],
  ] as const) {
    const lasted = await client.ended
    assert.ok(lasted >= atLeastMs, `${name}: ${Math.round(lasted)} ms`)
    t.diagnostic(`${name}: ${Math.round(lasted)} ms`)
    assert.match(client.received, /^HTTP\/1.1 408 /, name)
  }

  // Nothing is taken until the fifth is found to be slow too: what the kernel holds would otherwise be gone at once.
  await management.entries(
    'web-firewall-logs',
    (entry) => entry.attack === 'slow-client-attack' && entry['service-name'] === 'strict',
    5,
  )
  reader.socket.resume()
  const count = await reader.ended
  assert.ok(reader.socket.bytesRead < largeBytes, `${reader.socket.bytesRead} bytes in ${count} ms`)
})

test('exception clients may take their time', async () => {
  const client = new Client(patientPort).read()
  client.socket.write('GET / HTTP/1.1\r\nHost: a\r\n')
  await client.trickle(repeated('X-A: b\r\n', 10), 200)
  client.socket.write('Connection: close\r\n\r\n')
  await client.ended
  assert.match(client.received, /^HTTP\/1.1 200 /)
})
