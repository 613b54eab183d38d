import { createHmac, randomUUID } from 'node:crypto'
import {
  newSecret,
  RequestRefused,
  readList,
  type Store,
  type TransactionTables,
  type Write,
  writeList,
} from '@palisade/platform'
import type { Kysely } from 'kysely'
import { isListed } from './address-list.ts'
import type { AwarenessConfiguration } from './configuration.ts'
import { type AwarenessTables, keyNameOf } from './tables.ts'

/** What operators say of a key. */
interface ApiKeyMembers {
  readonly name: string
  /** The only user who may use it; anybody when null. */
  readonly username: string | null
  readonly allowedAddresses: readonly string[]
}

/**
 * The API keys that open `authenticate`. Operators choose them, perhaps short ones, so the store keeps a digest
 * that cannot be guessed at without the installation's own key.
 */
export class ApiKeys {
  readonly #store: Store
  readonly #tables: Kysely<AwarenessTables>
  readonly #installationKey: Buffer

  constructor(store: Store, installationKey: Buffer) {
    this.#store = store
    this.#tables = store.tables<AwarenessTables>()
    this.#installationKey = installationKey
  }

  /**
   * Adds the keys or brings them to what is given; deletes nothing. Those that are not given any more are administered at run time from
   * then on.
   *
   * @param file the configuration file that names them, as messages call it; null where none does
   */
  async provision(keys: AwarenessConfiguration['apiKeys'], file: string | null): Promise<void> {
    await this.#store.serializably(async ({ tables }) => {
      await tables<AwarenessTables>()
        .updateTable('awareness_api_key')
        .set({ managed_by: null })
        .where('managed_by', 'is not', null)
        .execute()
      for (const { key, name, username, allowedAddresses } of keys) {
        const id = randomUUID()
        const row = { username, allowed_addresses: writeList(allowedAddresses), managed_by: file }
        await tables<AwarenessTables>()
          .insertInto('awareness_api_key')
          .values({ digest: this.#digestOf(key), id, name: name ?? keyNameOf(id), ...row })
          .onConflict((conflict) =>
            conflict.column('digest').doUpdateSet({ ...row, ...(name !== undefined && { name }) }),
          )
          .execute()
      }
    })
  }

  /** Adds a new key. */
  create(members: ApiKeyMembers): { readonly key: string; readonly write: Write<{ id: string }> } {
    const key = newSecret()
    const { name, username, allowedAddresses } = members
    const write: Write<{ id: string }> = async (tables) => {
      await refuseUnknownUser(tables, username)
      const id = randomUUID()
      await tables
        .tables<AwarenessTables>()
        .insertInto('awareness_api_key')
        .values({
          digest: this.#digestOf(key),
          id,
          name,
          username,
          allowed_addresses: writeList(allowedAddresses),
          managed_by: null,
        })
        .execute()
      return { id }
    }
    return { key, write }
  }

  /** Changes what is said of a key. */
  update(id: string, { name, username, allowedAddresses }: Partial<ApiKeyMembers>): Write<void> {
    return async (tables) => {
      if (username !== undefined) await refuseUnknownUser(tables, username)
      const set = {
        ...(name !== undefined && { name }),
        ...(username !== undefined && { username }),
        ...(allowedAddresses && { allowed_addresses: writeList(allowedAddresses) }),
      }
      if (Object.keys(set).length === 0) return
      await tables
        .tables<AwarenessTables>()
        .updateTable('awareness_api_key')
        .set(set)
        .where('id', '=', id)
        .execute()
    }
  }

  /** Whether the key is known and may be used by this user from this address. */
  async accepts(key: string, username: string, address: string): Promise<boolean> {
    const row = await this.#tables
      .selectFrom('awareness_api_key')
      .select(['username', 'allowed_addresses'])
      .where('digest', '=', this.#digestOf(key))
      .executeTakeFirst()
    if (!row) return false
    const allowedAddresses = readList(row.allowed_addresses)
    return (
      (row.username === null || row.username === username) &&
      (allowedAddresses.length === 0 || isListed(address, allowedAddresses))
    )
  }

  #digestOf(key: string): string {
    return createHmac('sha256', this.#installationKey).update(`awareness api key\n${key}`).digest('hex')
  }
}

async function refuseUnknownUser({ tables }: TransactionTables, username: string | null): Promise<void> {
  if (username === null) return
  const user = await tables<AwarenessTables>()
    .selectFrom('awareness_user')
    .select('username')
    .where('username', '=', username)
    .executeTakeFirst()
  if (user === undefined) {
    throw new RequestRefused('bad-request', `There is no user ${username}.`, { field: 'username' })
  }
}
