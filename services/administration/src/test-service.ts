import {
  type AdministeredResource,
  auditMigrations,
  type Clock,
  createLog,
  createMetrics,
  migrate,
  type OperatorAuthority,
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
import type { Grant } from './access/grants.ts'
import type { AttentionSource } from './attention/attention-monitor.ts'
import { createOperatorAuthority } from './authentication/open-authentication.ts'
import type { AdministrationConfiguration } from './configuration.ts'
import type { FirstOwner } from './operators/operators.ts'
import { createAdministrationService } from './service.ts'

export { startProvider, type TestProvider } from './testing/openid-provider.ts'

const passwords = quickPasswords()
const key = Buffer.alloc(32, 7)
const sessionLimits = { sessionHours: 12, sessionIdleMinutes: 120 }

/** Who tells services of the operators of an administration that is served over the same store. */
export function testOperators(store: Store, clock: Clock): OperatorAuthority {
  return createOperatorAuthority({ store, clock, key, configuration: sessionLimits })
}

/** An administration that is served, and calls of it. */
export interface TestAdministration extends ServedService {
  readonly clock: ReturnType<typeof settableClock>
  readonly owner: FirstOwner
  /** Applies a part of a changed configuration, as a reload does; the rest is as at the start. */
  provision(changed: Partial<AdministrationConfiguration>): Promise<void>
  /** Looks now for what needs attention. */
  look(): Promise<void>
  /** Sends one request as an operator with a session. */
  as(
    session: TestSession,
    method: string,
    path: string,
    sent?: Pick<SentRequest, 'body' | 'headers'>,
  ): Promise<ReceivedReply>
  /** Sends one request with an API token. */
  with(
    token: string,
    method: string,
    path: string,
    sent?: Pick<SentRequest, 'body' | 'headers'>,
  ): Promise<ReceivedReply>
  logIn(username: string, password: string): Promise<TestSession>
}

/** What a client holds after a login. */
export interface TestSession {
  readonly cookie: string
  readonly csrfToken: string
}

/** The administration over a store, at real ports, with the owner that a first start makes. */
export async function serveAdministration(
  store: Store,
  given: {
    readonly configuration?: Partial<AdministrationConfiguration>
    readonly configurationFile?: string
    readonly attention?: readonly AttentionSource[]
    readonly resources?: readonly AdministeredResource[]
    readonly owner?: { readonly username: string; readonly password: string }
    readonly clock?: ReturnType<typeof settableClock>
  } = {},
): Promise<TestAdministration> {
  const { clock = settableClock() } = given
  const configuration = {
    operators: [],
    ...sessionLimits,
    attentionSeconds: 3600,
    openid: [],
    notifications: { channels: [], routes: [], forbiddenAddresses: [] },
    ...given.configuration,
  }
  await migrate(store, 'audit', auditMigrations(store))
  const { service, firstOwner, monitor } = await createAdministrationService({
    store,
    passwords,
    clock,
    key,
    log: createLog('silent'),
    configuration,
    system: async () => {
      throw new Error('the tests of the server say how it is')
    },
    attention: given.attention ?? [],
    lookEveryMs: 20,
    configurationFile: given.configurationFile ?? null,
    resources: () => given.resources ?? [],
    metrics: createMetrics(),
  })
  const owner = firstOwner ?? given.owner
  if (owner === undefined) throw new Error('the store has operators already: say who its owner is')
  const served = await serveOnLoopback(service)
  return {
    ...served,
    clock,
    owner,
    provision: (changed) => service.provisioning.apply({ ...configuration, ...changed }),
    look: () => monitor.look(),
    as: ({ cookie, csrfToken }, method, path, sent = {}) =>
      send(`${served.baseUrl}${path}`, {
        ...sent,
        method,
        headers: { cookie, 'x-csrf-token': csrfToken, ...sent.headers },
      }),
    with: (token, method, path, sent = {}) =>
      send(`${served.baseUrl}${path}`, {
        ...sent,
        method,
        headers: { authorization: `Bearer ${token}`, ...sent.headers },
      }),
    logIn: async (username, password) => {
      const reply = await send(`${served.baseUrl}/session`, { method: 'POST', body: { username, password } })
      if (reply.status !== 201) throw new Error(`the login was refused: ${reply.text}`)
      return { cookie: cookieOf(reply), csrfToken: reply.json.csrfToken }
    },
  }
}

/** What a browser sends back of the cookie that it was given. */
export function cookieOf({ headers }: ReceivedReply): string {
  const [cookie] = headers['set-cookie'] ?? []
  return cookie?.split(';')[0] ?? ''
}

/** A service that is administered, as its tests serve it. */
interface ServiceWithResources {
  readonly administered: readonly AdministeredResource[]
  close(): Promise<void>
}

/** One service and the administration over the same store, at real ports of their own. */
export class AdministeredService<Service extends ServiceWithResources> {
  readonly service: Service
  readonly administration: TestAdministration
  readonly owner: TestSession
  readonly #path: string
  #operators = 0

  private constructor(
    service: Service,
    path: string,
    administration: TestAdministration,
    owner: TestSession,
  ) {
    this.service = service
    this.#path = path
    this.administration = administration
    this.owner = owner
  }

  /**
   * @param path where the resources of the service lie, such as "/email"
   * @param owner of a store that has operators already
   */
  static async serve<Service extends ServiceWithResources>(
    store: Store,
    path: string,
    service: Service,
    owner?: FirstOwner,
  ): Promise<AdministeredService<Service>> {
    const { administered: resources } = service
    const administration = await serveAdministration(store, { resources, ...(owner && { owner }) })
    const { username, password } = administration.owner
    const session = await administration.logIn(username, password)
    return new AdministeredService(service, path, administration, session)
  }

  /** One request of the owner, with `If-Match: *` unless it says otherwise. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: SentRequest['headers'] = {},
  ): Promise<ReceivedReply> {
    return this.sendAs(this.owner, method, path, body, { 'if-match': '*', ...headers })
  }

  sendAs(
    session: TestSession,
    method: string,
    path: string,
    body?: unknown,
    headers: SentRequest['headers'] = { 'if-match': '*' },
  ): Promise<ReceivedReply> {
    const options = { headers, ...(body === undefined ? {} : { body }) }
    return this.administration.as(session, method, `${this.#path}${path}`, options)
  }

  /** The session of a new operator with these grants. */
  async operator(...grants: readonly Grant[]): Promise<TestSession> {
    const username = `operator-${++this.#operators}`
    const password = 'correct horse battery'
    const { status, text } = await this.administration.as(this.owner, 'POST', '/operators', {
      body: { username, password, grants },
    })
    if (status !== 201) throw new Error(text)
    return this.administration.logIn(username, password)
  }

  async close(): Promise<void> {
    await this.administration.close()
    await this.service.close()
  }
}
