import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestPool } from './request-pool.ts'

const limits = { name: 'pool', activeMax: 1, backlogMax: 10, clientsMax: 2, preferred: [] }

/** Asks for each client in turn and gives the order in which those are served that wait. */
async function orderOf(pool: RequestPool, clients: readonly string[]): Promise<string[]> {
  const order: string[] = []
  for (const client of clients) {
    const admission = pool.enter(client, () => undefined)
    if (admission instanceof Promise) void admission.then(() => order.push(client))
  }
  for (let turn = 0; turn < clients.length; turn++) {
    pool.leave()
    await Promise.resolve()
  }
  return order
}

test('so many requests are served at once, and the others wait in turns of their clients', async () => {
  const pool = new RequestPool(limits)
  assert.equal(
    pool.enter('first', () => undefined),
    'served',
  )
  assert.deepEqual(await orderOf(pool, ['a', 'a', 'a', 'b']), ['a', 'b', 'a', 'a'])
})

test('preferred clients are served as often as their weight says', async () => {
  const pool = new RequestPool({ ...limits, preferred: [{ clients: ['192.0.2.0/24'], weight: 3 }] })
  pool.enter('first', () => undefined)
  const vip = '192.0.2.1'
  const order = await orderOf(pool, ['a', 'a', 'a', vip, vip, vip])
  assert.equal(order.slice(0, 4).filter((client) => client === vip).length, 3)
})

test('a full queue and one client too many are refused; preferred clients always have a queue', () => {
  const pool = new RequestPool({
    ...limits,
    backlogMax: 1,
    preferred: [{ clients: ['192.0.2.1'], weight: 1 }],
  })
  const enter = (client: string) => {
    const admission = pool.enter(client, () => undefined)
    return typeof admission === 'string' ? admission : 'waits'
  }
  assert.deepEqual(['x', 'a', 'a', 'b', 'c', '192.0.2.1'].map(enter), [
    'served',
    'waits',
    'refused',
    'waits',
    'refused',
    'waits',
  ])
})

test('a client that goes away leaves the queue, and its turn to others', async () => {
  const pool = new RequestPool(limits)
  pool.enter('first', () => undefined)
  let leaveQueue: (() => void) | undefined
  const cancelled = pool.enter('a', (leave) => {
    leaveQueue = leave
  })
  const other = pool.enter('b', () => undefined)
  leaveQueue?.()
  assert.equal(await cancelled, 'gone')
  pool.leave()
  assert.equal(await other, 'served')
})

test('other limits count at once', async () => {
  const pool = new RequestPool(limits)
  pool.enter('first', () => undefined)
  const second = pool.enter('a', () => undefined)
  pool.limit({ ...limits, activeMax: 2 })
  assert.equal(await second, 'served')
})
