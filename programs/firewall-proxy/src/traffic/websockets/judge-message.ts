import { isUtf8 } from 'node:buffer'
import type { Interruption, Transaction } from '@palisade/seclang'
import type { SocketChecks } from '../../filters/websockets/socket-checks.ts'
import type { InspectionResult } from '../../logs/violation-entries.ts'
import { followUp } from '../../policy/follow-up.ts'
import { refusedAttack } from '../block.ts'
import { newTransaction } from '../inspection.ts'
import { reconsidered } from '../reconsider.ts'
import type { RequestContext } from '../request-context.ts'

/** What rules find in a message, and whether it is refused for that. */
interface JudgedMessage extends InspectionResult {
  readonly isRefused: boolean
  /** Why it cannot be judged for certain; a sentence each. */
  readonly faults: readonly string[]
}

/**
 * Has the rules judge a message of a client as the parameters of a request to the address of its WebSocket: a document of JSON as the body that
 * it would be, everything else as the value of `message` in one.
 *
 * @returns undefined where no rules judge
 */
export function judgeByRules(
  context: RequestContext,
  message: Buffer,
  { path, isPassive }: SocketChecks,
): JudgedMessage | undefined {
  const { exchange } = context
  const first = newTransaction(context)
  if (first === undefined) return undefined
  const body = asJson(message)
  const head = { method: 'POST', uri: path, protocol: 'HTTP/1.1', headers: headersFor(body) }
  const show = (transaction: Transaction | undefined): Interruption | undefined =>
    transaction?.requestHeaders(head) ?? transaction?.requestBody(body)
  const interruption = show(first)
  const second = reconsidered(context, { transaction: first, interruption }, show)
  const { transaction = first, violations = [] } = second ?? {}
  first.finish()
  if (transaction !== first) transaction.finish()
  const isRefused = interruption !== undefined && second === undefined && !isPassive
  if (isRefused) {
    const { followUp: next } = exchange.judge.policy.actionFor(refusedAttack(exchange, transaction) ?? '')
    if (next !== undefined) followUp(exchange, next)
  }
  const { bodyFaults: faults } = transaction
  return { isRefused, faults, violations, transaction, interruption: isRefused ? interruption : undefined }
}

function asJson(message: Buffer): Buffer {
  const text = message.toString('utf8')
  try {
    JSON.parse(text)
    // An application may read over bytes that are no characters.
    return isUtf8(message) ? message : Buffer.from(text)
  } catch {
    return Buffer.from(JSON.stringify({ message: text }))
  }
}

/** As a client sends a document, so that nothing is found in the headers. */
function headersFor(body: Buffer): string[] {
  const type = ['Content-Type', 'application/json', 'Content-Length', String(body.length)]
  return ['Host', 'websocket', 'User-Agent', 'WebSocket', 'Accept', '*/*', ...type]
}
