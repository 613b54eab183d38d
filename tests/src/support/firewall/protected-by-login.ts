import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { cleanUp, Server } from '../programs/server.ts'
import { application, cleanUpApplications, Management, ProxyProcess } from './proxy.ts'
import { type Visited, Visitor } from './visitor.ts'

/** How proxies run in these tests. */
export const twoWorkers = { workers: 2 }

/** The password of everybody who logs in. */
export const password = 'correct horse battery staple'

/** An application behind a login. */
export interface ProtectedByLogin {
  readonly origin: string
  /** What the application was asked. */
  readonly asked: IncomingMessage[]
  /** Somebody who has not logged in. */
  readonly visitor: () => Visitor
}

/** What a test says of a service beyond what all say. */
interface LoginSettings {
  readonly authentication?: object
  readonly policy?: object
  readonly service?: { readonly port?: number }
}

/** A server that knows users, and a proxy beside it with two workers. */
export interface LoginServers {
  readonly server: Server
  readonly management: Management
  readonly proxy: ProxyProcess
}

/** Starts them; {@link stopLogins} ends them. */
export async function startLogins(): Promise<LoginServers> {
  const server = await Server.start()
  const proxy = await ProxyProcess.start(server, undefined, twoWorkers)
  const management = await Management.connect(server)
  await addUsers(management)
  return { server, management, proxy }
}

export async function stopLogins(): Promise<void> {
  await cleanUp()
  cleanUpApplications()
}

/** Ada, of the group staff, and Bob, who is in none. */
async function addUsers(management: Management): Promise<void> {
  await management.call('POST', 'local-groups', { name: 'staff' })
  await management.call('POST', 'local-users', { name: 'ada', password, 'user-groups': ['staff'] })
  await management.call('POST', 'local-users', { name: 'bob', password })
}

/**
 * A service that asks whoever wants to see what is below `/inside/` to log in.
 *
 * @param authentication over what it says of logins @param policy over what it says of these addresses
 */
export async function protectByLogin(
  management: Management,
  name: string,
  { authentication = {}, policy = {}, service = {} }: LoginSettings = {},
): Promise<ProtectedByLogin> {
  const asked: IncomingMessage[] = []
  const behind = await application((request, response) => {
    asked.push(request)
    request.resume()
    response.setHeader('cache-control', 'public, max-age=60')
    response.end(`asked for ${request.url}`)
  })
  const port = await management.protect(name, behind, service)
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
  return { origin: `http://127.0.0.1:${service.port ?? port}`, asked, visitor: () => new Visitor() }
}

/** Logs in by the form that a page leads to. */
export async function logIn(
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
