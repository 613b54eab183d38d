import type { SnapshotLearning } from '@palisade/proxy-protocol'
import { byName, isNotOff, isOn, text, texts } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf, optional } from '../../objects/reading.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { everywhere, inOrder, placeMembers } from '../places/compile.ts'
import { service } from '../services/service.ts'
import { networksOf } from '../trusted-hosts/compile.ts'
import { urlProfile } from '../website-profiles/url-profile.ts'
import { adaptiveProfilingRule } from './adaptive-profiling-rule.ts'
import { parameterOptimizer } from './parameter-optimizer.ts'
import { urlOptimizer } from './url-optimizer.ts'

const section = 'adaptive-profiling'

const requestsLearntFrom = byName<SnapshotLearning['from'] | undefined>(
  {
    'Successes and Redirects': 'successes-and-redirects',
    'Successes Only': 'successes',
    Trusted: 'trusted',
  },
  undefined,
)

/** Adaptive profiling of a service. Where `from` is left out, nothing is learnt. */
export const learningReader = sectionReader(service, section, {
  isOn: ['status', isOn],
  from: ['request-learning', requestsLearntFrom],
  /** Names of parameters that are not learnt; `*` stands for any characters. */
  ignoredParameters: ['ignore-parameters', texts],
  /** Names of parameters whose values tell one page from another. */
  navigationParameters: ['navigation-parameters', texts],
})

/** Whose requests are learnt from where only trusted ones are. */
export const learningTrustedHosts = sectionReferenceReader(service, section, 'trusted-host-group')

/** The website profile as learning sees it: in the mode "Learning" the whole site is learnt. */
export const learningOfSite = sectionReader(service, 'website-profile', {
  mode: ['mode', text],
  /** URLs of which nothing is learnt, and those of which it is all the same; `*` stands for any characters. */
  exceptUrls: ['exclude-url-patterns', texts],
  urlsAllTheSame: ['include-url-patterns', texts],
})

/** Where something is learnt, or expressly not; undefined where the rule is switched off. */
export const learningRuleReader = whenOn(
  fieldReader(adaptiveProfilingRule, {
    isOn: ['status', isNotOff],
    host: placeMembers.host,
    url: placeMembers.url,
    learns: ['learn-from-request', isNotOff],
  }),
)

/** The mode of one URL profile; undefined where it is switched off. In the mode "Learning" its URL is learnt. */
export const learningProfileReader = whenOn(
  fieldReader(urlProfile, { isOn: ['status', isNotOff], mode: ['mode', text], url: ['url', text] }),
)

/** Between which texts the part of a URL stands that differs from page to page. */
export const urlTokenReader = fieldReader(urlOptimizer, {
  start: ['start-token', text],
  end: ['end-delimiter', text],
})

/** The beginning of names of parameters that share one profile. */
export const parameterTokenReader = fieldReader(parameterOptimizer, { start: ['start-token', text] })

/**
 * What of the requests for a service is learnt from: everything while adaptive profiling is on or the profiles of the site are
 * learning, otherwise the URLs whose profiles are.
 *
 * @param key with which values are told apart
 * @returns undefined when nothing is learnt
 */
export function compileLearning(
  object: ConfigurationObject,
  snapshot: Snapshot,
  key: string,
): SnapshotLearning | undefined {
  const { isOn, from, ...parameters } = learningReader.of(object)
  const { mode, ...urls } = learningOfSite.of(object)
  const isWhole = isOn || mode === 'Learning'
  const places = isWhole ? placesOfRules(object) : placesOfProfiles(object)
  if (from === undefined || (!isWhole && places.length === 0)) return undefined
  return {
    from,
    trusted: learningTrustedHosts.of(object, snapshot).flatMap(networksOf),
    ...optional('places', places.length === 0 ? undefined : places),
    ...urls,
    ...parameters,
    urlTokens: childrenOf(object, urlOptimizer.name).map(urlTokenReader.of),
    parameterTokens: childrenOf(object, parameterOptimizer.name).map(
      (optimizer) => parameterTokenReader.of(optimizer).start,
    ),
    key,
  }
}

type Place = NonNullable<SnapshotLearning['places']>[number]

/** Where there are rules, nothing is learnt elsewhere. */
function placesOfRules(object: ConfigurationObject): Place[] {
  const rules = childrenOf(object, adaptiveProfilingRule.name).flatMap((rule) => {
    const read = learningRuleReader.of(rule)
    return read === undefined ? [] : { ...everywhere, ...read }
  })
  return inOrder(rules).map(({ host, url, learns }) => ({ host, url, learns }))
}

function placesOfProfiles(object: ConfigurationObject): Place[] {
  return childrenOf(object, urlProfile.name).flatMap((profile) => {
    const read = learningProfileReader.of(profile)
    return read?.mode === 'Learning' ? { host: '*', url: read.url, learns: true } : []
  })
}

/** Of which parameters is learnt. */
export type SnapshotLearntParameters = Omit<Settings<typeof learningReader>, 'isOn' | 'from'>

/** Of which URLs is learnt. */
export type SnapshotLearntUrls = Omit<Settings<typeof learningOfSite>, 'mode'>
