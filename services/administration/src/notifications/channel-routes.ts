import { RequestRefused, withExample } from '@palisade/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { may } from '../access/identity.ts'
import type { Authentication } from '../authentication/authentication.ts'
import type { ChannelConfiguration } from '../notification-configuration.ts'
import type { Outbox } from './outbox.ts'

const ChannelItem = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['webhook', 'email', 'syslog']),
    failingSince: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    failure: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'Channel' },
)

const Channels = withExample(Type.Object({ items: Type.Array(ChannelItem) }, { title: 'Channels' }), {
  items: [{ name: 'ops', kind: 'webhook', failingSince: null, failure: null }],
})

interface ChannelRequest {
  Params: { channel: string }
}

/** `/channels`: how sending to each channel goes, and a test of it. Channels are made in the configuration. */
export function channelRoutes(deps: {
  readonly authentication: Authentication
  readonly channels: readonly ChannelConfiguration[]
  readonly outbox: Outbox
}) {
  const { authentication, channels, outbox } = deps

  async function require(request: FastifyRequest, kind: 'read' | 'write'): Promise<void> {
    const identity = await authentication.identify(request)
    // A test tells nobody anything, and those who are on call have to try it.
    const service = kind === 'write' ? 'notifications' : 'administration'
    if (may(identity, { kind, service })) return
    throw new RequestRefused('forbidden', 'Your grants do not allow you to use the channels.')
  }

  async function list() {
    const failing = new Map((await outbox.failing()).map((row) => [row.name, row]))
    return {
      items: channels.map(({ name, webhook, email }) => {
        const failure = failing.get(name)
        return {
          name,
          kind: webhook ? 'webhook' : email ? 'email' : 'syslog',
          failingSince: failure ? new Date(failure.since).toISOString() : null,
          failure: failure?.failure ?? null,
        }
      }),
    }
  }

  async function sendTest({ params }: FastifyRequest<ChannelRequest>, reply: FastifyReply) {
    if (!outbox.has(params.channel)) throw new RequestRefused('not-found', 'There is no such channel.')
    await outbox.addTest(params.channel)
    return reply.code(202).send()
  }

  return async (scope: FastifyInstance): Promise<void> => {
    const common = { tags: ['channels'], security: [{ session: [] }, { token: [] }] }
    scope.get(
      '/channels',
      {
        onRequest: (request) => require(request, 'read'),
        schema: {
          ...common,
          operationId: 'listChannels',
          summary: 'List channels',
          response: { 200: Channels },
        },
      },
      list,
    )
    scope.post<ChannelRequest>(
      '/channels/:channel/test',
      {
        onRequest: (request) => require(request, 'write'),
        schema: {
          ...common,
          operationId: 'testChannel',
          summary: 'Send a test to a channel',
          params: Type.Object({ channel: Type.String() }),
          response: { 202: Type.Null({ description: 'it is on its way' }) },
        },
      },
      sendTest,
    )
  }
}
