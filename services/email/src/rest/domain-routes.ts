import { withExample } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Accounts } from '../accounts.ts'
import { PageQuery, pageViewOf, readPageRequest } from '../paging.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'

const DomainRecordView = withExample(
  Type.Object(
    {
      domainId: Type.Integer(),
      domainName: Type.String(),
      status: Type.String(),
      type: Type.String(),
    },
    { title: 'Domain' },
  ),
  { domainId: 18, domainName: 'example.org', status: 'VERIFIED', type: 'ESS' },
)

/** The path of one domain, below the service's base path. */
export const domainPattern = '/beta/accounts/:account_id/ess/domains/:domain'

/** An account, and a domain by id or name. */
export const DomainPath = Type.Object({
  account_id: Type.String(),
  domain: Type.String({ description: "the domain's id, which is all digits, or else its name" }),
})

interface DomainsRequest {
  Params: AccountParams
  Querystring: Record<string, unknown>
}

/** The listing of an account's domains, and one of them by itself. */
export function domainRoutes(deps: { readonly authorisation: Authorisation; readonly accounts: Accounts }) {
  const { authorisation, accounts } = deps
  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<DomainsRequest>(
      '/beta/accounts/:account_id/ess/domains',
      {
        onRequest: authorisation.require('ess:account:read'),
        schema: {
          operationId: 'listDomains',
          summary: "List an account's domains, a page at a time",
          tags: ['Domains'],
          params: Type.Object({ account_id: Type.String() }),
          querystring: PageQuery,
          response: { 200: pageViewOf(DomainRecordView, 'DomainPage') },
        },
      },
      (request) => accounts.domains(request.params.account_id, readPageRequest(request.query)),
    )
    scope.get<{ Params: AccountParams }>(
      domainPattern,
      {
        onRequest: authorisation.require('ess:account:read'),
        schema: {
          operationId: 'getDomain',
          summary: 'Show one domain of an account',
          tags: ['Domains'],
          params: DomainPath,
          response: { 200: DomainRecordView },
        },
      },
      async (request) => authorisation.domainOf(request),
    )
  }
}
