import { Agent } from 'node:http'
import { type ReceivedReply, send } from '@palisade/platform/testing'
import { administrator } from './firewall.ts'

/** A client that logged in once and keeps that token, as most do. */
export interface Client {
  /** As login handed it out, with its line feeds. */
  readonly token: string
  /** Where the API of that version is: {base_url}/restapi/v3.2. */
  readonly root: string
  /** @param path what follows the version, such as "services"; a body other than text is sent as JSON */
  call(method: string, path: string, body?: unknown): Promise<ReceivedReply>
  get(path: string): Promise<ReceivedReply>
}

/** Logs in at the newest version of the API. @param from the loopback address that the login comes from */
export async function logIn(
  baseUrl: string,
  { username, password }: { username: string; password: string } = administrator,
  from = '127.0.0.1',
): Promise<Client> {
  const root = `${baseUrl}/restapi/v3.2`
  const { json } = await send(`${root}/login`, { method: 'POST', from, body: { username, password } })
  const token = String(json.token)
  // A connection for each of thousands of requests would cost a quarter of the processor's time.
  const agent = new Agent({ keepAlive: true })
  const always = { agent, headers: basic(`${token}:`) }
  const call = (method: string, path: string, body?: unknown) =>
    send(`${root}/${path}`, { ...always, method, ...(body === undefined ? {} : { body }) })
  return { root, token, call, get: (path) => call('GET', path) }
}

/** The Authorization header with these credentials. */
export function basic(credentials: string, scheme = 'Basic'): { authorization: string } {
  return { authorization: `${scheme} ${Buffer.from(credentials).toString('base64')}` }
}
