import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tokens } from '../access/tokens.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { Addresses } from './address.ts'
import { requireToken } from './admission.ts'
import { decorateWithTarget, locatedBy, locateWith } from './locate.ts'
import type { Query } from './query.ts'
import { read } from './read.ts'
import { create, remove, update } from './write.ts'

/** Every address of every kind: one route, which finds out what the path leads to. */
export function objectRoutes(deps: {
  readonly tokens: Tokens
  readonly addresses: Addresses
  readonly configuration: LiveConfiguration
}) {
  const { tokens, addresses, configuration } = deps

  const answer = (request: FastifyRequest<{ Querystring: Query }>, reply: FastifyReply) => {
    switch (locatedBy(request).operation) {
      case 'list':
      case 'read':
        return read(configuration.snapshot, request, reply)
      case 'create':
        return create(configuration, request, reply)
      case 'update':
        return update(configuration, request, reply)
      case 'delete':
        return remove(configuration, request, reply)
    }
  }

  return async (scope: FastifyInstance): Promise<void> => {
    decorateWithTarget(scope)
    // A logger of its own for each request would cost as much as everything else that a small reply takes.
    scope.setChildLoggerFactory((logger) => logger)
    scope.all<{ Querystring: Query }>(
      '/*',
      {
        onRequest: [
          requireToken(tokens, { renews: true }),
          locateWith(addresses, () => configuration.snapshot),
        ],
        schema: { hide: true },
      },
      answer,
    )
  }
}
