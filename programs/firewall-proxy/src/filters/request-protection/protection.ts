import type { SnapshotService, SnapshotUrlProfile } from '@palisade/proxy-protocol'
import type { Argument, RuleExclusions } from '@palisade/seclang'
import { type PlaceTest, placeTest } from '../../conditions/place-test.ts'
import { exclusionsFor } from '../../policy/rule-exclusions.ts'
import type { FilterDependencies } from '../filter.ts'
import { decidedValues } from './decided-values.ts'
import { FormChecks } from './form-checks.ts'
import { ParameterRules } from './parameter-rules.ts'
import { UrlChecks } from './url-checks.ts'

/**
 * What requests may look like: those for one URL that has a profile, or all others. Says the same to our own checks and to the
 * rules, which leave out what is not to be looked for.
 */
export class Protection {
  /** Of its profile; empty for the policy itself. */
  readonly name: string
  readonly isPassive: boolean
  readonly fits: PlaceTest
  readonly url: UrlChecks | undefined
  readonly parameters: ParameterRules
  /** Undefined where forms are not sealed. */
  readonly forms: FormChecks | undefined
  readonly referrers: readonly string[]
  readonly #prepare: (ignored: readonly string[]) => RuleExclusions | undefined
  #exclusions: { readonly prepared: RuleExclusions | undefined } | undefined

  /** @param profile absent for what has none */
  constructor(service: SnapshotService, { policy, rules }: FilterDependencies, profile?: SnapshotUrlProfile) {
    const { snapshot } = policy
    const ignoresCase = service.checks?.ignoresCase ?? true
    const protection = snapshot?.parameterProtection
    const urlProtection = profile ?? snapshot?.urlProtection
    this.name = profile?.name ?? ''
    this.isPassive = profile?.isPassive ?? false
    this.fits = profile ? placeTest(profile, ignoresCase) : () => true
    this.url = urlProtection && new UrlChecks(urlProtection)
    this.forms = service.forms && new FormChecks(urlProtection ?? {})
    this.referrers = profile?.referrers ?? []
    this.parameters = new ParameterRules(profile?.parameterProfiles ?? [], protection, {
      isStrict: service.checks?.profiles?.isStrict ?? false,
      ignoresCase,
    })
    const decided = profile && service.checks?.profiles?.isPassive === false ? decidedValues(profile) : []
    this.#prepare = (ignoredParameters) => {
      const byPolicy = exclusionsFor(policy, {
        url: urlProtection?.attackTypes,
        parameter: protection?.attackTypes,
        ignoredParameters,
        isPassive: this.isPassive,
      })
      const excluded = [...byPolicy, ...decided]
      return excluded.length === 0 ? undefined : rules?.exclusions(excluded)
    }
  }

  /** What the rules leave out of a request with these parameters. */
  exclusions(parameters: readonly Argument[]): RuleExclusions | undefined {
    const ignored = this.parameters.ignoredOf(parameters)
    if (ignored.length > 0) return this.#prepare([...new Set(ignored)])
    this.#exclusions ??= { prepared: this.#prepare([]) }
    return this.#exclusions.prepared
  }
}
