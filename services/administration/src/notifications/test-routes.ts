import { operatorSecurity, RequestRefused, type Store } from '@palisade/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { may } from '../access/identity.ts'
import type { Authentication } from '../authentication/authentication.ts'
import type { AdministrationTables } from '../tables.ts'
import type { Outbox } from './outbox.ts'
import { readRoute } from './routes.ts'

interface ChannelTest {
  Params: { channel: string }
}

interface RouteTest {
  Params: { route: string }
}

/** `/channels/:channel/test` and `/routes/:route/test`: a message that says nothing but that it arrives. */
export function testRoutes(deps: {
  readonly authentication: Authentication
  readonly store: Store
  readonly outbox: Outbox
}) {
  const { authentication, store, outbox } = deps

  async function require(request: FastifyRequest): Promise<void> {
    const identity = await authentication.identify(request)
    if (may(identity, { kind: 'write', service: 'notifications' })) return
    throw new RequestRefused('forbidden', 'Your grants do not allow you to use the channels.')
  }

  async function testChannel({ params: { channel } }: FastifyRequest<ChannelTest>, reply: FastifyReply) {
    if (!(await outbox.has(channel))) throw new RequestRefused('not-found', 'There is no such channel.')
    await outbox.addTest(channel)
    return reply.code(202).send()
  }

  async function testRoute({ params }: FastifyRequest<RouteTest>, reply: FastifyReply) {
    const row = await store
      .tables<AdministrationTables>()
      .selectFrom('admin_route')
      .select('definition')
      .where('id', '=', params.route)
      .executeTakeFirst()
    if (!row) throw new RequestRefused('not-found', 'There is no such route.')
    for (const channel of readRoute(row.definition).channels) await outbox.addTest(channel)
    return reply.code(202).send()
  }

  return async (scope: FastifyInstance): Promise<void> => {
    const schema = (tag: string, operationId: string, parameter: string, summary: string) => ({
      tags: [tag],
      operationId,
      summary,
      security: operatorSecurity,
      params: Type.Object({ [parameter]: Type.String() }),
      response: { 202: Type.Null({ description: 'it is on its way' }) },
    })
    scope.post<ChannelTest>(
      '/channels/:channel/test',
      {
        onRequest: require,
        schema: schema('channels', 'testChannel', 'channel', 'Send a test to a channel'),
      },
      testChannel,
    )
    scope.post<RouteTest>(
      '/routes/:route/test',
      {
        onRequest: require,
        schema: schema('routes', 'testRoute', 'route', 'Send a test to all channels of a route'),
      },
      testRoute,
    )
  }
}
