import {
  type AuditTables,
  type Clock,
  clientAddress,
  digestOf,
  isStorableText,
  RequestRefused,
  type Store,
  type TransactionTables,
  writeAuditEntry,
} from '@palisade/platform'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { LoginTickets } from '../authentication/login-tickets.ts'
import type { AdministrationTables } from '../tables.ts'
import { type LogoutToken, tokenAgeMaxSeconds } from './logout-token.ts'
import type { OpenIdProviders } from './openid-providers.ts'

const formType = 'application/x-www-form-urlencoded'
const formSizeMax = 65_536

const LogoutForm = Type.Object(
  {
    logout_token: Type.String({
      description: 'signed by the provider',
      examples: ['eyJhbGciOiJSUzI1NiJ9.e30.c2ln'],
    }),
  },
  { title: 'ProviderLogout' },
)

type LogoutRequest = FastifyRequest<{ Params: { provider: string }; Body: URLSearchParams }>

/** `POST /login/{provider}/logout`: a provider tells that somebody has logged out there (OpenID Connect Back-Channel Logout 1.0). */
export function providerLogout(deps: {
  readonly providers: OpenIdProviders
  readonly tickets: LoginTickets
  readonly store: Store
  readonly clock: Clock
}) {
  const { providers, tickets, store, clock } = deps

  async function logOut(request: LogoutRequest) {
    const provider = providers.named(request.params.provider)
    const tokens = request.body.getAll('logout_token')
    if (tokens.length !== 1) throw wrongToken('The form must have one logout_token.')
    const token = await provider.logoutToken(tokens[0] ?? '').catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : 'unknown'
      request.log.warn({ provider: provider.configuration.name, reason }, 'a logout token was not believed')
      throw wrongToken('The logout token cannot be believed.')
    })
    const actor = {
      kind: 'system',
      name: `openid/${provider.configuration.name}`,
      address: clientAddress(request),
    } as const
    await store.serializably(async (tables) => {
      const id = digestOf(JSON.stringify(['logout', token.issuer, token.id]))
      // Twice the age, since clocks differ.
      const expiresAt = clock.now() + 2 * tokenAgeMaxSeconds * 1000
      if (!(await tickets.spend(tables, { id, expiresAt, content: undefined }))) {
        throw wrongToken('The logout token was used before.')
      }
      for (const [username, sessions] of await endSessions(tables, token)) {
        const entry = {
          actor,
          service: 'administration',
          action: 'logOutByProvider',
          target: `/operators/${encodeURIComponent(username)}`,
          before: { sessions },
          after: null,
        }
        await writeAuditEntry(tables.tables<AuditTables>(), entry, clock.now())
      }
    })
    return { loggedOut: true }
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      formType,
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
    )
    scope.post<{ Params: { provider: string }; Body: URLSearchParams }>(
      '/login/:provider/logout',
      {
        bodyLimit: formSizeMax,
        // The schema is for the OpenAPI document; a form is read above.
        validatorCompiler: () => () => true,
        onRequest: async (_request, reply) => {
          reply.header('cache-control', 'no-store')
        },
        schema: {
          operationId: 'logOutByProvider',
          summary: 'Take a logout token of a provider, which ends sessions that come from there',
          tags: ['Sessions'],
          consumes: [formType],
          params: Type.Object({ provider: Type.String() }),
          body: LogoutForm,
          response: {
            200: Type.Object(
              { loggedOut: Type.Boolean() },
              { title: 'ProviderLoggedOut', examples: [{ loggedOut: true }] },
            ),
          },
        },
      },
      logOut,
    )
  }
}

/**
 * Ends the sessions that a token is about. A session of the subject of which no `sid` is stored, since it is older or the provider has told none,
 * ends as well: it may be the one.
 *
 * @returns the ids of the sessions of each operator, by username
 */
async function endSessions(
  { tables }: TransactionTables,
  { issuer, subject, sid }: LogoutToken,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (![subject, sid].every((text) => text === undefined || isStorableText(text))) return new Map()
  const db = tables<AdministrationTables>()
  let chosen = db
    .selectFrom('admin_session')
    .innerJoin('admin_openid_identity', 'admin_openid_identity.operator_id', 'admin_session.operator_id')
    .innerJoin('admin_operator', 'admin_operator.id', 'admin_session.operator_id')
    .select(['admin_session.id as id', 'admin_operator.username as username'])
    .where('admin_session.issuer', '=', issuer)
    .where('admin_openid_identity.issuer', '=', issuer)
  if (subject !== undefined) chosen = chosen.where('admin_openid_identity.subject', '=', subject)
  if (sid !== undefined) {
    chosen = chosen.where(({ or, eb }) =>
      subject === undefined ? eb('sid', '=', sid) : or([eb('sid', '=', sid), eb('sid', 'is', null)]),
    )
  }
  const sessions = await chosen.execute()
  const ids = new Map<string, string[]>()
  for (const { id, username } of sessions) {
    await db.deleteFrom('admin_session').where('id', '=', id).execute()
    ids.set(username, [...(ids.get(username) ?? []), id])
  }
  return ids
}

function wrongToken(message: string): RequestRefused {
  return new RequestRefused('bad-request', message, { field: 'logout_token' })
}
