import {
  clientAddress,
  isStorableText,
  newSecret,
  RequestRefused,
  type Store,
  withExample,
} from '@palisade/platform'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AuthorizationResponseError } from 'openid-client'
import { type Static, Type } from 'typebox'
import {
  type LoginTicket,
  type LoginTickets,
  sendTicket,
  ticketOf,
  withdrawTicket,
} from '../authentication/login-tickets.ts'
import { type BegunSession, loginRefused, type SessionOpening } from '../authentication/session-opening.ts'
import type { LoginAttempts, LoginTry } from '../operators/login-attempts.ts'
import type { OpenIdOperators } from './openid-operators.ts'
import type { OpenIdProvider, SignedIn } from './openid-provider.ts'
import type { OpenIdProviders } from './openid-providers.ts'
import { orTellThePerson } from './sign-in-refusal.ts'

const LoginView = withExample(
  Type.Object(
    {
      providers: Type.Array(Type.String(), { description: 'the providers at which operators sign in' }),
      hasPasskeys: Type.Boolean({ description: 'whether passkeys can be used' }),
    },
    { title: 'LoginWays' },
  ),
  { providers: ['company'], hasPasskeys: true },
)

const SignInTicket = Type.Object({
  state: Type.String(),
  nonce: Type.String(),
  codeVerifier: Type.String(),
  returnTo: Type.String(),
})

const tags = ['Sessions']

type ProviderRequest = FastifyRequest<{ Params: { provider: string }; Querystring: Record<string, unknown> }>

/** `/login`: signing in at providers of OpenID Connect. */
export function loginRoutes(deps: {
  readonly providers: OpenIdProviders
  readonly operators: OpenIdOperators
  readonly opening: SessionOpening
  readonly tickets: LoginTickets
  readonly attempts: LoginAttempts
  readonly store: Store
  /** Whether passkeys can be used. */
  readonly hasPasskeys: () => boolean
}) {
  const { providers, operators, opening, tickets, attempts, store, hasPasskeys } = deps
  async function begin(request: ProviderRequest, reply: FastifyReply) {
    const provider = providers.named(request.params.provider)
    const returnTo = returnAddress(request.query.return, provider.origin)
    const checks = { state: newSecret(), nonce: newSecret(), codeVerifier: newSecret() }
    return orTellThePerson(request, reply, returnTo, async () => {
      const url = await provider.authorisationUrl(checks).catch((error: unknown) => {
        throw unreachable(error, request.log, provider)
      })
      sendTicket(reply, tickets.issue(purposeOf(provider), { ...checks, returnTo }))
      return reply.redirect(url.href, 303)
    })
  }

  async function finish(request: ProviderRequest, reply: FastifyReply) {
    const provider = providers.named(request.params.provider)
    const ticket = tickets.open(purposeOf(provider), ticketOf(request), SignInTicket)
    withdrawTicket(reply)
    const returnTo = ticket?.content.returnTo ?? '/'
    return orTellThePerson(request, reply, returnTo, async () => {
      opening.sendCookie(reply, await admit(provider, ticket, request))
      return reply.redirect(returnTo, 303)
    })
  }

  /** The session of somebody who comes back from a provider. @throws RequestRefused when he is not let in */
  async function admit(
    provider: OpenIdProvider,
    ticket: LoginTicket<Static<typeof SignInTicket>> | undefined,
    request: ProviderRequest,
  ): Promise<BegunSession> {
    const address = clientAddress(request)
    const attempt: LoginTry = { address, provider: provider.configuration.name }
    return attempts.logIn(attempt, async () => {
      if (ticket === undefined) {
        throw loginRefused('This sign-in was not begun in this browser, or too long ago: begin again.')
      }
      const person = await finishAt(provider, request, ticket.content)
      attempt.subject = person.subject
      const outcome = await store.serializably(async (tables) => {
        if (!(await tickets.spend(tables, ticket))) {
          throw loginRefused('This sign-in is finished: begin again.')
        }
        const operator = await operators.admit(tables, provider.configuration, person, address)
        if ('refusal' in operator) return operator
        const { issuer, idToken, sid } = person
        return opening.open(tables, request, operator.operatorId, {
          how: { provider: provider.configuration.name },
          openid: { issuer, idToken, sid: sid !== undefined && isStorableText(sid) ? sid : undefined },
        })
      })
      if ('refusal' in outcome) throw new RequestRefused('forbidden', outcome.refusal)
      return outcome
    })
  }

  return async (scope: FastifyInstance): Promise<void> => {
    const params = Type.Object({ provider: Type.String() })
    const redirect = (where: string) => ({ 303: Type.Null({ description: `the browser is sent ${where}` }) })
    scope.get(
      '/login',
      {
        schema: {
          operationId: 'listLoginProviders',
          summary: 'List the providers at which operators sign in',
          tags,
          response: { 200: LoginView },
        },
      },
      async () => ({ providers: providers.names, hasPasskeys: hasPasskeys() }),
    )
    scope.get(
      '/login/:provider',
      {
        schema: {
          operationId: 'beginSignIn',
          summary: 'Send the browser to a provider to sign in',
          tags,
          params,
          querystring: Type.Object({
            return: Type.Optional(
              Type.String({
                description:
                  'the path of this server that the browser is sent to in the end; / when left out',
              }),
            ),
          }),
          response: redirect('to the provider'),
        },
      },
      begin,
    )
    scope.get(
      '/login/:provider/callback',
      {
        schema: {
          operationId: 'finishSignIn',
          summary: 'Take the browser back from a provider, for a session in a cookie',
          tags,
          params,
          querystring: Type.Object({
            code: Type.Optional(Type.String()),
            state: Type.Optional(Type.String()),
            iss: Type.Optional(Type.String()),
            error: Type.Optional(Type.String()),
          }),
          response: redirect('to where it was to return'),
        },
      },
      finish,
    )
  }
}

/** A ticket for one provider opens at no other one's address: answers of providers are not mixed up. */
function purposeOf({ configuration }: OpenIdProvider): string {
  return `openid ${configuration.name} ${configuration.issuer}`
}

async function finishAt(
  provider: OpenIdProvider,
  request: ProviderRequest,
  checks: Parameters<OpenIdProvider['finish']>[1],
): Promise<SignedIn> {
  const [, query = ''] = /\?(.*)$/s.exec(request.url) ?? []
  try {
    return await provider.finish(query, checks)
  } catch (error) {
    const { name } = provider.configuration
    // Of both, messages and causes of the library hold tokens; what went wrong is in code and error.
    if (error instanceof AuthorizationResponseError) {
      request.log.info({ provider: name, error: error.error }, 'a provider refused a sign-in')
      throw loginRefused('The provider has let nobody in: begin again.')
    }
    request.log.warn({ provider: name, reason: reasonOf(error) }, 'an answer of a provider was not believed')
    throw loginRefused('What the provider answered cannot be believed: begin again.')
  }
}

function unreachable(
  error: unknown,
  log: FastifyBaseLogger,
  { configuration }: OpenIdProvider,
): RequestRefused {
  log.warn({ provider: configuration.name, reason: reasonOf(error) }, 'a provider cannot be discovered')
  return new RequestRefused('unavailable', 'The provider cannot be reached: try again later.')
}

/** The message of an error, with its code and those of its causes, such as ECONNREFUSED or invalid_client; nothing else of what came. */
function reasonOf(error: unknown): string {
  const codes: string[] = []
  let cause = error
  for (; cause instanceof Error; cause = cause.cause) {
    const candidates: readonly unknown[] = [Reflect.get(cause, 'code'), Reflect.get(cause, 'error')]
    codes.push(
      ...candidates.filter((code) => typeof code === 'string').filter((code) => /^\w{1,64}$/.test(code)),
    )
  }
  const message = error instanceof Error ? error.message : 'unknown'
  return codes.length === 0 ? message : `${message} (${codes.join(', ')})`
}

/**
 * Where a browser goes when it has signed in: a path of this server and nothing else, however browsers read it.
 *
 * @throws RequestRefused bad-request for anything else
 */
function returnAddress(given: unknown, origin: string): string {
  const path = given ?? '/'
  const url = typeof path === 'string' && path.startsWith('/') ? URL.parse(path, origin) : null
  if (url === null || url.origin !== origin || url.pathname.startsWith('//')) {
    throw new RequestRefused('bad-request', 'return must be a path of this server.', { field: 'return' })
  }
  return url.href
}
