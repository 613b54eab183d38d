import { operatorSecurity, RequestRefused, withExample } from '@palisade/platform'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { may } from './access/identity.ts'
import type { Authentication } from './authentication/authentication.ts'

const bytes = Type.Integer({ description: 'bytes' })

/** What one server is, what it has, and what keeps it from doing all of its work. */
export const SystemState = withExample(
  Type.Object(
    {
      server: Type.String({ description: 'the name of the server that answers' }),
      version: Type.String(),
      node: Type.String({ description: 'the version of Node that it runs on' }),
      startedAt: Type.String({ format: 'date-time' }),
      database: Type.Object({
        kind: Type.Enum(['sqlite', 'postgres']),
        sizeBytes: Type.Union([bytes, Type.Null()], { description: 'of the embedded database alone' }),
      }),
      storage: Type.Object({ folder: Type.String(), freeBytes: bytes, totalBytes: bytes }),
      isHealthy: Type.Boolean({ description: 'whether nothing keeps a service from doing all of its work' }),
      services: Type.Array(
        Type.Object({
          name: Type.String(),
          warnings: Type.Array(Type.Object({ condition: Type.String(), message: Type.String() })),
        }),
      ),
    },
    { title: 'System' },
  ),
  {
    server: 'one.example.org',
    version: '0.1.0',
    node: '24.0.0',
    startedAt: '2030-01-31T12:00:00.000Z',
    database: { kind: 'sqlite', sizeBytes: 1_048_576 },
    storage: { folder: '/var/lib/palisade', freeBytes: 80_000_000_000, totalBytes: 100_000_000_000 },
    isHealthy: false,
    services: [{ name: 'firewall', warnings: [{ condition: 'no-rules', message: 'There are no rules.' }] }],
  },
)

export type SystemState = Static<typeof SystemState>

/** `/system`: how the server that answers is. */
export function systemRoutes(deps: {
  readonly authentication: Authentication
  readonly system: () => Promise<SystemState>
}) {
  const { authentication, system } = deps

  async function admit(request: FastifyRequest): Promise<void> {
    if (may(await authentication.identify(request), { kind: 'read', service: 'administration' })) return
    throw new RequestRefused('forbidden', 'Your grants do not allow you to see the system.')
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.get(
      '/system',
      {
        onRequest: admit,
        schema: {
          operationId: 'getSystem',
          summary: 'Read how the server that answers is',
          tags: ['System'],
          security: operatorSecurity,
          response: { 200: SystemState },
        },
      },
      () => system(),
    )
  }
}
