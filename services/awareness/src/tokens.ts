import { type Clock, clocksDifferMs, digestOf, newSecret, readList, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { AwarenessTables } from './tables.ts'

/** What an access token stands for. */
export interface TokenHolder {
  readonly username: string
  readonly permissions: readonly string[]
  /** The only client address that may use the token. */
  readonly address: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** "Valid for 24 hours at most" (specification, "Authentication"). */
const lifetimeMs = 24 * 60 * 60 * 1000

/**
 * Access tokens: 256 random bits, of which the store keeps a digest. Each use asks the store, so that a token
 * that was ended anywhere is ended everywhere, at once.
 */
export class Tokens {
  readonly #tables: Kysely<AwarenessTables>
  readonly #clock: Clock

  constructor(store: Store, clock: Clock) {
    this.#tables = store.tables<AwarenessTables>()
    this.#clock = clock
  }

  /**
   * Issues a token to who knows the user's password.
   *
   * @param passwordHash what the password was checked against
   * @returns undefined when another server has changed the password meanwhile, which ends all tokens of the old one
   */
  async issue(username: string, passwordHash: string, address: string): Promise<string | undefined> {
    const now = this.#clock.now()
    const token = newSecret()
    await this.#tables.deleteFrom('awareness_token').where('expires_at', '<=', now).execute()
    const isIssued = await this.#tables.transaction().execute(async (transaction) => {
      // Keeps the password from being changed until the token is there to be ended.
      const { numUpdatedRows } = await transaction
        .updateTable('awareness_user')
        .set({ password_hash: passwordHash })
        .where('username', '=', username)
        .where('password_hash', '=', passwordHash)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await transaction
        .insertInto('awareness_token')
        .values({ digest: digestOf(token), username, address, issued_at: now, expires_at: now + lifetimeMs })
        .execute()
      return true
    })
    return isIssued ? token : undefined
  }

  /** Who holds the token; undefined when it is unknown, was ended, has expired or is of a time to come. */
  async holderOf(token: string): Promise<TokenHolder | undefined> {
    const now = this.#clock.now()
    const row = await this.#tables
      .selectFrom('awareness_token')
      .innerJoin('awareness_user', 'awareness_user.username', 'awareness_token.username')
      .select([
        'awareness_user.username as username',
        'awareness_user.permissions as permissions',
        'awareness_token.address as address',
        'awareness_token.expires_at as expiresAt',
      ])
      .where('awareness_token.digest', '=', digestOf(token))
      .where('awareness_token.expires_at', '>', now)
      .where('awareness_token.issued_at', '<=', now + clocksDifferMs)
      .executeTakeFirst()
    return row && { ...row, permissions: readList(row.permissions) }
  }
}
