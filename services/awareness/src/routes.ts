import { clientAddress, credentialsSizeMax, RequestRefused } from '@palisade/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { AuthenticateBody, type Authentication } from './authentication.ts'
import type { Campaigns } from './campaigns.ts'
import { tokenSecurity } from './contract.ts'
import {
  AuthenticationReply,
  authenticationEnvelope,
  campaignsEnvelope,
  campaignsReplies,
} from './envelope.ts'
import { openSession } from './session.ts'
import type { SharedCalls } from './shared-calls.ts'
import type { Tokens } from './tokens.ts'

interface CampaignsRequest {
  Params: { id?: string; afterid?: string }
  Querystring: Record<string, unknown>
}

/** What the routes of the awareness service work with. */
export interface AwarenessRouteDependencies {
  readonly authentication: Authentication
  readonly campaigns: Campaigns
  readonly tokens: Tokens
  readonly calls: SharedCalls
  readonly callsPerHour: number
}

/** The addresses of the awareness service, below its base path. */
export function awarenessRoutes(deps: AwarenessRouteDependencies) {
  const { authentication, campaigns, tokens, calls, callsPerHour } = deps

  async function authenticate(request: FastifyRequest<{ Body: Static<typeof AuthenticateBody> }>) {
    const { body } = request
    if (body.bof_sso_config_id !== undefined && body.sso === undefined) {
      throw new RequestRefused('bad-request', 'bof_sso_config_id may be given only when sso is set.', {
        field: 'bof_sso_config_id',
      })
    }
    const { accessToken, callsInLastHour } = await authentication.authenticate(
      {
        username: body.bof_ticket_user,
        password: body.bof_ticket_pw,
        apiKey: body.api_key,
        singleSignOn: body.sso !== undefined,
      },
      clientAddress(request),
    )
    return authenticationEnvelope(accessToken, { callsPerHour, callsInLastHour })
  }

  async function listCampaigns(request: FastifyRequest<CampaignsRequest>, reply: FastifyReply) {
    const { expiresAt, callsInLastHour } = await openSession(request, 'campaigns', { tokens, calls })
    const id = await campaignNamed(request.params.id)
    const afterId = readAfterId(request.params.afterid)
    const page = await campaigns.page({ id, afterId })
    const envelope = campaignsEnvelope(page, { callsPerHour, callsInLastHour }, expiresAt)
    return reply.code(envelope.status).send(envelope)
  }

  /** The campaign that the path names; all of them, undefined, where it says 0 or nothing. */
  async function campaignNamed(segment = '0'): Promise<number | undefined> {
    const id = integerOf(segment)
    if (id === 0) return undefined
    if (id !== undefined && (await campaigns.exists(id))) return id
    throw new RequestRefused('not-found', 'There is no such campaign.')
  }

  async function routes(scope: FastifyInstance): Promise<void> {
    // Replies carry tokens, or answer addresses that carry them (RFC 6750, sections 2.3 and 5.3).
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'private, no-store')
    })
    scope.post(
      '/authenticate',
      {
        bodyLimit: credentialsSizeMax,
        schema: {
          operationId: 'authenticate',
          summary: 'Create an access token',
          tags: ['Authentication'],
          body: AuthenticateBody,
          response: { 200: AuthenticationReply },
        },
      },
      authenticate,
    )
    const listing = {
      tags: ['Campaigns'],
      security: tokenSecurity,
      response: campaignsReplies,
    }
    const id = Type.Integer({ minimum: 0, description: 'a campaign, or 0 for all' })
    const afterid = Type.Integer({ minimum: 0, description: 'the maxIdReturned of the page before' })
    scope.get<CampaignsRequest>(
      '/campaigns',
      { schema: { ...listing, operationId: 'listCampaigns', summary: 'List all campaigns' } },
      listCampaigns,
    )
    scope.get<CampaignsRequest>(
      '/campaigns/:id',
      {
        schema: {
          ...listing,
          operationId: 'getCampaign',
          summary: 'Read one campaign',
          params: Type.Object({ id }),
        },
      },
      listCampaigns,
    )
    scope.get<CampaignsRequest>(
      '/campaigns/:id/:afterid',
      {
        schema: {
          ...listing,
          operationId: 'listCampaignsAfter',
          summary: 'List the campaigns after those of the page before',
          params: Type.Object({ id, afterid }),
        },
      },
      listCampaigns,
    )
  }

  return routes
}

function readAfterId(segment = '0'): number {
  const afterId = integerOf(segment)
  if (afterId !== undefined) return afterId
  throw new RequestRefused(
    'bad-request',
    'afterid must be an integer, the maxIdReturned of the page before.',
    {
      field: 'afterid',
    },
  )
}

/** A number without sign that JavaScript can hold exactly; undefined for any other text. */
function integerOf(text: string): number | undefined {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined
}
