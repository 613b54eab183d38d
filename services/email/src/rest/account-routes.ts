import { withExample } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Accounts } from '../accounts.ts'
import { PageQuery, pageViewOf, readPageRequest } from '../paging.ts'
import type { Authorisation } from './authorisation.ts'

const AccountRecordView = withExample(
  Type.Object(
    {
      accountName: Type.String(),
      accountId: Type.String(),
      region: Type.String(),
      status: Type.String({ description: 'ACTIVE, SUSPENDED or DISABLED' }),
    },
    { title: 'Account' },
  ),
  { accountName: 'Example Ltd.', accountId: '5584599', region: 'DE', status: 'ACTIVE' },
)

/** The listing of the accounts that the client has a part in. */
export function accountRoutes(deps: { readonly authorisation: Authorisation; readonly accounts: Accounts }) {
  const { authorisation, accounts } = deps
  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<{ Querystring: Record<string, unknown> }>(
      '/beta/accounts/ess',
      {
        onRequest: authorisation.requireScope('ess:account:read'),
        schema: {
          operationId: 'listAccounts',
          summary: 'List the accounts that the client has a part in, a page at a time',
          tags: ['Accounts'],
          querystring: PageQuery,
          response: { 200: pageViewOf(AccountRecordView, 'AccountPage') },
        },
      },
      (request) => accounts.list(authorisation.accountsOf(request), readPageRequest(request.query)),
    )
  }
}
