import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { limitSendQueue, seesSendQueues, sendQueueBytes } from './send-queue.ts'

/** A connection whose other side does not read until it is told to. */
async function connected(t: TestContext): Promise<{ client: Socket; socket: Socket }> {
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
  return { client, socket }
}

test('what a client has not taken is seen in the queue of the system, and gone when it was taken', {
  skip: !seesSendQueues && 'this system does not tell',
}, async (t) => {
  const { client, socket } = await connected(t)
  assert.equal(sendQueueBytes(socket), 0)
  socket.write(Buffer.alloc(32 * 1024 * 1024))
  await untilTrue(() => sendQueueBytes(socket) > 100_000)
  client.resume()
  await untilTrue(() => socket.writableLength === 0 && sendQueueBytes(socket) === 0)
  socket.destroy()
  assert.equal(sendQueueBytes(socket), 0)
})

test('the system holds little for a client that does not read, and all of it gets there when it does', {
  skip: !seesSendQueues && 'this system does not tell',
}, async (t) => {
  const { client, socket } = await connected(t)
  limitSendQueue(socket)
  for (let count = 0; count < 512; count++) socket.write(Buffer.alloc(64 * 1024))
  await untilTrue(() => sendQueueBytes(socket) > 100_000)
  await pause(300)
  assert.ok(sendQueueBytes(socket) < 1024 * 1024, `${sendQueueBytes(socket)} bytes`)
  client.resume()
  await untilTrue(() => client.bytesRead === 32 * 1024 * 1024)
})

async function untilTrue(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(10)
}
