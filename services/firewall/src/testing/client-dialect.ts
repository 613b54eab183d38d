import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openStore } from '@palisade/platform'
import { type ReceivedReply, send } from '@palisade/platform/testing'
import { basic } from './client.ts'
import { administrator, serveFirewall } from './firewall.ts'

/** How one client that exists speaks to the API. */
export interface Dialect {
  /** The version under which it makes most requests, such as "v3.1". */
  readonly version: string
  /** The version under which it logs in, when it is another one. */
  readonly loginVersion?: string
  /** The scheme's name as it writes it; Basic when left out. */
  readonly scheme?: string
  /** What it puts into the Authorization header, given the token as the login reply's JSON has it. */
  readonly credentials: (token: string) => string
  /** Headers that it sends with every request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A client that keeps one token. */
export interface Speaker {
  /** @param body text is sent as it is, anything else as JSON; both with the content type of JSON */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ReceivedReply>
  get(path: string): Promise<ReceivedReply>
}

/** A firewall that is served to the tests of one file. */
export interface FirewallForClients {
  /** {base_url}/restapi/{version}/{path} */
  address(version: string, path: string): string
  /** Logs in and gives the token, as the JSON has it. */
  token(version: string): Promise<string>
  /** A client that has this token. */
  speak(dialect: Dialect, token: string): Speaker
  /** A client that logged in. */
  logIn(dialect: Dialect): Promise<Speaker>
}

const json = { 'content-type': 'application/json' }

/** Serves one firewall to all tests of a file, on a store of its own, until they have run. */
export async function firewallForClients(): Promise<FirewallForClients> {
  const directory = mkdtempSync(join(tmpdir(), 'palisade-clients-'))
  const store = openStore('embedded', directory)
  const served = await serveFirewall({ store })
  after(async () => {
    await served.close()
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const address = (version: string, path: string) => `${served.baseUrl}/restapi/${version}/${path}`
  const token = async (version: string): Promise<string> => {
    const { username, password } = administrator
    const { json } = await send(address(version, 'login'), { method: 'POST', body: { username, password } })
    return json.token
  }
  const speak: FirewallForClients['speak'] = (
    { version, scheme, credentials, headers: always = {} },
    input,
  ) => {
    const authorization = basic(credentials(input), scheme)
    const call: Speaker['call'] = (method, path, body, headers = {}) =>
      send(address(version, path), {
        method,
        headers: { ...(body === undefined ? {} : json), ...always, ...authorization, ...headers },
        ...(body === undefined ? {} : { body }),
      })
    return { call, get: (path) => call('GET', path) }
  }
  return {
    address,
    token,
    speak,
    logIn: async (dialect) => speak(dialect, await token(dialect.loginVersion ?? dialect.version)),
  }
}

/** The token as text in which line feeds are still escaped, for clients that do not read it as JSON. */
export function withEscapedLineFeeds(token: string): string {
  return token.replaceAll('\n', '\\n')
}
