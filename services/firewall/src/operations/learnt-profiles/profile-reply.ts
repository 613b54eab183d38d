import type { ProfileProposal, ProposedParameter } from '../../learning/propose-profiles.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { acceptedOpinion, acceptedParameter, acceptedProfile } from './profiles-for.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A proposal as administrators are told it. @param service in which it may have been accepted already */
export function profileReply(proposal: ProfileProposal, service: ConfigurationObject): object {
  const { id, url, extendedMatch, learnt, parameters, written, contentLengthMax } = proposal
  const profile = acceptedProfile(service, proposal)
  const { requests, clients, firstAt, lastAt, methods, contentTypes, bodyBytes, files } = learnt
  return {
    object: 'Profile Proposal',
    id,
    url,
    'extended-match': extendedMatch,
    accepted: profile === undefined ? 'No' : 'Yes',
    ...(profile === undefined ? {} : { 'url-profile': profile.name }),
    requests: String(requests),
    clients: String(clients.length),
    'client-ips': clients,
    days: String(Math.floor((lastAt - firstAt) / dayMs) + 1),
    'first-seen': new Date(firstAt).toISOString(),
    'last-seen': new Date(lastAt).toISOString(),
    evidence: proposal.hasEnoughEvidence ? 'Enough' : 'Little',
    'allowed-methods': methods,
    'allowed-content-types': contentTypes,
    'longest-content': String(bodyBytes),
    'max-content-length': String(contentLengthMax),
    'maximum-upload-files': String(files),
    parameters: parameters.map((parameter) => ({
      ...toldParameter(parameter),
      accepted: acceptedParameter(parameter, profile) === undefined ? 'No' : 'Yes',
      type: parameter.type,
      'parameter-class': parameter.parameterClass,
      ...(parameter.type === 'Global Choice' ? { values: parameter.values } : {}),
      ...(parameter.type === 'File Upload'
        ? { 'file-upload-extensions': parameter.learnt.extensions }
        : { 'max-value-length': String(parameter.valueLengthMax) }),
      'allowed-metachars': parameter.metacharacters,
    })),
    'second-opinions': written.map((parameter) => ({
      ...toldParameter(parameter),
      accepted: acceptedOpinion(service, url, parameter.parameter) === undefined ? 'No' : 'Yes',
      'values-of-several-words': String(parameter.learnt.sentences),
    })),
  }
}

function toldParameter({ parameter, learnt, hasEnoughEvidence }: ProposedParameter): object {
  return {
    parameter,
    requests: String(learnt.requests),
    clients: String(learnt.clients.length),
    'longest-value': String(learnt.length),
    evidence: hasEnoughEvidence ? 'Enough' : 'Little',
  }
}
