import type { Kysely, Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Clock, clocksDifferMs } from '../clock.ts'
import type { Store } from '../database/store.ts'
import { isStorableText, readList, writeList } from '../database/stored-texts.ts'
import { refuseProblems } from '../refuse-problems.ts'
import { repeatedIndexes } from '../repeated-indexes.ts'
import type { Passwords } from '../secrets/passwords.ts'
import { digestOf, newSecret } from '../secrets/tokens.ts'
import type { OAuthTables } from './tables.ts'

/** A program's entry in the configuration. */
export interface ApiClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly accounts: readonly string[]
  readonly scopes: readonly string[]
}

/** What an access token opens. */
export interface Grant {
  readonly clientId: string
  readonly accounts: readonly string[]
  readonly scopes: readonly string[]
}

export interface IssuedToken {
  readonly accessToken: string
  readonly expiresInSeconds: number
  readonly scopes: readonly string[]
}

/** Why no token was issued, in the words of RFC 6749, section 5.2. */
export type TokenFailure = 'invalid_client' | 'invalid_scope'

const lifetimeSeconds = 3600
const lifetimeMs = lifetimeSeconds * 1000

/**
 * How long a token that was found valid is believed without asking the store again: the longest time for
 * which it outlives a client that another server removed.
 */
const cacheMs = 30_000

/**
 * Access tokens by the client-credentials grant of OAuth 2.0 (RFC 6749, section 4.4), for one service. A token
 * is 256 random bits and lives for one hour; the store holds its digest, its client and its scopes.
 */
export class ClientCredentials {
  readonly #service: string
  readonly #tables: Kysely<OAuthTables>
  readonly #passwords: Passwords
  readonly #clock: Clock
  readonly #grants = new LRUCache<string, Grant & { expiresAt: number }>({ max: 10_000, ttl: cacheMs })
  /** Lists of accounts by how they are stored: all tokens of a client share one, since it may be long and they may be many. */
  readonly #accounts = new LRUCache<string, readonly string[]>({ max: 1000, memoMethod: readList })

  constructor(deps: { service: string; store: Store; passwords: Passwords; clock: Clock }) {
    this.#service = deps.service
    this.#tables = deps.store.tables<OAuthTables>()
    this.#passwords = deps.passwords
    this.#clock = deps.clock
  }

  /**
   * Adds the clients or brings them to what is given. A client whose secret changed loses its tokens.
   *
   * @throws Error naming each client that is given twice
   */
  async provision(clients: readonly ApiClient[]): Promise<void> {
    refuseProblems(
      this.#service,
      repeatedIndexes(clients.map(({ clientId }) => clientId)).map(
        (index) => `${this.#service}.apiClients.${index} repeats a clientId`,
      ),
    )
    for (const client of clients) {
      const stored = await this.#clientRow(client.clientId)
      const unchanged =
        stored !== undefined && (await this.#passwords.matches(client.clientSecret, stored.secret_hash))
      const row = {
        service: this.#service,
        client_id: client.clientId,
        secret_hash: unchanged ? stored.secret_hash : await this.#passwords.hash(client.clientSecret),
        accounts: writeList(client.accounts),
        scopes: client.scopes.join(' '),
      }
      await this.#tables.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('oauth_client')
          .values(row)
          .onConflict((conflict) => conflict.columns(['service', 'client_id']).doUpdateSet(row))
          .execute()
        if (!unchanged) {
          await transaction
            .deleteFrom('oauth_token')
            .where('service', '=', this.#service)
            .where('client_id', '=', client.clientId)
            .execute()
        }
      })
    }
    this.#grants.clear()
    this.#accounts.clear()
  }

  /**
   * Issues a token.
   *
   * @param requestedScopes what the client asks for; everything it may have when empty
   */
  async issue(
    clientId: string,
    clientSecret: string,
    requestedScopes: readonly string[],
  ): Promise<IssuedToken | TokenFailure> {
    const client = await this.#clientRow(clientId)
    const authentic = await this.#passwords.matches(clientSecret, client?.secret_hash)
    if (!client || !authentic) return 'invalid_client'
    const allowed = words(client.scopes)
    const scopes = requestedScopes.length === 0 ? allowed : [...new Set(requestedScopes)]
    if (scopes.some((scope) => !allowed.includes(scope))) return 'invalid_scope'

    const now = this.#clock.now()
    const accessToken = newSecret()
    await this.#tables.deleteFrom('oauth_token').where('expires_at', '<=', now).execute()
    const isIssued = await this.#tables.transaction().execute(async (transaction) => {
      if (!(await this.#holdSecret(transaction, client))) return false
      await transaction
        .insertInto('oauth_token')
        .values({
          digest: digestOf(accessToken),
          service: this.#service,
          client_id: clientId,
          scopes: scopes.join(' '),
          expires_at: now + lifetimeMs,
        })
        .execute()
      return true
    })
    return isIssued ? { accessToken, expiresInSeconds: lifetimeSeconds, scopes } : 'invalid_client'
  }

  /**
   * Keeps a client's secret from being changed until the transaction ends: whoever changes it ends its tokens afterwards.
   *
   * @returns false when it is another one by now
   */
  async #holdSecret(
    transaction: Transaction<OAuthTables>,
    { client_id, secret_hash }: Pick<OAuthTables['oauth_client'], 'client_id' | 'secret_hash'>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await transaction
      .updateTable('oauth_client')
      .set({ secret_hash })
      .where('service', '=', this.#service)
      .where('client_id', '=', client_id)
      .where('secret_hash', '=', secret_hash)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** What the token opens, or undefined when it is unknown, has expired, or is of a clock that was ahead. */
  async grantOf(accessToken: string): Promise<Grant | undefined> {
    const digest = digestOf(accessToken)
    const grant = this.#grants.get(digest) ?? (await this.#readGrant(digest))
    if (grant === undefined) return undefined
    const leftMs = grant.expiresAt - this.#clock.now()
    return leftMs > 0 && leftMs <= lifetimeMs + clocksDifferMs ? grant : undefined
  }

  async #readGrant(digest: string) {
    const row = await this.#tables
      .selectFrom('oauth_token')
      .innerJoin('oauth_client', (join) =>
        join
          .onRef('oauth_client.service', '=', 'oauth_token.service')
          .onRef('oauth_client.client_id', '=', 'oauth_token.client_id'),
      )
      .select([
        'oauth_token.client_id as clientId',
        'oauth_token.scopes as tokenScopes',
        'oauth_client.scopes as clientScopes',
        'oauth_client.accounts as accounts',
        'oauth_token.expires_at as expiresAt',
      ])
      .where('oauth_token.digest', '=', digest)
      .where('oauth_token.service', '=', this.#service)
      .executeTakeFirst()
    if (!row) return undefined
    const stillAllowed = words(row.clientScopes)
    const grant = {
      clientId: row.clientId,
      accounts: this.#accounts.memo(row.accounts),
      scopes: words(row.tokenScopes).filter((scope) => stillAllowed.includes(scope)),
      expiresAt: row.expiresAt,
    }
    this.#grants.set(digest, grant)
    return grant
  }

  async #clientRow(clientId: string) {
    if (!isStorableText(clientId)) return undefined
    return this.#tables
      .selectFrom('oauth_client')
      .selectAll()
      .where('service', '=', this.#service)
      .where('client_id', '=', clientId)
      .executeTakeFirst()
  }
}

/** The scopes of a list that is separated by blanks. */
function words(list: string): string[] {
  return list.split(' ').filter((word) => word !== '')
}
