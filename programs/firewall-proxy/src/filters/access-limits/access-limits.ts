import type { SnapshotAccessLimits, SnapshotService, SnapshotUrlPolicy } from '@palisade/proxy-protocol'
import { normalPaths } from '../../policy/normal-path.ts'
import { type PlaceTest, placeTest } from '../../policy/place-test.ts'
import type { Counter } from '../../policy/traffic-memory.ts'
import { ExceptionClients } from '../../slow-clients/exception-clients.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { found } from '../../traffic/found.ts'
import type { Answer, Filter } from '../filter.ts'
import type { FilterMeans } from '../filters.ts'
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
export function accessLimits({ checks }: SnapshotService, { memory }: FilterMeans): Filter | undefined {
  const all = (checks?.urlPolicies ?? []).map((policy) => ({
    policy,
    limits: policy.accessLimits,
    fits: placeTest(policy, checks?.ignoresCase ?? true),
    exceptions: new ExceptionClients(policy.accessLimits?.exceptions ?? []),
  }))
  if (!all.some(({ limits }) => limits)) return undefined
  /** By the address that was asked for, before it was rewritten. */
  const counted = new WeakMap<Exchange, Counting>()
  const countingFor = (exchange: Exchange): Counting | undefined => {
    const paths = normalPaths(exchange.target)
    const one = all.find(({ fits }) => fits(exchange, paths))
    if (!one?.limits || exchange.mode === 'off' || one.exceptions.has(exchange.clientAddress))
      return undefined
    return { ...one, limits: one.limits }
  }
  const counterFor = ({ policy, limits }: Counting, what: string, exchange: Exchange): Counter => {
    const whom = limits.counts === 'all-clients' ? '' : exchange.clientAddress
    const key = JSON.stringify([policy.name, what, whom])
    return memory.counter(key, exchange.runtime.now(), limits.windowSeconds * 1000)
  }
  return {
    readsAnswers: all.some(({ limits }) => limits?.failureText !== undefined),
    onRequest: (exchange) => {
      const counting = countingFor(exchange)
      if (counting === undefined) return undefined
      counted.set(exchange, counting)
      const { accesses, failures: failed, bandwidthBytes } = counting.limits
      const access = counterFor(counting, 'accesses', exchange)
      access.add(1)
      if (accesses > 0 && access.count > accesses) return refuse(exchange, counting, 'accesses')
      if (failed > 0 && counterFor(counting, 'failures', exchange).count >= failed) {
        return refuse(exchange, counting, 'failed log-ins')
      }
      const isSpent = bandwidthBytes > 0 && counterFor(counting, 'bytes', exchange).count >= bandwidthBytes
      return isSpent ? refuse(exchange, counting, 'bytes') : undefined
    },
    onResponse: (exchange, head) => {
      const counting = counted.get(exchange)
      if (counting === undefined) return undefined
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
    },
  }
}

function refuse(exchange: Exchange, { policy, limits }: Counting, what: string): Answer | undefined {
  const attack = limits.counts === 'all-clients' ? 'brute-force-from-all-sources' : 'brute-force-from-ip'
  const detail = `There were more ${what} than are allowed in ${limits.windowSeconds} seconds.`
  return found(exchange, { attack, detail, rule: policy.name }, { isPassive: policy.isPassive })
}
