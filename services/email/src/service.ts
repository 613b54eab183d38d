import {
  apiClientResource,
  ClientCredentials,
  type HttpService,
  JobRunner,
  migrate,
  type OperatorAuthority,
  type Provisioning,
  problemDetails,
  refuseProblems,
  type ServiceFoundation,
  type ServiceWarning,
  tokenEndpoint,
  warnOfUnknownAccounts,
} from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { Accounts, existingAccounts } from './accounts.ts'
import { accountResource } from './administration/account-resource.ts'
import { domainResource } from './administration/domain-resource.ts'
import { problemsOfEmail, warnOfDomains } from './check-configuration.ts'
import type { EmailConfiguration } from './configuration.ts'
import { emailContract } from './contract.ts'
import { dnsNameOf } from './dns/dns-name.ts'
import { emailMigrations } from './migrations.ts'
import { accountRoutes } from './rest/account-routes.ts'
import { Authorisation } from './rest/authorisation.ts'
import { domainRoutes } from './rest/domain-routes.ts'
import { verificationRoutes } from './rest/verification-routes.ts'
import { scopes } from './scopes.ts'
import { CountsCleanup } from './statistics/counts-cleanup.ts'
import { MailCounts } from './statistics/mail-counts.ts'
import { statisticsRoutes } from './statistics/statistics-routes.ts'
import { domainAttention } from './verification/domain-attention.ts'
import { DomainChecks } from './verification/domain-checks.ts'
import { Verifications } from './verification/verifications.ts'

/** What the email service stands on. */
export interface EmailServiceDependencies
  extends Pick<
    ServiceFoundation,
    'store' | 'passwords' | 'clock' | 'agingClock' | 'log' | 'configurationFile'
  > {
  /** Who tells which operator calls. */
  readonly operators: OperatorAuthority
  readonly configuration: EmailConfiguration
  /** How often it is asked which domains are due to be checked, in milliseconds; 5 s when left out. */
  readonly lookEveryMs?: number
}

const lookEveryMsDefault = 5000
/** How many domains are checked together; a name server is not to take us for a flood. */
const checksAtOnceMax = 16

/** The email service, and what provisions its accounts, domains and API clients. */
export interface EmailService extends HttpService {
  readonly provisioning: Provisioning<EmailConfiguration>
}

/**
 * The email security service: migrates its tables, applies what is provisioned, looks after the domains that DNS verifies
 * and forgets old statistics, and returns its routes. Needs the tables of `oauthMigrations`.
 */
export async function createEmailService(deps: EmailServiceDependencies): Promise<EmailService> {
  const { configuration, store, passwords, clock, log, operators } = deps
  refuseProblems('email', problemsOfEmail(configuration))
  await migrate(store, 'email', emailMigrations)
  const accounts = new Accounts(store)
  const credentials = new ClientCredentials({ service: 'email', store, passwords, clock })
  let warnings: readonly ServiceWarning[] = []
  const provisioning: Provisioning<EmailConfiguration> = {
    problems: (settings) => accounts.problems(settings.accounts),
    apply: async (settings) => {
      await accounts.provision(settings.accounts, clock.now(), deps.configurationFile)
      await credentials.provision(settings.apiClients, deps.configurationFile)
      const ofAccounts = await warnOfUnknownAccounts({
        log,
        service: 'email',
        clients: settings.apiClients,
        configured: settings.accounts.map(({ id }) => id),
        existingAccounts: (accountIds) => existingAccounts(store, accountIds),
      })
      warnings = [...warnOfDomains(settings, log), ...ofAccounts]
    },
  }
  refuseProblems('email', await provisioning.problems(configuration))
  await provisioning.apply(configuration)

  const { nameServers, mailHost: givenMailHost } = configuration.verification
  const mailHost = givenMailHost === undefined ? undefined : dnsNameOf(givenMailHost)
  const verifications = new Verifications(store)
  const checks = new DomainChecks({ verifications, clock, log, nameServers, mailHost })
  const mailCounts = new MailCounts(store)
  const cleanup = new CountsCleanup({ mailCounts, clock: deps.agingClock ?? clock, log })
  const jobRunner = new JobRunner({
    name: 'a check of a domain',
    jobs: checks,
    clock,
    log,
    pollIntervalMs: deps.lookEveryMs ?? lookEveryMsDefault,
    concurrencyMax: checksAtOnceMax,
    beforePoll: () => cleanup.tidy(),
  })
  const authorisation = new Authorisation({ credentials, operators, accounts })

  return {
    name: 'email',
    title: 'Palisade email security',
    basePath: configuration.basePath,
    envelope: problemDetails,
    contract: emailContract(configuration.basePath),
    warnings: () => warnings,
    attention: () => domainAttention(store),
    queues: () => [{ name: 'domain-checks', runner: jobRunner }],
    administered: [
      accountResource({ credentials, operators }),
      domainResource(clock, mailHost),
      apiClientResource({
        service: 'email',
        scopes,
        credentials,
        passwords,
        clock,
        existingAccounts,
      }),
    ],
    provisioning,
    routes: async (scope: FastifyInstance) => {
      await scope.register(
        tokenEndpoint({
          credentials,
          grantTypes: ['client_credentials'],
          scopes,
          clock,
        }),
      )
      await scope.register(accountRoutes({ authorisation, accounts }))
      await scope.register(domainRoutes({ authorisation, accounts }))
      await scope.register(
        verificationRoutes({ authorisation, accounts, verifications, checks, clock, mailHost }),
      )
      await scope.register(statisticsRoutes({ authorisation, mailCounts, clock }))
    },
    close: async () => {
      await Promise.all([jobRunner.close(), checks.close()])
    },
  }
}
