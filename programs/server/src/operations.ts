import type {
  ErrorEnvelope,
  HttpService,
  OpenApiDocument,
  RequestMetrics,
  ServiceWarning,
} from '@palisade/platform'
import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { configurationJsonSchema } from './configuration/json-schema.ts'
import { consoleRoutes } from './console.ts'

const schemaFile = 'configuration.schema.json'

/** Errors at addresses that belong to no service. */
const rootEnvelope: ErrorEnvelope = ({ code, message }) => ({ body: { error: { code, message } } })

/**
 * What operators and their tools ask of the process as a whole: `/healthz` (the process answers), `/readyz`
 * (the store is migrated and the server has started; with warnings of services that do not do all of their work), `/metrics` and
 * `/openapi/{service}.json`, with the schema of the configuration file beside them. Browsers get the console at `/`.
 */
export function operations(deps: {
  readonly status: () => 'starting' | 'ready' | 'draining'
  /** Of all services. */
  readonly warnings: () => readonly (ServiceWarning & { readonly service: string })[]
  readonly metrics: RequestMetrics
  /** What the listener presents now, in PEM. */
  readonly certificate: () => string | undefined
  readonly documents: ReadonlyMap<string, OpenApiDocument>
}): HttpService {
  return {
    name: 'operations',
    title: 'Palisade operations',
    basePath: '/',
    envelope: rootEnvelope,
    routes: async (scope: FastifyInstance) => {
      await consoleRoutes(scope, deps.certificate)
      scope.get('/healthz', async () => ({ status: 'ok' }))
      scope.get('/readyz', async (_request, reply) => {
        const status = deps.status()
        const ready = status === 'ready'
        const warnings = ready ? deps.warnings() : []
        return reply.code(ready ? 200 : 503).send({
          status,
          ...(warnings.length === 0 ? {} : { warnings }),
        })
      })
      scope.get('/metrics', async (_request, reply) => {
        const { contentType, body } = await deps.metrics.text()
        return reply.type(contentType).send(body)
      })
      scope.get<{ Params: { file: string } }>('/openapi/:file', async ({ params }) => {
        if (params.file === schemaFile) return configurationJsonSchema()
        const document = deps.documents.get(params.file.replace(/\.json$/, ''))
        if (!document) {
          const names = [...[...deps.documents.keys()].map((name) => `${name}.json`), schemaFile].join(', ')
          throw new RequestRefused('not-found', `There is no such document; there are ${names}.`)
        }
        return document()
      })
    },
  }
}
