import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { AddressRounds } from './address-rounds.ts'
import { addressInUse, leaveAddress, serverAddresses } from './addresses.ts'

const [one, two, three] = ['https://one/backup', 'https://two/backup', 'https://three/backup'] as const

test('goes from the address that failed to the next, round and round', () => {
  const addresses = serverAddresses([one, two, three])
  for (const [from, to] of [
    [one, two],
    [two, three],
    [three, one],
  ] as const) {
    assert.equal(addressInUse(addresses), from)
    leaveAddress(addresses, from)
    assert.equal(addressInUse(addresses), to)
  }
})

test('leaves an address once, however many find that it failed', () => {
  const addresses = serverAddresses([one, two, three])
  leaveAddress(addresses, one)
  leaveAddress(addresses, one)
  assert.equal(addressInUse(addresses), two)
})

test('stays with the only address', () => {
  const addresses = serverAddresses([one])
  leaveAddress(addresses, one)
  assert.equal(addressInUse(addresses), one)
})

test('is one choice for all threads', async () => {
  const addresses = serverAddresses([one, two])
  const module = JSON.stringify(new URL('./addresses.ts', import.meta.url).href)
  const leave = `const { workerData } = require('node:worker_threads')
    import(${module}).then(({ leaveAddress }) => leaveAddress(workerData, workerData.urls[0]))`
  const thread = new Worker(leave, { eval: true, workerData: addresses })
  await new Promise((resolve, reject) => thread.on('exit', resolve).on('error', reject))
  assert.equal(addressInUse(addresses), two)
})

test('a round goes on at once while an address was not tried in it, and begins anew after a success', async () => {
  const addresses = serverAddresses([one, two])
  const rounds = new AddressRounds(addresses, { firstMs: 1, largestMs: 1 })
  const { signal } = new AbortController()
  const delays: number[] = []
  const fail = async () => {
    leaveAddress(addresses, addressInUse(addresses))
    await rounds.wait(signal, (delayMs) => delays.push(delayMs))
    return delays.length
  }
  assert.equal(await fail(), 0)
  assert.equal(await fail(), 1)
  assert.equal(await fail(), 1)
  rounds.reset()
  assert.equal(await fail(), 1)
  assert.equal(await fail(), 2)
})

test('a failure that leaves the address in use is waited after', async () => {
  const rounds = new AddressRounds(serverAddresses([one, two]), { firstMs: 1, largestMs: 1 })
  let delays = 0
  await rounds.wait(new AbortController().signal, () => delays++)
  assert.equal(delays, 1)
})
