import { createHmac, hkdfSync, randomUUID } from 'node:crypto'
import {
  type Clock,
  digestOf,
  newSecret,
  type Store,
  TextSeal,
  type TransactionTables,
} from '@palisade/platform'
import type { Selectable } from 'kysely'
import type { AdministrationTables } from '../tables.ts'

/** How long a session lasts, in milliseconds. */
export interface SessionLimits {
  readonly lifetimeMs: number
  readonly idleMs: number
}

/** A session that is noted as used was not noted so for at least this long. */
const noteEveryMs = 60_000
const userAgentLengthMax = 255

/** The sign-in at a provider of OpenID Connect that a session comes from. */
export interface OpenIdSession {
  readonly issuer: string
  readonly idToken: string
  /** The session at the provider; undefined where the provider does not tell it. */
  readonly sid?: string | undefined
}

/** A session under way, and the operator whose it is. */
export interface OpenSession {
  readonly id: string
  readonly expiresAt: number
  /** What requests that change something have to send besides the cookie. */
  readonly csrfToken: string
  readonly operator: Selectable<AdministrationTables['admin_operator']>
  /** Undefined after a login here. */
  readonly openid: OpenIdSession | undefined
}

/**
 * Sessions of browsers. The store knows a digest of what the cookie holds. Each request asks the store, so that a session that
 * was ended on one server has ended on all of them.
 */
export class Sessions {
  readonly #store: Store
  readonly #clock: Clock
  readonly #csrfKey: Buffer
  readonly #seal: TextSeal
  readonly #limits: SessionLimits

  constructor(deps: { store: Store; clock: Clock; key: Buffer; limits: SessionLimits }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#csrfKey = Buffer.from(
      hkdfSync('sha256', deps.key, new Uint8Array(), 'palisade-administration/csrf', 32),
    )
    this.#seal = new TextSeal(deps.key, 'palisade-administration/id-token')
    this.#limits = deps.limits
  }

  /** Begins a session; each has a secret of its own, so that nobody can prepare one for somebody else. */
  async begin(
    { tables }: TransactionTables,
    operatorId: string,
    from: { readonly address: string; readonly userAgent: string; readonly openid?: OpenIdSession },
  ): Promise<{ id: string; secret: string; csrfToken: string; expiresAt: number }> {
    const now = this.#clock.now()
    const secret = newSecret()
    const digest = digestOf(secret)
    const id = randomUUID()
    const expiresAt = now + this.#limits.lifetimeMs
    const db = tables<AdministrationTables>()
    await db.deleteFrom('admin_session').where('expires_at', '<=', now).execute()
    await db
      .insertInto('admin_session')
      .values({
        id,
        digest,
        operator_id: operatorId,
        created_at: now,
        used_at: now,
        expires_at: expiresAt,
        address: from.address,
        user_agent: from.userAgent.slice(0, userAgentLengthMax),
        issuer: from.openid?.issuer ?? null,
        id_token: from.openid ? this.#seal.seal(from.openid.idToken, id) : null,
        sid: from.openid?.sid ?? null,
      })
      .execute()
    await db.updateTable('admin_operator').set({ last_login_at: now }).where('id', '=', operatorId).execute()
    return { id, secret, csrfToken: this.#csrfTokenOf(digest), expiresAt }
  }

  /** The session that a cookie is of; undefined where there is none, it is over, or its operator may not log in. */
  find(
    secret: string,
    tables: Pick<TransactionTables, 'tables'> = this.#store,
  ): Promise<OpenSession | undefined> {
    return this.#find({ column: 'digest', value: digestOf(secret) }, tables)
  }

  /** The same by its id. */
  findById(id: string): Promise<OpenSession | undefined> {
    return this.#find({ column: 'id', value: id }, this.#store)
  }

  async #find(
    { column, value }: { readonly column: 'id' | 'digest'; readonly value: string },
    { tables }: Pick<TransactionTables, 'tables'>,
  ): Promise<OpenSession | undefined> {
    const now = this.#clock.now()
    const db = tables<AdministrationTables>()
    const session = await db
      .selectFrom('admin_session')
      .selectAll()
      .where(column, '=', value)
      .executeTakeFirst()
    if (!session || session.expires_at <= now || session.used_at + this.#limits.idleMs <= now)
      return undefined
    const operator = await db
      .selectFrom('admin_operator')
      .selectAll()
      .where('id', '=', session.operator_id)
      .where('is_disabled', '=', 0)
      .executeTakeFirst()
    if (!operator) return undefined
    if (now - session.used_at >= noteEveryMs) {
      await db.updateTable('admin_session').set({ used_at: now }).where('id', '=', session.id).execute()
    }
    const { id, digest, issuer, id_token } = session
    return {
      id,
      expiresAt: session.expires_at,
      csrfToken: this.#csrfTokenOf(digest),
      operator,
      openid:
        issuer === null || id_token === null ? undefined : { issuer, idToken: this.#seal.open(id_token, id) },
    }
  }

  async end({ tables }: Pick<TransactionTables, 'tables'>, id: string): Promise<void> {
    await tables<AdministrationTables>().deleteFrom('admin_session').where('id', '=', id).execute()
  }

  /** Belongs to one session, and says nothing of its cookie. */
  #csrfTokenOf(digest: string): string {
    return createHmac('sha256', this.#csrfKey).update(digest).digest('base64url')
  }
}
