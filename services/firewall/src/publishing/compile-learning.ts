import type { SnapshotLearning } from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { networksOf } from './compile-checks.ts'
import { compilePlace, inOrder } from './compile-denials.ts'
import { childrenOf, referredBy, switchedOn, textIn, texts } from './reading.ts'

const section = 'adaptive-profiling'

const requestsLearntFrom: Readonly<Record<string, SnapshotLearning['from']>> = {
  'Successes and Redirects': 'successes-and-redirects',
  'Successes Only': 'successes',
  Trusted: 'trusted',
}

/**
 * What of the requests for a service is learnt from: everything while adaptive profiling is on or the profiles of the site are
 * learning, otherwise the URLs whose profiles are.
 *
 * @param key with which values are told apart
 * @returns undefined when nothing is learnt
 */
export function compileLearning(
  service: ConfigurationObject,
  snapshot: Snapshot,
  key: string,
): SnapshotLearning | undefined {
  const values = valuesOf(service.content, section)
  const site = valuesOf(service.content, 'website-profile')
  const from = requestsLearntFrom[textIn(values, 'request-learning')]
  const isWhole = values.status === 'On' || site.mode === 'Learning'
  const places = isWhole ? placesOfRules(service) : placesOfProfiles(service)
  if (from === undefined || (!isWhole && places.length === 0)) return undefined
  return {
    from,
    trusted: referredBy(service, section, 'trusted-host-group', snapshot).flatMap(networksOf),
    ...(places.length === 0 ? {} : { places }),
    exceptUrls: texts(site['exclude-url-patterns']),
    urlsAllTheSame: texts(site['include-url-patterns']),
    ignoredParameters: texts(values['ignore-parameters']),
    navigationParameters: texts(values['navigation-parameters']),
    urlTokens: childrenOf(service, 'url-optimizer').map(({ content }) => ({
      start: textIn(content.values, 'start-token'),
      end: textIn(content.values, 'end-delimiter'),
    })),
    parameterTokens: childrenOf(service, 'parameter-optimizer').map(({ content }) =>
      textIn(content.values, 'start-token'),
    ),
    key,
  }
}

type Place = NonNullable<SnapshotLearning['places']>[number]

/** Where there are rules, nothing is learnt elsewhere. */
function placesOfRules(service: ConfigurationObject): Place[] {
  const rules = switchedOn(service, 'adaptive-profiling-rule')
    .map(({ content }) => content.values)
    .map((values) => ({ ...compilePlace(values), learns: values['learn-from-request'] !== 'No' }))
  return inOrder(rules).map(({ host, url, learns }) => ({ host, url, learns }))
}

function placesOfProfiles(service: ConfigurationObject): Place[] {
  return switchedOn(service, 'url-profile')
    .map(({ content }) => content.values)
    .filter(({ mode }) => mode === 'Learning')
    .map((values) => ({ host: '*', url: textIn(values, 'url'), learns: true }))
}
