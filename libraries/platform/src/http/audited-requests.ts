import { withoutSecrets } from '@palisade/log'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuditEntry } from '../audit/audit-log.ts'
import { requiredScopes } from '../openapi/with-security.ts'
import { clientAddress } from './client-address.ts'
import { callerOf } from './unknown-callers.ts'

/** Writes an entry of the audit log; it is durable when this returns. */
export type AuditWriter = (entry: AuditEntry) => Promise<void>

/** A longer body is not repeated in the audit log. */
const bodyLengthMax = 16_384

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Has what clients change through a service written into the audit log before they are answered: who, from where, which operation at
 * which address, and what was asked for, without secrets. What was refused is no change.
 *
 * Services whose changes are written in the transactions that make them name no caller here.
 */
export function auditRequests(scope: FastifyInstance, service: string, write: AuditWriter): void {
  /** Some operations ask by POST, and need no right to change anything. */
  const reading = new Set<string>()
  scope.addHook('onRoute', (route) => {
    const scopes = requiredScopes(route)
    const asksToRead = scopes.length > 0 && scopes.every((one) => /[:_]read$/.test(one))
    if (asksToRead) for (const method of [route.method].flat()) reading.add(`${method} ${route.url}`)
  })
  scope.addHook('onSend', async (request, reply, payload) => {
    const caller = callerOf(request)
    const isChange = reply.statusCode >= 200 && reply.statusCode <= 299 && !readingMethods.has(request.method)
    if (caller === undefined || !isChange || reading.has(routeOf(request))) return payload
    const [path = ''] = request.url.split('?')
    await write({
      actor: { ...caller, address: clientAddress(request) },
      service,
      action: request.routeOptions.schema?.operationId ?? `${request.method} ${path}`,
      target: path,
      before: null,
      after: shownBody(request.body),
    })
    return payload
  })
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url ?? ''}`
}

function shownBody(body: unknown): object | null {
  const shown = withoutSecrets(body)
  if (typeof shown !== 'object' || shown === null) return null
  return JSON.stringify(shown).length <= bodyLengthMax
    ? shown
    : { note: 'the request was longer than 16 KiB' }
}
