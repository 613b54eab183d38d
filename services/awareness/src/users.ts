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

  async exists(username: string): Promise<boolean> {
    return (await this.#passwordHash(username)) !== undefined
  }

  /** Adds the users or brings them to what is given. A user whose password changed loses every token. */
  async provision(users: readonly ProvisionedUser[]): Promise<void> {
    await Promise.all(users.map((user) => this.#provisionOne(user)))
  }

  /**
   * Checks a user's password.
   *
   * @returns the hash that it was checked against; undefined, after the same work, when it is not his or there is no such user
   */
  async hashMatching(username: string, password: string): Promise<string | undefined> {
    const stored = await this.#passwordHash(username)
    return (await this.#passwords.matches(password, stored)) ? stored : undefined
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
