import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { NetworkPath, type PostgresServer, startPostgres } from '@palisade/platform/testing'
import { awarenessToken, basic, bearer, eventually, firewallToken } from './support/programs/calls.ts'
import { cleanUp, provisioned, Server } from './support/programs/server.ts'

let postgres: PostgresServer
let path: NetworkPath
let server: Server

before(async () => {
  const started = await startPostgres()
  assert.ok(started, 'PostgreSQL is not installed: apt-get install postgresql')
  postgres = started
  path = new NetworkPath(await postgres.newDatabase())
  server = await Server.start(undefined, { ...provisioned, database: await path.open() })
})
after(async () => {
  await server.program.stop()
  path.close()
  await postgres.stop()
})
after(cleanUp)

/** A request of each service that has to ask the database, and the member of its envelope that says what is wrong. */
const requests = [
  {
    service: 'firewall',
    url: () => `${server.firewall}/restapi/v3.2/services`,
    method: 'POST',
    headers: async () => basic(await firewallToken(server)),
    body: { name: 'shop' },
    message: 'msg',
  },
  {
    service: 'awareness',
    url: () => `${server.services}/awareness/campaigns`,
    method: 'GET',
    headers: async () => ({ access_token: await awarenessToken(server) }),
    message: 'statusDetails',
  },
  {
    service: 'backup',
    url: () => `${server.services}/backup/v2/accounts/acme/computers`,
    method: 'GET',
    headers: () => bearer(server, 'backup'),
    message: 'errors',
  },
  {
    service: 'email',
    url: () => `${server.services}/email/beta/accounts/5584599/ess/domains`,
    method: 'GET',
    headers: () => bearer(server, 'email'),
    message: 'detail',
  },
] as const

test('while PostgreSQL is away every service answers 503 in its envelope, and goes on when it is back', async () => {
  const prepared = await Promise.all(
    requests.map(async (request) => ({ ...request, headers: await request.headers() })),
  )
  const send = ({ url, method, headers, ...more }: (typeof prepared)[number]) =>
    fetch(url(), {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...('body' in more ? { body: JSON.stringify(more.body) } : {}),
    })
  const metrics = async () => (await fetch(`${server.services}/metrics`)).text()
  assert.match(await metrics(), /^palisade_database_up 1$/m)
  path.close()
  assert.match(await metrics(), /^palisade_database_up 0$/m)
  for (const request of prepared) {
    const reply = await send(request)
    assert.equal(reply.status, 503, request.service)
    assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/, request.service)
    const body = (await reply.json()) as Record<string, unknown>
    assert.match(JSON.stringify(body[request.message]), /The database cannot be reached/, request.service)
  }
  await path.open()
  for (const request of prepared) {
    await eventually(`${request.service} works again`, async () => {
      const { status } = await send(request)
      return status < 300 ? status : undefined
    })
  }
  assert.equal(prepared.length, 4)
  assert.match(await metrics(), /^palisade_database_up 1$/m)
})
