import { type AdministeredResource, selectPage, withExample } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import type { AdministrationTables } from '../tables.ts'
import { PasskeyName } from './passkey-schemas.ts'
import type { PasskeyRow } from './passkeys.ts'

const moment = Type.String({ format: 'date-time' })

const PasskeyItem = withExample(
  Type.Object(
    {
      id: Type.String(),
      name: PasskeyName,
      createdAt: moment,
      usedAt: Type.Union([moment, Type.Null()]),
      managedBy: Type.Null(),
    },
    { title: 'OperatorPasskey' },
  ),
  {
    id: '2f0cbb5e-8e4e-4f0c-9a52-0f6f5a2b7c11',
    name: 'security key',
    createdAt: '2030-01-31T12:00:00.000Z',
    usedAt: null,
    managedBy: null,
  },
)

const PasskeyChange = Type.Object(
  { name: Type.Optional(PasskeyName) },
  { additionalProperties: false, title: 'OperatorPasskeyChange' },
)

/** `/operators/:operator/passkeys`: the passkeys of an operator; he and owners remove them. */
export const passkeyResource: AdministeredResource<unknown, Static<typeof PasskeyChange>> = {
  path: '/operators/:operator/passkeys',
  service: 'administration',
  isOwn: true,
  idParameter: 'passkey',
  noun: { one: 'operator passkey', many: 'operator passkeys' },
  item: PasskeyItem,
  change: PasskeyChange,
  orders: ['createdAt'],
  volatile: ['usedAt'],
  async list({ tables, characterOrder }, { operator = '' }, page) {
    const rows = await selectPage(passkeysOf(tables, operator), page, {
      columns: { createdAt: { column: 'admin_passkey.created_at', type: 'number' } },
      id: { column: 'admin_passkey.id', type: 'text' },
      characterOrder,
    }).execute()
    return rows.map((row) => ({ item: itemOf(row), place: { value: row.created_at, id: row.id } }))
  },
  async read({ tables }, { operator = '', passkey = '' }) {
    const row = await passkeysOf(tables, operator).where('admin_passkey.id', '=', passkey).executeTakeFirst()
    return row && itemOf(row)
  },
  update:
    async ({ passkey = '' }, { name }) =>
    async ({ tables }) => {
      if (name === undefined) return
      await tables<AdministrationTables>()
        .updateTable('admin_passkey')
        .set({ name })
        .where('id', '=', passkey)
        .execute()
    },
  remove:
    async ({ passkey = '' }) =>
    async ({ tables }) => {
      await tables<AdministrationTables>().deleteFrom('admin_passkey').where('id', '=', passkey).execute()
    },
}

function passkeysOf(tables: Parameters<AdministeredResource['list']>[0]['tables'], username: string) {
  return tables<AdministrationTables>()
    .selectFrom('admin_passkey')
    .innerJoin('admin_operator', 'admin_operator.id', 'admin_passkey.operator_id')
    .selectAll('admin_passkey')
    .where('admin_operator.username', '=', username)
}

function itemOf(row: PasskeyRow) {
  return {
    id: row.id,
    name: row.name,
    createdAt: new Date(row.created_at).toISOString(),
    usedAt: row.used_at === null ? null : new Date(row.used_at).toISOString(),
    managedBy: null,
  }
}
