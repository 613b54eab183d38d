import http from 'node:http'
import { currentRequestId, newRequestId } from '@palisade/log'
import { isTracing } from '@palisade/tracing'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { ignoreForwardedPorts } from './client-address.ts'
import type { ListenerOptions } from './listener-options.ts'
import { sendRefusal } from './mount-service.ts'
import { refusalOfError } from './refusal-of-error.ts'
import { nameTracesByRoutes } from './traced-requests.ts'
import type { UnknownCallers } from './unknown-callers.ts'

const mebibyte = 1024 * 1024

/** What answers the requests of a listener, without routes as yet. */
export function newApp(options: ListenerOptions, unknownCallers: UnknownCallers): FastifyInstance {
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    // Addresses may carry secrets in their query, so requests are counted by the metrics and never logged.
    logController: new LogController({ disableRequestLogging: true }),
    // The log knows the request that is worked on: the listener gives it its id.
    childLoggerFactory: (log) => log,
    genReqId: () => currentRequestId() ?? newRequestId(),
    bodyLimit: options.bodySizeMax ?? mebibyte,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 2048 },
    frameworkErrors: (error, request, reply) => {
      unknownCallers.awaitBody(request, reply)
      return sendRefusal(reply, refusalOfError(error, request), options.envelopeAt(request.url))
    },
  })
  // A route that takes every method then says itself which of them its addresses answer to, of WebDAV's as well.
  for (const method of http.METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  if (options.trustedProxies?.length) ignoreForwardedPorts(app)
  if (isTracing()) nameTracesByRoutes(app)
  // What authenticates has run before a body is read. A request that was refused, or needs no body, may have one all the same.
  app.addHook('preParsing', async (request, reply) => unknownCallers.awaitBody(request, reply))
  app.addHook('onSend', async (request, reply) => unknownCallers.awaitBody(request, reply))
  return app
}
