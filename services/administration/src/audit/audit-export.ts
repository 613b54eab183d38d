import { Readable } from 'node:stream'
import { operatorSecurity, RequestRefused, type Store } from '@palisade/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { may } from '../access/identity.ts'
import type { Authentication } from '../authentication/authentication.ts'
import { cursorOf, readPageRequest } from '../resources/page.ts'
import { auditResource } from './audit-resource.ts'

const batchSize = 1000

/** `/audit-export`: all entries as lines of JSON, oldest first, in memory that does not grow with their number. */
export function auditExport(deps: { readonly authentication: Authentication; readonly store: Store }) {
  const { authentication, store } = deps

  async function* lines(query: Readonly<Record<string, string>>) {
    let after: string | undefined
    do {
      const page = readPageRequest(
        { ...query, limit: String(batchSize), ...(after === undefined ? {} : { after }) },
        auditResource,
      )
      const entries = await store.readList((tables) =>
        auditResource.list(tables, {}, { ...page, accounts: undefined, services: undefined }),
      )
      for (const { item } of entries) yield `${JSON.stringify(item)}\n`
      const last = entries.at(-1)
      after = last && entries.length === batchSize ? cursorOf(last.place, page) : undefined
    } while (after !== undefined)
  }

  async function exportEntries(
    request: FastifyRequest<{ Querystring: Record<string, unknown> }>,
    reply: FastifyReply,
  ) {
    const identity = await authentication.identify(request)
    if (!may(identity, { kind: 'read', service: 'administration' })) {
      throw new RequestRefused('forbidden', 'Your grants do not allow you to see the audit log.')
    }
    // Refuses a wrong filter before anything is sent.
    const { filters: chosen } = readPageRequest(request.query, auditResource)
    return reply.type('application/x-ndjson').send(Readable.from(lines(chosen)))
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<{ Querystring: Record<string, unknown> }>(
      '/audit-export',
      {
        schema: {
          operationId: 'exportAuditEntries',
          summary: 'Export audit entries as lines of JSON',
          tags: [auditResource.noun.many],
          security: operatorSecurity,
          produces: ['application/x-ndjson'],
          querystring: Type.Object(
            Object.fromEntries(
              Object.entries(auditResource.filters ?? {}).map(([name, description]) => [
                name,
                Type.Optional(Type.String({ description })),
              ]),
            ),
          ),
          response: {
            200: {
              content: {
                'application/x-ndjson': { schema: Type.String({ examples: ['{"action":"logIn"}\n'] }) },
              },
            },
          },
        },
      },
      exportEntries,
    )
  }
}
