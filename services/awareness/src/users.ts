import { isStorableText, type Passwords, type Store, writeList } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { AwarenessConfiguration } from './configuration.ts'
import type { AwarenessTables } from './tables.ts'

type ProvisionedUser = AwarenessConfiguration['users'][number]

/** Who may authenticate. */
export class Users {
  readonly #tables: Kysely<AwarenessTables>
  readonly #passwords: Passwords

  constructor(store: Store, passwords: Passwords) {
    this.#tables = store.tables<AwarenessTables>()
    this.#passwords = passwords
  }

  /** Adds the users or brings them to what is given. A user whose password changed loses every token. */
  async provision(users: readonly ProvisionedUser[]): Promise<void> {
    await Promise.all(users.map((user) => this.#provisionOne(user)))
  }

  /** Whether this is the user's password; false, after the same work, where there is no such user. */
  async matches(username: string, password: string): Promise<boolean> {
    return this.#passwords.matches(password, await this.#passwordHash(username))
  }

  async exists(username: string): Promise<boolean> {
    return (await this.#passwordHash(username)) !== undefined
  }

  async #provisionOne({ username, password, permissions }: ProvisionedUser): Promise<void> {
    const stored = await this.#passwordHash(username)
    const unchanged = stored !== undefined && (await this.#passwords.matches(password, stored))
    const row = {
      password_hash: unchanged ? stored : await this.#passwords.hash(password),
      permissions: writeList(permissions),
    }
    await this.#tables.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('awareness_user')
        .values({ username, ...row })
        .onConflict((conflict) => conflict.column('username').doUpdateSet(row))
        .execute()
      if (!unchanged) {
        await transaction.deleteFrom('awareness_token').where('username', '=', username).execute()
      }
    })
  }

  async #passwordHash(username: string): Promise<string | undefined> {
    if (!isStorableText(username)) return undefined
    const row = await this.#tables
      .selectFrom('awareness_user')
      .select('password_hash')
      .where('username', '=', username)
      .executeTakeFirst()
    return row?.password_hash
  }
}
