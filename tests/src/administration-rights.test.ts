import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

const password = 'a long enough password'

/** Operators by what they are granted; each is tried with every operation. */
const grantsOf: Readonly<Record<string, readonly object[]>> = {
  owner: [{ role: 'owner' }],
  operator: [{ role: 'operator' }],
  auditor: [{ role: 'auditor' }],
  nobody: [],
  'awareness-operator': [{ role: 'operator', service: 'awareness' }],
  'firewall-auditor': [{ role: 'auditor', service: 'firewall' }],
  'backup-operator-of-acme': [{ role: 'operator', service: 'backup', account: 'acme' }],
  'email-auditor-of-another': [{ role: 'auditor', service: 'email', account: 'another' }],
}

let server: Server
const cookieOf = new Map<string, Record<string, string>>()

before(async () => {
  server = await Server.start(newFolder(), {
    ...provisioned,
    email: { accounts: [{ id: 'acme', name: 'Acme', region: 'US', domains: [] }] },
    administration: {
      operators: Object.entries(grantsOf).map(([username, grants]) => ({ username, password, grants })),
    },
  })
  for (const username of Object.keys(grantsOf)) {
    const reply = await fetch(`${server.services}/admin/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    })
    assert.equal(reply.status, 201)
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
    cookieOf.set(username, { cookie, 'x-csrf-token': Object(await reply.json()).csrfToken })
  }
})
after(cleanUp)

/** Who may do what, written down once more: by the first segment of an address, in an account `acme` where it names one. */
function mayDo(username: string, method: string, path: string): boolean {
  // Whoever has no session yet signs in.
  if (path.startsWith('/session') || path.startsWith('/login')) return true
  const [, area = ''] = path.split('/')
  // Whoever may only read gets a token that only reads.
  const isRead = method === 'get' || path === '/firewall/administrators/{administrator}/token'
  const service = ['awareness', 'backup', 'email', 'firewall'].includes(area) ? area : 'administration'
  switch (username) {
    case 'owner':
      return true
    case 'operator':
      return isRead || service !== 'administration' || ['channels', 'routes'].includes(area)
    case 'auditor':
      return isRead
    // Whoever sees all of a service sees what needs attention in it.
    case 'awareness-operator':
      return service === 'awareness' || (area === 'attention' && isRead)
    case 'firewall-auditor':
      return isRead && (service === 'firewall' || area === 'attention')
    case 'backup-operator-of-acme':
      // Accounts and clients are of the whole service; of accounts he sees his own.
      if (path.startsWith('/backup/accounts/{account}'))
        return path !== '/backup/accounts/{account}' || isRead
      return path === '/backup/accounts' && isRead
    case 'email-auditor-of-another':
      return path === '/email/accounts' && isRead
    default:
      return false
  }
}

test('each operation lets in whom the roles say, and nobody else', async () => {
  const document = Object(await (await fetch(`${server.services}/openapi/admin.json`)).json())
  const tried: string[] = []
  for (const [path, item] of Object.entries<Record<string, { operationId: string }>>(document.paths)) {
    for (const [method, { operationId }] of Object.entries(item)) {
      if (operationId === 'logIn' || operationId === 'logOut') continue
      for (const username of Object.keys(grantsOf)) {
        // Of operators each may see and end his own sessions and tokens; here it is another one's.
        const address = path
          .replace('{account}', 'acme')
          .replace('{operator}', 'owner')
          .replaceAll(/\{\w+\}/g, 'none')
        const { status } = await fetch(`${server.services}/admin/v1${address}`, {
          method: method.toUpperCase(),
          headers: cookieOf.get(username) ?? {},
        })
        // Whoever is let in is told that there is no such thing, that a body or If-Match is missing, or what he asked for.
        const isIn = ![401, 403].includes(status) && !(status === 404 && isForeignAccount(username, path))
        assert.equal(isIn, mayDo(username, method, path), `${username}: ${method} ${path} answered ${status}`)
        tried.push(`${username} ${operationId}`)
      }
    }
  }
  assert.ok(tried.length > 500, `only ${tried.length} were tried`)
})

/** Of accounts that somebody may not see he is told that there are none. */
function isForeignAccount(username: string, path: string): boolean {
  return (
    path.includes('{account}') &&
    !['owner', 'operator', 'auditor'].includes(username) &&
    !(username === 'backup-operator-of-acme' && path.startsWith('/backup/'))
  )
}

/** The same of the APIs of services with accounts: in an account `acme` where an address names one, of the whole service otherwise. */
function mayCall(username: string, service: string, isRead: boolean, isOfAccount: boolean): boolean {
  switch (username) {
    case 'owner':
    case 'operator':
      return true
    case 'auditor':
      return isRead
    case 'backup-operator-of-acme':
      return service === 'backup' && isOfAccount
    case 'email-auditor-of-another':
      // He sees the accounts that are his, and none of those is acme.
      return service === 'email' && isRead && !isOfAccount
    default:
      return false
  }
}

test('each operation of backup and email lets in operators by the same roles, with a session and with an API token', async () => {
  let tried = 0
  for (const username of Object.keys(grantsOf)) {
    const session = cookieOf.get(username) ?? {}
    const reply = await fetch(`${server.services}/admin/v1/operators/${username}/tokens`, {
      method: 'POST',
      headers: { ...session, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'walk', grants: [{ role: 'owner' }], lifetimeDays: 1 }),
    })
    assert.equal(reply.status, 201)
    const token = { authorization: `Bearer ${Object(await reply.json()).token}` }
    for (const service of ['backup', 'email']) {
      for (const { method, path, scopes } of await scopedOperations(service)) {
        const isOfAccount = path.includes('{account_id}')
        const isRead = scopes.every((scope) => scope.endsWith('read'))
        const address = path
          .replace('{account_id}', 'acme')
          .replace('{computer_id}', '0001')
          .replaceAll(/\{\w+\}/g, 'none')
        for (const headers of [session, token]) {
          const answer = await fetch(`${server.services}/${service}${address}`, { method, headers })
          const text = await answer.text()
          assert.equal(answer.headers.get('cache-control'), 'private, no-store', `${method} ${path}`)
          // Whoever is let in is told that there is no such thing in the account, that a body is missing, or what he asked for.
          const isIn = ![401, 403].includes(answer.status) && !text.includes('There is no such account.')
          const expected = mayCall(username, service, isRead, isOfAccount)
          assert.equal(isIn, expected, `${username}: ${method} ${path} answered ${answer.status}: ${text}`)
          if (!isIn)
            assert.ok(answer.status === (expectsHidden(username, service, isOfAccount) ? 404 : 403), text)
          tried++
        }
      }
    }
  }
  assert.ok(tried > 800, `only ${tried} were tried`)
})

/** Whether the account itself is hidden, rather than what may be done in it refused. */
function expectsHidden(username: string, service: string, isOfAccount: boolean): boolean {
  return (
    isOfAccount && username !== 'auditor' && !(username === 'backup-operator-of-acme' && service === 'backup')
  )
}

/** The operations of a service that ask for scopes of clients. */
async function scopedOperations(service: string) {
  const document = Object(await (await fetch(`${server.services}/openapi/${service}.json`)).json())
  type Item = Record<string, { security?: Record<string, string[]>[] }>
  return Object.entries<Item>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { security = [] }]) => {
      const scopes = security.flatMap(({ oauth2 = [] }) => oauth2)
      return scopes.length === 0 ? [] : [{ method: method.toUpperCase(), path, scopes }]
    }),
  )
}
