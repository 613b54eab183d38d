import {
  clientAddress,
  credentialsSizeMax,
  RequestRefused,
  type Store,
  withExample,
} from '@palisade/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type LoginTickets, sendTicket, ticketOf, withdrawTicket } from '../authentication/login-tickets.ts'
import type { SessionOpening } from '../authentication/session-opening.ts'
import { SessionView, sessionViewOf, wrongPassword } from '../authentication/session-routes.ts'
import type { LoginAttempts, LoginTry } from '../operators/login-attempts.ts'
import { selectOperators } from '../operators/operator.ts'
import type { Operators } from '../operators/operators.ts'
import { Assertion, LoginOptions } from './passkey-schemas.ts'
import { type Passkeys, passkeyRefused } from './passkeys.ts'

const PasskeyLoginBeginning = withExample(
  Type.Object(
    {
      username: Type.Optional(Type.String({ maxLength: 255 })),
      password: Type.Optional(Type.String({ maxLength: 1024 })),
    },
    {
      additionalProperties: false,
      title: 'PasskeyLoginBeginning',
      description:
        'both, to log in with a passkey as the second factor; neither, to log in with a passkey alone',
    },
  ),
  { username: 'ada', password: 'correct horse battery' },
)

const PasskeyLogin = Type.Object(
  { credential: Assertion },
  { additionalProperties: false, title: 'PasskeyLogin' },
)

/** `operatorId` of who has given his password. */
const LoginTicket = Type.Object({ challenge: Type.String(), operatorId: Type.Optional(Type.String()) })

const purpose = 'passkey login'
const tags = ['Sessions']

/** An assertion with its certificates and extensions. */
const assertionSizeMax = 65_536

/** `/session/passkey`: logging in with a passkey, after the password or alone. */
export function passkeyRoutes(deps: {
  readonly passkeys: Passkeys
  readonly operators: Operators
  readonly opening: SessionOpening
  readonly tickets: LoginTickets
  readonly attempts: LoginAttempts
  readonly store: Store
}) {
  const { passkeys, operators, opening, tickets, attempts, store } = deps

  async function begin(
    request: FastifyRequest<{ Body: Static<typeof PasskeyLoginBeginning> }>,
    reply: FastifyReply,
  ) {
    const operatorId = await knownByPassword(request)
    const options = await passkeys.loginOptions(operatorId)
    const { challenge } = options
    const content = operatorId === undefined ? { challenge } : { challenge, operatorId }
    sendTicket(reply, tickets.issue(purpose, content))
    return options
  }

  async function knownByPassword(
    request: FastifyRequest<{ Body: Static<typeof PasskeyLoginBeginning> }>,
  ): Promise<string | undefined> {
    const { username, password } = request.body
    if (username === undefined && password === undefined) return undefined
    const attempt = { address: clientAddress(request), username }
    const row = await attempts.logIn(attempt, async () => {
      const operator = await operators.withPassword(username ?? '', password ?? '')
      if (operator === undefined) throw wrongPassword()
      return operator
    })
    if (row.passkeys) return row.id
    throw new RequestRefused('conflict', 'You have no passkey: log in with your password.')
  }

  async function logIn(request: FastifyRequest<{ Body: Static<typeof PasskeyLogin> }>, reply: FastifyReply) {
    const ticket = tickets.open(purpose, ticketOf(request), LoginTicket)
    withdrawTicket(reply)
    const attempt: LoginTry = { address: clientAddress(request) }
    const { operator, session } = await attempts.logIn(attempt, async () => {
      if (ticket === undefined) throw passkeyRefused()
      const { challenge, operatorId } = ticket.content
      attempt.operatorId = operatorId
      const assertion = await passkeys.verify(request.body.credential, { challenge, operatorId })
      const { operator_id, name } = assertion.passkey
      attempt.operatorId = operator_id
      return store.serializably(async (tables) => {
        if (!(await tickets.spend(tables, ticket))) throw passkeyRefused()
        await passkeys.use(tables, assertion)
        const how = { passkey: name, password: operatorId !== undefined }
        const session = await opening.open(tables, request, operator_id, { how })
        const operator = await selectOperators(tables).where('id', '=', operator_id).executeTakeFirstOrThrow()
        return { operator, session }
      })
    })
    opening.sendCookie(reply, session)
    return reply.code(201).send(sessionViewOf(operator, session))
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.post<{ Body: Static<typeof PasskeyLoginBeginning> }>(
      '/session/passkey-options',
      {
        bodyLimit: credentialsSizeMax,
        schema: {
          operationId: 'beginPasskeyLogin',
          summary: 'Begin to log in with a passkey (WebAuthn)',
          tags,
          body: PasskeyLoginBeginning,
          response: { 200: LoginOptions },
        },
      },
      begin,
    )
    scope.post<{ Body: Static<typeof PasskeyLogin> }>(
      '/session/passkey',
      {
        bodyLimit: assertionSizeMax,
        schema: {
          operationId: 'logInWithPasskey',
          summary: 'Log in with a passkey, for a session in a cookie',
          tags,
          body: PasskeyLogin,
          response: { 201: SessionView },
        },
      },
      logIn,
    )
  }
}
