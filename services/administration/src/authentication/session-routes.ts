import {
  clientAddress,
  credentialsSizeMax,
  operatorSecurity,
  RequestRefused,
  type Store,
  withExample,
} from '@palisade/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Grants } from '../access/grants.ts'
import type { LoginAttempts } from '../operators/login-attempts.ts'
import { type OperatorRow, operatorOf } from '../operators/operator.ts'
import type { Operators } from '../operators/operators.ts'
import type { SecondFactors } from '../operators/second-factors.ts'
import type { OpenIdSession, Sessions } from '../sessions/sessions.ts'
import type { Authentication } from './authentication.ts'
import { type BegunSession, loginRefused, type SessionOpening, withdrawCookie } from './session-opening.ts'

const Login = withExample(
  Type.Object(
    {
      username: Type.String({ maxLength: 255 }),
      password: Type.String({ maxLength: 1024 }),
      code: Type.Optional(
        Type.String({ maxLength: 16, description: 'of the authenticator app, where there is one' }),
      ),
    },
    { additionalProperties: false, title: 'Login' },
  ),
  { username: 'ada', password: 'correct horse battery' },
)

/** Who calls and what that operator may do: the reply of a login and of `GET /session`. */
export const SessionView = withExample(
  Type.Object(
    {
      username: Type.String(),
      displayName: Type.String(),
      grants: Grants,
      csrfToken: Type.Union([Type.String(), Type.Null()], {
        description:
          'sent as X-CSRF-Token by requests with the cookie that change something; null of a token',
      }),
      expiresAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    },
    { title: 'Session' },
  ),
  {
    username: 'ada',
    displayName: 'Ada Lovelace',
    grants: [{ role: 'operator', service: 'backup' }],
    csrfToken: '3q2-7wAAAAD_____AAAAAN6tvu8',
    expiresAt: '2030-01-31T12:00:00.000Z',
  },
)

const LogOutView = withExample(
  Type.Object(
    {
      logoutUrl: Type.String({ description: 'where the browser is sent to log out at the provider as well' }),
    },
    { title: 'LogOut', description: 'the session has ended; that at the provider lasts' },
  ),
  { logoutUrl: 'https://login.example.org/session/end?client_id=palisade' },
)

const tags = ['Sessions']

/** `/session`: logging in, who is logged in, logging out. */
export function sessionRoutes(deps: {
  readonly authentication: Authentication
  readonly operators: Operators
  readonly sessions: Sessions
  readonly opening: SessionOpening
  /** Where somebody who has signed in at a provider logs out there; undefined where the provider has no such place. */
  readonly logoutUrlOf: (session: OpenIdSession) => Promise<string | undefined>
  readonly attempts: LoginAttempts
  readonly secondFactors: SecondFactors
  readonly store: Store
}) {
  const { authentication, operators, sessions, opening, logoutUrlOf } = deps
  const { attempts, secondFactors, store } = deps

  async function logIn(request: FastifyRequest<{ Body: Static<typeof Login> }>, reply: FastifyReply) {
    const { username, password, code } = request.body
    const operator = await attempts.logIn({ address: clientAddress(request), username }, async () => {
      const row = await operators.withPassword(username, password)
      if (row === undefined) throw wrongPassword()
      if (row.totp_confirmed === 0) {
        if (!row.passkeys) return row
        throw loginRefused('Log in with your passkey as well: ask for /session/passkey-options.', 'passkey')
      }
      if (code === undefined) {
        const other = row.passkeys ? ', or log in with your passkey' : ''
        throw loginRefused(`Send the code of your authenticator app as well${other}.`, 'code')
      }
      return attempts.guess(row.id, async () => {
        if (await secondFactors.take(store, row, code)) return row
        throw loginRefused('The code is wrong, too old, or was used before: wait for the next one.', 'code')
      })
    })
    const session = await store.serializably((tables) =>
      opening.open(tables, request, operator.id, { how: null }),
    )
    opening.sendCookie(reply, session)
    return reply.code(201).send(sessionViewOf(operator, session))
  }

  async function show(request: FastifyRequest) {
    const { username, session } = await authentication.identify(request)
    const row = await operators.rowOf(store, username)
    if (!row) throw new RequestRefused('unauthenticated', 'The operator is gone.')
    if (session) return sessionViewOf(row, session)
    const { displayName, grants } = operatorOf(row)
    return { username, displayName, grants, csrfToken: null, expiresAt: null }
  }

  async function logOut(request: FastifyRequest, reply: FastifyReply) {
    const { session } = await authentication.identify(request)
    if (session === undefined) return reply.code(204).send()
    await sessions.end(store, session.id)
    withdrawCookie(reply)
    const logoutUrl = session.openid && (await logoutUrlOf(session.openid))
    return logoutUrl === undefined ? reply.code(204).send() : reply.send({ logoutUrl })
  }

  return async (scope: FastifyInstance): Promise<void> => {
    const response = { 200: SessionView }
    scope.post<{ Body: Static<typeof Login> }>(
      '/session',
      {
        bodyLimit: credentialsSizeMax,
        schema: {
          operationId: 'logIn',
          summary: 'Log in, for a session in a cookie',
          tags,
          body: Login,
          response: { 201: SessionView },
        },
      },
      logIn,
    )
    scope.get(
      '/session',
      {
        schema: {
          operationId: 'getSession',
          summary: 'Read who is logged in',
          tags,
          security: operatorSecurity,
          response,
        },
      },
      show,
    )
    scope.delete(
      '/session',
      {
        schema: {
          operationId: 'logOut',
          summary: 'Log out',
          tags,
          security: operatorSecurity,
          response: { 200: LogOutView, 204: Type.Null({ description: 'the session has ended' }) },
        },
      },
      logOut,
    )
  }
}

/** A refused login (401) that does not say whether there is such an operator. */
export function wrongPassword(): RequestRefused {
  return loginRefused('Username or password is wrong.')
}

/** What a client is told of a session that has begun. */
export function sessionViewOf(
  operator: OperatorRow,
  { csrfToken, expiresAt }: Pick<BegunSession, 'csrfToken' | 'expiresAt'>,
): Static<typeof SessionView> {
  const { username, displayName, grants } = operatorOf(operator)
  return { username, displayName, grants: [...grants], csrfToken, expiresAt: momentOf(expiresAt) }
}

function momentOf(at: number): string {
  return new Date(at).toISOString()
}
