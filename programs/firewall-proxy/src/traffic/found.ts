import type { Answer } from '../filters/filter.ts'
import type { Exchange, Violation } from './exchange.ts'

/**
 * Says what is wrong with a request or its answer, so that it is logged.
 *
 * @returns what the client gets for it; undefined when the service only logs, and the request goes on
 */
export function found(exchange: Exchange, violation: Violation): Answer | undefined {
  const isActive = exchange.runtime.service.inspection.mode === 'active'
  exchange.violations.push({ ...violation, action: isActive ? 'DENY' : 'LOG' })
  return isActive ? { status: 403 } : undefined
}
