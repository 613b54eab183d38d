import { RequestRefused } from '@palisade/platform'
import type { TriedRequest, TriedVerdict } from '@palisade/proxy-protocol'
import type { LiveConfiguration } from '../../changes/live-configuration.ts'
import { notAcceptable } from '../../failure.ts'
import { storedTrafficBounds } from '../../features/stored-traffic/compile.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import type { Publishing } from '../../publishing/open-publishing.ts'
import type { StoredRequests } from '../../stored-traffic/stored-requests.ts'
import type { Trials } from '../../stored-traffic/trials.ts'
import { type Candidate, withCandidate } from './candidate.ts'

/** How many requests a reply lists that would be met otherwise. */
const listedMax = 200

/** Of how many stored requests the id and the address are looked up. */
const requestsMax = 1_000
const charactersMax = 8 * 1024 * 1024

/** What trials work with. */
export interface TrialDependencies {
  readonly configuration: LiveConfiguration
  readonly storedRequests: StoredRequests
  readonly trials: Trials
  readonly trialOf: Publishing['trialOf']
  /** The names of the rule sets that proxies offer for trials. */
  readonly ruleSets: Publishing['ruleSets']
}

/** What came of a trial, as a reply tells it. */
export interface TrialReply {
  readonly 'requests-tried': string
  readonly 'refused-now': string
  readonly 'would-pass': string
  readonly 'would-be-refused': string
  readonly requests: readonly object[]
  readonly 'rule-set'?: object
}

/** What came of a trial, with how each request was met. */
export interface MadeTrial {
  readonly told: TrialReply
  readonly tried: readonly TriedRequest[]
}

/** Why nothing can be tried at a service: a sentence; undefined where something can. */
export function whyNoTrial(service: ConfigurationObject): string | undefined {
  return storedTrafficBounds.of(service) === undefined
    ? `The service ${JSON.stringify(service.name)} keeps no requests: switch on its stored-traffic.`
    : undefined
}

/**
 * Has a proxy judge the stored requests of a service as it is and with the candidate.
 *
 * @throws ConfigurationRefused for a candidate that could not be put into effect; RequestRefused where nothing can be tried
 */
export async function tryCandidate(
  deps: TrialDependencies,
  service: ConfigurationObject,
  candidate: Candidate,
  signal: AbortSignal,
): Promise<MadeTrial> {
  const { configuration, storedRequests, trials, trialOf } = deps
  const reason = whyNoTrial(service)
  if (reason !== undefined) throw new RequestRefused('conflict', reason)
  const ruleSet = offeredRuleSet(deps, candidate.ruleSet)
  const order = trialOf(service.name, withCandidate(configuration, service, candidate))
  if (order === undefined)
    throw new RequestRefused('conflict', `Proxies do not carry the service ${JSON.stringify(service.name)}.`)
  const requests = await storedRequests.of(service.name, requestsMax, charactersMax)
  const { problem, tried, rules } = await trials.make({ ...order, ...ruleSet }, signal)
  if (problem !== '') throw new RequestRefused('unavailable', problem)
  const byId = new Map(requests.map((request) => [request.id, request]))
  const through = tried.filter(({ now, candidate: then }) => !now.passes && then.passes)
  const refused = tried.filter(({ now, candidate: then }) => now.passes && !then.passes)
  const listed = (
    list: readonly TriedRequest[],
    outcome: string,
    verdictOf: (one: TriedRequest) => TriedVerdict,
  ) =>
    list.flatMap((one) => {
      const request = byId.get(one.id)
      if (request === undefined) return []
      return {
        id: one.id,
        time: new Date(request.time).toISOString(),
        'client-ip': request.clientAddress,
        method: request.method,
        url: request.target.split('?', 1)[0] ?? '',
        outcome,
        found: verdictOf(one).findings.map(({ rule, target, attack, detail }) => ({
          rule,
          target,
          attack,
          'attack-detail': detail,
        })),
      }
    })
  return {
    tried,
    told: {
      'requests-tried': String(tried.length),
      'refused-now': String(tried.filter(({ now }) => !now.passes).length),
      'would-pass': String(through.length),
      'would-be-refused': String(refused.length),
      requests: [
        ...listed(through, 'Would pass', ({ now }) => now),
        ...listed(refused, 'Would be refused', (one) => one.candidate),
      ].slice(0, listedMax),
      ...(rules === undefined
        ? {}
        : {
            'rule-set': {
              name: candidate.ruleSet,
              release: rules.release,
              rules: String(rules.ruleCount),
              notice: rules.notice,
            },
          }),
    },
  }
}

/** @throws ConfigurationRefused for a rule set that no proxy offers */
function offeredRuleSet({ ruleSets }: TrialDependencies, name: string): { readonly ruleSet?: string } {
  if (name === '') return {}
  const offered = ruleSets()
  if (offered.includes(name)) return { ruleSet: name }
  const others = offered.length === 0 ? 'none' : offered.join(', ')
  throw notAcceptable(
    `The member rule-set: no proxy has a rule set ${JSON.stringify(name)}; those that can be tried: ${others}.`,
  )
}
