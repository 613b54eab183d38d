import {
  type AuditTables,
  type Clock,
  clientAddress,
  RequestRefused,
  sessionCookie,
  type TransactionTables,
  writeAuditEntry,
} from '@palisade/platform'
import { stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenIdSession, Sessions } from '../sessions/sessions.ts'
import type { AdministrationTables } from '../tables.ts'
import type { Authentication } from './authentication.ts'

/** A session that has just begun. */
export interface BegunSession {
  /** What the cookie holds. */
  readonly secret: string
  readonly csrfToken: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Begins sessions, however their operators have shown who they are. */
export class SessionOpening {
  readonly #authentication: Authentication
  readonly #sessions: Sessions
  readonly #clock: Clock

  constructor(deps: { authentication: Authentication; sessions: Sessions; clock: Clock }) {
    this.#authentication = deps.authentication
    this.#sessions = deps.sessions
    this.#clock = deps.clock
  }

  /**
   * Begins a session with its audit entry, in the place of the one that the browser has.
   *
   * @param how what the operator has shown besides his password, for the audit log
   * @param openid the sign-in at a provider, where there was one
   * @throws RequestRefused unauthenticated when the operator was removed or disabled meanwhile
   */
  async open(
    tables: TransactionTables,
    request: FastifyRequest,
    operatorId: string,
    { how, openid }: { readonly how: object | null; readonly openid?: OpenIdSession },
  ): Promise<BegunSession> {
    const address = clientAddress(request)
    const operator = await tables
      .tables<AdministrationTables>()
      .selectFrom('admin_operator')
      .select('username')
      .where('id', '=', operatorId)
      .where('is_disabled', '=', 0)
      .executeTakeFirst()
    if (operator === undefined) throw loginRefused('The operator may not log in any more.')
    const former = await this.#authentication.sessionOf(request, tables)
    if (former) await this.#sessions.end(tables, former.id)
    const userAgent = request.headers['user-agent'] ?? ''
    const session = await this.#sessions.begin(tables, operatorId, {
      address,
      userAgent,
      ...(openid && { openid }),
    })
    await writeAuditEntry(
      tables.tables<AuditTables>(),
      {
        actor: { kind: 'operator', name: operator.username, address },
        service: 'administration',
        action: 'logIn',
        target: '/session',
        before: null,
        after: how,
      },
      this.#clock.now(),
    )
    return session
  }

  /** Gives the browser the cookie of a session. */
  sendCookie(reply: FastifyReply, { secret, expiresAt }: BegunSession): void {
    reply.header('set-cookie', sessionCookieOf(secret, expiresAt - this.#clock.now()))
  }
}

/** Has the browser forget its session. */
export function withdrawCookie(reply: FastifyReply): void {
  reply.header('set-cookie', sessionCookieOf('', 0))
}

/** @param field what is missing or wrong, where that may be told */
export function loginRefused(message: string, field?: string): RequestRefused {
  const headers = { 'www-authenticate': 'Bearer realm="palisade"' }
  return new RequestRefused('unauthenticated', message, {
    headers,
    ...(field === undefined ? {} : { field }),
  })
}

function sessionCookieOf(value: string, lifetimeMs: number): string {
  return stringifySetCookie({
    name: sessionCookie,
    value,
    httpOnly: true,
    secure: true,
    sameSite: 'strict',
    path: '/',
    maxAge: Math.floor(lifetimeMs / 1000),
  })
}
