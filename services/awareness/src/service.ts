import {
  FailedLogins,
  type HttpService,
  migrate,
  type Provisioning,
  refuseProblems,
  type ServiceFoundation,
  type ServiceWarning,
} from '@palisade/platform'
import { apiKeyResource } from './administration/api-key-resource.ts'
import { campaignResource } from './administration/campaign-resource.ts'
import { userResource } from './administration/user-resource.ts'
import { ApiKeys } from './api-keys.ts'
import { Authentication } from './authentication.ts'
import { Campaigns } from './campaigns.ts'
import { problemsOfAwareness } from './check-configuration.ts'
import type { AwarenessConfiguration } from './configuration.ts'
import { awarenessContract } from './contract.ts'
import { HourlyCalls } from './hourly-calls.ts'
import { awarenessMigrations } from './migrations.ts'
import { refusalEnvelope } from './refusals.ts'
import { awarenessRoutes } from './routes.ts'
import { SharedCalls } from './shared-calls.ts'
import { Tokens } from './tokens.ts'
import { warnOfUnknownUsers } from './unknown-users.ts'
import { Users } from './users.ts'

/** What the awareness service stands on. */
export interface AwarenessServiceDependencies extends ServiceFoundation {
  readonly configuration: AwarenessConfiguration
}

/** The awareness service, and what provisions its users, keys and campaigns. */
export interface AwarenessService extends HttpService {
  readonly provisioning: Provisioning<AwarenessConfiguration>
}

/** The awareness service: migrates its tables, applies what is provisioned and returns its routes. */
export async function createAwarenessService(deps: AwarenessServiceDependencies): Promise<AwarenessService> {
  const { configuration, store, passwords, clock, log } = deps
  refuseProblems('awareness', problemsOfAwareness(configuration))
  await migrate(store, 'awareness', awarenessMigrations)
  const users = new Users(store, passwords)
  const apiKeys = new ApiKeys(store, deps.key)
  const campaigns = new Campaigns(store)
  let warnings: readonly ServiceWarning[] = []
  const provisioning: Provisioning<AwarenessConfiguration> = {
    problems: async () => [],
    apply: async (provisioned) => {
      await users.provision(provisioned.users, deps.configurationFile)
      await apiKeys.provision(provisioned.apiKeys, deps.configurationFile)
      await campaigns.provision(provisioned.campaigns, deps.configurationFile)
      warnings = await warnOfUnknownUsers(provisioned, users, log)
    },
  }
  await provisioning.apply(configuration)

  const { callsPerHour } = configuration
  const tokens = new Tokens(store, clock)
  const hourly = await HourlyCalls.open({ store, clock, log, callsPerHour })
  const calls = await SharedCalls.open({ calls: hourly, store, log })
  const failedLogins = new FailedLogins(clock)
  const authentication = new Authentication({ apiKeys, users, tokens, calls, failedLogins })

  return {
    name: 'awareness',
    title: 'Palisade awareness training',
    basePath: configuration.basePath,
    envelope: refusalEnvelope,
    contract: awarenessContract,
    warnings: () => warnings,
    administered: [userResource(users, clock), apiKeyResource(apiKeys), campaignResource],
    provisioning,
    routes: awarenessRoutes({ authentication, campaigns, tokens, calls, callsPerHour }),
    close: async () => {
      await calls.close()
      await hourly.close()
    },
  }
}
