import { hostname } from 'node:os'
import {
  type AdministeredResource,
  type Attention,
  FailedLogins,
  type HttpService,
  JobRunner,
  migrate,
  type Provisioning,
  problemDetails,
  refuseProblems,
  type ServiceFoundation,
} from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { AttentionList } from './attention/attention-list.ts'
import { AttentionMonitor, type AttentionSource } from './attention/attention-monitor.ts'
import { attentionResource } from './attention/attention-resource.ts'
import { auditExport } from './audit/audit-export.ts'
import { auditResource } from './audit/audit-resource.ts'
import { Authentication } from './authentication/authentication.ts'
import { sessionRoutes } from './authentication/session-routes.ts'
import { tokenResource } from './authentication/token-resource.ts'
import { problemsOfAdministration } from './check-configuration.ts'
import type { AdministrationConfiguration } from './configuration.ts'
import { administrationContract } from './contract.ts'
import { channelRoutes } from './notifications/channel-routes.ts'
import { Outbox } from './notifications/outbox.ts'
import { sendersOf } from './notifications/senders.ts'
import { operatorResource } from './operators/operator-resource.ts'
import { type FirstOwner, Operators } from './operators/operators.ts'
import { SecondFactors } from './operators/second-factors.ts'
import { mountResource } from './resources/mount-resource.ts'
import { sessionResource } from './sessions/session-resource.ts'
import { Sessions } from './sessions/sessions.ts'
import { type SystemState, systemRoutes } from './system-routes.ts'
import { administrationMigrations } from './tables.ts'

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
  /** What operators administer of the services. */
  readonly resources: readonly AdministeredResource[]
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
  const provisioning: Provisioning<AdministrationConfiguration> = {
    problems: async () => [],
    apply: (given) => operators.provision(given.operators, deps.configurationFile),
  }
  await provisioning.apply(configuration)
  const firstOwner = await operators.makeFirstOwner()
  const limits = {
    lifetimeMs: configuration.sessionHours * 60 * minuteMs,
    idleMs: configuration.sessionIdleMinutes * minuteMs,
  }
  const sessions = new Sessions({ store, clock, key, limits })
  const authentication = new Authentication({ sessions, store, clock })
  const { channels, routes } = configuration.notifications
  const server = hostname()
  const outbox = new Outbox({ store, senders: sendersOf(channels), server, clock, log })
  await outbox.prepare()
  const monitor = new AttentionMonitor({
    list: new AttentionList(store, routes),
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
  const failedLogins = new FailedLogins(clock)
  const resources = [
    operatorResource(operators, secondFactors),
    sessionResource,
    tokenResource(clock),
    auditResource,
    attentionResource,
    ...deps.resources,
  ]
  const tags = Object.fromEntries(resources.map(({ noun, path }) => [noun.many, `Below ${path}.`]))
  const service: AdministrationService = {
    name: 'admin',
    title: 'Palisade administration',
    basePath,
    envelope: problemDetails,
    provisioning,
    contract: administrationContract({
      ...tags,
      Sessions: 'Logging in and out.',
      System: 'How a server is.',
      channels: 'Who gets word of what needs attention.',
    }),
    routes: async (scope: FastifyInstance) => {
      // Replies carry secrets, and what only some may see.
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'private, no-store')
      })
      await scope.register(
        sessionRoutes({ authentication, operators, sessions, failedLogins, secondFactors, store, clock }),
      )
      await scope.register(systemRoutes({ authentication, system: deps.system }))
      await scope.register(channelRoutes({ authentication, channels, outbox }))
      await scope.register(auditExport({ authentication, store }))
      for (const resource of resources) {
        mountResource(scope, resource, { authentication, store, clock, basePath })
      }
    },
    close: async () => {
      await monitor.close()
      await sending.close()
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
