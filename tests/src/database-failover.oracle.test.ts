import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type PostgresReplica, type PostgresServer, startPostgres } from '@palisade/platform/testing'
import { basic, bearer, eventually, firewallToken } from './support/programs/calls.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

/** So many changes are acknowledged before the primary ends, and again after another one has taken its place. */
const changesMin = 10

let primary: PostgresServer
let replica: PostgresReplica
before(async () => {
  const started = await startPostgres()
  assert.ok(started, 'PostgreSQL is not installed: apt-get install postgresql')
  primary = started
  replica = await primary.startReplica()
})
after(async () => {
  await cleanUp()
  await replica.stop()
  await primary.stop()
})

/** A new database on both. */
async function newDatabase(): Promise<string> {
  const { username, host, pathname } = new URL(await primary.newDatabase())
  // The replica comes first, so that each server has to look for the primary.
  return `postgres://${username}@${replica.host},${host}${pathname}?target_session_attrs=read-write`
}

/** One more server, with the keys of the first. */
async function another(first: Server, database: string): Promise<Server> {
  const folder = newFolder()
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  copyFileSync(join(first.dataDirectory, 'secret.key'), join(folder, 'data', 'secret.key'))
  return Server.start(folder, { ...provisioned, database, backup: { serve: false } })
}

interface Reply {
  readonly status: number
  readonly retryAfter: string | null
}

async function call(
  server: Server,
  token: string,
  name?: string,
): Promise<Reply & { readonly text: string }> {
  const reply = await fetch(
    `${server.firewall}/restapi/v3.2/services${name === undefined ? '?limit=1000' : ''}`,
    {
      headers: { ...basic(token), 'content-type': 'application/json' },
      ...(name === undefined
        ? {}
        : {
            method: 'POST',
            body: JSON.stringify({ name, 'ip-address': '192.0.2.1', port: Number(name.slice(4)) }),
          }),
    },
  )
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), text: await reply.text() }
}

/** How many lists a server has read from replicas. */
async function listsFromReplicas({ services }: Server): Promise<number> {
  const text = await (await fetch(`${services}/metrics`)).text()
  return Number(/^palisade_database_list_reads_total\{server="replica"\} (\d+)$/m.exec(text)?.[1])
}

test('logs and histories are read from the replica, with the change that was acknowledged just before', async () => {
  const database = await newDatabase()
  const owner = { username: 'ops', password: 'a long enough password' }
  const server = await Server.start(undefined, {
    ...provisioned,
    database,
    administration: { operators: [{ ...owner, grants: [{ role: 'owner' }] }] },
  })
  const token = await firewallToken(server)
  const backup = await bearer(server, 'backup')
  const signedIn = await fetch(`${server.services}/admin/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(owner),
  })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const textOf = async (url: string, headers: Record<string, string>) => {
    const reply = await fetch(url, { headers })
    const text = await reply.text()
    assert.equal(reply.status, 200, text)
    return text
  }
  const fromReplica = { firewall: 0, audit: 0, tasks: 0 }
  const read = async (what: keyof typeof fromReplica, url: string, headers: Record<string, string>) => {
    const before = await listsFromReplicas(server)
    const text = await textOf(url, headers)
    fromReplica[what] += (await listsFromReplicas(server)) - before
    return text
  }
  // A machine that has much else to do may let the replica be behind for some time.
  for (let number = 1; number <= 50 || Object.values(fromReplica).includes(0); number++) {
    const name = `app-${number}`
    assert.ok((await call(server, token, name)).status < 300)
    const logs = `${server.firewall}/restapi/v3.2`
    assert.ok((await read('firewall', `${logs}/audit-logs?limit=5`, basic(token))).includes(name))
    const audit = `${server.services}/admin/v1/audit`
    assert.ok((await read('audit', `${audit}?limit=5&order=-at`, { cookie })).includes(name))
    await read('tasks', `${server.services}/backup/v1/accounts/acme/computers/0001/action_history`, backup)
  }
  await server.program.stop()
})

test('when the primary ends and its replica takes its place, servers find it, and no acknowledged change is lost', async () => {
  const database = await newDatabase()
  const one = await Server.start(undefined, { ...provisioned, database })
  const two = await another(one, database)
  const token = await firewallToken(one)
  const acknowledged: string[] = []
  let isEnded = false
  let unavailable = 0
  const write = async () => {
    for (let number = 1; !isEnded; number++) {
      const server = number % 2 === 0 ? one : two
      const name = `app-${number}`
      const { status, retryAfter, text } = await call(server, token, name)
      if (status < 300) acknowledged.push(name)
      else {
        assert.equal(status, 503, text)
        assert.match(retryAfter ?? '', /^\d+$/)
        unavailable++
      }
    }
  }
  let reads = 0
  const read = async () => {
    for (; !isEnded; reads++) assert.equal((await call(one, token)).status, 200)
  }
  const traffic = Promise.all([write(), read()])
  const untilMore = (count: number) =>
    Promise.race([
      traffic,
      eventually(`${count} acknowledged changes`, async () =>
        acknowledged.length >= count ? true : undefined,
      ),
    ])
  await untilMore(changesMin)
  await primary.kill()
  await Promise.race([
    traffic,
    eventually('a change that is refused', async () => (unavailable > 0 ? true : undefined)),
  ])
  const readsBefore = reads
  const refusedAt = acknowledged.length
  await replica.promote()
  await untilMore(refusedAt + changesMin)
  isEnded = true
  await traffic
  assert.ok(reads > readsBefore)

  // Whoever starts now finds the first address of the two, or the second, in the same way.
  const three = await another(one, database)
  for (const server of [one, two, three]) {
    await eventually('every acknowledged change', async () => {
      const { text } = await call(server, token)
      const { data } = JSON.parse(text) as { data: Record<string, unknown> }
      return acknowledged.every((name) => Object.hasOwn(data, name)) ? true : undefined
    })
  }
})
