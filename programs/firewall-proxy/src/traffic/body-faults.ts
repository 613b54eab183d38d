import type { Answer } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { handleViolation } from '../policy/handle-violation.ts'

/** What policies call a body that cannot be judged for certain. */
const attack = 'malformed-parameter'

/**
 * Says what is wrong with a body that rules have seen: that it is not what it claims to be, or that servers could understand it otherwise.
 *
 * @param faults a sentence each, besides what the reader of bodies says
 * @returns what the client gets for it; undefined when the request goes on
 */
export function refuseFaultyBody(exchange: Exchange, faults: readonly string[]): Answer | undefined {
  const all = [...faults, ...(exchange.transaction?.bodyFaults ?? [])]
  return all.length === 0
    ? undefined
    : handleViolation(exchange, { attack, detail: [...new Set(all)].join(' ') })
}
