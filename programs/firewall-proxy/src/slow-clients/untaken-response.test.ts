import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { carried } from '../testing/carried.ts'
import { webSocketRequest } from '../testing/web-socket.ts'
import { seesSendQueues } from './send-queue.ts'

const timeouts = { incrementalSeconds: 0.5, maxSeconds: 2 }

/** More than a client's system takes by itself, and little enough for ours to hold all of it. */
const sizeBytes = 200 * 1024

test('a response that lies in the queue of the system is not taken yet', {
  skip: !seesSendQueues && 'this system does not tell',
}, async (t) => {
  const { port, refused, exchanges } = await carried(t, {
    application: (_, response) => response.end(Buffer.alloc(sizeBytes)),
    service: { slowClients: { bytesPerSecond: 1e6, request: timeouts, response: timeouts, exceptions: [] } },
  })
  const client = connect(port, '127.0.0.1').pause()
  client.on('error', () => undefined)
  t.after(() => client.destroy())
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  while (refused.length === 0) await pause(20)
  assert.equal(refused[0]?.violation.detail, 'The response was taken too slowly.')
  // For us the response was sent long ago.
  assert.equal(exchanges[0]?.bytesSent, sizeBytes)
  const closed = new Promise((resolve) => client.once('close', resolve))
  client.resume()
  await closed
  assert.ok(client.bytesRead < sizeBytes, `${client.bytesRead} bytes`)
})

test('a client that takes a response at the rate that is asked for gets all of it, and the next one', async (t) => {
  const { port, refused } = await carried(t, {
    application: (_, response) => response.end(Buffer.alloc(sizeBytes)),
    service: { slowClients: { bytesPerSecond: 1e5, request: timeouts, response: timeouts, exceptions: [] } },
  })
  const client = connect(port, '127.0.0.1')
  t.after(() => client.destroy())
  for (const round of [1, 2]) {
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    client.resume()
    while (client.bytesRead < round * sizeBytes) await pause(20)
    await pause(800)
  }
  assert.deepEqual(refused, [])
})

test('a response that is no WebSocket has to be taken in time, also where one was asked for', async (t) => {
  const { port, refused } = await carried(t, {
    application: (_, response) => response.end(Buffer.alloc(64 * 1024 * 1024)),
    service: {
      allowsWebSockets: true,
      slowClients: { bytesPerSecond: 1e9, request: timeouts, response: timeouts, exceptions: [] },
    },
  })
  const client = connect(port, '127.0.0.1').pause()
  client.on('error', () => undefined)
  t.after(() => client.destroy())
  client.write(webSocketRequest)
  while (refused.length === 0) await pause(20)
  assert.equal(refused[0]?.violation.detail, 'The response was taken too slowly.')
})
