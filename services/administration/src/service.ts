import { hostname } from 'node:os'
import {
  type AdministeredResource,
  type Attention,
  type HttpService,
  JobRunner,
  migrate,
  type Provisioning,
  problemDetails,
  refuseProblems,
  type ServiceFoundation,
  type ServiceMetrics,
} from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { AttentionList } from './attention/attention-list.ts'
import { AttentionMonitor, type AttentionSource } from './attention/attention-monitor.ts'
import { attentionResource } from './attention/attention-resource.ts'
import { auditExport } from './audit/audit-export.ts'
import { auditResource } from './audit/audit-resource.ts'
import { LoginTickets } from './authentication/login-tickets.ts'
import { openAuthentication } from './authentication/open-authentication.ts'
import { SessionOpening } from './authentication/session-opening.ts'
import { sessionRoutes } from './authentication/session-routes.ts'
import { tokenResource } from './authentication/token-resource.ts'
import { problemsOfAdministration } from './check-configuration.ts'
import type { AdministrationConfiguration } from './configuration.ts'
import { administrationContract } from './contract.ts'
import { administrationMigrations } from './migrations.ts'
import { filesOfChannels, problemsOfChannelFiles } from './notification-configuration.ts'
import { channelResource } from './notifications/channel-resource.ts'
import { Channels } from './notifications/channels.ts'
import { Outbox } from './notifications/outbox.ts'
import { routeResource } from './notifications/route-resource.ts'
import { provisionRoutes } from './notifications/routes.ts'
import { testRoutes } from './notifications/test-routes.ts'
import { loginRoutes } from './openid/login-routes.ts'
import { OpenIdOperators } from './openid/openid-operators.ts'
import { filesOfProviders, OpenIdProviders, problemsOfProviderFiles } from './openid/openid-providers.ts'
import { providerLogout } from './openid/provider-logout.ts'
import { LoginAttempts } from './operators/login-attempts.ts'
import { operatorResource } from './operators/operator-resource.ts'
import { type FirstOwner, Operators } from './operators/operators.ts'
import { ownActions } from './operators/own-actions.ts'
import { RefusedLogins } from './operators/refused-logins.ts'
import { SecondFactors } from './operators/second-factors.ts'
import { passkeyActions } from './passkeys/passkey-actions.ts'
import { passkeyResource } from './passkeys/passkey-resource.ts'
import { passkeyRoutes } from './passkeys/passkey-routes.ts'
import { Passkeys, relyingPartyOf } from './passkeys/passkeys.ts'
import { mountResource } from './resources/mount-resource.ts'
import { sessionResource } from './sessions/session-resource.ts'
import { type SystemState, systemRoutes } from './system-routes.ts'

/** What the administration stands on. */
export interface AdministrationServiceDependencies
  extends Pick<ServiceFoundation, 'store' | 'passwords' | 'clock' | 'key' | 'log' | 'configurationFile'> {
  readonly configuration: AdministrationConfiguration
  /** How this server is. */
  readonly system: () => Promise<SystemState>
  /** Who tells of what needs attention. */
  readonly attention: readonly AttentionSource[]
  /** How often it is looked for what is to be sent, in milliseconds; 5 s when left out. */
  readonly lookEveryMs?: number
  /** What operators administer of the services, asked for whenever the routes are mounted. */
  readonly resources: () => readonly AdministeredResource[]
  /** Where it counts what it sends. */
  readonly metrics: ServiceMetrics
}

const basePath = '/admin/v1'
const minuteMs = 60_000
const lookEveryMsDefault = 5_000

/** The administration, and what provisions its operators. */
export interface AdministrationService extends HttpService {
  readonly provisioning: Provisioning<AdministrationConfiguration>
}

/**
 * The administration of Palisade itself: migrates its tables, applies what is provisioned and returns its routes. Needs the table of
 * `auditMigrations`.
 *
 * @returns also the owner who was made, where there was no operator at all, and what looks for what needs attention
 */
export async function createAdministrationService(deps: AdministrationServiceDependencies): Promise<{
  readonly service: AdministrationService
  readonly firstOwner: FirstOwner | undefined
  readonly monitor: AttentionMonitor
}> {
  const { configuration, store, passwords, clock, key, log } = deps
  refuseProblems('the administration', problemsOfAdministration(configuration))
  await migrate(store, 'administration', administrationMigrations(store))
  const operators = new Operators({ store, passwords, clock })
  const channels = new Channels({ store, key })
  const passkeys = new Passkeys({ store, clock })
  const providers = new OpenIdProviders({ basePath, clock, log })
  const file = deps.configurationFile
  const provisioning: Provisioning<AdministrationConfiguration> = {
    problems: async (given) => [
      ...problemsOfChannelFiles(given.notifications),
      ...problemsOfProviderFiles(given.openid),
    ],
    files: ({ openid, notifications }) => ({
      openid: filesOfProviders(openid),
      notifications: filesOfChannels(notifications),
    }),
    apply: async (given) => {
      const { operators: named, notifications } = given
      const read = providers.read(given)
      await operators.provision(named, file)
      await store.serializably(async (tables) => {
        await channels.provision(tables, notifications.channels, file)
        await provisionRoutes(tables, notifications.routes, file, clock.now())
      })
      channels.forbid(notifications.forbiddenAddresses)
      providers.use(read)
      passkeys.useSite(relyingPartyOf(given.publicUrl))
    },
  }
  refuseProblems('the administration', await provisioning.problems(configuration))
  await provisioning.apply(configuration)
  const firstOwner = await operators.makeFirstOwner()
  const { sessions, authentication } = openAuthentication(deps)
  const server = hostname()
  const outbox = new Outbox({ store, channels, server, clock, log, metrics: deps.metrics })
  const monitor = new AttentionMonitor({
    list: new AttentionList(store),
    sources: [
      ...deps.attention,
      { service: 'administration', isOfServer: false, read: () => failingChannels(outbox, clock.now()) },
    ],
    server,
    clock,
    log,
    everyMs: configuration.attentionSeconds * 1000,
  })
  const sending = new JobRunner({
    name: 'sending notifications',
    jobs: outbox,
    clock,
    log,
    pollIntervalMs: deps.lookEveryMs ?? lookEveryMsDefault,
    concurrencyMax: 8,
  })
  const secondFactors = new SecondFactors({ clock, key })
  const refused = new RefusedLogins({ store, clock, log })
  const attempts = new LoginAttempts({ store, clock, refused })
  const opening = new SessionOpening({ authentication, sessions, clock })
  const tickets = new LoginTickets({ clock, key })
  const resources = () => [
    operatorResource(operators, [
      ...ownActions({ operators, secondFactors, attempts, store }),
      ...passkeyActions({ passkeys, operators, tickets, attempts, store }),
    ]),
    passkeyResource,
    sessionResource,
    tokenResource(clock),
    auditResource,
    attentionResource,
    channelResource(channels),
    routeResource(clock),
    ...deps.resources(),
  ]
  const service: AdministrationService = {
    name: 'admin',
    title: 'Palisade administration',
    basePath,
    envelope: problemDetails,
    provisioning,
    queues: () => [{ name: 'notifications', runner: sending }],
    get contract() {
      const tags = Object.fromEntries(resources().map(({ noun, path }) => [noun.many, `Below ${path}.`]))
      return administrationContract({ ...tags, Sessions: 'Logging in and out.', System: 'How a server is.' })
    },
    routes: async (scope: FastifyInstance) => {
      // Replies carry secrets, and what only some may see.
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'private, no-store')
      })
      await scope.register(
        sessionRoutes({
          authentication,
          operators,
          sessions,
          opening,
          logoutUrlOf: (session) => providers.logoutUrl(session),
          attempts,
          secondFactors,
          store,
        }),
      )
      await scope.register(
        loginRoutes({
          providers,
          operators: new OpenIdOperators({ operators, clock }),
          opening,
          tickets,
          attempts,
          store,
          hasPasskeys: () => passkeys.areUsable,
        }),
      )
      await scope.register(providerLogout({ providers, tickets, store, clock }))
      await scope.register(passkeyRoutes({ passkeys, operators, opening, tickets, attempts, store }))
      await scope.register(systemRoutes({ authentication, system: deps.system }))
      await scope.register(testRoutes({ authentication, store, outbox }))
      await scope.register(auditExport({ authentication, store }))
      for (const resource of resources()) {
        mountResource(scope, resource, { authentication, store, clock, basePath })
      }
    },
    close: async () => {
      await monitor.close()
      await sending.close()
      await refused.close()
    },
  }
  return { service, firstOwner, monitor }
}

/** A channel is failing when it could not be sent to for this long. */
const channelFailingMs = 5 * minuteMs

async function failingChannels(outbox: Outbox, now: number): Promise<Attention[]> {
  const failing = await outbox.failing()
  return failing
    .filter(({ since }) => now - since >= channelFailingMs)
    .map(({ name, failure }) => ({
      condition: 'channel-failing',
      subject: `channel ${name}`,
      severity: 'warning',
      message: `Notifications to ${name} cannot be sent: ${failure}. They are tried again.`,
      remedy: `POST /admin/v1/channels/${name}/test`,
    }))
}
