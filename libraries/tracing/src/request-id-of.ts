import type { IncomingHttpHeaders } from 'node:http'
import { isRequestId, newRequestId } from '@palisade/log/request-id'
import { readTraceparent } from './traceparent.ts'

/**
 * The id of a request: the one that its caller has given it (`X-Request-Id`), or else the id of the trace that it belongs to (`traceparent`),
 * or else a new one. What is not well-formed counts for nothing.
 */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const { traceparent, 'x-request-id': given } = headers
  // Of several, Node makes a text with commas, or an array.
  if (typeof given === 'string' && isRequestId(given)) return given
  const trace = typeof traceparent === 'string' ? readTraceparent(traceparent) : undefined
  return trace?.traceId ?? newRequestId()
}
