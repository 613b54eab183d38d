import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { mayConnectTo } from './allowed-addresses.ts'
import { testConnection } from './connection-test.ts'

const anywhere = () => true

/** A server on a free loopback port that gives each connection to the conversation. */
async function serverFor(t: TestContext, converse: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined)
    converse(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Speaks as an FTP server that lets one user in. */
function ftp(socket: Socket): void {
  socket.write('220-welcome\r\n220 to the files\r\n')
  socket.on('data', (command) => {
    const [verb, argument] = command.toString().trim().split(' ')
    if (verb === 'USER') socket.write('331 and the password?\r\n')
    else if (verb === 'PASS') socket.write(argument === 'secret' ? '230 in\r\n' : '530 out\r\n')
    else socket.write('502 no\r\n')
  })
}

test('logs in to an FTP server, and says when it does not let the user in', async (t) => {
  const port = await serverFor(t, ftp)
  const target = { host: '127.0.0.1', port, protocol: 'ftp', username: 'waf' } as const
  const good = await testConnection({ ...target, password: 'secret' }, anywhere)
  assert.deepEqual([good.isReached, /could log in/.test(good.message)], [true, true])
  const bad = await testConnection({ ...target, password: 'wrong' }, anywhere)
  assert.deepEqual([bad.isReached, /does not let the user in/.test(bad.message)], [false, true])
  const forged = await testConnection({ ...target, password: 'x\r\nDELE y' }, anywhere)
  assert.equal(forged.isReached, false)
})

test('says when a server does not offer TLS', async (t) => {
  const port = await serverFor(t, ftp)
  const { isReached, message } = await testConnection({ host: '127.0.0.1', port, protocol: 'ftps' }, anywhere)
  assert.equal(isReached, false)
  assert.match(message, /code 502 where 234 was expected/)
})

test('repeats nothing of what another kind of server says', async (t) => {
  const port = await serverFor(t, (socket) => socket.end('SSH-2.0-private banner\r\n'))
  const { isReached, message } = await testConnection({ host: '127.0.0.1', port, protocol: 'ftp' }, anywhere)
  assert.equal(isReached, false)
  assert.ok(!message.includes('private'), message)
})

test('gives up a server that floods, one that is not there, and one that is no TLS', async (t) => {
  const flooding = await serverFor(t, (socket) => socket.write('220-'.padEnd(100_000, 'x')))
  const flood = await testConnection({ host: '127.0.0.1', port: flooding, protocol: 'ftp' }, anywhere)
  assert.match(flood.message, /does not speak FTP/)
  const closed = await serverFor(t, () => undefined)
  const plain = await serverFor(t, (socket) => socket.write('hello, this is no TLS at all'))
  const tls = await testConnection({ host: '127.0.0.1', port: plain, protocol: 'tls' }, anywhere)
  assert.equal(tls.isReached, false)
  const tcp = await testConnection({ host: '127.0.0.1', port: closed, protocol: 'tcp' }, anywhere)
  assert.equal(tcp.isReached, true)
  const nobody = await testConnection({ host: '127.0.0.1', port: 1, protocol: 'tcp' }, anywhere)
  assert.match(nobody.message, /refused/)
  const nowhere = await testConnection({ host: 'nowhere.invalid', port: 21, protocol: 'ftp' })
  assert.match(nowhere.message, /has no address/)
})

test('connects to public and private addresses, not to itself, to links or to groups', () => {
  for (const address of ['192.0.2.1', '10.0.0.1', '8.8.8.8', '2001:db8::1', 'fd12::1']) {
    assert.ok(mayConnectTo(address), address)
  }
  for (const address of [
    '127.0.0.1',
    '127.255.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::7f00:1',
    '2002:7f00:1::1',
    'fe80::1',
    'ff02::1',
    'fd00:ec2::254',
  ]) {
    assert.ok(!mayConnectTo(address), address)
  }
})
