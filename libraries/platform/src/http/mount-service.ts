/// <reference types="@fastify/swagger" preserve="true" />
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Attention, Severity } from '../administration/attention.ts'
import type { AdministeredResource } from '../administration/resource.ts'
import type { WatchedQueue } from '../job-runner.ts'
import type { RequestMetrics } from '../metrics.ts'
import { completeDocument } from '../openapi/complete-document.ts'
import type { ServiceContract } from '../openapi/service-contract.ts'
import { withSecurity } from '../openapi/with-security.ts'
import { type ErrorEnvelope, type Refusal, statusOfRefusal } from '../refusal.ts'
import { type AuditWriter, auditRequests } from './audited-requests.ts'
import { bodyValidation } from './body-validation.ts'
import type { ServerCertificate } from './certificate.ts'
import { acceptJsonOnly } from './json-body.ts'
import { KnownRoutes } from './known-routes.ts'
import { refusalOfError } from './refusal-of-error.ts'
import { replySerialization } from './reply-serialization.ts'
import { hasBody } from './unknown-callers.ts'

/** One service as its listener sees it. */
export interface HttpService {
  /** Used in logs, metrics and at /openapi/{name}.json. */
  readonly name: string
  /** What the OpenAPI document calls the service. */
  readonly title: string
  /** Where the service lies on its listener, such as "/email"; its {base_url}. */
  readonly basePath: string
  readonly envelope: ErrorEnvelope
  readonly routes: FastifyPluginAsync
  /** Makes the paths of the OpenAPI document, where the routes by themselves do not show what the service does. */
  readonly describe?: (document: object) => object
  /** What the OpenAPI document has to say beside the routes; left out by what has no document of its own. */
  readonly contract?: ServiceContract
  /**
   * What the service's own users have chosen for the HTTPS port of its listener. Asked for when the port is opened;
   * undefined when they have chosen nothing.
   */
  readonly certificate?: () => ServerCertificate | undefined
  /** What operators administer of the service at run time. */
  readonly administered?: readonly AdministeredResource[]
  /** What somebody should do something about, as the store has it now; undefined while another server knows. */
  readonly attention?: () => Promise<readonly Attention[] | undefined>
  /** What keeps the service from doing all of its work now, for the operator; empty when nothing does. */
  readonly warnings?: () => readonly ServiceWarning[]
  /** The queues of what the service does by itself. */
  readonly queues?: () => readonly WatchedQueue[]
  /** Ends what the service keeps running beside its requests. */
  readonly close?: () => Promise<void>
}

/** A condition that an operator should end. */
export interface ServiceWarning {
  /** Tells conditions apart, in kebab case: `no-rules`. */
  readonly condition: string
  /** What is wrong and what to do. Sentences without secrets. */
  readonly message: string
  /** "warning" when left out. */
  readonly severity?: Severity
}

/** The OpenAPI document of a mounted service, once the listener is ready. */
export type OpenApiDocument = () => object

/**
 * Puts a service on a listener, in a scope of its own: its routes, its error envelope for everything that goes
 * wrong below its path, JSON bodies only, 405 with Allow for known addresses, and its OpenAPI 3.1 document.
 */
export async function mountService(
  app: FastifyInstance,
  service: HttpService,
  metrics: RequestMetrics,
  audit?: AuditWriter,
): Promise<OpenApiDocument> {
  let document: OpenApiDocument = () => ({})
  await app.register(
    async (scope) => {
      const routes = new KnownRoutes()
      routes.watch(scope)
      const count = metrics.of(service.name)
      scope.addHook('onResponse', (request, reply, done) => {
        count(request.method, reply.statusCode, reply.elapsedTime / 1000)
        done()
      })
      if (audit) auditRequests(scope, service.name, audit)
      acceptJsonOnly(scope)
      scope.setValidatorCompiler(bodyValidation)
      scope.setSerializerCompiler(replySerialization)
      scope.setErrorHandler((error, request, reply) => {
        const refusal = refusalOfError(error, request)
        if (refusal.code === 'internal') request.log.error({ err: error }, 'a request failed')
        return sendRefusal(reply, refusal, service.envelope)
      })
      scope.setNotFoundHandler((request, reply) =>
        sendRefusal(reply, notServed(routes, request), service.envelope),
      )
      await scope.register(swagger, {
        openapi: {
          openapi: '3.1.0',
          info: { title: service.title, version: '1' },
          servers: [{ url: service.basePath }],
          components: { securitySchemes: { ...service.contract?.securitySchemes } },
        },
        stripBasePath: true,
        transform: withSecurity,
      })
      document = once(() => documentOf(service, scope.swagger()))
      await scope.register(service.routes)
    },
    { prefix: service.basePath },
  )
  return () => document()
}

function documentOf({ describe, contract, envelope }: HttpService, routes: object): object {
  const described = { ...(describe?.(routes) ?? routes) }
  return contract ? completeDocument(described, { contract, envelope }) : described
}

/** The document never changes while the service runs, and is large. */
function once<Result>(make: () => Result): () => Result {
  let cache: { readonly result: Result } | undefined
  return () => {
    cache ??= { result: make() }
    return cache.result
  }
}

/** Answers with the service's own words. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal, envelope: ErrorEnvelope): FastifyReply {
  const { body, contentType = 'application/json', status = statusOfRefusal[refusal.code] } = envelope(refusal)
  keepOpenWhileReceiving(reply)
  return reply
    .code(status)
    .headers(refusal.headers ?? {})
    .header('content-type', `${contentType}; charset=utf-8`)
    .send(JSON.stringify(body))
}

/**
 * A caller who is still sending its body would lose the answer if the connection were closed with it. So the
 * rest is read and dropped, as far as the listener gives it time (see `UnknownCallers`), before the connection is closed
 * where the caller wanted that.
 */
function keepOpenWhileReceiving(reply: FastifyReply): void {
  const { raw: request } = reply.request
  if (!hasBody(request) || request.complete) {
    reply.removeHeader('connection')
    return
  }
  reply.header('connection', 'keep-alive')
  if (reply.raw.shouldKeepAlive) return
  const close = () => request.socket.end()
  reply.raw.once('finish', () => (request.complete ? close() : request.once('end', close)))
}

function notServed(routes: KnownRoutes, request: FastifyRequest): Refusal {
  const [path = ''] = request.url.split('?')
  const methods = routes.methodsAt(path)
  if (methods.length === 0) return { code: 'not-found', message: 'Nothing is found at this address.' }
  const allow = methods.join(', ')
  return {
    code: 'method-not-allowed',
    message: `This address answers to ${allow} only.`,
    headers: { allow },
  }
}
