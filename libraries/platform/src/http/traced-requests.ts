import type { IncomingMessage, ServerResponse } from 'node:http'
import { beginTrace, isTracing, readTraceparent, type Span, withSpan } from '@palisade/tracing'
import type { FastifyInstance } from 'fastify'

const spans = new WeakMap<IncomingMessage, Span>()

/** Serves a request in a span of its own, where it is recorded. Neither its address nor anything that came with it is told. */
export function traceRequest(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
  if (!isTracing()) {
    serve()
    return
  }
  const { traceparent } = request.headers
  const caller = readTraceparent(typeof traceparent === 'string' ? traceparent : undefined)
  const method = request.method ?? ''
  const scheme = 'encrypted' in request.socket ? 'https' : 'http'
  const attributes = { 'http.request.method': method, 'url.scheme': scheme }
  const span = beginTrace(method, { kind: 'server', attributes }, { caller, trustsCaller: true })
  if (span === undefined) {
    serve()
    return
  }
  spans.set(request, span)
  response.once('close', () => {
    if (!response.writableFinished) span.set({ 'error.type': 'client_gone' })
    if (response.headersSent) span.set({ 'http.response.status_code': response.statusCode })
    if (response.statusCode >= 500) span.fail()
    span.end()
  })
  withSpan(span, serve)
}

/** Calls the spans of requests by their routes: `GET /backup/accounts/:account/computers`. */
export function nameTracesByRoutes(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const span = spans.get(request.raw)
    const route = request.routeOptions.url
    if (span !== undefined && route !== undefined) {
      span.rename(`${request.method} ${route}`)
      span.set({ 'http.route': route })
    }
    done()
  })
}
