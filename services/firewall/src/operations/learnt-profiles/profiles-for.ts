import { policyOfService } from '../../features/services/inspection.ts'
import { text } from '../../kinds/conversions.ts'
import type { ProfileProposal, ProposedParameter } from '../../learning/propose-profiles.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { valuesOf } from '../../objects/content.ts'
import { childrenOf } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import type { DocumentMembers, DocumentObject } from '../../transfer/document.ts'
import { NamesOfObjects } from '../names-of-objects.ts'

/** The objects that proposals become, by kind, as documents of the configuration have them. */
export type LearntObjects = Record<
  'url-profile' | 'parameter-profile' | 'second-opinion',
  readonly DocumentObject[]
>

/** The longest lists of characters and comments that profiles take. */
const metacharactersMax = 239
const commentMax = 256

/** What of proposals is accepted. */
export interface Acceptance {
  readonly comments: string
  readonly withProfiles: boolean
  readonly withSecondOpinions: boolean
}

/**
 * What is missing of the objects that proposals stand for. Of their parameters, those that were seen often enough. Profiles block: what the
 * service does with that is said by its mode.
 */
export function objectsFor(
  service: ConfigurationObject,
  proposals: readonly ProfileProposal[],
  snapshot: Snapshot,
  { comments, withProfiles, withSecondOpinions }: Acceptance,
): LearntObjects {
  const names = namesIn(service, 'url-profile')
  const policy = policyMembers(service, snapshot)
  const [urls, parameters]: [DocumentObject[], DocumentObject[]] = [[], []]
  for (const proposal of withProfiles ? proposals : []) {
    const profile = acceptedProfile(service, proposal)
    const name = profile?.name ?? names.next(`learnt${proposal.url}`)
    const path = [service.name, name]
    if (profile === undefined) urls.push({ path, members: { ...policy, ...urlMembers(proposal, comments) } })
    const inside = new NamesOfObjects(
      (accepted) =>
        profile !== undefined &&
        childrenOf(profile, 'parameter-profile').some((one) => one.name === accepted),
    )
    for (const parameter of proposal.parameters.filter((one) => isToBeAdded(one, profile))) {
      parameters.push({
        path: [...path, inside.next(parameter.parameter)],
        members: parameterMembers(parameter),
      })
    }
  }
  return {
    'url-profile': urls,
    'parameter-profile': parameters,
    'second-opinion': withSecondOpinions ? opinionsFor(service, proposals, comments) : [],
  }
}

/** The profile that says what the proposal proposes, where there is one. */
export function acceptedProfile(
  service: ConfigurationObject,
  { url, extendedMatch }: ProfileProposal,
): ConfigurationObject | undefined {
  return childrenOf(service, 'url-profile').find(
    ({ content: { values } }) =>
      text(values.url) === url && (text(values['extended-match']) || '*') === extendedMatch,
  )
}

/** The profile of a parameter in a profile. */
export function acceptedParameter(
  { parameter }: ProposedParameter,
  profile: ConfigurationObject | undefined,
): ConfigurationObject | undefined {
  if (profile === undefined) return undefined
  return childrenOf(profile, 'parameter-profile').find(
    ({ content }) => text(content.values.parameter) === parameter,
  )
}

/** The second opinion on a parameter of a URL. */
export function acceptedOpinion(
  service: ConfigurationObject,
  url: string,
  parameter: string,
): ConfigurationObject | undefined {
  return childrenOf(service, 'second-opinion').find(
    ({ content: { values } }) => text(values.url) === url && text(values.parameter) === parameter,
  )
}

/** How often something was seen, for a comment. */
export function evidenceOf({
  requests,
  clients,
}: {
  readonly requests: number
  readonly clients: readonly string[]
}): string {
  return `Learnt from ${requests} requests of ${clients.length} clients`
}

function isToBeAdded(parameter: ProposedParameter, profile: ConfigurationObject | undefined): boolean {
  return (
    parameter.hasEnoughEvidence &&
    parameter.metacharacters.length <= metacharactersMax &&
    acceptedParameter(parameter, profile) === undefined
  )
}

/** What the policy says of URLs counts in the profile, too, which stands in for it. */
function policyMembers(service: ConfigurationObject, snapshot: Snapshot): DocumentMembers {
  const [policy] = policyOfService.of(service, snapshot)
  const values = policy ? valuesOf(policy.content, 'url-protection') : {}
  const members = [
    'blocked-attack-types',
    'custom-blocked-attack-types',
    'exception-patterns',
    'maximum-parameter-name-length',
  ]
  return Object.fromEntries(
    members.flatMap((member) => {
      const value = values[member]
      return value === undefined ? [] : [[member, value]]
    }),
  )
}

function urlMembers(
  { url, extendedMatch, learnt, contentLengthMax }: ProfileProposal,
  comments: string,
): DocumentMembers {
  const { methods, contentTypes, files } = learnt
  return {
    url,
    ...(extendedMatch === '*' ? {} : { 'extended-match': extendedMatch }),
    mode: 'Active',
    status: 'On',
    'allow-query-string': 'Yes',
    'allowed-methods': methods.includes('GET') ? [...new Set([...methods, 'HEAD'])] : [...methods],
    ...(contentTypes.length === 0 ? {} : { 'allowed-content-types': [...contentTypes] }),
    'max-content-length': contentLengthMax,
    'maximum-upload-files': files,
    comment: commentOf(comments, learnt),
  }
}

function parameterMembers(proposed: ProposedParameter): DocumentMembers {
  const { parameter, parameterClass, type, values, valueLengthMax, metacharacters, learnt } = proposed
  return {
    parameter,
    'parameter-class': parameterClass,
    type,
    status: 'On',
    ...(type === 'Global Choice' ? { values: [...values] } : {}),
    ...(type === 'File Upload'
      ? { 'allowed-file-upload-type': 'Extensions', 'file-upload-extensions': [...learnt.extensions] }
      : { 'max-value-length': valueLengthMax, 'allowed-metachars': metacharacters }),
    comments: evidenceOf(learnt),
  }
}

/** One for each parameter of a path, though pages of it may have been learnt one by one. */
function opinionsFor(
  service: ConfigurationObject,
  proposals: readonly ProfileProposal[],
  comments: string,
): DocumentObject[] {
  const names = namesIn(service, 'second-opinion')
  const missing = new Map(
    proposals
      .flatMap(({ url, written }) => written.map((parameter) => ({ url, parameter })))
      .filter(({ url, parameter }) => acceptedOpinion(service, url, parameter.parameter) === undefined)
      .map((one) => [JSON.stringify([one.url, one.parameter.parameter]), one]),
  )
  return Array.from(missing.values(), ({ url, parameter: { parameter, learnt } }) => ({
    path: [service.name, names.next(`${parameter}${url}`)],
    members: { url, parameter, comments: commentOf(comments, learnt) },
  }))
}

function commentOf(
  comments: string,
  learnt: { readonly requests: number; readonly clients: readonly string[] },
): string {
  return (comments === '' ? evidenceOf(learnt) : comments).slice(0, commentMax)
}

function namesIn(service: ConfigurationObject, kindName: string): NamesOfObjects {
  const names = new Set(childrenOf(service, kindName).map(({ name }) => name))
  return new NamesOfObjects((name) => names.has(name))
}
