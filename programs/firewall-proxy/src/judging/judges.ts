import type {
  SnapshotChecks,
  SnapshotContentRule,
  SnapshotOwnPolicy,
  SnapshotRuleChecks,
  SnapshotService,
} from '@palisade/proxy-protocol'
import type { Answer } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { isPlain } from '../paths/normal-path.ts'
import type { Policy } from '../policy/policy.ts'
import { contentRulesFinder } from '../servers/content-rules.ts'
import { Judge, type JudgeDependencies } from './judge.ts'

/** How often a normalised address may lead to another judge, who normalises it anew; then the last of them judges the request. */
const turnsMax = 4

const strictness = { off: 0, passive: 1, active: 2 } as const

/** Who judges a request, and how its client is answered where that one refuses it before the rules see it. */
export interface Judgement {
  readonly judge: Judge
  readonly refusal: Answer | undefined
}

/** Gives the policy of this digest; of none, the one that refuses everything that is found. */
export type PolicyByDigest = (digest: string | undefined) => Policy

/** The service's own judge, and those of its content rules that have a mode or a policy of their own. */
export class Judges {
  readonly own: Judge
  /** For the many requests that it judges and that pass its filters. */
  readonly #passed: Judgement
  /** Undefined where the service judges all requests itself. */
  readonly #ofRules: ((exchange: Exchange) => readonly Judge[]) | undefined

  constructor(service: SnapshotService, policyOf: PolicyByDigest, deps: Omit<JudgeDependencies, 'policies'>) {
    const { contentRules } = service
    const digests = new Set([
      service.policy,
      ...contentRules.flatMap(({ checks }) => checks?.own?.policy ?? []),
    ])
    const withPolicies = { ...deps, policies: Array.from(digests, policyOf) }
    const own = new Judge('', service, policyOf(service.policy), withPolicies)
    const judgeOf = ({ name, checks }: SnapshotContentRule) => {
      if (checks === undefined) return own
      const as = asSaidBy(checks, service)
      return new Judge(name, as, policyOf(as.policy), withPolicies, own)
    }
    this.own = own
    this.#passed = { judge: own, refusal: undefined }
    const hasOthers = contentRules.some(({ checks }) => checks !== undefined)
    this.#ofRules = hasOthers ? contentRulesFinder(contentRules, judgeOf) : undefined
  }

  /**
   * Chooses who judges a request, and lets its filters see it before the rules do. The address decides, and becomes plain on the way:
   * whenever it has changed, it may be another rule's.
   */
  onRequest(exchange: Exchange): Judgement {
    if (this.#ofRules === undefined) {
      const refusal = this.own.filters.onRequest(exchange)
      return refusal ? { judge: this.own, refusal } : this.#passed
    }
    const first = this.#choose(exchange)
    const turnedAway = first.filters.onArrival(exchange)
    if (turnedAway) return { judge: first, refusal: turnedAway }
    const second = this.#choose(exchange)
    const barred = second.filters.onAddress(exchange)
    if (barred) return { judge: second, refusal: barred }
    const { judge, refusal } = this.#normalise(exchange, second)
    return { judge, refusal: refusal ?? judge.filters.onPlainRequest(exchange) }
  }

  /**
   * Who judges a request now. An address that a server could take for another one is met as the strictest of its rules says, and no more
   * mildly than the service meets all.
   */
  #choose(exchange: Exchange): Judge {
    const [first = this.own, ...others] = this.#ofRules?.(exchange) ?? []
    const strictest = others.reduce((one, other) => (isMilder(one, other) ? other : one), first)
    const judge = isMilder(strictest, this.own) && !isPlain(exchange.target) ? this.own : strictest
    exchange.judge = judge
    return judge
  }

  /** Judges may differ in what they make of an address. @param first who makes it plain before others may */
  #normalise(exchange: Exchange, first: Judge): Judgement {
    let judge = first
    for (let turn = 0; turn < turnsMax; turn++) {
      const refusal = judge.filters.onNormalisation(exchange)
      if (refusal) return { judge, refusal }
      const next = this.#choose(exchange)
      if (next === judge) break
      judge = next
    }
    return { judge, refusal: undefined }
  }
}

function isMilder(judge: Judge, than: Judge): boolean {
  return strictness[judge.mode] < strictness[than.mode]
}

/** The service with the mode, and where there is one the policy, of one of its content rules in place of its own. */
function asSaidBy({ mode, own }: SnapshotRuleChecks, service: SnapshotService): SnapshotService {
  const judged = { ...service, inspection: { mode } }
  return own === undefined ? judged : withPolicy(judged, own)
}

function withPolicy(
  { cookieSecurity: _, checks, ...service }: SnapshotService,
  { policy, cookieSecurity, ...own }: SnapshotOwnPolicy,
): SnapshotService {
  return {
    ...service,
    policy,
    ...(cookieSecurity ? { cookieSecurity } : {}),
    ...(checks ? { checks: withProfiles(checks, own) } : {}),
  }
}

function withProfiles(
  { profiles: _, jsonProfiles: __, ...checks }: SnapshotChecks,
  own: Pick<SnapshotChecks, 'profiles' | 'jsonProfiles'>,
): SnapshotChecks {
  return { ...checks, ...own }
}
