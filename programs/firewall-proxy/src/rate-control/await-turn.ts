import type { Answer } from '../filters/filter.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { found } from '../traffic/found.ts'

/**
 * Waits until the request may be served, where only so many are at once. Services that do not block never let a request wait:
 * what would be refused is logged.
 *
 * @returns what the client gets instead
 */
export async function awaitTurn(exchange: Exchange): Promise<Answer | undefined> {
  const pool = exchange.runtime.requestPool
  if (pool === undefined || exchange.mode === 'off') return undefined
  const admission = pool.enter(exchange.clientAddress, (leaveQueue) => {
    exchange.onLeave = leaveQueue
  })
  if (admission === 'refused') {
    const detail = 'More requests are being served, and more of the client wait, than are allowed.'
    return found(exchange, { attack: 'rate-control-intrusion', detail })
  }
  if (admission === 'served' || exchange.mode === 'active') {
    if ((await admission) === 'gone') return undefined
    // It may have gone in the same moment in which its turn came.
    if (exchange.isGone) pool.leave()
    else exchange.onLeave = () => pool.leave()
    return undefined
  }
  exchange.onLeave?.()
  exchange.onLeave = undefined
  return undefined
}
