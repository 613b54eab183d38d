import { readFileSync } from 'node:fs'
import { Option } from '@commander-js/extra-typings'
import {
  type Access,
  ApiError,
  type Authorisation,
  accepted,
  answer,
  createFetch,
  firewallLogin,
  firewallToken,
  NotAuthenticated,
} from '@palisade/sdk'
import { apiCommand } from '../api-command.ts'
import { type ConnectionOptions, connect, UsageError } from '../connection.ts'
import { calls } from '../operations.ts'

/** Options of every command of the firewall. */
export interface ManagementOptions extends ConnectionOptions {
  readonly administrator: string
  readonly username?: string | undefined
  readonly passwordFile?: string | undefined
}

/**
 * A command that calls the firewall's management: as an operator, or as an administrator who logs in.
 *
 * @param operations ids of those of the firewall's contract that it calls, besides login and logout
 */
export function managementCommand(name: string, ...operations: readonly string[]) {
  const command = apiCommand(name)
    .addOption(
      new Option(
        '--administrator <name>',
        'the administrator of the firewall as whom an operator calls',
      ).default('admin'),
    )
    .addOption(
      new Option(
        '--username <name>',
        "log in as this administrator, at the --server of the firewall's management",
      ).env('PALISADE_FIREWALL_USERNAME'),
    )
    .addOption(
      new Option('--password-file <file>', 'the password of that administrator').env(
        'PALISADE_FIREWALL_PASSWORD_FILE',
      ),
    )
  calls(command, 'admin', 'tokenOfFirewallAdministrator')
  calls(command, 'firewall', 'login', 'logout', ...operations)
  return command
}

/** What a call says beside its method and address. */
interface CallContent {
  /** Parameters of the query; those that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Sent as JSON. */
  readonly body?: unknown
}

/** What a reply holds beside its token. */
export interface Reply {
  readonly msg?: string
  readonly id?: string
  /** Of a backup that was written. */
  readonly filename?: string
  readonly data?: unknown
  /** The name of the checkpoint that takes a deletion back; undefined where nothing does. A header says it. */
  readonly checkpoint?: string
}

/** The firewall's management API, as one administrator. */
export interface Management {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** The name of the administrator. */
  readonly administrator: string
  /**
   * @param address after the version, such as `services/shop`
   * @throws ApiError when it refuses
   */
  call(method: string, address: string, content?: CallContent): Promise<Reply>
  /** A reply that is no JSON: a file. */
  download(address: string, query: Readonly<Record<string, string | undefined>>): Promise<Uint8Array>
}

/**
 * Has something done as an administrator, and ends his token, whichever way it ended.
 *
 * @throws UsageError when it is not said who calls
 */
export async function withManagement<Result>(
  options: ManagementOptions,
  use: (management: Management) => Promise<Result>,
): Promise<Result> {
  const access = await accessOf(options)
  const send = createFetch(access)
  let isLoggedIn = false
  const call = async (method: string, address: string, content?: CallContent) => {
    try {
      const response = await accepted(await send(...requestOf(method, address, content)))
      isLoggedIn = true
      return response
    } catch (error) {
      // To log out with a wrong password would be another login that fails.
      isLoggedIn ||= error instanceof ApiError && !(error instanceof NotAuthenticated)
      throw error
    }
  }
  try {
    return await use({
      baseUrl: access.baseUrl,
      administrator: options.username ?? options.administrator,
      call: async (...request) => {
        const response = await call(...request)
        const reply = (await response.json()) as Reply
        const checkpoint = response.headers.get('palisade-checkpoint')
        return checkpoint === null ? reply : { ...reply, checkpoint }
      },
      download: async (address, query) =>
        new Uint8Array(await (await call('GET', address, { query })).arrayBuffer()),
    })
  } finally {
    if (isLoggedIn) await logOut(send)
  }
}

/** The token would end by itself in some minutes: that it could not be ended now is no failure of what was asked for. */
async function logOut(send: ReturnType<typeof createFetch>): Promise<void> {
  await send(...requestOf('DELETE', 'logout')).catch(() => undefined)
}

function requestOf(
  method: string,
  address: string,
  { query = {}, body }: CallContent = {},
): [path: string, init: RequestInit] {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  const content =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const queryText = parameters.size > 0 ? `?${parameters}` : ''
  return [`/restapi/v3.2/${address}${queryText}`, { method, ...content }]
}

async function accessOf(options: ManagementOptions): Promise<Access> {
  if (options.username === undefined) {
    const { server, administration } = connect(options)
    const { administrator } = options
    const issue = () =>
      answer(
        administration.POST('/firewall/administrators/{administrator}/token', {
          params: { path: { administrator } },
        }),
      )
    return { baseUrl: `${server}/firewall`, authorisation: renewed(async () => (await issue()).token) }
  }
  if (options.passwordFile === undefined) {
    throw new UsageError('Name the file with the password of the administrator too: --password-file.')
  }
  if (options.server === undefined || !URL.canParse(options.server)) {
    throw new UsageError(
      "Name the address of the firewall's management too: --server, such as https://palisade.example.org:8443.",
    )
  }
  const baseUrl = options.server.replace(/\/+$/, '')
  const password = readFileSync(options.passwordFile, 'utf8').trim()
  const authorisation: Authorisation = firewallLogin(baseUrl, { username: options.username, password })
  return { baseUrl, authorisation }
}

/** Tokens of the firewall live for minutes: another one is asked for when one is refused. */
function renewed(issue: () => Promise<string>): Authorisation {
  let current: Promise<string> | undefined
  return {
    async headers() {
      current ??= issue()
      return firewallToken(await current).headers()
    },
    renew() {
      current = undefined
    },
  }
}

/** The members of what should be an object; none when it is something else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** The objects of a listing by name, each with its members. */
export function objectsOf({ data }: Reply): [name: string, members: Readonly<Record<string, unknown>>][] {
  return Object.entries(membersOf(data)).map(([name, object]) => [name, membersOf(object)])
}

/** The only object of a reply. */
export function objectOf(reply: Reply): Readonly<Record<string, unknown>> {
  return objectsOf(reply)[0]?.[1] ?? {}
}

/** Whether a value is a secret as the management seals it for its documents. */
export function isSealed(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('sealed:')
}
