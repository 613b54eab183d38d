import type { Kysely, Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Clock, clocksDifferMs } from '../clock.ts'
import { type Problem, problemAt, refuseProblems } from '../configuration-problems.ts'
import type { Store, TransactionTables } from '../database/store.ts'
import { isStorableText, readList, writeList } from '../database/stored-texts.ts'
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

/** An access token that is shown this once; the store keeps its digest. */
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

/** A grant, and when its token expires, in milliseconds since 1970. */
type KnownGrant = Grant & { readonly expiresAt: number }

type ClientRow = OAuthTables['oauth_client']

/** A secret that was given, as it is stored. */
interface HeldSecret {
  readonly hash: string
  readonly version: number
}

/** Which clients are given twice. */
export function problemsOfClients(service: string, clients: readonly ApiClient[]): Problem[] {
  return repeatedIndexes(clients.map(({ clientId }) => clientId)).map((index) =>
    problemAt([service, 'apiClients', index], 'repeats a clientId'),
  )
}

/**
 * Access tokens by the client-credentials grant of OAuth 2.0 (RFC 6749, section 4.4), for one service. A token
 * is 256 random bits and lives for one hour; the store holds its digest, its client and its scopes. A client that was given
 * another secret may have the former one for a while: what that is good for ends with it, tokens among it.
 */
export class ClientCredentials {
  readonly #service: string
  readonly #store: Store
  readonly #tables: Kysely<OAuthTables>
  readonly #passwords: Passwords
  readonly #clock: Clock
  readonly #grants = new LRUCache<string, KnownGrant>({ max: 10_000, ttl: cacheMs })
  /** Lists of accounts by how they are stored: all tokens of a client share one, since it may be long and they may be many. */
  readonly #accounts = new LRUCache<string, readonly string[]>({ max: 1000, memoMethod: readList })
  /** How often what is known was forgotten: what was read before that is not remembered after it. */
  #timesForgotten = 0

  constructor(deps: { service: string; store: Store; passwords: Passwords; clock: Clock }) {
    this.#service = deps.service
    this.#store = deps.store
    this.#tables = deps.store.tables<OAuthTables>()
    this.#passwords = deps.passwords
    this.#clock = deps.clock
  }

  /**
   * Adds the clients or brings them to what is given. A client whose secret changed loses its tokens. Those that are not given any
   * more are administered at run time from then on.
   *
   * @param file the configuration file that names them, as messages call it; null where none does
   * @throws Error naming each client that is given twice
   */
  async provision(clients: readonly ApiClient[], file: string | null = null): Promise<void> {
    refuseProblems(this.#service, problemsOfClients(this.#service, clients))
    const prepared: { client: ApiClient; hash: string; secretsBefore: number | undefined }[] = []
    for (const client of clients) {
      const stored = await this.#clientRow(client.clientId)
      const isUnchanged =
        stored !== undefined && (await this.#passwords.matches(client.clientSecret, stored.secret_hash))
      prepared.push({
        client,
        hash: isUnchanged ? stored.secret_hash : await this.#passwords.hash(client.clientSecret),
        secretsBefore: isUnchanged ? stored.secret_version : undefined,
      })
    }
    await this.#store.serializably(async (tables) => {
      await tables
        .tables<OAuthTables>()
        .updateTable('oauth_client')
        .set({ managed_by: null })
        .where('service', '=', this.#service)
        .where('managed_by', 'is not', null)
        .execute()
      for (const { client, hash, secretsBefore } of prepared) {
        const { clientId, accounts, scopes } = client
        const row = {
          secret_hash: hash,
          former_secret_hash: null,
          former_secret_ends_at: null,
          accounts: writeList(accounts),
          scopes: scopes.join(' '),
          managed_by: file,
        }
        await tables
          .tables<OAuthTables>()
          .insertInto('oauth_client')
          .values({ service: this.#service, client_id: clientId, secret_version: 1, ...row })
          .onConflict((conflict) => conflict.columns(['service', 'client_id']).doUpdateSet(row))
          .execute()
        await endTokens(tables, { service: this.#service, clientId, secretsBefore })
      }
    })
    this.forget()
  }

  /** Forgets what is known of tokens and clients: each is asked of the store again. To be called after they were changed. */
  forget(): void {
    this.#timesForgotten++
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
    const secret = await this.#secretMatching(clientSecret, client)
    if (!client || !secret) return 'invalid_client'
    const allowed = words(client.scopes)
    const scopes = requestedScopes.length === 0 ? allowed : [...new Set(requestedScopes)]
    if (scopes.some((scope) => !allowed.includes(scope))) return 'invalid_scope'

    const now = this.#clock.now()
    const accessToken = newSecret()
    await this.#tables.deleteFrom('oauth_token').where('expires_at', '<=', now).execute()
    const leftMs = await this.#tables.transaction().execute(async (transaction) => {
      const lifetime = await this.#holdSecret(transaction, clientId, secret, now)
      if (lifetime === undefined) return undefined
      await transaction
        .insertInto('oauth_token')
        .values({
          digest: digestOf(accessToken),
          service: this.#service,
          client_id: clientId,
          secret_version: secret.version,
          scopes: scopes.join(' '),
          expires_at: now + lifetime,
        })
        .execute()
      return lifetime
    })
    if (leftMs === undefined) return 'invalid_client'
    return { accessToken, expiresInSeconds: Math.floor(leftMs / 1000), scopes }
  }

  /** The secret of the client that was given: the one that it has, or the one before where that goes on. */
  async #secretMatching(secret: string, client: ClientRow | undefined): Promise<HeldSecret | undefined> {
    if (await this.#passwords.matches(secret, client?.secret_hash)) {
      return client && { hash: client.secret_hash, version: client.secret_version }
    }
    if (!client || client.former_secret_hash === null) return undefined
    if ((client.former_secret_ends_at ?? 0) <= this.#clock.now()) return undefined
    const isFormer = await this.#passwords.matches(secret, client.former_secret_hash)
    return isFormer ? { hash: client.former_secret_hash, version: client.secret_version - 1 } : undefined
  }

  /**
   * Keeps a client's secrets from being changed until the transaction ends: whoever changes them ends its tokens afterwards.
   *
   * @returns how long a token for the secret lasts, in milliseconds; undefined when the secret is none by now
   */
  async #holdSecret(
    transaction: Transaction<OAuthTables>,
    clientId: string,
    { hash }: HeldSecret,
    now: number,
  ): Promise<number | undefined> {
    const row = await transaction
      .updateTable('oauth_client')
      .set(({ ref }) => ({ secret_hash: ref('secret_hash') }))
      .where('service', '=', this.#service)
      .where('client_id', '=', clientId)
      .where(({ eb, or }) => or([eb('secret_hash', '=', hash), eb('former_secret_hash', '=', hash)]))
      .returning(['secret_hash', 'former_secret_ends_at'])
      .executeTakeFirst()
    if (row === undefined) return undefined
    if (row.secret_hash === hash) return lifetimeMs
    const leftMs = Math.min(lifetimeMs, (row.former_secret_ends_at ?? 0) - now)
    return leftMs > 0 ? leftMs : undefined
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
    const timesForgotten = this.#timesForgotten
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
    if (timesForgotten === this.#timesForgotten) this.#grants.set(digest, grant)
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

/**
 * Ends tokens of a client, on this server once {@link ClientCredentials.forget} was called, and on others within 30 s.
 *
 * @param of.secretsBefore only those for secrets of versions before this one; all of them when undefined
 */
export async function endTokens(
  { tables }: Pick<TransactionTables, 'tables'>,
  of: { readonly service: string; readonly clientId: string; readonly secretsBefore: number | undefined },
): Promise<void> {
  const all = tables<OAuthTables>()
    .deleteFrom('oauth_token')
    .where('service', '=', of.service)
    .where('client_id', '=', of.clientId)
  const { secretsBefore } = of
  await (secretsBefore === undefined ? all : all.where('secret_version', '<', secretsBefore)).execute()
}

/** The scopes of a list that is separated by blanks. */
export function words(list: string): string[] {
  return list.split(' ').filter((word) => word !== '')
}
