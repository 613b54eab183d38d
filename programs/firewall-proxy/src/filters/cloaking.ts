import type { SnapshotPolicy, SnapshotService } from '@palisade/proxy-protocol'
import type { Answer, ResponseHead } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { pageAnswer } from '../policy/denial-answer.ts'
import { handleViolation } from '../policy/handle-violation.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from './filter.ts'

/** Clients need these to log in. */
const neverHidden = [401, 407]

const information = 6

/** Hides from clients what the servers are, and what goes wrong in them. */
export const cloaking: FilterDescriptor = {
  name: 'cloaking',
  isShared: false,
  make: cloakingFilter,
}

function cloakingFilter(_: SnapshotService, { policy }: FilterDependencies): Filter | undefined {
  const { hiddenHeaders = [], hiddenErrors } = policy.snapshot ?? {}
  if (hiddenHeaders.length === 0 && hiddenErrors === undefined) return undefined
  const names = new Set(hiddenHeaders)
  return {
    onResponse: (exchange, head) => {
      if (exchange.mode === 'off') return undefined
      if (policy.actionFor('response-header-suppressed').denies) hideHeaders(exchange, head, names)
      return hiddenErrors && hideError(exchange, head.status, hiddenErrors)
    },
  }
}

/** Nobody is refused for it, so it is done in every mode. */
function hideHeaders(exchange: Exchange, head: ResponseHead, names: ReadonlySet<string>): void {
  const headers = head.headers.filter((_, index) => {
    const name = head.headers[index - (index % 2)] ?? ''
    return !names.has(name.toLowerCase())
  })
  if (headers.length === head.headers.length) return
  head.headers = headers
  const { category, logs } = exchange.judge.policy.actionFor('response-header-suppressed')
  if (!logs) return
  exchange.violations.push({
    attack: 'response-header-suppressed',
    category,
    detail: 'Headers of the answer were taken out.',
    action: 'CLOAK',
    severity: information,
  })
}

function hideError(
  exchange: Exchange,
  status: number,
  { exceptStatuses, page }: NonNullable<SnapshotPolicy['hiddenErrors']>,
): Answer | undefined {
  const isShown = status < 400 || neverHidden.includes(status) || exceptStatuses.includes(status)
  if (isShown) return undefined
  const attack = 'error-response-suppressed'
  const answer = handleViolation(exchange, {
    attack,
    detail: `The server answered with the status ${status}.`,
  })
  return answer && pageAnswer(page, exchange, attack)
}
