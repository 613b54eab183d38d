import {
  type Clock,
  clientAddress,
  digestOf,
  equalInConstantTime,
  markAuthenticated,
  RequestRefused,
  type Store,
  sessionCookie,
  type TransactionTables,
} from '@palisade/platform'
import { parseCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { readGrants } from '../access/grants.ts'
import type { Identity } from '../access/identity.ts'
import type { OpenSession, Sessions } from '../sessions/sessions.ts'
import type { AdministrationTables } from '../tables.ts'

/** The header that requests with a cookie send when they change something. */
export const csrfHeader = 'x-csrf-token'

/** API tokens begin so, that scanners for leaked secrets know them. */
export const tokenPrefix = 'palisade_'

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

const scheme = { 'www-authenticate': 'Bearer realm="palisade"' }

/** Finds out who calls: an operator with a session in a cookie, or with an API token. */
export class Authentication {
  readonly #sessions: Sessions
  readonly #store: Store
  readonly #clock: Clock

  constructor(deps: { sessions: Sessions; store: Store; clock: Clock }) {
    this.#sessions = deps.sessions
    this.#store = deps.store
    this.#clock = deps.clock
  }

  /**
   * @throws RequestRefused unauthenticated for nobody known; forbidden for a change that another site may have a browser send
   */
  async identify(request: FastifyRequest): Promise<Identity> {
    const identity = await this.#identityOf(request)
    // Its changes are written into the audit log with the transactions that make them.
    markAuthenticated(request)
    return identity
  }

  /**
   * The operator by an API token in the Authorization header or, without that header, by his session; undefined for every other caller.
   *
   * @throws RequestRefused unauthenticated for a token that looks like an operator's and is none; forbidden as {@link identify}
   */
  async operatorOf(request: FastifyRequest): Promise<Identity | undefined> {
    const { authorization } = request.headers
    if (authorization === undefined) return this.#bySession(request)
    const token = bearerToken(authorization)
    return token.startsWith(tokenPrefix) ? this.#byToken(token, request) : undefined
  }

  /** The grants of whoever has a session or API token, by what `credentialOf` says of it; undefined where it is over. */
  async grantsOf(credential: string): Promise<Identity['grants'] | undefined> {
    const [kind, id = ''] = credential.split(':')
    if (kind === 'session') {
      const session = await this.#sessions.findById(id)
      return session && [readGrants(session.operator.grants)]
    }
    return (await this.#findToken({ column: 'admin_token.id', value: id }))?.grants
  }

  async #identityOf(request: FastifyRequest): Promise<Identity> {
    const { authorization } = request.headers
    if (authorization !== undefined) return this.#byToken(bearerToken(authorization), request)
    const identity = await this.#bySession(request)
    if (identity !== undefined) return identity
    throw new RequestRefused(
      'unauthenticated',
      'Log in, or send an API token as "Authorization: Bearer …".',
      {
        headers: scheme,
      },
    )
  }

  async #bySession(request: FastifyRequest): Promise<Identity | undefined> {
    const session = await this.sessionOf(request)
    if (session === undefined) return undefined
    if (!readingMethods.has(request.method)) refuseForged(request, session.csrfToken)
    const { operator } = session
    return {
      operatorId: operator.id,
      username: operator.username,
      grants: [readGrants(operator.grants)],
      session,
      tokenId: undefined,
      actor: { kind: 'operator', name: operator.username, address: clientAddress(request) },
    }
  }

  /** The session of the request's cookie, whatever the request wants. */
  async sessionOf(
    request: FastifyRequest,
    tables: Pick<TransactionTables, 'tables'> = this.#store,
  ): Promise<OpenSession | undefined> {
    const secret = parseCookie(request.headers.cookie ?? '')[sessionCookie]
    return secret === undefined ? undefined : this.#sessions.find(secret, tables)
  }

  async #byToken(token: string, request: FastifyRequest): Promise<Identity> {
    const apiToken = await this.#findToken({ column: 'admin_token.digest', value: digestOf(token) })
    if (!apiToken) {
      throw new RequestRefused('unauthenticated', 'The API token is unknown, was withdrawn or has expired.', {
        headers: { 'www-authenticate': `${scheme['www-authenticate']}, error="invalid_token"` },
      })
    }
    const { operatorId, username, grants, tokenId, name } = apiToken
    return {
      operatorId,
      username,
      grants,
      session: undefined,
      tokenId,
      actor: { kind: 'token', name: `${username}/${name}`, address: clientAddress(request) },
    }
  }

  /** A token that is valid, whose use is noted. */
  async #findToken({ column, value }: { column: 'admin_token.id' | 'admin_token.digest'; value: string }) {
    const now = this.#clock.now()
    const db = this.#store.tables<AdministrationTables>()
    const row = await db
      .selectFrom('admin_token')
      .innerJoin('admin_operator', 'admin_operator.id', 'admin_token.operator_id')
      .select([
        'admin_token.id as tokenId',
        'admin_token.name as name',
        'admin_token.grants as tokenGrants',
        'admin_token.used_at as usedAt',
        'admin_operator.id as operatorId',
        'admin_operator.username as username',
        'admin_operator.grants as operatorGrants',
      ])
      .where(column, '=', value)
      .where('admin_token.expires_at', '>', now)
      .where('admin_operator.is_disabled', '=', 0)
      .executeTakeFirst()
    if (row && now - (row.usedAt ?? 0) >= noteEveryMs) {
      await db.updateTable('admin_token').set({ used_at: now }).where('id', '=', row.tokenId).execute()
    }
    return row && { ...row, grants: [readGrants(row.operatorGrants), readGrants(row.tokenGrants)] }
  }
}

/** The token of an Authorization header; empty where it has none. */
function bearerToken(authorization: string): string {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
}

/** A token is noted as used at most this often. */
const noteEveryMs = 60_000

/**
 * Refuses what another site may have had the browser send with our cookie. `SameSite=Strict` keeps browsers from it already; this
 * holds for those that do not know it.
 */
function refuseForged({ headers }: FastifyRequest, csrfToken: string): void {
  const token = headers[csrfHeader]
  const isGiven = typeof token === 'string' && equalInConstantTime(token, csrfToken)
  const site = headers['sec-fetch-site']
  if (isGiven && (site === undefined || site === 'same-origin' || site === 'none')) return
  throw new RequestRefused(
    'forbidden',
    `Send the csrfToken of your session as ${csrfHeader}, from the same origin.`,
  )
}
