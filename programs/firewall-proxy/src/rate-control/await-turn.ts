import type { Answer } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { handleViolation } from '../policy/handle-violation.ts'
import type { RequestPool } from './request-pool.ts'

/**
 * Waits until the request may be served, of which only so many are at once. Services that do not block never let a request wait:
 * what would be refused is logged.
 *
 * @returns what the client gets instead
 */
export async function awaitTurn(exchange: Exchange, pool: RequestPool): Promise<Answer | undefined> {
  if (exchange.mode === 'off') return undefined
  const admission = pool.enter(exchange.clientAddress, (leaveQueue) => {
    exchange.leaveTurn = leaveQueue
  })
  if (admission === 'refused') {
    const detail = 'More requests are being served, and more of the client wait, than are allowed.'
    return handleViolation(exchange, { attack: 'rate-control-intrusion', detail })
  }
  if (admission === 'served' || exchange.mode === 'active') {
    if ((await admission) === 'gone') return undefined
    // It may have gone in the same moment in which its turn came.
    if (exchange.isGone) pool.leave()
    else exchange.leaveTurn = () => pool.leave()
    return undefined
  }
  exchange.leaveTurn?.()
  exchange.leaveTurn = undefined
  return undefined
}
