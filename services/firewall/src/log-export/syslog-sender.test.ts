import assert from 'node:assert/strict'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { AddressGuard } from '@palisade/proxy-protocol'
import { type SyslogEvents, type SyslogReceiver, SyslogSender } from './syslog-sender.ts'

const open = new AddressGuard({ networks: [], endpoints: [] })

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
  const sender = new SyslogSender(receiverAt(socket.address().port, 'udp'), open, noEvents)
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
  const givenUpCount = Promise.withResolvers<number>()
  const { port } = server.address() as AddressInfo
  const sender = new SyslogSender(receiverAt(port, 'tcp'), open, {
    ...noEvents,
    onGivenUp: givenUpCount.resolve,
  })
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
  assert.ok((await givenUpCount.promise) > 0)
  socket.destroy()
})

test('nothing is sent where the operator has forbidden it, whether an address or a name leads there', async (t) => {
  const [udp, tcp] = [createSocket('udp4'), createServer()]
  t.after(() => {
    udp.close()
    tcp.close()
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as AddressInfo
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  const heard: ('udp' | 'tcp')[] = []
  udp.on('message', () => heard.push('udp'))
  tcp.on('connection', (socket: Socket) => {
    heard.push('tcp')
    socket.destroy()
  })
  const forbidden = new AddressGuard({ networks: ['::1'], endpoints: [{ network: '127.0.0.0/8', port }] })
  const send = (guard: AddressGuard) => {
    for (const over of ['udp', 'tcp', 'tls'] as const) {
      for (const host of ['127.0.0.1', 'localhost']) {
        const sender = new SyslogSender({ ...receiverAt(port, over), host }, guard, noEvents)
        sender.send(Buffer.from('an entry'))
        t.after(() => sender.close())
      }
    }
  }
  send(forbidden)
  await pause(300)
  assert.equal(heard.length, 0)
  send(open)
  while (heard.filter((over) => over === 'udp').length < 2 || !heard.includes('tcp')) await pause(10)
})
