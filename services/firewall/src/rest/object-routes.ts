import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Tokens } from '../access/tokens.ts'
import type { Addresses } from './address.ts'
import { refuseChangesToReaders, requireToken, tokenOf } from './admission.ts'
import { decorateWithTarget, locatedBy, locateWith, specialOf } from './locate.ts'
import type { Observed } from './operational.ts'
import { type Query, refuseOtherParameters } from './query.ts'
import { read } from './read.ts'
import type { SpecialOperation } from './special-operation.ts'
import { authorOf, create, remove, update, type WriteDependencies } from './write.ts'

const changes = { create, update, delete: remove } as const

/** Every address of every kind: one route, which finds out what the path leads to. */
export function objectRoutes(deps: {
  readonly tokens: Tokens
  readonly addresses: Addresses
  readonly operations: readonly SpecialOperation[]
  readonly writing: WriteDependencies
  readonly observed: Observed
}) {
  const { tokens, addresses, operations, writing, observed } = deps
  const { configuration, roles } = writing

  const answer = (request: FastifyRequest<{ Querystring: Query }>, reply: FastifyReply) => {
    const special = specialOf(request)
    if (special)
      return special.operation.handle({ request, reply, names: special.names, author: authorOf(request) })
    const { operation } = locatedBy(request)
    if (operation === 'list' || operation === 'read') {
      const permissions = roles.permissionsOf(tokenOf(request).administrator)
      return read(configuration.snapshot, permissions, observed, request, reply)
    }
    refuseOtherParameters(request.query, [])
    return changes[operation](writing, request, reply)
  }

  return async (scope: FastifyInstance): Promise<void> => {
    decorateWithTarget(scope)
    // Real clients' forms are malformed in ways of their own, so whoever takes one reads its bytes.
    scope.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'buffer' },
      async (_request: unknown, body: Buffer) => body,
    )
    // A logger of its own for each request would cost as much as everything else that a small reply takes.
    scope.setChildLoggerFactory((logger) => logger)
    const admission = [
      requireToken(tokens, { renews: true }),
      refuseChangesToReaders,
      locateWith(addresses, roles, configuration, scope.prefix),
    ]
    const options = {
      onRequest: admission,
      preHandler: admission.map(onceMoreAfterBody),
      schema: { hide: true },
    }
    scope.all<{ Querystring: Query }>('/*', options, answer)
    // Found at their usual spelling only: in another one they take as much as everything else.
    for (const { method, path, bodySizeMax: bodyLimit } of operations) {
      if (bodyLimit === undefined) continue
      scope.route<{ Querystring: Query }>({ ...options, method, url: `/${path}`, bodyLimit, handler: answer })
    }
  }
}

/**
 * Has a check made again when the body is there: sending it may take minutes, in which whoever sends it was deleted,
 * got another password or lost rights.
 */
function onceMoreAfterBody(check: onRequestHookHandler): onRequestHookHandler {
  return function (request, reply, done) {
    if (request.method === 'GET') done()
    else check.call(this, request, reply, done)
  }
}
