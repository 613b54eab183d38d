import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import {
  connectToPrimary,
  PostgresServers,
  problemOfServers,
  singleAddresses,
  TakesNoWrites,
} from './postgres-servers.ts'

test('an address of several servers is one for each of them', () => {
  assert.deepEqual(
    singleAddresses('postgres://me:se%2Ccret@one.example:5432,[::1]:5433/palisade?sslmode=require'),
    [
      'postgres://me:se%2Ccret@one.example:5432/palisade?sslmode=require',
      'postgres://me:se%2Ccret@[::1]:5433/palisade?sslmode=require',
    ],
  )
  for (const single of ['postgresql://host/palisade', 'postgres:///palisade?host=/run/postgresql'])
    assert.deepEqual(singleAddresses(single), [single])
})

test('an address that cannot be meant is refused with what was expected', () => {
  const one = 'postgres://one.example,two.example/palisade'
  for (const address of [one, `${one}?target_session_attrs=read-write`, 'postgres:///p?host=/run/postgresql'])
    assert.equal(problemOfServers(address), undefined, address)
  assert.match(problemOfServers('postgres://one.example,/palisade') ?? '', /^names a host that is none/)
  assert.match(problemOfServers('postgres://one:port,two/palisade') ?? '', /^names a host that is none/)
  assert.match(
    problemOfServers(`${one}?target_session_attrs=standby`) ?? '',
    /^wants a server that takes no writes/,
  )
})

test('servers are tried from the last primary on, and what is wrong with one is told before that others are replicas', async () => {
  const servers = new PostgresServers('postgres://one,two,three/palisade')
  const tried: number[] = []
  const only = (primary: number) => async (place: number) => {
    tried.push(place)
    if (place === primary) return place
    throw place === 2 ? new Error('refused') : new TakesNoWrites('a replica')
  }
  assert.equal(await servers.first(only(1)), 1)
  assert.equal(await servers.first(only(0)), 0)
  assert.deepEqual(tried, [0, 1, 1, 2, 0])
  await assert.rejects(servers.first(only(7)), /^Error: refused$/)
  assert.equal(await servers.first(only(2)), 2)
})

test('an attempt to connect ends when it is aborted, also at a server that says nothing', {
  timeout: 5_000,
}, async () => {
  const silent = createServer((socket) => socket.resume())
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo
  const closing = new AbortController()
  const attempt = connectToPrimary(new PostgresServers(`postgres://nobody@127.0.0.1:${port}/palisade`), {
    answerMaxMs: 10_000,
    signal: closing.signal,
  })
  await once(silent, 'connection')
  closing.abort()
  await assert.rejects(attempt, /^Error: the connection has ended$/)
  silent.close()
})
