import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { AddressForbidden, AddressGuard, isNetwork } from './forbidden-addresses.ts'

const guard = new AddressGuard({
  networks: ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254', '192.0.2.7'],
  endpoints: [
    { network: '127.0.0.0/8', port: 8000 },
    { network: '::1', port: 8000 },
    { network: '192.0.2.1', port: 8443 },
  ],
})

test('forbids networks at every port and endpoints at theirs, in every spelling of an address', () => {
  const forbidden: [address: string, port: number][] = [
    ['169.254.169.254', 80],
    ['::ffff:169.254.169.254', 80],
    ['::ffff:a9fe:a9fe', 80],
    ['fe80::1', 443],
    ['fe80::1%eth0', 443],
    ['fd00:ec2::254', 80],
    ['FD00:EC2:0:0:0:0:0:254', 80],
    ['192.0.2.7', 1],
    ['64:ff9b::192.0.2.7', 80],
    ['64:FF9B:0:0:0:0:a9fe:a9fe', 80],
    ['2002:c000:207::1', 80],
    ['64:ff9b::127.0.0.1', 8000],
    ['127.0.0.1', 8000],
    ['127.9.9.9', 8000],
    ['0.0.0.0', 8000],
    ['::', 8000],
    ['0:0:0:0:0:0:0:0', 8000],
    ['::1', 8000],
    ['::ffff:127.0.0.1', 8000],
    ['192.0.2.1', 8443],
  ]
  const allowed: [address: string, port: number][] = [
    ['169.253.0.1', 80],
    ['fd00:ec2::253', 80],
    ['127.0.0.1', 8001],
    ['0.0.0.0', 8001],
    ['192.0.2.1', 8000],
    ['10.0.0.1', 8000],
    ['64:ff9b::10.0.0.1', 8000],
    ['64:ff9b:1::a9fe:a9fe', 80],
    ['2001:db8::c000:207', 80],
    ['metadata.example', 80],
  ]
  for (const [address, port] of forbidden) {
    assert.ok(guard.forbids(address, port), `${address} ${port}`)
    assert.throws(() => guard.refuse(address, port), AddressForbidden)
  }
  for (const [address, port] of allowed) assert.ok(!guard.forbids(address, port), `${address} ${port}`)
})

test('connects to what a name leads to, unless all of that is forbidden', async (t) => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const reach = async (networks: string[], endpoints: { network: string; port: number }[] = []) => {
    const lookup = new AddressGuard({ networks, endpoints }).lookupFor(port)
    const socket = connect({ host: 'localhost', port, lookup })
    await once(socket, 'connect')
    socket.destroy()
  }
  await reach([])
  await reach(['127.0.0.2', '::1'])
  await reach([], [{ network: '127.0.0.1', port: port + 1 }])
  await assert.rejects(reach(['127.0.0.0/8', '::1']), AddressForbidden)
  await assert.rejects(reach(['::1'], [{ network: '127.0.0.1', port }]), AddressForbidden)
})

test('tells networks from what is none', () => {
  for (const text of ['10.0.0.1', '10.0.0.0/8', '::/0', 'fe80::/10', '0.0.0.0/0', '10.0.0.1/32', '::1/128'])
    assert.ok(isNetwork(text), text)
  for (const text of [
    '',
    '10.0.0.0/33',
    'fe80::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    'name',
    '10.0.0/8',
  ]) {
    assert.ok(!isNetwork(text), text)
  }
})
