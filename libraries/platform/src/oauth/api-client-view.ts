import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import type { AdministeredItem } from '../administration/resource.ts'
import { readList } from '../database/stored-texts.ts'
import { withExample } from '../openapi/example.ts'
import { words } from './client-credentials.ts'
import type { OAuthTables } from './tables.ts'

const overlapHoursMax = 720

const clientId = Type.String({
  maxLength: 255,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._~@-]*$',
  description: 'letters, digits and . _ ~ @ -, with a letter or digit in front',
  examples: ['reporting'],
})

const accounts = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  maxItems: 10_000,
  uniqueItems: true,
  description: 'what the client may ask about, by the ids of accounts',
  examples: [['5584599']],
})

/** The body of a request for another secret. */
export const SecretChange = Type.Object(
  {
    overlapHours: Type.Integer({
      minimum: 0,
      maximum: overlapHoursMax,
      description: 'how long the former secret goes on, and the tokens that were issued for it',
      examples: [24],
    }),
  },
  { additionalProperties: false, title: 'SecretChange' },
)

/** The reply that shows a secret, once. */
export const ClientSecret = Type.Object({
  clientSecret: Type.String({ examples: ['kV0ZQmHh3yq5pG1wX7s9tB2cN4dF6gJ8lMzRxTvYuAE'] }),
})

interface ApiClientView extends AdministeredItem {
  readonly clientId: string
  readonly accounts: readonly string[]
  readonly scopes: readonly string[]
  readonly formerSecretEndsAt: string | null
}

/**
 * A client as operators see it, and what they say of one.
 *
 * @param service whose clients they are, such as `email`
 * @param permissions all scopes that a client can be given
 */
export function apiClientSchemas(service: string, permissions: readonly string[]) {
  const scopes = Type.Array(Type.Enum([...permissions]), { uniqueItems: true, examples: [[...permissions]] })
  const title = `${service.charAt(0).toUpperCase()}${service.slice(1)}APIClient`
  const item = withExample(
    Type.Object(
      {
        clientId: Type.String(),
        accounts: Type.Array(Type.String()),
        scopes: Type.Array(Type.String()),
        formerSecretEndsAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'until when the secret before goes on, or went on; null when there is none',
        }),
        managedBy: Type.Union([Type.String(), Type.Null()]),
      },
      { title },
    ),
    {
      clientId: 'reporting',
      accounts: ['5584599'],
      scopes: [...permissions],
      formerSecretEndsAt: null,
      managedBy: null,
    },
  )
  const creation = Type.Object(
    { clientId, accounts, scopes },
    { additionalProperties: false, title: `${title}Creation` },
  )
  const change = Type.Object(
    { accounts: Type.Optional(accounts), scopes: Type.Optional(scopes) },
    { additionalProperties: false, title: `${title}Change` },
  )
  return { item, creation, change }
}

/** A row as operators see it: without the digests of its secrets. */
export function viewOfClient(row: Selectable<OAuthTables['oauth_client']>): ApiClientView {
  const endsAt = row.former_secret_ends_at
  return {
    clientId: row.client_id,
    accounts: readList(row.accounts),
    scopes: words(row.scopes),
    formerSecretEndsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
    managedBy: row.managed_by,
  }
}
