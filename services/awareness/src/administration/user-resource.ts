import {
  type AdministeredResource,
  beginsWith,
  type Clock,
  newSecretLengthMin,
  pluralize,
  readList,
  selectPage,
  withExample,
} from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { permissions as knownPermissions } from '../configuration.ts'
import type { AwarenessTables, UserRow } from '../tables.ts'
import type { Users } from '../users.ts'

const username = Type.String({
  maxLength: 255,
  pattern: '^(?!\\.{1,2}$)[^\\s/?#%]+$',
  description: 'no blanks and none of / ? # %',
  examples: ['api@example.org'],
})
const password = Type.String({
  minLength: newSecretLengthMin,
  maxLength: 1024,
  format: 'password',
  examples: ['correct horse battery'],
})
const permissions = Type.Array(Type.Enum(knownPermissions), {
  uniqueItems: true,
  examples: [['campaigns']],
})

const UserView = withExample(
  Type.Object(
    {
      username: Type.String(),
      permissions: Type.Array(Type.String()),
      managedBy: Type.Union([Type.String(), Type.Null()]),
    },
    { title: 'AwarenessUser' },
  ),
  { username: 'api@example.org', permissions: ['campaigns'], managedBy: null },
)

const UserCreation = Type.Object(
  { username, password, permissions: Type.Optional(permissions) },
  { additionalProperties: false, title: 'AwarenessUserCreation' },
)

const UserChange = Type.Object(
  { password: Type.Optional(password), permissions: Type.Optional(permissions) },
  { additionalProperties: false, title: 'AwarenessUserChange' },
)

/** `/awareness/users`: who may authenticate. A password is given and never shown. */
export function userResource(
  users: Users,
  clock: Clock,
): AdministeredResource<Static<typeof UserCreation>, Static<typeof UserChange>> {
  return {
    path: '/awareness/users',
    service: 'awareness',
    idParameter: 'user',
    noun: { one: 'awareness user', many: 'awareness users' },
    item: UserView,
    creation: UserCreation,
    change: UserChange,
    orders: ['username'],
    filters: { username: 'users whose name begins with this' },
    async list({ tables, characterOrder }, _path, page) {
      const { username: beginning } = page.filters
      const all = tables<AwarenessTables>().selectFrom('awareness_user').selectAll()
      const query =
        beginning === undefined ? all : all.where(beginsWith('username', beginning, characterOrder))
      const id = { column: 'username', type: 'text' } as const
      const rows = await selectPage(query, page, { columns: { username: id }, id, characterOrder }).execute()
      return rows.map((row) => ({ item: viewOf(row), place: { value: row.username, id: row.username } }))
    },
    async read({ tables }, { user = '' }) {
      const row = await tables<AwarenessTables>()
        .selectFrom('awareness_user')
        .selectAll()
        .where('username', '=', user)
        .executeTakeFirst()
      return row && viewOf(row)
    },
    create: (_path, { username, password, permissions = [] }) =>
      users.create({ username, password, permissions }),
    update: ({ user = '' }, change) => users.update(user, change),
    remove:
      async ({ user = '' }) =>
      async ({ tables }) => {
        // Tokens go with the user; what he called is counted on, should there be one of his name again.
        await tables<AwarenessTables>().deleteFrom('awareness_user').where('username', '=', user).execute()
      },
    async losses({ tables }, { user = '' }) {
      const db = tables<AwarenessTables>()
      const tokens = await db
        .selectFrom('awareness_token')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('username', '=', user)
        .where('expires_at', '>', clock.now())
        .executeTakeFirstOrThrow()
      const keys = await db
        .selectFrom('awareness_api_key')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('username', '=', user)
        .executeTakeFirstOrThrow()
      return [
        ...(tokens.count === 0 ? [] : [pluralize(tokens.count, 'access token')]),
        ...(keys.count === 0 ? [] : [`the use of ${pluralize(keys.count, 'API key')} of this user alone`]),
      ]
    },
  }
}

function viewOf({ username, permissions, managed_by }: UserRow): Static<typeof UserView> {
  return { username, permissions: readList(permissions), managedBy: managed_by }
}
