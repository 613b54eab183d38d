import {
  type AdministeredResource,
  createLog,
  type Log,
  type Passwords,
  type Store,
} from '@palisade/platform'
import {
  quickPasswords,
  type ReceivedReply,
  type SentRequest,
  type ServedService,
  send,
  serveOnLoopback,
  settableClock,
} from '@palisade/platform/testing'
import type { AwarenessConfiguration } from './configuration.ts'
import { createAwarenessService } from './service.ts'

/** In milliseconds. */
export const hourMs = 60 * 60 * 1000
/** In milliseconds. */
export const dayMs = 24 * hourMs

type Campaign = AwarenessConfiguration['campaigns'][number]

/** A campaign of the configuration that nobody has launched yet, unless `more` says otherwise. */
export function campaign(id: number, more: Partial<Campaign> = {}): Campaign {
  return {
    id,
    name: `Campaign ${id}`,
    status: 'Created',
    created: null,
    launched: null,
    completed: null,
    sent: 0,
    opened: 0,
    clicked: 0,
    submitted: 0,
    reported: 0,
    ...more,
  }
}

/** A key for everybody, a key for one user, a key for some addresses; users with and without permission. */
export const configuration: AwarenessConfiguration = {
  basePath: '/awareness',
  callsPerHour: 1000,
  users: [
    { username: 'api@example.org', password: 'c0rrect', permissions: ['campaigns', 'results'] },
    { username: 'powerless@example.org', password: 'p0werless', permissions: ['results'] },
  ],
  apiKeys: [
    { key: 'KEY-FOR-ALL', username: null, allowedAddresses: [] },
    { key: 'KEY-FOR-ONE', username: 'api@example.org', allowedAddresses: [] },
    { key: 'KEY-FOR-SOME', username: null, allowedAddresses: ['127.0.0.2', '192.0.2.0/24', '2001:db8::/32'] },
  ],
  campaigns: [],
}

/** What a user of the configuration logs in with who may see campaigns and results. */
export const credentials = {
  bof_ticket_user: 'api@example.org',
  bof_ticket_pw: 'c0rrect',
  api_key: 'KEY-FOR-ALL',
}

/** What the other one logs in with, who may see results alone. */
export const powerless = {
  bof_ticket_user: 'powerless@example.org',
  bof_ticket_pw: 'p0werless',
  api_key: 'KEY-FOR-ALL',
}

const sharedPasswords = quickPasswords()
const key = Buffer.alloc(32, 7)

/** An awareness service that is served, and calls of it. */
export interface TestService extends ServedService {
  readonly clock: ReturnType<typeof settableClock>
  /** What operators administer of the service. */
  readonly administered: readonly AdministeredResource[]
  authenticate(body: unknown, sent?: SentRequest): Promise<ReceivedReply>
  /** The access token of a successful authentication. */
  tokenFor(body: typeof credentials, from?: string): Promise<string>
  get(path: string, token: string, from?: string): Promise<ReceivedReply>
}

/** The awareness service over a store, at real ports. */
export async function serveAwareness(
  store: Store,
  settings: {
    readonly configuration?: Partial<AwarenessConfiguration>
    readonly clock?: ReturnType<typeof settableClock>
    readonly trustedProxies?: readonly string[]
    readonly log?: Log
    readonly passwords?: Passwords
    readonly configurationFile?: string
  } = {},
): Promise<TestService> {
  const { clock = settableClock(), log = createLog('silent'), trustedProxies = [] } = settings
  const { passwords = sharedPasswords } = settings
  const service = await createAwarenessService({
    configuration: { ...configuration, ...settings.configuration },
    store,
    passwords,
    clock,
    log,
    key,
    configurationFile: settings.configurationFile ?? null,
    dataDirectory: '/nonexistent',
  })
  const served = await serveOnLoopback(service, { trustedProxies, log })
  const authenticate = (body: unknown, sent: SentRequest = {}) =>
    send(`${served.baseUrl}/authenticate`, { method: 'POST', body, ...sent })
  return {
    ...served,
    administered: service.administered ?? [],
    clock,
    authenticate,
    tokenFor: async (body, from = '127.0.0.1') => {
      const { status, json, text } = await authenticate(body, { from })
      if (status !== 200) throw new Error(`authentication was refused: ${text}`)
      return json.data.access_token
    },
    get: (path, token, from = '127.0.0.1') =>
      send(`${served.baseUrl}${path}`, { headers: { access_token: token }, from }),
  }
}

/** The envelope of every failure, member for member. */
export function refusalOf(status: number, statusMessage: string, reason: string): object {
  return {
    status,
    statusMessage,
    statusDetails: { Reason: reason },
    entity: 'unknown',
    jobid: 0,
    notifications: [],
    data: [],
  }
}
