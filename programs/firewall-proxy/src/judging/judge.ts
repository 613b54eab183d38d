import type { SnapshotInspection, SnapshotService } from '@palisade/proxy-protocol'
import type { ExchangeJudge } from '../exchange/exchange.ts'
import { type Crawlers, crawlersOf } from '../filters/bots/crawlers.ts'
import type { FilterDependencies } from '../filters/filter.ts'
import { Filters } from '../filters/filters.ts'
import type { RuleSets } from '../inspection/rule-sets.ts'
import type { Policy } from '../policy/policy.ts'
import { type Tarpit, tarpitOf } from '../rate-control/tarpit.ts'
import { type SecondOpinions, secondOpinionsOf } from '../second-opinions/second-opinions.ts'
import { type SecondStage, secondStageOf } from '../second-opinions/second-stage.ts'

/** What judges of a service work with, whatever their mode and policy. */
export interface JudgeDependencies
  extends Pick<
    FilterDependencies,
    'memory' | 'policies' | 'addressData' | 'credentialKnowledge' | 'onLearnt'
  > {
  readonly rules: RuleSets
}

/** What requests are judged by: a mode, a policy, and the filters that were made for them. */
export class Judge implements ExchangeJudge {
  readonly name: string
  readonly mode: SnapshotInspection['mode']
  readonly policy: Policy
  readonly filters: Filters
  /** Present where programs are looked at. */
  readonly crawlers: Crawlers | undefined
  /** Present where clients may be sent there. */
  readonly tarpit: Tarpit | undefined
  /** Present where requests that the rules refuse are looked at a second time. */
  readonly secondOpinions: SecondOpinions | undefined
  /** Present where rules judge and the policy has it. */
  readonly secondStage: SecondStage | undefined
  /** How transactions of the rules differ from what their files say. */
  readonly ruleSettings: { readonly argumentSeparators?: string }
  /** Whether all requests are refused because the service is to block attacks and has no rules: otherwise it would pass for protected. */
  readonly isClosedForLackOfRules: boolean

  /**
   * @param service as it would be if it said all of its requests what is said of these
   * @param own the service's own judge, whose filters are shared that ask neither mode nor policy; absent for that one itself
   */
  constructor(name: string, service: SnapshotService, policy: Policy, deps: JudgeDependencies, own?: Judge) {
    const { rules, ...others } = deps
    const { mode } = service.inspection
    const isInspected = mode !== 'off' && !('problem' in rules)
    this.name = name
    this.mode = mode
    this.policy = policy
    this.filters = new Filters(
      service,
      { ...others, policy, rules: isInspected ? rules[mode] : undefined },
      own?.filters,
    )
    this.crawlers = own ? own.crawlers : crawlersOf(service)
    this.tarpit = tarpitOf(service, policy)
    this.secondOpinions = secondOpinionsOf(service, isInspected ? rules[mode] : undefined)
    this.secondStage = isInspected ? secondStageOf(policy, rules[mode]) : undefined
    const separators = policy.snapshot?.normalization.parameterSeparators ?? '&'
    this.ruleSettings = separators === '&' ? {} : { argumentSeparators: separators }
    this.isClosedForLackOfRules = mode === 'active' && 'problem' in rules
  }
}
