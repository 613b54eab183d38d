import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openStore, type Store } from '@palisade/platform'
import {
  memoryDirectory,
  NetworkPath,
  type PostgresServer,
  send,
  startPostgres,
} from '@palisade/platform/testing'
import { proxyAddresses, type SharedMemoryMessage, type SharedMemoryNews } from '@palisade/proxy-protocol'
import { sql } from 'kysely'
import type { FirewallTables } from './tables.ts'
import { callAsProxy } from './testing/as-proxy.ts'
import { basic, type Client, logIn } from './testing/client.ts'
import { serveFirewall } from './testing/firewall.ts'

let postgres: PostgresServer
before(async () => {
  const started = await startPostgres()
  assert.ok(started, 'PostgreSQL is not installed: apt-get install postgresql')
  postgres = started
})
after(() => postgres.stop())

interface Node {
  readonly client: Client
  readonly store: Store
  readonly path: NetworkPath
}

/** Servers on one database, each with connections of its own over a path of its own. */
async function nodes(t: TestContext, count: number): Promise<{ address: string; nodes: readonly Node[] }> {
  const address = await postgres.newDatabase()
  const started: Node[] = []
  for (let number = 0; number < count; number++) {
    const path = new NetworkPath(address)
    const store = openStore(await path.open(), '')
    const served = await serveFirewall({ store })
    t.after(async () => {
      await served.close()
      await store.close()
      path.close()
    })
    started.push({ client: await logIn(served.baseUrl), store, path })
  }
  return { address, nodes: started }
}

/** Waits until two servers show the same list, with the same entity tags. */
async function untilAlike(one: Client, other: Client): Promise<void> {
  const shown = async ({ get }: Client) => {
    const { json } = await get('services')
    const names = Object.keys(json.data ?? {})
    const tags = await Promise.all(names.map(async (name) => (await get(`services/${name}`)).headers.etag))
    return JSON.stringify([json.data, tags])
  }
  const expected = await shown(one)
  for (let waited = 0; waited < 15_000; waited += 50) {
    if ((await shown(other)) === expected) return
    await setTimeout(50)
  }
  assert.equal(await shown(other), expected)
}

async function succeed(client: Client, method: string, path: string, body?: object): Promise<void> {
  const reply = await client.call(method, path, body)
  assert.ok(reply.status < 300, `${method} ${path}: ${JSON.stringify(reply.json)}`)
}

const server = { name: 'first', 'ip-address': '192.0.2.10', port: 80 }

test('a change is shown by the other servers as soon as they are told, not a second later', async (t) => {
  const { nodes: all } = await nodes(t, 3)
  const [one, ...others] = all.map(({ client }) => client) as [Client, ...Client[]]
  await succeed(one, 'POST', 'services', { name: 'shop' })
  await Promise.all(others.map((other) => untilAlike(one, other)))
  const delays: number[] = []
  for (let round = 0; round < 10; round++) {
    const comments = `round ${round}`
    await succeed(one, 'PUT', 'services/shop', { comments })
    const start = performance.now()
    for (const { get } of others) {
      while ((await get('services/shop')).json.data.shop.comments !== comments) await setTimeout(5)
    }
    delays.push(performance.now() - start)
  }
  delays.sort((a, b) => a - b)
  assert.ok((delays[5] ?? Number.POSITIVE_INFINITY) < 300, `median of ${delays.map(Math.round)}`)
})

test('a server that was cut off takes over all that has changed, deletions too', async (t) => {
  const { nodes: all } = await nodes(t, 2)
  const [one, two] = all as [Node, Node]
  for (const name of ['kept', 'deleted', 'again', 'renamed']) {
    await succeed(one.client, 'POST', 'services', { name })
    await succeed(one.client, 'POST', `services/${name}/servers`, server)
  }
  await untilAlike(one.client, two.client)
  two.path.close()
  await succeed(one.client, 'DELETE', 'services/deleted')
  await succeed(one.client, 'DELETE', 'services/again')
  // Without the server that was in it.
  await succeed(one.client, 'POST', 'services', { name: 'again' })
  await succeed(one.client, 'PUT', 'services/renamed', { name: 'anew' })
  await succeed(one.client, 'DELETE', 'services/kept/servers/first')
  await succeed(one.client, 'POST', 'services', { name: 'new' })
  await succeed(one.client, 'DELETE', 'services/new')
  await two.path.open()
  await untilAlike(one.client, two.client)
  // Notifications arrive again, too.
  await succeed(one.client, 'PUT', 'services/kept', { comments: 'after all' })
  await untilAlike(one.client, two.client)
})

test('only what is newer is read', async (t) => {
  const { nodes: all } = await nodes(t, 2)
  const [one, two] = all as [Node, Node]
  await succeed(one.client, 'POST', 'services', { name: 'shop', comments: 'as it was' })
  await succeed(one.client, 'POST', 'services', { name: 'other' })
  await untilAlike(one.client, two.client)
  await sql`UPDATE firewall_object SET document = replace(document, 'as it was', 'unheard of')`.execute(
    one.store.tables<FirewallTables>(),
  )
  await succeed(one.client, 'PUT', 'services/other', { comments: 'changed' })
  await untilAlike(one.client, two.client)
  assert.equal((await two.client.get('services/shop')).json.data.shop.comments, 'as it was')
})

test('what a server of an earlier release deletes is gone for all, though it leaves no trace', async (t) => {
  const { nodes: all } = await nodes(t, 2)
  const [one, two] = all as [Node, Node]
  await succeed(one.client, 'POST', 'services', { name: 'shop' })
  await succeed(one.client, 'POST', 'services', { name: 'other' })
  await untilAlike(one.client, two.client)
  two.path.close()
  await one.store
    .tables<FirewallTables>()
    .transaction()
    .execute(async (transaction) => {
      await sql`UPDATE firewall_configuration SET version = version + 1`.execute(transaction)
      await sql`DELETE FROM firewall_object WHERE path = '["shop"]'`.execute(transaction)
    })
  await succeed(one.client, 'PUT', 'services/other', { comments: 'changed' })
  assert.equal((await one.client.get('services/shop')).status, 404)
  await two.path.open()
  await untilAlike(one.client, two.client)
  assert.equal((await two.client.get('services/shop')).status, 404)
})

test('a logout at one server counts at the others as soon as they are told', async (t) => {
  const { nodes: all } = await nodes(t, 3)
  const [one, ...others] = all.map(({ client }) => client) as [Client, ...Client[]]
  for (let round = 0; round < 5; round++) {
    const session = await logIn(one.root.replace('/restapi/v3.2', ''))
    const statuses = () =>
      Promise.all(
        others.map(({ root }) =>
          send(`${root}/system`, { headers: basic(`${session.token}:`) }).then(({ status }) => status),
        ),
      )
    assert.deepEqual(await statuses(), [200, 200])
    await succeed(session, 'DELETE', 'logout')
    // The clock of these servers stands still: without word of it the token would be believed for ever.
    const start = performance.now()
    while ((await statuses()).includes(200) && performance.now() - start < 5_000) await setTimeout(5)
    assert.deepEqual(await statuses(), [401, 401], `round ${round}`)
  }
})

test('what proxies share reaches those of the other server whole, also where it is long', async (t) => {
  const address = await postgres.newDatabase()
  const call = await Promise.all(
    [1, 2].map(async () => {
      const store = openStore(address, '')
      const dataDirectory = memoryDirectory('palisade-shared-')
      const served = await serveFirewall({ store, dataDirectory })
      t.after(async () => {
        await served.close()
        await store.close()
        rmSync(dataDirectory, { recursive: true, force: true })
      })
      return (path: string, body?: object) => callAsProxy(served, dataDirectory, path, body)
    }),
  )
  const [one, other] = call as [(typeof call)[0], (typeof call)[0]]
  const heard = new Map<string, number>()
  const hear = async (after: string) => {
    const { json } = await other(`${proxyAddresses.sharedMemory}?after=${encodeURIComponent(after)}`)
    const { messages, next } = json as SharedMemoryNews
    for (const { changes } of messages) {
      for (const { instance, difference = 0 } of changes)
        heard.set(instance, (heard.get(instance) ?? 0) + difference)
    }
    return next
  }
  const message = (id: string, instances: readonly string[]): SharedMemoryMessage => ({
    id,
    changes: instances.map((instance) => ({
      storage: 'clients',
      collection: 'Bücher "& more"',
      instance,
      difference: 1,
      expiresAt: Date.now() + 60_000,
    })),
  })
  // Until the other server listens, nobody hears it.
  let isHeard = false
  const first = hear('').then((next) => {
    isHeard = true
    return next
  })
  for (let round = 0; !isHeard; round++) {
    assert.equal((await one(proxyAddresses.sharedMemory, message(`probe-${round}`, ['probe']))).status, 204)
    await setTimeout(50)
  }
  const instances = Array.from({ length: 300 }, (_, index) => `instance-${index}`)
  assert.equal((await one(proxyAddresses.sharedMemory, message('long', instances))).status, 204)
  let next = await first
  while (!instances.every((instance) => heard.has(instance))) next = await hear(next)
  assert.ok(instances.every((instance) => heard.get(instance) === 1))
  const wrong = { id: 'wrong', changes: [{ ...message('', ['a']).changes[0], storage: 'bindings' }] }
  const refused = await one(proxyAddresses.sharedMemory, wrong)
  assert.equal(refused.status, 400, JSON.stringify(refused.json))
})
