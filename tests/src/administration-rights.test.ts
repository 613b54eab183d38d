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
  if (path === '/session') return true
  const [, area = ''] = path.split('/')
  const isRead = method === 'get'
  const service = ['awareness', 'backup', 'email', 'firewall'].includes(area) ? area : 'administration'
  switch (username) {
    case 'owner':
      return true
    case 'operator':
      return isRead || service !== 'administration' || area === 'channels'
    case 'auditor':
      return isRead
    case 'awareness-operator':
      return service === 'awareness'
    case 'firewall-auditor':
      return service === 'firewall' && isRead
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
