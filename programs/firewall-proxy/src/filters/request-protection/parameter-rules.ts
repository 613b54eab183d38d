import type { SnapshotParameterProfile, SnapshotParameterProtection } from '@palisade/proxy-protocol'
import type { Argument } from '@palisade/seclang'
import { type TextTest, wildcard } from '../../patterns/wildcard.ts'
import type { ReceivedFile } from './file-contents.ts'
import type { FormParts } from './request-parts.ts'
import { dangerFindings, type Finding, shownParameter, ValueChecks } from './value-checks.ts'

/** What is said about the parameters of one name, or of several. */
interface ParameterRule {
  readonly fits: TextTest
  /** Undefined for those that are not checked. */
  readonly checks: ValueChecks | undefined
}

/** What parameters of requests for some URLs may be: by profiles first, by the policy for those that have none. */
export class ParameterRules {
  readonly #rules: readonly ParameterRule[]
  readonly #required: readonly { readonly fits: TextTest; readonly name: string }[]
  readonly #hasProfiles: boolean
  readonly #refusesOthers: boolean
  readonly #policy: ValueChecks | undefined

  /**
   * @param profiles those of the URL
   * @param isStrict whether parameters without a profile are violations where others have one
   */
  constructor(
    profiles: readonly SnapshotParameterProfile[],
    protection: SnapshotParameterProtection | undefined,
    { isStrict, ignoresCase }: { readonly isStrict: boolean; readonly ignoresCase: boolean },
  ) {
    this.#rules = [
      ...profiles.toSorted(mostSpecificFirst).map((profile) => ({
        fits: wildcard(profile.parameter, ignoresCase),
        checks: profile.isIgnored ? undefined : new ValueChecks(profile),
      })),
      ...(protection?.ignored ?? []).map((name) => ({
        fits: wildcard(name, ignoresCase),
        checks: undefined,
      })),
    ]
    this.#required = profiles
      .filter(({ isRequired }) => isRequired)
      .map(({ parameter }) => ({ fits: wildcard(parameter, ignoresCase), name: parameter }))
    this.#hasProfiles = profiles.length > 0
    this.#refusesOthers = isStrict && profiles.length > 0
    this.#policy = protection && new ValueChecks(protection)
  }

  /** Whether there is nothing to be said about any parameter. */
  get isEmpty(): boolean {
    return !this.#hasProfiles && this.#policy === undefined
  }

  /** Names that no rule shall look at, of those that are there. */
  ignoredOf(parameters: readonly Argument[]): string[] {
    if (this.#rules.length === 0) return []
    return parameters.flatMap(({ name }) => {
      const rule = this.#rules.find(({ fits }) => fits(name))
      return rule !== undefined && rule.checks === undefined ? [name] : []
    })
  }

  /** @param before parameters of the same request that were looked at already; they count where instances are counted */
  *findings(parameters: readonly Argument[], before: readonly Argument[] = []): Generator<Finding> {
    const counts = new Map<string, number>()
    for (const { name } of before) counts.set(name, (counts.get(name) ?? 0) + 1)
    for (const parameter of parameters) {
      const checks = this.#checksFor(parameter.name)
      if (checks === 'no profile') {
        const detail = `${shownParameter(parameter.name)} has no profile.`
        yield { attack: 'no-param-profile-match', detail, isPassive: false }
      } else if (checks !== undefined) {
        const count = (counts.get(parameter.name) ?? 0) + 1
        counts.set(parameter.name, count)
        if (count === (checks.instancesMax ?? Number.POSITIVE_INFINITY) + 1) {
          const detail = `${shownParameter(parameter.name)} comes more often than is allowed.`
          yield { attack: 'maximum-instances-of-parameter-exceeded', detail, isPassive: false }
        }
        if (!checks.isHarmless(parameter)) yield* checks.findings(parameter)
      }
    }
  }

  *fileFindings(files: FormParts['files']): Generator<Finding> {
    for (const file of files) {
      const checks = this.#checksFor(file.field)
      if (checks !== undefined && checks !== 'no profile') yield* checks.fileFindings(file)
    }
  }

  /** About a body that is a file itself, where the policy says anything about parameters. */
  *bodyFindings(file: ReceivedFile): Generator<Finding> {
    if (this.#policy !== undefined) yield* dangerFindings('The body', file)
  }

  /** @param names of all parameters and files that the request has */
  *missing(names: readonly string[]): Generator<Finding> {
    for (const { fits, name } of this.#required) {
      if (names.some(fits)) continue
      yield {
        attack: 'mandatory-parameter-missing',
        detail: `${shownParameter(name)} is missing.`,
        isPassive: false,
      }
    }
  }

  #checksFor(name: string): ValueChecks | 'no profile' | undefined {
    const rule = this.#rules.find(({ fits }) => fits(name))
    if (rule !== undefined) return rule.checks
    return this.#refusesOthers ? 'no profile' : this.#policy
  }
}

function mostSpecificFirst(one: SnapshotParameterProfile, other: SnapshotParameterProfile): number {
  return specificity(other.parameter) - specificity(one.parameter)
}

function specificity(pattern: string): number {
  return pattern.includes('*') ? pattern.length : Number.MAX_SAFE_INTEGER
}
