import { setTimeout } from 'node:timers/promises'
import {
  type Clock,
  digestOf,
  newSecret,
  type OperatorAuthority,
  type Store,
  StoreUnavailable,
} from '@palisade/platform'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { FirewallTables } from '../tables.ts'
import type { Administrator, Administrators } from './administrators.ts'
import { Token } from './token.ts'
import { newTokenText, presentedToken } from './token-text.ts'

/** An operator to whom the administration gives a token. */
export interface TokenHolder {
  /** What he asks for it with, as `ActionCaller` has it. */
  readonly credential: string
  /** Whether he may only read, and so his tokens as well. */
  readonly readsOnly: boolean
}

/** How old the token in a reply may be before a newer one takes its place, as a part of its lifetime. */
const freshness = 1 / 20

/** How long a token is believed before the store is asked again: so long it outlives its end on another server that was not heard of. */
const confirmMs = 1_000

/** How long a request waits for that answer, and how long a token is believed while the store gives none. */
const answerWaitMs = 500
const trustMs = 30_000

/** Of the notifications that a session has ended, with its digest. */
const endedTopic = 'firewall session ended'

/** How often expired tokens are swept out of the store. */
const sweepMs = 60_000

const cachedTokensMax = 10_000

/** How many ended sessions are remembered: more than end in the time for which a token is believed. */
const endedSessionsMax = 10_000

/** Longer headers carry a token with much else around it; remembering those would cost more than reading them. */
const cachedHeaderLengthMax = 1024

/**
 * The tokens of everybody who is logged in. The store keeps their digests; tokens that were used lately are kept
 * in memory, by the header that presented them, so that most requests need neither the store nor a digest.
 *
 * Each reply carries a fresh token beside the one that was presented, which stays valid. So that reading does
 * not write, a token's successor is kept and handed out again for a twentieth of the lifetime.
 *
 * All tokens that come from one login are a session, and end together. A token whose session is not in the store is
 * none: so one that another server issues while the session ends has ended, too. One that an operator was given is none either once
 * he may no longer do with the firewall what he could when he asked, change it or read it, or what he asked for it with has ended.
 */
export class Tokens {
  readonly #key: Buffer
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock
  readonly #administrators: Administrators
  readonly #operators: Pick<OperatorAuthority, 'mayStill'> | undefined
  readonly #lifetimeMs: () => number
  readonly #byHeader = new LRUCache<string, Token>({ max: cachedTokensMax })
  readonly #byDigest = new LRUCache<string, Token>({ max: cachedTokensMax })
  readonly #renewals = new Map<Token, Promise<Token | undefined>>()
  /** The digests of sessions that have ended. */
  readonly #ended = new LRUCache<string, true>({ max: endedSessionsMax })
  readonly #notifications: Store['notifications']
  readonly #stopListening: () => void
  /** When other servers' logouts may last have been missed. */
  #missedAt = Number.NEGATIVE_INFINITY
  #sweptAt = 0

  /** @param deps lifetimeMs is how long a token is valid; when it gets shorter, so do those that were issued */
  constructor(deps: {
    key: Buffer
    store: Store
    clock: Clock
    administrators: Administrators
    /** Who knows operators; where it is left out, none has a session. */
    operators?: Pick<OperatorAuthority, 'mayStill'>
    lifetimeMs: () => number
  }) {
    this.#key = deps.key
    this.#tables = deps.store.tables<FirewallTables>()
    this.#clock = deps.clock
    this.#administrators = deps.administrators
    this.#operators = deps.operators
    this.#lifetimeMs = deps.lifetimeMs
    this.#notifications = deps.store.notifications
    this.#stopListening = this.#notifications.listen(endedTopic, {
      heard: (session) => this.#ended.set(session, true),
      missed: () => {
        this.#missedAt = this.#clock.now()
      },
    })
  }

  /** Ends hearing of other servers' logouts. */
  close(): void {
    this.#stopListening()
  }

  /**
   * Begins a session with its first token, which is in the store when this returns.
   *
   * @param operator who is given it; undefined after a login with a password
   */
  async begin(administrator: Administrator, operator?: TokenHolder): Promise<Token> {
    const session = newSecret()
    const readsOnly = operator?.readsOnly === true
    const now = this.#clock.now()
    await this.#sweep(now)
    const expires_at = now + this.#lifetimeMs()
    await this.#tables
      .insertInto('firewall_session')
      .values({
        id: session,
        expires_at,
        operator_credential: operator?.credential ?? null,
        reads_only: Number(readsOnly),
      })
      .execute()
    return this.#issue({ administrator, session, readsOnly }, now)
  }

  /** The token behind a header, when it and its successor are at hand; {@link find} looks further. */
  recall(authorization: string): Token | undefined {
    const token = this.#byHeader.get(authorization)
    if (token === undefined) return undefined
    const now = this.#clock.now()
    const isConfirmed = this.#isConfirmed(token, now) && this.#isBelieved(token, now)
    return isConfirmed && this.#isFresh(token.successor, now) ? token : undefined
  }

  /** The token that an Authorization header presents, or undefined when there is none that is valid. */
  async find(authorization: string): Promise<Token | undefined> {
    const reduced = presentedToken(authorization)
    if (reduced === undefined) return undefined
    const cachedToken = this.#byDigest.get(digestOf(reduced))
    const now = this.#clock.now()
    const isBelieved = cachedToken !== undefined && this.#isBelieved(cachedToken, now)
    const token = isBelieved ? await this.#confirmed(cachedToken, reduced, now) : await this.#read(reduced)
    if (token && authorization.length <= cachedHeaderLengthMax) this.#byHeader.set(authorization, token)
    return token
  }

  /**
   * Sees to it that the token has a successor that is fresh and durable.
   *
   * @returns false when its session has ended
   */
  async renew(token: Token): Promise<boolean> {
    if (this.#isFresh(token.successor, this.#clock.now())) return true
    const running = this.#renewals.get(token)
    if (running) return (await running) !== undefined
    const renewal = this.#succeed(token)
    this.#renewals.set(token, renewal)
    try {
      const successor = await renewal
      if (successor === undefined) return false
      // A client that always presents the newest token is given the two in turn.
      successor.successor = token
      token.successor = successor
      return true
    } finally {
      this.#renewals.delete(token)
    }
  }

  /** Ends the session of this token: its predecessors and successors with it, and no token of another login. */
  async end({ session }: Token): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('firewall_session').where('id', '=', session).execute()
      await this.#notifications.send(transaction, endedTopic, digestOf(session))
    })
    this.#ended.set(digestOf(session), true)
    await this.#tables.deleteFrom('firewall_token').where('session', '=', session).execute()
  }

  async #succeed(token: Token): Promise<Token | undefined> {
    const now = this.#clock.now()
    const { numUpdatedRows } = await this.#tables
      .updateTable('firewall_session')
      .set({ expires_at: now + this.#lifetimeMs() })
      .where('id', '=', token.session)
      .executeTakeFirst()
    return numUpdatedRows === 0n ? undefined : this.#issue(token, now)
  }

  async #issue(
    { administrator, session, readsOnly }: Pick<Token, 'administrator' | 'session' | 'readsOnly'>,
    now: number,
  ): Promise<Token> {
    const expiresAt = now + this.#lifetimeMs()
    const { username, passwordHash } = administrator
    const text = newTokenText(this.#key, { username, passwordHash, expiresAt })
    const facts = { session, readsOnly, administrator, issuedAt: now, expiresAt, confirmedAt: now }
    const token = new Token(text.replaceAll('\n', ''), facts)
    await this.#tables
      .insertInto('firewall_token')
      .values({
        digest: token.digest,
        username,
        stamp: digestOf(passwordHash),
        session,
        issued_at: now,
        expires_at: expiresAt,
      })
      .execute()
    this.#byDigest.set(token.digest, token)
    return token
  }

  /** A token that is believed, unless the store says within a moment that it has it no more. */
  async #confirmed(token: Token, reduced: string, now: number): Promise<Token | undefined> {
    if (this.#isConfirmed(token, now)) return token
    token.askedAt = now
    const waited = new AbortController()
    const lookup = this.#read(reduced).catch((error: unknown) => {
      // What is in memory can be read as long as that, whatever has become of the database.
      if (error instanceof StoreUnavailable) return token
      throw error
    })
    try {
      return await Promise.race([lookup, setTimeout(answerWaitMs, token, { signal: waited.signal })])
    } finally {
      waited.abort()
      lookup.catch(() => undefined)
    }
  }

  async #read(reduced: string): Promise<Token | undefined> {
    const digest = digestOf(reduced)
    const row = await this.#tables
      .selectFrom('firewall_token')
      .innerJoin('firewall_session', 'firewall_session.id', 'firewall_token.session')
      .select([
        'firewall_token.username',
        'firewall_token.stamp',
        'firewall_token.session',
        'firewall_token.issued_at as issuedAt',
        'firewall_token.expires_at as expiresAt',
        'firewall_session.operator_credential as operatorCredential',
        'firewall_session.reads_only as readsOnly',
      ])
      .where('firewall_token.digest', '=', digest)
      .executeTakeFirst()
    const cachedToken = this.#byDigest.get(digest)
    const isOpen = row !== undefined && (await this.#isOpen(row))
    if (!isOpen && cachedToken) cachedToken.confirmedAt = Number.NEGATIVE_INFINITY
    const administrator = isOpen && this.#administrators.find(row.username)
    if (!administrator || digestOf(administrator.passwordHash) !== row.stamp) return undefined
    const { session, issuedAt, expiresAt } = row
    const readsOnly = row.readsOnly === 1
    const now = this.#clock.now()
    const token =
      cachedToken ??
      new Token(reduced, { session, readsOnly, administrator, issuedAt, expiresAt, confirmedAt: now })
    token.administrator = administrator
    token.confirmedAt = now
    token.askedAt = now
    this.#byDigest.set(digest, token)
    return this.#isBelieved(token, now) ? token : undefined
  }

  /** Whether whoever was given a session may still have it. */
  async #isOpen(session: { readonly operatorCredential: string | null; readonly readsOnly: number }) {
    const { operatorCredential, readsOnly } = session
    if (operatorCredential === null) return true
    const kind = readsOnly === 1 ? 'read' : 'write'
    return (await this.#operators?.mayStill(kind, 'firewall', operatorCredential)) === true
  }

  #isBelieved(token: Token, now: number): boolean {
    return (
      !this.#ended.get(token.sessionDigest) &&
      now < token.confirmedAt + trustMs &&
      now < this.#endOf(token) &&
      this.#isCurrent(token)
    )
  }

  /** Whether the store was asked for it a moment ago, and no logout on another server may have been missed since. */
  #isConfirmed({ askedAt }: Token, now: number): boolean {
    return now - askedAt < confirmMs && askedAt >= this.#missedAt
  }

  #endOf({ issuedAt, expiresAt }: Token): number {
    return Math.min(expiresAt, issuedAt + this.#lifetimeMs())
  }

  /** Whether its administrator is still there, with the same password; his role may be another. */
  #isCurrent(token: Token): boolean {
    const administrator = this.#administrators.find(token.administrator.username)
    if (administrator?.passwordHash !== token.administrator.passwordHash) return false
    token.administrator = administrator
    return true
  }

  #isFresh(successor: Token | undefined, now: number): boolean {
    return (
      successor !== undefined &&
      now - successor.issuedAt < (this.#endOf(successor) - successor.issuedAt) * freshness
    )
  }

  async #sweep(now: number): Promise<void> {
    if (now - this.#sweptAt < sweepMs) return
    this.#sweptAt = now
    await this.#tables.deleteFrom('firewall_token').where('expires_at', '<=', now).execute()
    await this.#tables.deleteFrom('firewall_session').where('expires_at', '<=', now).execute()
  }
}
