import { isStorableText, type Passwords, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { FirewallConfiguration } from '../configuration.ts'
import type { FirewallTables } from '../tables.ts'

export interface Administrator {
  readonly username: string
  readonly passwordHash: string
  readonly role: string
}

/** The role that may change the configuration; every other may only read it. */
const writingRole = 'admin'

export function mayWrite(role: string): boolean {
  return role === writingRole
}

/** Who may log in. */
export class Administrators {
  readonly #tables: Kysely<FirewallTables>
  readonly #passwords: Passwords

  constructor(deps: { store: Store; passwords: Passwords }) {
    this.#tables = deps.store.tables<FirewallTables>()
    this.#passwords = deps.passwords
  }

  /**
   * Adds the administrators or brings them to what is given; deletes none. Whose password changed loses every
   * token.
   */
  async provision(administrators: FirewallConfiguration['administrators']): Promise<void> {
    for (const { username, password, role } of administrators) {
      const stored = await this.#find(username)
      const isUnchanged = await this.#passwords.matches(password, stored?.passwordHash)
      const hash = stored && isUnchanged ? stored.passwordHash : await this.#passwords.hash(password)
      await this.#tables.transaction().execute(async (transaction) => {
        if (!isUnchanged) {
          await transaction.deleteFrom('firewall_token').where('username', '=', username).execute()
        }
        await transaction
          .insertInto('firewall_administrator')
          .values({ username, password_hash: hash, role })
          .onConflict((conflict) => conflict.column('username').doUpdateSet({ password_hash: hash, role }))
          .execute()
      })
    }
  }

  /** The administrator with this name and password, found or not after the same work. */
  async authenticate(username: string, password: string): Promise<Administrator | undefined> {
    const administrator = await this.#find(username)
    const isAuthentic = await this.#passwords.matches(password, administrator?.passwordHash)
    return isAuthentic ? administrator : undefined
  }

  async #find(username: string): Promise<Administrator | undefined> {
    if (!isStorableText(username)) return undefined
    return this.#tables
      .selectFrom('firewall_administrator')
      .select(['username', 'password_hash as passwordHash', 'role'])
      .where('username', '=', username)
      .executeTakeFirst()
  }
}
