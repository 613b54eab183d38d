import type { IncomingMessage } from 'node:http'
import { withoutSecrets } from '@palisade/log'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuditEntry } from '../audit/audit-log.ts'
import { isReadingScope, requiredScopes } from '../openapi/with-security.ts'
import { clientAddress } from './client-address.ts'
import { callerOf } from './unknown-callers.ts'

/** Writes an entry of the audit log; it is durable when this returns. */
export type AuditWriter = (entry: AuditEntry) => Promise<void>

/** What was changed, as it was and as it is; null before it was there, and when it is gone. */
export type Change = Pick<AuditEntry, 'before' | 'after'>

/** What is longer is not repeated in the audit log. */
const shownLengthMax = 16_384

const changes = new WeakMap<IncomingMessage, Change>()

/**
 * To be called by whatever serves a request, when it has changed something: the audit log then shows that, and not what was asked for.
 * Secrets are taken out. What was noted of a request that is refused after all is in no audit log.
 */
export function noteChange({ raw }: Pick<FastifyRequest, 'raw'>, change: Change): void {
  changes.set(raw, change)
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Has what clients change through a service written into the audit log before they are answered: who, from where, which operation at
 * which address, and what was there before and after, without secrets: what {@link noteChange} was told, or else what was asked for. What was
 * refused is no change.
 *
 * Services whose changes are written in the transactions that make them name no caller here.
 */
export function auditRequests(scope: FastifyInstance, service: string, write: AuditWriter): void {
  /** Some operations ask by POST, and need no right to change anything. */
  const reading = new Set<string>()
  scope.addHook('onRoute', (route) => {
    const scopes = requiredScopes(route)
    const asksToRead = scopes.length > 0 && scopes.every(isReadingScope)
    if (asksToRead) for (const method of [route.method].flat()) reading.add(`${method} ${route.url}`)
  })
  scope.addHook('onSend', async (request, reply, payload) => {
    const caller = callerOf(request)
    const isChange = reply.statusCode >= 200 && reply.statusCode <= 299 && !readingMethods.has(request.method)
    if (caller === undefined || !isChange || reading.has(routeOf(request))) return payload
    const [path = ''] = request.url.split('?')
    const { before, after } = changes.get(request.raw) ?? { before: null, after: request.body }
    await write({
      actor: { ...caller, address: clientAddress(request) },
      service,
      action: request.routeOptions.schema?.operationId ?? `${request.method} ${path}`,
      target: path,
      before: shown(before),
      after: shown(after),
    })
    return payload
  })
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url ?? ''}`
}

function shown(value: unknown): object | null {
  const open = withoutSecrets(value)
  if (typeof open !== 'object' || open === null) return null
  return JSON.stringify(open).length <= shownLengthMax ? open : { note: 'this was longer than 16 KiB' }
}
