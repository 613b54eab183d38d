import { type AdministeredResource, selectPage, withExample } from '@palisade/platform'
import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import type { AdministrationTables } from '../tables.ts'

const moment = Type.String({ format: 'date-time' })

const SessionItem = withExample(
  Type.Object(
    {
      id: Type.String(),
      createdAt: moment,
      usedAt: moment,
      expiresAt: moment,
      address: Type.String(),
      userAgent: Type.String(),
      managedBy: Type.Null(),
    },
    { title: 'OperatorSession' },
  ),
  {
    id: '0b9af1e3-6a52-4f4e-9a41-0a3f2f7c9a10',
    createdAt: '2030-01-31T12:00:00.000Z',
    usedAt: '2030-01-31T12:30:00.000Z',
    expiresAt: '2030-02-01T00:00:00.000Z',
    address: '192.0.2.1',
    userAgent: 'Mozilla/5.0',
    managedBy: null,
  },
)

/** `/operators/:operator/sessions`: where an operator is logged in; each session can be ended. */
export const sessionResource: AdministeredResource = {
  path: '/operators/:operator/sessions',
  service: 'administration',
  isOwn: true,
  idParameter: 'session',
  noun: { one: 'operator session', many: 'operator sessions' },
  item: SessionItem,
  orders: ['createdAt'],
  volatile: ['usedAt'],
  async list({ tables, characterOrder }, { operator = '' }, page) {
    const rows = await selectPage(sessionsOf(tables, operator), page, {
      columns: { createdAt: { column: 'admin_session.created_at', type: 'number' } },
      id: { column: 'admin_session.id', type: 'text' },
      characterOrder,
    }).execute()
    return rows.map((row) => ({ item: itemOf(row), place: { value: row.created_at, id: row.id } }))
  },
  async read({ tables }, { operator = '', session = '' }) {
    const row = await sessionsOf(tables, operator).where('admin_session.id', '=', session).executeTakeFirst()
    return row && itemOf(row)
  },
  remove:
    async ({ session = '' }) =>
    async ({ tables }) => {
      await tables<AdministrationTables>().deleteFrom('admin_session').where('id', '=', session).execute()
    },
}

function sessionsOf(tables: Parameters<AdministeredResource['list']>[0]['tables'], username: string) {
  return tables<AdministrationTables>()
    .selectFrom('admin_session')
    .innerJoin('admin_operator', 'admin_operator.id', 'admin_session.operator_id')
    .selectAll('admin_session')
    .where('admin_operator.username', '=', username)
}

function itemOf(row: Selectable<AdministrationTables['admin_session']>) {
  return {
    id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    usedAt: new Date(row.used_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    address: row.address,
    userAgent: row.user_agent,
    managedBy: null,
  }
}
