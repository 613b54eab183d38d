import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '@palisade/platform/testing'
import { Administration } from './support/programs/administration.ts'
import { basic, eventually, firewallToken } from './support/programs/calls.ts'
import { cleanUp, provisioned, Server } from './support/programs/server.ts'

/** For longer than that no server believes a token that has ended. */
const believedMs = 5_000

let postgres: PostgresServer
before(async () => {
  const started = await startPostgres()
  assert.ok(started, 'PostgreSQL is not installed: apt-get install postgresql')
  postgres = started
})
after(async () => {
  await cleanUp()
  await postgres.stop()
})

/** An operator with whatever he calls with: a session, or an API token. */
interface Operator {
  readonly name: string
  /** Of `/admin/v1`, such as `/sessions/…` or `/operators/…/tokens/…`. */
  readonly credential: string
  readonly headers: Readonly<Record<string, string>>
}

const password = 'a long password 1'

type Role = 'operator' | 'auditor'

/** What takes the firewall from an operator, whichever way he was let in. */
const endings: readonly {
  readonly what: string
  readonly kinds?: readonly ('session' | 'token')[]
  /** Whom it takes it from; both when left out. */
  readonly roles?: readonly Role[]
  readonly end: (owner: Administration, operator: Operator) => Promise<Response>
}[] = [
  {
    what: 'he becomes an auditor',
    roles: ['operator'],
    end: (owner, { name }) => owner.call('PATCH', `/operators/${name}`, { grants: [{ role: 'auditor' }] }),
  },
  {
    what: 'he keeps another service',
    end: (owner, { name }) =>
      owner.call('PATCH', `/operators/${name}`, { grants: [{ role: 'operator', service: 'backup' }] }),
  },
  {
    what: 'he is disabled',
    end: (owner, { name }) => owner.call('PATCH', `/operators/${name}`, { isDisabled: true }),
  },
  { what: 'he is removed', end: (owner, { name }) => owner.call('DELETE', `/operators/${name}`) },
  {
    what: 'his credential is ended',
    end: (owner, { credential }) => owner.call('DELETE', credential),
  },
  {
    what: 'he logs out',
    kinds: ['session'],
    end: (owner, { headers }) => fetch(owner.address('/session'), { method: 'DELETE', headers }),
  },
]

async function newOperator(
  owner: Administration,
  name: string,
  kind: 'session' | 'token',
  role: Role,
): Promise<Operator> {
  const made = await owner.call('POST', '/operators', {
    username: name,
    password,
    grants: [{ role, service: 'firewall' }],
  })
  assert.equal(made.status, 201, await made.text())
  const login = await fetch(owner.address('/session'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: name, password }),
  })
  const { csrfToken } = (await login.json()) as { csrfToken: string }
  const [cookie = ''] = login.headers.getSetCookie()
  const headers = { cookie: cookie.split(';')[0] ?? '', 'x-csrf-token': csrfToken }
  if (kind === 'session') {
    const all = await owner.call('GET', `/operators/${name}/sessions`)
    const { items } = (await all.json()) as { items: { id: string }[] }
    return { name, credential: `/operators/${name}/sessions/${items[0]?.id}`, headers }
  }
  const issued = await fetch(owner.address(`/operators/${name}/tokens`), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'script',
      grants: [{ role, service: 'firewall' }],
      lifetimeDays: 1,
    }),
  })
  assert.equal(issued.status, 201)
  const { id, token } = (await issued.json()) as { id: string; token: string }
  return {
    name,
    credential: `/operators/${name}/tokens/${id}`,
    headers: { authorization: `Bearer ${token}` },
  }
}

/** A token of the firewall, as the console and the command line get it. */
async function tokenOf(owner: Administration, { headers }: Operator): Promise<string> {
  const reply = await fetch(owner.address('/firewall/administrators/admin/token'), {
    method: 'POST',
    headers,
  })
  assert.equal(reply.status, 200)
  return ((await reply.json()) as { token: string }).token
}

async function ask(server: Server, token: string): Promise<{ status: number; successor: string }> {
  const reply = await fetch(`${server.firewall}/restapi/v3.2/services`, { headers: basic(token) })
  const { token: successor = '' } = (await reply.json()) as { token?: string }
  return { status: reply.status, successor }
}

/** Tries to change something. @returns the status of the answer */
async function change({ firewall }: Server, token: string): Promise<number> {
  const reply = await fetch(`${firewall}/restapi/v3.2/system/appearance`, {
    method: 'PUT',
    headers: { ...basic(token), 'content-type': 'application/json' },
    body: '{}',
  })
  await reply.arrayBuffer()
  return reply.status
}

const roles: readonly Role[] = ['operator', 'auditor']

/** Each role with each ending. */
const trials = roles.flatMap((role) => endings.map((ending, index) => [role, index, ending] as const))

for (const database of ['SQLite', 'PostgreSQL']) {
  test(`what an operator was given at the firewall ends when he may no longer have it, on ${database}`, async () => {
    const more = database === 'SQLite' ? {} : { database: await postgres.newDatabase() }
    const server = await Server.start(undefined, { ...provisioned, ...more })
    const owner = await Administration.connect(server)
    const ofPassword = await firewallToken(server)
    let ended = 0
    for (const kind of ['session', 'token'] as const) {
      for (const [role, index, { what, kinds = [kind], roles: of = roles, end }] of trials) {
        if (!kinds.includes(kind) || !of.includes(role)) continue
        const operator = await newOperator(owner, `${role}-${kind}-${index}`, kind, role)
        const first = await tokenOf(owner, operator)
        const { status, successor } = await ask(server, first)
        assert.equal(status, 200, what)
        assert.equal((await ask(server, successor)).status, 200, what)
        for (const token of [first, successor]) {
          assert.equal(await change(server, token), role === 'auditor' ? 403 : 200, `${role}: ${what}`)
        }
        const reply = await end(owner, operator)
        assert.ok(reply.status < 300, `${what}: ${reply.status} ${await reply.text()}`)
        for (const token of [first, successor]) {
          await eventually(
            `a refusal with a ${kind} after ${what}`,
            async () => ((await ask(server, token)).status === 401 ? true : undefined),
            believedMs,
          )
        }
        ended++
      }
    }
    // An auditor does not become one, and API tokens do not log out.
    assert.equal(ended, 2 * trials.length - 4)
    // It believes nothing for so long that was not asked again.
    await pause(1_100)
    assert.equal((await ask(server, ofPassword)).status, 200)
  })
}
