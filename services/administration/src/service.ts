import {
  type AdministeredResource,
  FailedLogins,
  type HttpService,
  migrate,
  problemDetails,
  type ServiceFoundation,
} from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { Authentication } from './access/authentication.ts'
import { tokenResource } from './access/token-resource.ts'
import { auditExport } from './audit/audit-export.ts'
import { auditResource } from './audit/audit-resource.ts'
import type { AdministrationConfiguration } from './configuration.ts'
import { administrationContract } from './contract.ts'
import { operatorResource } from './operators/operator-resource.ts'
import { type FirstOwner, Operators } from './operators/operators.ts'
import { mountResource } from './resources/mount-resource.ts'
import { sessionResource } from './sessions/session-resource.ts'
import { sessionRoutes } from './sessions/session-routes.ts'
import { Sessions } from './sessions/sessions.ts'
import { administrationMigrations } from './tables.ts'

/** What the administration stands on. */
export interface AdministrationServiceDependencies
  extends Pick<ServiceFoundation, 'store' | 'passwords' | 'clock' | 'key' | 'configurationFile'> {
  readonly configuration: AdministrationConfiguration
  /** What operators administer of the services. */
  readonly resources: readonly AdministeredResource[]
}

const basePath = '/admin/v1'
const minuteMs = 60_000

/**
 * The administration of Palisade itself: migrates its tables, applies what is provisioned and returns its routes. Needs the table of
 * `auditMigrations`.
 *
 * @returns also the owner who was made, where there was no operator at all
 */
export async function createAdministrationService(
  deps: AdministrationServiceDependencies,
): Promise<{ readonly service: HttpService; readonly firstOwner: FirstOwner | undefined }> {
  const { configuration, store, passwords, clock, key } = deps
  await migrate(store, 'administration', administrationMigrations(store))
  const operators = new Operators({ store, passwords, clock })
  await operators.provision(configuration.operators, deps.configurationFile)
  const firstOwner = await operators.makeFirstOwner()
  const limits = {
    lifetimeMs: configuration.sessionHours * 60 * minuteMs,
    idleMs: configuration.sessionIdleMinutes * minuteMs,
  }
  const sessions = new Sessions({ store, clock, key, limits })
  const authentication = new Authentication({ sessions, store, clock })
  const failedLogins = new FailedLogins(clock)
  const resources = [
    operatorResource(operators),
    sessionResource,
    tokenResource(clock),
    auditResource,
    ...deps.resources,
  ]
  const tags = Object.fromEntries(resources.map(({ noun, path }) => [noun.many, `Below ${path}.`]))
  const service: HttpService = {
    name: 'admin',
    title: 'Palisade administration',
    basePath,
    envelope: problemDetails,
    contract: administrationContract({ ...tags, Sessions: 'Logging in and out.' }),
    routes: async (scope: FastifyInstance) => {
      // Replies carry secrets, and what only some may see.
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'private, no-store')
      })
      await scope.register(sessionRoutes({ authentication, operators, sessions, failedLogins, store, clock }))
      await scope.register(auditExport({ authentication, store }))
      for (const resource of resources)
        mountResource(scope, resource, { authentication, store, clock, basePath })
    },
  }
  return { service, firstOwner }
}
