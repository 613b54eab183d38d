import { randomUUID } from 'node:crypto'
import {
  type AdministeredResource,
  type Clock,
  digestOf,
  newSecret,
  RequestRefused,
  selectPage,
  withExample,
} from '@palisade/platform'
import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'
import { Grants, readGrants, refuseGrants } from '../access/grants.ts'
import type { AdministrationTables } from '../tables.ts'
import { tokenPrefix } from './authentication.ts'

const lifetimeDaysMax = 3650
/** An operator without grants makes tokens too, and fills no store with them. */
const tokensMax = 100
const dayMs = 86_400_000

const moment = Type.String({ format: 'date-time' })
const name = Type.String({ minLength: 1, maxLength: 255, examples: ['terraform'] })

const TokenItem = withExample(
  Type.Object(
    {
      id: Type.String(),
      name,
      grants: Grants,
      createdAt: moment,
      usedAt: Type.Union([moment, Type.Null()]),
      expiresAt: moment,
      managedBy: Type.Null(),
    },
    { title: 'OperatorToken' },
  ),
  {
    id: '7d0f0f0e-52c1-4a0b-9c39-6d1c4c2d5b1f',
    name: 'terraform',
    grants: [{ role: 'operator', service: 'backup' }],
    createdAt: '2030-01-31T12:00:00.000Z',
    usedAt: null,
    expiresAt: '2030-05-01T12:00:00.000Z',
    managedBy: null,
  },
)

const TokenCreation = Type.Object(
  {
    name,
    grants: Grants,
    lifetimeDays: Type.Integer({ minimum: 1, maximum: lifetimeDaysMax, examples: [90] }),
  },
  { additionalProperties: false, title: 'OperatorTokenCreation' },
)

const TokenSecrets = Type.Object({ token: Type.String({ examples: ['palisade_3q2-7wAAAAD'] }) })

/**
 * `/operators/:operator/tokens`: tokens with which an operator's programs call. A token opens what its own grants and those of its
 * operator both allow, at the moment of each call.
 */
export function tokenResource(clock: Clock): AdministeredResource<Static<typeof TokenCreation>> {
  return {
    path: '/operators/:operator/tokens',
    service: 'administration',
    isOwn: true,
    idParameter: 'token',
    noun: { one: 'operator token', many: 'operator tokens' },
    item: TokenItem,
    secrets: TokenSecrets,
    creation: TokenCreation,
    orders: ['createdAt'],
    volatile: ['usedAt'],
    async list({ tables, characterOrder }, { operator = '' }, page) {
      const rows = await selectPage(tokensOf(tables, operator), page, {
        columns: { createdAt: { column: 'admin_token.created_at', type: 'number' } },
        id: { column: 'admin_token.id', type: 'text' },
        characterOrder,
      }).execute()
      return rows.map((row) => ({ item: itemOf(row), place: { value: row.created_at, id: row.id } }))
    },
    async read({ tables }, { operator = '', token = '' }) {
      const row = await tokensOf(tables, operator).where('admin_token.id', '=', token).executeTakeFirst()
      return row && itemOf(row)
    },
    async create({ operator = '' }, { name, grants, lifetimeDays }) {
      refuseGrants(grants)
      const token = `${tokenPrefix}${newSecret()}`
      return async ({ tables }) => {
        const db = tables<AdministrationTables>()
        const owner = await db
          .selectFrom('admin_operator')
          .select('id')
          .where('username', '=', operator)
          .executeTakeFirst()
        if (!owner) throw new RequestRefused('not-found', `There is no operator ${operator}.`)
        const id = randomUUID()
        const now = clock.now()
        const { count } = await db
          .selectFrom('admin_token')
          .select(({ fn }) => fn.countAll<number | string>().as('count'))
          .where('operator_id', '=', owner.id)
          .executeTakeFirstOrThrow()
        if (Number(count) >= tokensMax) {
          throw new RequestRefused('conflict', `There are ${tokensMax} tokens already: remove one first.`)
        }
        await db
          .insertInto('admin_token')
          .values({
            id,
            digest: digestOf(token),
            operator_id: owner.id,
            name,
            grants: JSON.stringify(grants),
            created_at: now,
            used_at: null,
            expires_at: now + lifetimeDays * dayMs,
          })
          .execute()
        return { id, secrets: { token } }
      }
    },
    remove:
      async ({ token = '' }) =>
      async ({ tables }) => {
        await tables<AdministrationTables>().deleteFrom('admin_token').where('id', '=', token).execute()
      },
  }
}

function tokensOf(tables: Parameters<AdministeredResource['list']>[0]['tables'], username: string) {
  return tables<AdministrationTables>()
    .selectFrom('admin_token')
    .innerJoin('admin_operator', 'admin_operator.id', 'admin_token.operator_id')
    .selectAll('admin_token')
    .where('admin_operator.username', '=', username)
}

function itemOf(row: Selectable<AdministrationTables['admin_token']>) {
  return {
    id: row.id,
    name: row.name,
    grants: readGrants(row.grants),
    createdAt: new Date(row.created_at).toISOString(),
    usedAt: row.used_at === null ? null : new Date(row.used_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    managedBy: null,
  }
}
