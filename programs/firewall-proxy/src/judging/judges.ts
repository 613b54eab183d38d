import type {
  SnapshotChecks,
  SnapshotContentRule,
  SnapshotOwnPolicy,
  SnapshotRuleChecks,
  SnapshotService,
} from '@palisade/proxy-protocol'
import type { Answer } from '../filters/filter.ts'
import { isPlain } from '../policy/normal-path.ts'
import type { Policy } from '../policy/policy.ts'
import { contentRulesFinder } from '../servers/content-rules.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { Judge, type JudgeDependencies } from './judge.ts'

/** How often a normalised address may lead to another judge, who normalises it anew; then the last of them judges the request. */
const turnsMax = 4

const strictness = { off: 0, passive: 1, active: 2 } as const

/** Gives the policy of this digest; of none, the one that refuses everything that is found. */
export type PolicyByDigest = (digest: string | undefined) => Policy

/** The service's own judge, and those of its content rules that have a mode or a policy of their own. */
export class Judges {
  readonly own: Judge
  /** Undefined where the service judges all requests itself. */
  readonly #ofRules: ((exchange: Exchange) => readonly Judge[]) | undefined

  constructor(
    service: SnapshotService,
    policyOf: PolicyByDigest,
    means: Omit<JudgeDependencies, 'policies'>,
  ) {
    const { contentRules } = service
    const digests = new Set([
      service.policy,
      ...contentRules.flatMap(({ checks }) => checks?.own?.policy ?? []),
    ])
    const withPolicies = { ...means, policies: Array.from(digests, policyOf) }
    const own = new Judge('', service, policyOf(service.policy), withPolicies)
    const judgeOf = ({ name, checks }: SnapshotContentRule) => {
      if (checks === undefined) return own
      const as = asSaidBy(checks, service)
      return new Judge(name, as, policyOf(as.policy), withPolicies, own)
    }
    this.own = own
    const hasOthers = contentRules.some(({ checks }) => checks !== undefined)
    this.#ofRules = hasOthers ? contentRulesFinder(contentRules, judgeOf) : undefined
  }

  /**
   * Chooses who judges a request, and lets its filters see it before the rules do. The address decides, and becomes plain on the way:
   * whenever it has changed, it may be another rule's.
   *
   * @returns what the client gets instead of the server's answer
   */
  onRequest(exchange: Exchange): Answer | undefined {
    if (this.#ofRules === undefined) return this.own.filters.onRequest(exchange)
    this.#choose(exchange)
    const turnedAway = exchange.judge.filters.onArrival(exchange)
    if (turnedAway) return turnedAway
    this.#choose(exchange)
    return (
      exchange.judge.filters.onAddress(exchange) ??
      this.#normalise(exchange) ??
      exchange.judge.filters.onPlainRequest(exchange)
    )
  }

  /**
   * Who judges a request now. An address that a server could take for another one is met as the strictest of its rules says, and no more
   * mildly than the service meets all.
   */
  #choose(exchange: Exchange): void {
    const [first = this.own, ...others] = this.#ofRules?.(exchange) ?? []
    const judge = others.reduce((one, other) => (isMilder(one, other) ? other : one), first)
    exchange.judge = isMilder(judge, this.own) && !isPlain(exchange.target) ? this.own : judge
  }

  /** Judges may differ in what they make of an address. */
  #normalise(exchange: Exchange): Answer | undefined {
    for (let turn = 0; turn < turnsMax; turn++) {
      const { judge } = exchange
      const refused = judge.filters.onNormalisation(exchange)
      if (refused) return refused
      this.#choose(exchange)
      if (exchange.judge === judge) break
    }
    return undefined
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
