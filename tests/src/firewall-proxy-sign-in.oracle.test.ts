import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { type Visited, Visitor } from './support/firewall/visitor.ts'
import { cleanUp, Server } from './support/programs/server.ts'

const password = 'correct horse battery staple'
const twoWorkers = { workers: 2 }

let server: Server
let management: Management
let proxy: ProxyProcess
before(async () => {
  server = await Server.start()
  proxy = await ProxyProcess.start(server, undefined, twoWorkers)
  management = await Management.connect(server)
  await management.call('POST', 'local-groups', { name: 'staff' })
  await management.call('POST', 'local-users', { name: 'ada', password, 'user-groups': ['staff'] })
  await management.call('POST', 'local-users', { name: 'bob', password })
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** A service behind a login, and what its application was asked. */
async function protect(
  name: string,
  { authentication = {}, policy = {} }: { readonly authentication?: object; readonly policy?: object } = {},
): Promise<{ readonly origin: string; readonly asked: IncomingMessage[]; readonly visitor: () => Visitor }> {
  const asked: IncomingMessage[] = []
  const behind = await application((request, response) => {
    asked.push(request)
    request.resume()
    response.setHeader('cache-control', 'public, max-age=60')
    response.end(`asked for ${request.url}`)
  })
  const port = await management.protect(name, behind)
  await management.call('POST', `services/${name}/authorization-policies`, {
    name: 'inside',
    url: '/inside/*',
    'allow-any-authenticated-user': 'Yes',
    ...policy,
  })
  await management.call('PUT', `services/${name}/authentication`, {
    status: 'On',
    'authentication-service': 'internal',
    ...authentication,
  })
  await management.untilHealth(`services/${name}`, 'Up')
  return { origin: `http://127.0.0.1:${port}`, asked, visitor: () => new Visitor() }
}

/** Logs in by the form that a page leads to. */
async function logIn(
  visitor: Visitor,
  origin: string,
  { path = '/inside/page?a=1', user = 'ada', secret = password } = {},
): Promise<Visited> {
  const sent = await visitor.open(`${origin}${path}`)
  assert.equal(sent.status, 302)
  const page = await visitor.open(sent.location)
  assert.equal(page.status, 200)
  const [, action = ''] = /action="([^"]+)"/.exec(page.body) ?? []
  return visitor.open(new URL(action, origin).href, { form: { f_username: user, f_passwd: secret } })
}

test('a login by form leads back to what was asked for, counts in every worker and after a restart, and ends', async () => {
  const { origin, asked, visitor } = await protect('form')
  const ada = visitor()
  assert.equal((await ada.open(`${origin}/public`)).body, 'asked for /public')
  const wrong = await logIn(ada, origin, { secret: 'wrong' })
  assert.equal(wrong.status, 403)
  assert.match(wrong.body, /Not logged in/)
  assert.equal(asked.length, 1)
  const right = await logIn(ada, origin)
  assert.equal(right.status, 302)
  assert.equal(right.location, `${origin}/inside/page?a=1`)
  for (let round = 0; round < 8; round++) {
    const page = await ada.open(right.location)
    assert.equal(page.body, 'asked for /inside/page?a=1')
    assert.equal(page.headers['cache-control'], 'private, max-age=60')
  }
  assert.ok(asked.every(({ headers }) => !(headers.cookie ?? '').includes('ps_login')))

  await proxy.program.stop()
  proxy = await ProxyProcess.start(server, proxy.folder, twoWorkers)
  assert.equal((await ada.open(right.location)).status, 200)

  const stolen = visitor()
  for (const [name, value] of ada.cookiesOf(origin)) stolen.cookiesOf(origin).set(name, value)
  assert.equal((await stolen.open(right.location)).status, 200)
  const out = await ada.open(`${origin}/nclogin.submit?f_method=LOGOUT`)
  assert.match(out.body, /Logged out/)
  assert.equal(ada.cookiesOf(origin).size, 0)
  assert.equal((await ada.open(right.location)).status, 302)
})
