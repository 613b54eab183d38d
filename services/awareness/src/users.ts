import {
  isDuplicate,
  isStorableText,
  type Passwords,
  RequestRefused,
  type Store,
  type TransactionTables,
  type Write,
  writeList,
} from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { AwarenessConfiguration } from './configuration.ts'
import type { AwarenessTables } from './tables.ts'

type ProvisionedUser = AwarenessConfiguration['users'][number]

/** Who may authenticate. */
export class Users {
  readonly #store: Store
  readonly #tables: Kysely<AwarenessTables>
  readonly #passwords: Passwords

  constructor(store: Store, passwords: Passwords) {
    this.#store = store
    this.#tables = store.tables<AwarenessTables>()
    this.#passwords = passwords
  }

  async exists(username: string): Promise<boolean> {
    return (await this.#passwordHash(username)) !== undefined
  }

  /**
   * Adds the users or brings them to what is given. A user whose password changed loses every token. Those that are not given any more
   * are administered at run time from then on.
   *
   * @param file the configuration file that names them, as messages call it; null where none does
   */
  async provision(users: readonly ProvisionedUser[], file: string | null): Promise<void> {
    const prepared = await Promise.all(users.map((user) => this.#prepare(user)))
    await this.#store.serializably(async (tables) => {
      const db = tables.tables<AwarenessTables>()
      await db
        .updateTable('awareness_user')
        .set({ managed_by: null })
        .where('managed_by', 'is not', null)
        .execute()
      for (const { username, isUnchanged, ...members } of prepared) {
        const row = { ...members, managed_by: file }
        await db
          .insertInto('awareness_user')
          .values({ username, ...row })
          .onConflict((conflict) => conflict.column('username').doUpdateSet(row))
          .execute()
        if (!isUnchanged) await endTokens(tables, username)
      }
    })
  }

  /** @throws RequestRefused conflict, where there is such a user */
  async create({ username, password, permissions }: ProvisionedUser): Promise<Write<{ id: string }>> {
    const password_hash = await this.#passwords.hash(password)
    return async ({ tables }) => {
      try {
        await tables<AwarenessTables>()
          .insertInto('awareness_user')
          .values({ username, password_hash, permissions: writeList(permissions), managed_by: null })
          .execute()
      } catch (error) {
        if (!isDuplicate(error)) throw error
        throw new RequestRefused('conflict', `There is a user ${username} already.`, { field: 'username' })
      }
      return { id: username }
    }
  }

  /** Changes a user. One who is given a password loses every token. */
  async update(
    username: string,
    { password, permissions }: Partial<Pick<ProvisionedUser, 'password' | 'permissions'>>,
  ): Promise<Write<void>> {
    const password_hash = password === undefined ? undefined : await this.#passwords.hash(password)
    return async (tables) => {
      const set = {
        ...(password_hash !== undefined && { password_hash }),
        ...(permissions && { permissions: writeList(permissions) }),
      }
      if (Object.keys(set).length === 0) return
      await tables
        .tables<AwarenessTables>()
        .updateTable('awareness_user')
        .set(set)
        .where('username', '=', username)
        .execute()
      if (password_hash !== undefined) await endTokens(tables, username)
    }
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

  async #prepare({ username, password, permissions }: ProvisionedUser) {
    const stored = await this.#passwordHash(username)
    const isUnchanged = stored !== undefined && (await this.#passwords.matches(password, stored))
    return {
      username,
      password_hash: isUnchanged ? stored : await this.#passwords.hash(password),
      permissions: writeList(permissions),
      isUnchanged,
    }
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

async function endTokens({ tables }: TransactionTables, username: string): Promise<void> {
  await tables<AwarenessTables>().deleteFrom('awareness_token').where('username', '=', username).execute()
}
