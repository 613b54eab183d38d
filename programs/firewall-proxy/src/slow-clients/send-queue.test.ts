import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { seesSendQueues, sendQueueBytes } from './send-queue.ts'

test('what a client has not taken is seen in the queue of the system, and gone when it was taken', {
  skip: !seesSendQueues && 'this system does not tell',
}, async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  const [socket] = (await accepted) as [Socket]
  t.after(() => {
    client.destroy()
    socket.destroy()
    server.close()
  })
  assert.equal(sendQueueBytes(socket), 0)
  socket.write(Buffer.alloc(32 * 1024 * 1024))
  await untilTrue(() => sendQueueBytes(socket) > 100_000)
  client.resume()
  await untilTrue(() => socket.writableLength === 0 && sendQueueBytes(socket) === 0)
  socket.destroy()
  assert.equal(sendQueueBytes(socket), 0)
})

async function untilTrue(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(10)
}
