import {
  type AuditTables,
  type Clock,
  clientAddress,
  credentialsSizeMax,
  FailedLogins,
  RequestRefused,
  type Store,
  withExample,
  writeAuditEntry,
} from '@palisade/platform'
import { stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Grants } from '../access/grants.ts'
import { type Operators, operatorOf } from '../operators/operators.ts'
import type { SecondFactors } from '../operators/second-factors.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { type Authentication, sessionCookie } from './authentication.ts'

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

const SessionView = withExample(
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

const tags = ['Sessions']

/** How many wrong codes one operator may have sent, from wherever. */
const wrongCodeLimit = { failuresMax: 10, windowMs: 15 * 60_000 }

/** `/session`: logging in, who is logged in, logging out. */
export function sessionRoutes(deps: {
  readonly authentication: Authentication
  readonly operators: Operators
  readonly sessions: Sessions
  readonly failedLogins: FailedLogins
  readonly secondFactors: SecondFactors
  readonly store: Store
  readonly clock: Clock
}) {
  const { authentication, operators, sessions, failedLogins, secondFactors, store, clock } = deps

  const wrongCodes = new FailedLogins(clock, wrongCodeLimit)

  async function logIn(request: FastifyRequest<{ Body: Static<typeof Login> }>, reply: FastifyReply) {
    const { username, password, code } = request.body
    const address = clientAddress(request)
    const operator = await failedLogins.attempt(address, async () => {
      const row = await operators.withPassword(username, password)
      if (row === undefined) throw loginRefused('Username and password do not belong together.')
      if (row.totp_confirmed === 0) return row
      if (code === undefined) throw loginRefused('Send the code of your authenticator app as well.', 'code')
      // Whoever has the password may be at many addresses, and guess codes from all of them.
      return wrongCodes.attempt(row.id, async () => {
        if (await secondFactors.take(store, row, code)) return row
        throw loginRefused('The code is wrong, too old, or was used before: wait for the next one.', 'code')
      })
    })
    // A browser that has a session gets another one in its place.
    const former = await authentication.sessionOf(request)
    if (former) await sessions.end(former.id)
    const userAgent = request.headers['user-agent'] ?? ''
    const { secret, csrfToken, expiresAt } = await sessions.begin(operator.id, { address, userAgent })
    await writeAuditEntry(
      store.tables<AuditTables>(),
      {
        actor: { kind: 'operator', name: operator.username, address },
        service: 'administration',
        action: 'logIn',
        target: '/session',
        before: null,
        after: null,
      },
      clock.now(),
    )
    reply.header('set-cookie', cookieOf(secret, expiresAt - clock.now()))
    return reply
      .code(201)
      .send({ ...viewOf(operatorOf(operator)), csrfToken, expiresAt: momentOf(expiresAt) })
  }

  async function show(request: FastifyRequest) {
    const { username } = await authentication.identify(request)
    const row = await operators.rowOf(store, username)
    if (!row) throw new RequestRefused('unauthenticated', 'The operator is gone.')
    const session = await authentication.sessionOf(request)
    return {
      ...viewOf(operatorOf(row)),
      csrfToken: session?.csrfToken ?? null,
      expiresAt: session ? momentOf(session.expiresAt) : null,
    }
  }

  async function logOut(request: FastifyRequest, reply: FastifyReply) {
    const { sessionId } = await authentication.identify(request)
    if (sessionId !== undefined) await sessions.end(sessionId)
    return reply.header('set-cookie', cookieOf('', 0)).code(204).send()
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
      { schema: { operationId: 'getSession', summary: 'Read who is logged in', tags, security, response } },
      show,
    )
    scope.delete(
      '/session',
      {
        schema: {
          operationId: 'logOut',
          summary: 'Log out',
          tags,
          security,
          response: { 204: Type.Null({ description: 'the session has ended' }) },
        },
      },
      logOut,
    )
  }
}

const security = [{ session: [] }, { token: [] }]

function loginRefused(message: string, field?: string): RequestRefused {
  const headers = { 'www-authenticate': 'Bearer realm="palisade"' }
  return new RequestRefused('unauthenticated', message, {
    headers,
    ...(field === undefined ? {} : { field }),
  })
}

function viewOf({ username, displayName, grants }: ReturnType<typeof operatorOf>) {
  return { username, displayName, grants }
}

function momentOf(at: number): string {
  return new Date(at).toISOString()
}

function cookieOf(value: string, lifetimeMs: number): string {
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
