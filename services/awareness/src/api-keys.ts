import { createHmac } from 'node:crypto'
import { readList, type Store, writeList } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { isListed } from './address-list.ts'
import type { AwarenessConfiguration } from './configuration.ts'
import type { AwarenessTables } from './tables.ts'

/**
 * The API keys that open `authenticate`. Operators choose them, perhaps short ones, so the store keeps a digest
 * that cannot be guessed at without the installation's own key.
 */
export class ApiKeys {
  readonly #tables: Kysely<AwarenessTables>
  readonly #installationKey: Buffer

  constructor(store: Store, installationKey: Buffer) {
    this.#tables = store.tables<AwarenessTables>()
    this.#installationKey = installationKey
  }

  /** Adds the keys or brings them to what is given; deletes nothing. */
  async provision(keys: AwarenessConfiguration['apiKeys']): Promise<void> {
    for (const { key, username, allowedAddresses } of keys) {
      const row = { username, allowed_addresses: writeList(allowedAddresses) }
      await this.#tables
        .insertInto('awareness_api_key')
        .values({ digest: this.#digestOf(key), ...row })
        .onConflict((conflict) => conflict.column('digest').doUpdateSet(row))
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
