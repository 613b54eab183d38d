import type { SnapshotPolicy, SnapshotService, SnapshotUrlProfile } from '@palisade/proxy-protocol'
import { type Address, addressOf, urlTest } from '../../paths/url-test.ts'
import { type TextTest, wildcard } from '../../patterns/wildcard.ts'
import { parameterKey } from './form-seal.ts'

/** What forms and links that lead somewhere have to bring along. */
export interface FormNeeds {
  /** Whether forms that change something need a seal, and whatever has parameters. */
  readonly ofForms: boolean
  readonly ofUrls: boolean
  /** Whether what stands in hidden fields and in links has to come back as it was. */
  readonly fixesHidden: boolean
  readonly fixesLinks: boolean
  /** Whether programs are kept from forms that change something. */
  readonly isTimed: boolean
  /** Parameters whose values are sealed wherever they stand. */
  readonly sealed: readonly TextTest[]
}

const nothing: FormNeeds = {
  ofForms: false,
  ofUrls: false,
  fixesHidden: false,
  fixesLinks: false,
  isTimed: false,
  sealed: [],
}

/** All that any of several wants. */
export function allNeeds(all: readonly FormNeeds[]): FormNeeds {
  return {
    ofForms: all.some(({ ofForms }) => ofForms),
    ofUrls: all.some(({ ofUrls }) => ofUrls),
    fixesHidden: all.some(({ fixesHidden }) => fixesHidden),
    fixesLinks: all.some(({ fixesLinks }) => fixesLinks),
    isTimed: all.some(({ isTimed }) => isTimed),
    sealed: all.flatMap(({ sealed }) => sealed),
  }
}

/**
 * What forms and links need, by the address that they lead to. It may be more than is asked of them in the end, since that depends on the
 * request too.
 */
export class NeedsOfAddresses {
  readonly #everywhere: FormNeeds
  readonly #somewhere: readonly { readonly fits: (address: Address) => boolean; readonly needs: FormNeeds }[]

  /** @param policies that of the service and those of its content rules */
  constructor({ checks, contentRules }: SnapshotService, policies: readonly (SnapshotPolicy | undefined)[]) {
    const ignoresCase = checks?.ignoresCase ?? true
    const spam = checks?.formSpam
    const everywhere = policies.map((policy) => needsOf(policy?.urlProtection ?? {}))
    this.#everywhere = allNeeds([...everywhere, { ...nothing, isTimed: spam?.coversAll === true }])
    const ofProfiles = [checks?.profiles, ...contentRules.map((rule) => rule.checks?.own?.profiles)]
      .flatMap((profiles) => profiles?.urls ?? [])
      .map((profile) => ({
        fits: urlTest(profile.url, ignoresCase),
        needs: { ...needsOf(profile), isTimed: spam !== undefined && profile.fillSeconds !== undefined },
      }))
    const listed = (spam?.forms ?? []).map(({ url }) => ({
      fits: urlTest(url, ignoresCase),
      needs: { ...nothing, isTimed: true },
    }))
    this.#somewhere = [...ofProfiles, ...listed].filter(
      ({ needs }) => needs.ofForms || needs.fixesHidden || needs.isTimed || needs.sealed.length > 0,
    )
  }

  /** @param target path and query */
  of(target: string): FormNeeds {
    if (this.#somewhere.length === 0) return this.#everywhere
    const address = addressOf(target)
    const fitting = this.#somewhere.filter(({ fits }) => fits(address))
    return fitting.length === 0
      ? this.#everywhere
      : allNeeds([this.#everywhere, ...fitting.map(({ needs }) => needs)])
  }
}

/** @param said of URLs by a policy or a profile */
export function needsOf({
  csrf,
  hidden,
  parameterProfiles = [],
}: Partial<Pick<SnapshotUrlProfile, 'csrf' | 'hidden' | 'parameterProfiles'>>): FormNeeds {
  return {
    ...nothing,
    ofForms: csrf !== undefined,
    ofUrls: csrf === 'forms-and-urls',
    fixesHidden: hidden !== undefined,
    fixesLinks: hidden === 'forms-and-urls',
    sealed: parameterProfiles
      .filter(({ seals, isIgnored }) => seals !== undefined && !isIgnored)
      .map(({ parameter }) => wildcard(parameterKey(parameter), true)),
  }
}
