import {
  ClientCredentials,
  type HttpService,
  migrate,
  RequestRefused,
  requireGrant,
  requireScope,
  type ServiceFoundation,
  tokenEndpoint,
} from '@palisade/platform'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Accounts } from './accounts.ts'
import type { EmailConfiguration } from './configuration.ts'
import { PageQuery, readPageRequest } from './paging.ts'
import { problemDetails } from './problem.ts'
import { emailMigrations } from './tables.ts'

const DomainPage = Type.Object(
  {
    resultsCount: Type.Integer(),
    pageNum: Type.Integer(),
    itemsTotal: Type.Integer(),
    pagesTotal: Type.Integer(),
    results: Type.Array(
      Type.Object({
        domainId: Type.Integer(),
        domainName: Type.String(),
        status: Type.String(),
        type: Type.String(),
      }),
    ),
  },
  { title: 'DomainPage' },
)

interface DomainsRequest {
  Params: { account_id: string }
  Querystring: Record<string, unknown>
}

/** What the email service stands on. */
export interface EmailServiceDependencies extends Pick<ServiceFoundation, 'store' | 'passwords' | 'clock'> {
  readonly configuration: EmailConfiguration
}

/**
 * The email security service: migrates its tables, applies what is provisioned and returns its routes. Needs
 * the tables of `oauthMigrations`.
 */
export async function createEmailService(deps: EmailServiceDependencies): Promise<HttpService> {
  const { configuration, store, passwords, clock } = deps
  await migrate(store, 'email', emailMigrations)
  const accounts = new Accounts(store)
  await accounts.provision(configuration.accounts)
  const credentials = new ClientCredentials({ service: 'email', store, passwords, clock })
  await credentials.provision(configuration.apiClients)

  /** Refuses before anything of the account is told: a foreign account and an unknown one look the same. */
  async function authorise(request: FastifyRequest<DomainsRequest>): Promise<void> {
    const grant = await requireGrant(request, { credentials, schemes: ['bearer'] })
    requireScope(grant, 'ess:account:read')
    const { account_id } = request.params
    if (!grant.accounts.includes(account_id) || !(await accounts.exists(account_id))) {
      throw new RequestRefused('not-found', 'There is no such account.')
    }
  }

  async function routes(scope: FastifyInstance): Promise<void> {
    await scope.register(tokenEndpoint({ credentials, grantTypes: ['client_credentials'], clock }))
    scope.get<DomainsRequest>(
      '/beta/accounts/:account_id/ess/domains',
      {
        onRequest: authorise,
        schema: {
          operationId: 'listDomains',
          summary: "List an account's domains, a page at a time",
          tags: ['Domains'],
          params: Type.Object({ account_id: Type.String() }),
          querystring: PageQuery,
          response: { 200: DomainPage },
        },
      },
      (request) => accounts.domains(request.params.account_id, readPageRequest(request.query)),
    )
  }

  return {
    name: 'email',
    title: 'Palisade email security',
    basePath: configuration.basePath,
    envelope: problemDetails,
    routes,
  }
}
