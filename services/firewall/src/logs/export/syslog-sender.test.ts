import assert from 'node:assert/strict'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type SyslogEvents, type SyslogReceiver, SyslogSender } from './syslog-sender.ts'

const receiverAt = (port: number, over: SyslogReceiver['over']): SyslogReceiver => ({
  host: '127.0.0.1',
  port,
  over,
  validatesCertificate: false,
  authorities: [],
})

const noEvents: SyslogEvents = { onGivenUp: () => undefined, onAway: () => undefined }

test('all datagrams come from one socket, also those that were sent just before the end', async (t) => {
  const socket = createSocket('udp4')
  t.after(() => socket.close())
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const ports: number[] = []
  socket.on('message', (_message, { port }: RemoteInfo) => ports.push(port))
  const sender = new SyslogSender(receiverAt(socket.address().port, 'udp'), noEvents)
  for (let count = 0; count < 20; count++) sender.send(Buffer.from('an entry'))
  sender.close()
  while (ports.length < 20) await pause(10)
  assert.equal(new Set(ports).size, 1)
})

test('it is told how many messages were given up when a receiver that took none takes them again', async (t) => {
  const server = createServer({ pauseOnConnect: true })
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  const connected = once(server, 'connection')
  await once(server, 'listening')
  const given = Promise.withResolvers<number>()
  const { port } = server.address() as AddressInfo
  const sender = new SyslogSender(receiverAt(port, 'tcp'), { ...noEvents, onGivenUp: given.resolve })
  t.after(() => sender.close())
  const message = Buffer.alloc(8 * 1024)
  sender.send(message)
  const [socket] = (await connected) as [Socket]
  // More than what the system, the connection and the sender hold together.
  for (let count = 0; count < 8_000; count++) {
    sender.send(message)
    if (count % 1_000 === 0) await pause(1)
  }
  socket.resume()
  assert.ok((await given.promise) > 0)
  socket.destroy()
})
