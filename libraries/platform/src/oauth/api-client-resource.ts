import type { Static } from 'typebox'
import { pluralize } from '../administration/pluralize.ts'
import type { AdministeredResource, Write } from '../administration/resource.ts'
import { beginsWith, selectPage } from '../administration/select-page.ts'
import type { Clock } from '../clock.ts'
import { isDuplicate, type TransactionTables } from '../database/store.ts'
import { writeList } from '../database/stored-texts.ts'
import { RequestRefused } from '../refusal.ts'
import type { Passwords } from '../secrets/passwords.ts'
import { newSecret } from '../secrets/tokens.ts'
import { apiClientSchemas, ClientSecret, SecretChange, viewOfClient } from './api-client-view.ts'
import { type ClientCredentials, endTokens } from './client-credentials.ts'
import type { OAuthTables } from './tables.ts'

const hourMs = 3_600_000

/** What the resource of a service's API clients works with. */
export interface ApiClientResourceOptions {
  /** Whose clients they are, such as `email`; also the first segment of the path. */
  readonly service: string
  /** All that a client can be given. */
  readonly scopes: readonly string[]
  /** The service's own, which forget what they know of a client that was changed. */
  readonly credentials: ClientCredentials
  readonly passwords: Passwords
  readonly clock: Clock
  /** Those of the accounts that the service has. */
  readonly existingAccounts: (
    tables: TransactionTables,
    accounts: readonly string[],
  ) => Promise<ReadonlySet<string>>
}

/**
 * `/{service}/api-clients`: programs that get access tokens of a service. Secrets are made here, and shown once.
 */
export function apiClientResource({
  service,
  scopes,
  credentials,
  passwords,
  clock,
  existingAccounts,
}: ApiClientResourceOptions): AdministeredResource {
  const { item, creation, change } = apiClientSchemas(service, scopes)
  const clientsOf = ({ tables }: Pick<TransactionTables, 'tables'>) =>
    tables<OAuthTables>().selectFrom('oauth_client').where('service', '=', service)
  const refuseUnknownAccounts = async (tables: TransactionTables, accounts: readonly string[]) => {
    const existing = await existingAccounts(tables, accounts)
    const index = accounts.findIndex((account) => !existing.has(account))
    if (index === -1) return
    throw new RequestRefused('bad-request', `There is no account ${accounts[index]}.`, {
      field: `accounts.${index}`,
    })
  }

  const resource: AdministeredResource<Static<typeof creation>, Static<typeof change>> = {
    path: `/${service}/api-clients`,
    service,
    idParameter: 'client',
    noun: { one: `${service} API client`, many: `${service} API clients` },
    item,
    secrets: ClientSecret,
    creation,
    change,
    orders: ['clientId'],
    filters: { clientId: 'clients whose clientId begins with this' },
    async list(tables, _path, page) {
      const { clientId: beginning } = page.filters
      const { characterOrder } = tables
      const all = clientsOf(tables).selectAll()
      const chosen =
        beginning === undefined ? all : all.where(beginsWith('client_id', beginning, characterOrder))
      const id = { column: 'client_id', type: 'text' } as const
      const rows = await selectPage(chosen, page, { columns: { clientId: id }, id, characterOrder }).execute()
      return rows.map((row) => ({
        item: viewOfClient(row),
        place: { value: row.client_id, id: row.client_id },
      }))
    },
    async read(tables, { client = '' }) {
      const row = await clientsOf(tables).selectAll().where('client_id', '=', client).executeTakeFirst()
      return row && viewOfClient(row)
    },
    async create(_path, body) {
      const clientSecret = newSecret()
      const secret_hash = await passwords.hash(clientSecret)
      return async (tables) => {
        await refuseUnknownAccounts(tables, body.accounts)
        try {
          await tables
            .tables<OAuthTables>()
            .insertInto('oauth_client')
            .values({
              service,
              client_id: body.clientId,
              secret_hash,
              secret_version: 1,
              former_secret_hash: null,
              former_secret_ends_at: null,
              accounts: writeList(body.accounts),
              scopes: body.scopes.join(' '),
              managed_by: null,
            })
            .execute()
        } catch (error) {
          if (!isDuplicate(error)) throw error
          throw new RequestRefused('conflict', `There is an API client ${body.clientId} already.`, {
            field: 'clientId',
          })
        }
        return { id: body.clientId, secrets: { clientSecret } }
      }
    },
    update:
      async ({ client = '' }, change) =>
      async (tables) => {
        if (change.accounts) await refuseUnknownAccounts(tables, change.accounts)
        const set = {
          ...(change.accounts && { accounts: writeList(change.accounts) }),
          ...(change.scopes && { scopes: change.scopes.join(' ') }),
        }
        if (Object.keys(set).length === 0) return
        await tables
          .tables<OAuthTables>()
          .updateTable('oauth_client')
          .set(set)
          .where('service', '=', service)
          .where('client_id', '=', client)
          .execute()
      },
    remove:
      async ({ client = '' }) =>
      async ({ tables }) => {
        await tables<OAuthTables>()
          .deleteFrom('oauth_client')
          .where('service', '=', service)
          .where('client_id', '=', client)
          .execute()
      },
    async losses({ tables }, { client = '' }) {
      const { count } = await tables<OAuthTables>()
        .selectFrom('oauth_token')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('service', '=', service)
        .where('client_id', '=', client)
        .where('expires_at', '>', clock.now())
        .executeTakeFirstOrThrow()
      return ['the secret of the client', ...(count === 0 ? [] : [pluralize(count, 'access token')])]
    },
    actions: [
      {
        name: 'secret',
        summary: 'Make another secret; the former one goes on for as long as is said',
        body: SecretChange,
        secrets: ClientSecret,
        async perform({ client = '' }, { overlapHours }: Static<typeof SecretChange>) {
          const clientSecret = newSecret()
          const write = changeSecret({
            service,
            clientId: client,
            hash: await passwords.hash(clientSecret),
            formerEndsAt: overlapHours === 0 ? null : clock.now() + overlapHours * hourMs,
          })
          return async (tables) => {
            await write(tables)
            return { clientSecret }
          }
        },
      },
    ],
    afterWrite: () => credentials.forget(),
  }
  return resource
}

/**
 * Gives a client another secret. The former one goes on until `formerEndsAt`, and with it the tokens that were issued for it; the one
 * before that ends at once.
 *
 * @param of.formerEndsAt milliseconds since 1970; null when it ends at once
 */
function changeSecret(of: {
  readonly service: string
  readonly clientId: string
  readonly hash: string
  readonly formerEndsAt: number | null
}): Write<void> {
  const { service, clientId, hash, formerEndsAt } = of
  return async (tables) => {
    const db = tables.tables<OAuthTables>()
    const { secret_version: formerVersion } = await db
      .updateTable('oauth_client')
      .set(({ ref, eb }) => ({
        former_secret_hash: formerEndsAt === null ? null : ref('secret_hash'),
        former_secret_ends_at: formerEndsAt,
        secret_hash: hash,
        secret_version: eb('secret_version', '+', 1),
      }))
      .where('service', '=', service)
      .where('client_id', '=', clientId)
      .returning(({ eb }) => eb('secret_version', '-', 1).as('secret_version'))
      .executeTakeFirstOrThrow()
    if (formerEndsAt === null) {
      await endTokens(tables, { service, clientId, secretsBefore: undefined })
      return
    }
    await endTokens(tables, { service, clientId, secretsBefore: formerVersion })
    await db
      .updateTable('oauth_token')
      .set({ expires_at: formerEndsAt })
      .where('service', '=', service)
      .where('client_id', '=', clientId)
      .where('expires_at', '>', formerEndsAt)
      .execute()
  }
}
