import {
  type AdministeredResource,
  beginsWith,
  RequestRefused,
  readList,
  selectPage,
  withExample,
} from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { networkOf } from '../address-list.ts'
import type { ApiKeys } from '../api-keys.ts'
import type { ApiKeyRow, AwarenessTables } from '../tables.ts'

const name = Type.String({ minLength: 1, maxLength: 255, examples: ['learning platform'] })
const username = Type.Union([Type.String({ minLength: 1, maxLength: 255 }), Type.Null()], {
  description: 'the only user who may use the key; anybody when null',
  examples: ['api@example.org'],
})
const allowedAddresses = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 1000,
  description: 'addresses and networks from which the key is accepted; from anywhere when empty',
  examples: [['192.0.2.0/24']],
})

const ApiKeyView = withExample(
  Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      username: Type.Union([Type.String(), Type.Null()]),
      allowedAddresses: Type.Array(Type.String()),
      managedBy: Type.Union([Type.String(), Type.Null()]),
    },
    { title: 'AwarenessAPIKey' },
  ),
  {
    id: '7d0f0f0e-52c1-4a0b-9c39-6d1c4c2d5b1f',
    name: 'learning platform',
    username: null,
    allowedAddresses: ['192.0.2.0/24'],
    managedBy: null,
  },
)

const ApiKeyCreation = Type.Object(
  { name, username: Type.Optional(username), allowedAddresses: Type.Optional(allowedAddresses) },
  { additionalProperties: false, title: 'AwarenessAPIKeyCreation' },
)

const ApiKeyChange = Type.Object(
  {
    name: Type.Optional(name),
    username: Type.Optional(username),
    allowedAddresses: Type.Optional(allowedAddresses),
  },
  { additionalProperties: false, title: 'AwarenessAPIKeyChange' },
)

const ApiKeySecrets = Type.Object({
  key: Type.String({ examples: ['kV0ZQmHh3yq5pG1wX7s9tB2cN4dF6gJ8lMzRxTvYuAE'] }),
})

/** `/awareness/api-keys`: keys that users need beside their passwords. Made here, and shown once; each login asks the store. */
export function apiKeyResource(
  apiKeys: ApiKeys,
): AdministeredResource<Static<typeof ApiKeyCreation>, Static<typeof ApiKeyChange>> {
  return {
    path: '/awareness/api-keys',
    service: 'awareness',
    idParameter: 'key',
    noun: { one: 'awareness API key', many: 'awareness API keys' },
    item: ApiKeyView,
    secrets: ApiKeySecrets,
    creation: ApiKeyCreation,
    change: ApiKeyChange,
    orders: ['name'],
    filters: { name: 'keys whose name begins with this', username: 'keys of this user alone' },
    async list({ tables, characterOrder }, _path, page) {
      const { name: beginning, username } = page.filters
      let query = tables<AwarenessTables>().selectFrom('awareness_api_key').selectAll()
      if (beginning !== undefined) query = query.where(beginsWith('name', beginning, characterOrder))
      if (username !== undefined) query = query.where('username', '=', username)
      const rows = await selectPage(query, page, {
        columns: { name: { column: 'name', type: 'text' } },
        id: { column: 'id', type: 'text' },
        characterOrder,
      }).execute()
      return rows.map((row) => ({ item: viewOf(row), place: { value: row.name, id: row.id } }))
    },
    async read({ tables }, { key = '' }) {
      const row = await tables<AwarenessTables>()
        .selectFrom('awareness_api_key')
        .selectAll()
        .where('id', '=', key)
        .executeTakeFirst()
      return row && viewOf(row)
    },
    async create(_path, { name, username = null, allowedAddresses = [] }) {
      refuseAddresses(allowedAddresses)
      const { key, write } = apiKeys.create({ name, username, allowedAddresses })
      return async (tables) => ({ ...(await write(tables)), secrets: { key } })
    },
    async update({ key = '' }, change) {
      refuseAddresses(change.allowedAddresses ?? [])
      return apiKeys.update(key, change)
    },
    remove:
      async ({ key = '' }) =>
      async ({ tables }) => {
        await tables<AwarenessTables>().deleteFrom('awareness_api_key').where('id', '=', key).execute()
      },
    losses: async () => ['the key: nobody logs in with it any more; access tokens last until they expire'],
  }
}

/** @throws RequestRefused naming the first that is no address or network */
function refuseAddresses(addresses: readonly string[]): void {
  const index = addresses.findIndex((text) => networkOf(text) === undefined)
  if (index === -1) return
  throw new RequestRefused(
    'bad-request',
    'It is no address such as 192.0.2.1, or network such as 192.0.2.0/24.',
    {
      field: `allowedAddresses.${index}`,
    },
  )
}

function viewOf(row: ApiKeyRow): Static<typeof ApiKeyView> {
  return {
    id: row.id,
    name: row.name,
    username: row.username,
    allowedAddresses: readList(row.allowed_addresses),
    managedBy: row.managed_by,
  }
}
