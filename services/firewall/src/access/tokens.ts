import { type Clock, digestOf, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { RecentMap } from '../recent-map.ts'
import type { FirewallTables } from '../tables.ts'
import type { Administrator, Administrators } from './administrators.ts'
import { Token } from './token.ts'
import { newTokenText, presentedToken } from './token-text.ts'

/** How old the token in a reply may be before a newer one takes its place, as a part of its lifetime. */
const freshness = 1 / 20

/**
 * How long a token that was found valid is believed without asking the store again: the longest time for which
 * it outlives its end on another server.
 */
const trustMs = 30_000

/** How often expired tokens are swept out of the store. */
const sweepMs = 60_000

const cachedTokensMax = 10_000

/** Longer headers carry a token with much else around it; remembering those would cost more than reading them. */
const cachedHeaderLengthMax = 1024

/**
 * The tokens of everybody who is logged in. The store keeps their digests; tokens that were used lately are kept
 * in memory, by the header that presented them, so that most requests need neither the store nor a digest.
 *
 * Each reply carries a fresh token beside the one that was presented, which stays valid. So that reading does
 * not write, a token's successor is kept and handed out again for a twentieth of the lifetime.
 */
export class Tokens {
  readonly #key: Buffer
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock
  readonly #administrators: Administrators
  readonly #lifetimeMs: () => number
  readonly #byHeader = new RecentMap<string, Token>(cachedTokensMax)
  readonly #byDigest = new RecentMap<string, Token>(cachedTokensMax)
  readonly #renewals = new Map<Token, Promise<Token>>()
  #sweptAt = 0

  /** @param deps lifetimeMs is how long a token is valid; when it gets shorter, so do those that were issued */
  constructor(deps: {
    key: Buffer
    store: Store
    clock: Clock
    administrators: Administrators
    lifetimeMs: () => number
  }) {
    this.#key = deps.key
    this.#tables = deps.store.tables<FirewallTables>()
    this.#clock = deps.clock
    this.#administrators = deps.administrators
    this.#lifetimeMs = deps.lifetimeMs
  }

  /** Issues a token, which is in the store when this returns. */
  async issue(administrator: Administrator): Promise<Token> {
    const now = this.#clock.now()
    const expiresAt = now + this.#lifetimeMs()
    const { username, passwordHash } = administrator
    const text = newTokenText(this.#key, { username, passwordHash, expiresAt })
    const token = new Token(text.replaceAll('\n', ''), {
      administrator,
      issuedAt: now,
      expiresAt,
      trustedUntil: now + trustMs,
    })
    await this.#sweep(now)
    await this.#tables
      .insertInto('firewall_token')
      .values({
        digest: token.digest,
        username,
        stamp: digestOf(passwordHash),
        issued_at: now,
        expires_at: expiresAt,
      })
      .execute()
    this.#byDigest.set(token.digest, token)
    return token
  }

  /** The token behind a header, when it and its successor are at hand; {@link find} looks further. */
  recall(authorization: string): Token | undefined {
    const token = this.#byHeader.get(authorization)
    if (token === undefined) return undefined
    const now = this.#clock.now()
    return this.#isTrusted(token, now) && this.#isFresh(token.successor, now) ? token : undefined
  }

  /** The token that an Authorization header presents, or undefined when there is none that is valid. */
  async find(authorization: string): Promise<Token | undefined> {
    const reduced = presentedToken(authorization)
    if (reduced === undefined) return undefined
    const known = this.#byDigest.get(digestOf(reduced))
    const isTrusted = known !== undefined && this.#isTrusted(known, this.#clock.now())
    const token = isTrusted ? known : await this.#read(reduced)
    if (token && authorization.length <= cachedHeaderLengthMax) this.#byHeader.set(authorization, token)
    return token
  }

  /** Sees to it that the token has a successor that is fresh and durable. */
  async renew(token: Token): Promise<void> {
    if (this.#isFresh(token.successor, this.#clock.now())) return
    const running = this.#renewals.get(token)
    if (running) {
      await running
      return
    }
    const renewal = this.issue(token.administrator)
    this.#renewals.set(token, renewal)
    try {
      const successor = await renewal
      // A client that always presents the newest token is given the two in turn.
      successor.successor = token
      token.successor = successor
    } finally {
      this.#renewals.delete(token)
    }
  }

  /** Ends this token, and no other. */
  async end(token: Token): Promise<void> {
    token.hasEnded = true
    await this.#tables.deleteFrom('firewall_token').where('digest', '=', token.digest).execute()
  }

  async #read(reduced: string): Promise<Token | undefined> {
    const row = await this.#tables
      .selectFrom('firewall_token')
      .select(['username', 'stamp', 'issued_at as issuedAt', 'expires_at as expiresAt'])
      .where('digest', '=', digestOf(reduced))
      .executeTakeFirst()
    const administrator = row && this.#administrators.find(row.username)
    if (!administrator || digestOf(administrator.passwordHash) !== row.stamp) return undefined
    const { issuedAt, expiresAt } = row
    const now = this.#clock.now()
    const given = { administrator, issuedAt, expiresAt, trustedUntil: now + trustMs }
    // Asked for after the store: a token that ended in the meantime is remembered as ended.
    const token = this.#byDigest.get(digestOf(reduced)) ?? new Token(reduced, given)
    token.administrator = administrator
    token.trustedUntil = given.trustedUntil
    this.#byDigest.set(token.digest, token)
    return this.#isTrusted(token, now) ? token : undefined
  }

  #isTrusted(token: Token, now: number): boolean {
    return !token.hasEnded && now < token.trustedUntil && now < this.#endOf(token) && this.#isCurrent(token)
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
      !successor.hasEnded &&
      now - successor.issuedAt < (this.#endOf(successor) - successor.issuedAt) * freshness
    )
  }

  async #sweep(now: number): Promise<void> {
    if (now - this.#sweptAt < sweepMs) return
    this.#sweptAt = now
    await this.#tables.deleteFrom('firewall_token').where('expires_at', '<=', now).execute()
  }
}
