import type { SnapshotAccessLimits, SnapshotService, SnapshotUrlPolicy } from '@palisade/proxy-protocol'
import { fittingRules, type PlaceTest, placeTest } from '../../conditions/place-test.ts'
import type { Answer, ResponseHead } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { normalPaths } from '../../paths/normal-path.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Counter } from '../../policy/traffic-memory.ts'
import { ExceptionClients } from '../../slow-clients/exception-clients.ts'
import { BodyChain } from '../body-chain.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { CountedBody } from './counted-body.ts'

/** Statuses of answers to a log-in that failed. */
const failures = [401, 403]

/** A URL policy that counts, ready to be asked. */
interface Counting {
  readonly policy: SnapshotUrlPolicy
  readonly limits: SnapshotAccessLimits
  readonly fits: PlaceTest
  readonly exceptions: ExceptionClients
}

/** Counts accesses, failed log-ins and bytes of answers at some URLs, and refuses more than are allowed in a while. */
export const accessLimits: FilterDescriptor = {
  name: 'access-limits',
  stage: 'plain-request',
  isShared: true,
  make: accessLimitsFilter,
}

function accessLimitsFilter({ checks }: SnapshotService, { memory }: FilterDependencies): Filter | undefined {
  const all = (checks?.urlPolicies ?? []).map((policy) => ({
    policy,
    limits: policy.accessLimits,
    fits: placeTest(policy, checks?.ignoresCase ?? true),
    exceptions: new ExceptionClients(policy.accessLimits?.exceptions ?? []),
  }))
  if (!all.some(({ limits }) => limits)) return undefined
  /** By the address that was asked for, before it was rewritten. */
  const counted = new WeakMap<Exchange, readonly Counting[]>()
  const countingsFor = (exchange: Exchange): readonly Counting[] => {
    if (exchange.mode === 'off') return []
    return fittingRules(all, exchange, normalPaths(exchange.target)).flatMap(({ limits, ...one }) =>
      limits && !one.exceptions.has(exchange.clientAddress) ? [{ ...one, limits }] : [],
    )
  }
  const counterFor = ({ policy, limits }: Counting, what: string, exchange: Exchange): Counter => {
    const whom = limits.counts === 'all-clients' ? '' : exchange.clientAddress
    const key = JSON.stringify([policy.name, what, whom])
    return memory.counter(key, exchange.runtime.now(), limits.windowSeconds * 1000)
  }
  /** Counts an access. @returns of what there were too many */
  const spentOf = (counting: Counting, exchange: Exchange): string | undefined => {
    const { accesses, failures: failed, bandwidthBytes } = counting.limits
    const access = counterFor(counting, 'accesses', exchange)
    access.add(1)
    if (accesses > 0 && access.count > accesses) return 'accesses'
    if (failed > 0 && counterFor(counting, 'failures', exchange).count >= failed) return 'failed log-ins'
    const isSpent = bandwidthBytes > 0 && counterFor(counting, 'bytes', exchange).count >= bandwidthBytes
    return isSpent ? 'bytes' : undefined
  }
  const countedBody = (counting: Counting, exchange: Exchange, head: ResponseHead) => {
    const { limits } = counting
    const fail = () => {
      counterFor(counting, 'failures', exchange).add(1)
    }
    const seeksText = limits.failures > 0 && limits.failureText !== undefined
    if (limits.failures > 0 && !seeksText && failures.includes(head.status)) fail()
    if (!seeksText && limits.bandwidthBytes === 0) return undefined
    return new CountedBody({
      bytes: limits.bandwidthBytes === 0 ? undefined : counterFor(counting, 'bytes', exchange),
      text: seeksText ? limits.failureText : undefined,
      onText: fail,
    })
  }
  return {
    readsAnswers: all.some(({ limits }) => limits?.failureText !== undefined),
    onRequest: (exchange) => {
      const countings = countingsFor(exchange)
      if (countings.length === 0) return undefined
      counted.set(exchange, countings)
      for (const counting of countings) {
        const spent = spentOf(counting, exchange)
        const refused = spent && refuse(exchange, counting, spent)
        if (refused) return refused
      }
      return undefined
    },
    onResponse: (exchange, head) => {
      const bodies = counted.get(exchange)?.flatMap((counting) => countedBody(counting, exchange, head) ?? [])
      return bodies && bodies.length > 1 ? new BodyChain(bodies) : bodies?.[0]
    },
  }
}

function refuse(exchange: Exchange, { policy, limits }: Counting, what: string): Answer | undefined {
  const attack = limits.counts === 'all-clients' ? 'brute-force-from-all-sources' : 'brute-force-from-ip'
  const detail = `There were more ${what} than are allowed in ${limits.windowSeconds} seconds.`
  return handleViolation(exchange, { attack, detail, rule: policy.name }, { isPassive: policy.isPassive })
}
