import {
  type AdministeredResource,
  lossOfGrants,
  type OperatorAuthority,
  RequestRefused,
  selectPage,
  withExample,
} from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { idSchema } from '../configuration.ts'
import type { AccountRow, BackupTables } from '../tables.ts'
import type { Deletion } from '../upkeep/deletion.ts'
import type { DeletedAgents } from './deleted-agents.ts'
import { deletedFilter, deletionMembers, deletionOf, showsDeleted } from './deleted-filter.ts'

const AccountItem = withExample(
  Type.Object({ id: Type.String(), ...deletionMembers }, { title: 'BackupAccount' }),
  { id: 'acme', deletedAt: null, purgeAt: null, managedBy: null },
)

const AccountCreation = Type.Object(
  { id: { ...idSchema, examples: ['acme'] } },
  { additionalProperties: false, title: 'BackupAccountCreation' },
)

/** `/backup/accounts`: the customers whose computers are backed up. */
export function accountResource({
  deletion,
  deletedAgents,
  operators,
}: {
  readonly deletion: Deletion
  readonly deletedAgents: DeletedAgents
  readonly operators: OperatorAuthority
}): AdministeredResource<Static<typeof AccountCreation>> {
  return {
    path: '/backup/accounts',
    service: 'backup',
    accountParameter: 'account',
    idParameter: 'account',
    noun: { one: 'backup account', many: 'backup accounts' },
    item: AccountItem,
    creation: AccountCreation,
    orders: ['id'],
    filters: deletedFilter,
    async list({ tables, characterOrder }, _path, page) {
      const all = tables<BackupTables>()
        .selectFrom('backup_account')
        .selectAll()
        .where('deleted_at', showsDeleted(page.filters) ? 'is not' : 'is', null)
      const { accounts } = page
      const rows = await selectPage(accounts === undefined ? all : all.where('id', 'in', accounts), page, {
        columns: { id: { column: 'id', type: 'text' } },
        id: { column: 'id', type: 'text' },
        characterOrder,
      }).execute()
      return rows.map((row) => ({ item: itemOf(row), place: { value: row.id, id: row.id } }))
    },
    async read({ tables }, { account = '' }) {
      const row = await tables<BackupTables>()
        .selectFrom('backup_account')
        .selectAll()
        .where('id', '=', account)
        .executeTakeFirst()
      return row && itemOf(row)
    },
    create:
      async (_path, { id }) =>
      async ({ tables }) => {
        const { numInsertedOrUpdatedRows } = await tables<BackupTables>()
          .insertInto('backup_account')
          .values({ id })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows === 0n) {
          throw new RequestRefused('conflict', `There is an account ${id} already, or it is deleted.`, {
            field: 'id',
          })
        }
        return { id }
      },
    remove:
      async ({ account = '' }) =>
      ({ tables }) =>
        deletion.deleteAccount(tables<BackupTables>(), account),
    losses: async (tables, { account = '' }) => [
      ...(await deletion.losses(tables, { accountId: account })),
      ...lossOfGrants(await operators.countGrantHolders(tables, { service: 'backup', accountId: account })),
    ],
    actions: [
      {
        name: 'undelete',
        summary: 'Take a deleted account back, with the computers that were deleted with it',
        perform:
          async ({ account = '' }) =>
          async ({ tables }) => {
            await deletion.undeleteAccount(tables<BackupTables>(), account)
            return undefined
          },
      },
    ],
    afterWrite: async ({ account = '' }, change) => {
      if (change === 'delete') await deletedAgents.shutOut({ accountId: account })
    },
  }
}

function itemOf(row: AccountRow): Static<typeof AccountItem> {
  return { id: row.id, ...deletionOf(row) }
}
