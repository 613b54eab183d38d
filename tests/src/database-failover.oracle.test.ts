import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type PostgresReplica, type PostgresServer, startPostgres } from '@palisade/platform/testing'
import { basic, eventually, firewallToken } from './support/programs/calls.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

/** So many changes are acknowledged before the primary ends, and again after another one has taken its place. */
const changesMin = 10

let primary: PostgresServer
let replica: PostgresReplica
let database: string
before(async () => {
  const started = await startPostgres()
  assert.ok(started, 'PostgreSQL is not installed: apt-get install postgresql')
  primary = started
  const single = await primary.newDatabase()
  replica = await primary.startReplica()
  const { username, host, pathname } = new URL(single)
  // The replica comes first, so that each server has to look for the primary.
  database = `postgres://${username}@${replica.host},${host}${pathname}?target_session_attrs=read-write`
})
after(async () => {
  await cleanUp()
  await replica.stop()
  await primary.stop()
})

/** One more server, with the keys of the first. */
async function another(first: Server): Promise<Server> {
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

test('when the primary ends and its replica takes its place, servers find it, and no acknowledged change is lost', async () => {
  const one = await Server.start(undefined, { ...provisioned, database })
  const two = await another(one)
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
  const three = await another(one)
  for (const server of [one, two, three]) {
    await eventually('every acknowledged change', async () => {
      const { text } = await call(server, token)
      const { data } = JSON.parse(text) as { data: Record<string, unknown> }
      return acknowledged.every((name) => Object.hasOwn(data, name)) ? true : undefined
    })
  }
})
