import {
  type AdministeredResource,
  beginsWith,
  type ClientCredentials,
  clientsWithAccount,
  isDuplicate,
  isOneOf,
  isStorableText,
  lossOfGrants,
  type OperatorAuthority,
  pluralize,
  RequestRefused,
  selectPage,
  withdrawAccount,
  withExample,
} from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { accountStatuses } from '../configuration.ts'
import type { AccountRow, EmailTables } from '../tables.ts'
import { deleteDomains } from './domain-rows.ts'

const id = Type.String({
  maxLength: 255,
  pattern: '^(?!\\.{1,2}$)[^\\s/?#%]+$',
  description: 'no blanks and none of / ? # %',
  examples: ['5584599'],
})
const name = Type.String({ minLength: 1, maxLength: 255, examples: ['Example Ltd.'] })
const region = Type.String({ minLength: 1, maxLength: 64, examples: ['DE'] })
const status = Type.Enum(accountStatuses, {
  description: 'what callers are told; nothing else comes of it',
})

const AccountView = withExample(
  Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      region: Type.String(),
      status: Type.String(),
      managedBy: Type.Union([Type.String(), Type.Null()]),
    },
    { title: 'EmailAccount' },
  ),
  { id: '5584599', name: 'Example Ltd.', region: 'DE', status: 'ACTIVE', managedBy: null },
)

const AccountCreation = Type.Object(
  { id, name: Type.Optional(name), region: Type.Optional(region), status: Type.Optional(status) },
  { additionalProperties: false, title: 'EmailAccountCreation' },
)

const AccountChange = Type.Object(
  { name: Type.Optional(name), region: Type.Optional(region), status: Type.Optional(status) },
  { additionalProperties: false, title: 'EmailAccountChange' },
)

/** `/email/accounts`: customers of the gateway. Who administers one of them changes it; whole services add and delete them. */
export function accountResource({
  credentials,
  operators,
}: {
  readonly credentials: ClientCredentials
  readonly operators: OperatorAuthority
}): AdministeredResource<Static<typeof AccountCreation>, Static<typeof AccountChange>> {
  return {
    path: '/email/accounts',
    service: 'email',
    accountParameter: 'account',
    idParameter: 'account',
    noun: { one: 'email account', many: 'email accounts' },
    item: AccountView,
    creation: AccountCreation,
    change: AccountChange,
    orders: ['name', 'id'],
    filters: {
      name: 'accounts whose name begins with this',
      status: `accounts of this status: ${accountStatuses.join(', ')}`,
    },
    async list({ tables, kind, characterOrder }, _path, page) {
      const { name: beginning, status } = page.filters
      let query = tables<EmailTables>().selectFrom('email_account').selectAll()
      if (page.accounts) query = query.where(isOneOf(kind, 'id', page.accounts.filter(isStorableText)))
      if (beginning !== undefined) query = query.where(beginsWith('name', beginning, characterOrder))
      if (status !== undefined) query = query.where('status', '=', status)
      const byId = { column: 'id', type: 'text' } as const
      const rows = await selectPage(query, page, {
        columns: { name: { column: 'name', type: 'text' }, id: byId },
        id: byId,
        characterOrder,
      }).execute()
      return rows.map((row) => ({ item: viewOf(row), place: { value: row.name, id: row.id } }))
    },
    async read({ tables }, { account = '' }) {
      const row = await tables<EmailTables>()
        .selectFrom('email_account')
        .selectAll()
        .where('id', '=', account)
        .executeTakeFirst()
      return row && viewOf(row)
    },
    create:
      async (_path, { id, name = id, region = 'US', status = 'ACTIVE' }) =>
      async ({ tables }) => {
        try {
          await tables<EmailTables>()
            .insertInto('email_account')
            .values({ id, name, region, status, managed_by: null })
            .execute()
        } catch (error) {
          if (!isDuplicate(error)) throw error
          throw new RequestRefused('conflict', `There is an account ${id} already.`, { field: 'id' })
        }
        return { id }
      },
    update:
      async ({ account = '' }, change) =>
      async ({ tables }) => {
        if (Object.keys(change).length === 0) return
        await tables<EmailTables>()
          .updateTable('email_account')
          .set(change)
          .where('id', '=', account)
          .execute()
      },
    remove:
      async ({ account = '' }) =>
      async (tables) => {
        const deletedAccount = { service: 'email', accountId: account }
        await withdrawAccount(tables, deletedAccount)
        await operators.endGrants(tables, deletedAccount)
        await deleteDomains(tables, { accountId: account })
        await tables.tables<EmailTables>().deleteFrom('email_account').where('id', '=', account).execute()
      },
    async losses(tables, { account = '' }) {
      const { domains } = await tables
        .tables<EmailTables>()
        .selectFrom('email_domain')
        .select(({ fn }) => fn.countAll<number>().as('domains'))
        .where('account_id', '=', account)
        .executeTakeFirstOrThrow()
      const deletedAccount = { service: 'email', accountId: account }
      const clients = await clientsWithAccount(tables, deletedAccount)
      const their = domains === 1 ? 'its' : 'their'
      return [
        ...(domains === 0 ? [] : [`${pluralize(domains, 'domain')} and ${their} statistics`]),
        ...(clients.length === 0
          ? []
          : [`the part of ${pluralize(clients.length, 'API client')} in the account`]),
        ...lossOfGrants(await operators.countGrantHolders(tables, deletedAccount)),
      ]
    },
    afterWrite: () => credentials.forget(),
  }
}

function viewOf({ managed_by: managedBy, ...row }: AccountRow): Static<typeof AccountView> {
  return { ...row, managedBy }
}
