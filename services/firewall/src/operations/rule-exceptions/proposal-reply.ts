import type { Body } from '../../changes/members.ts'
import type { JudgedRequest } from '../../exceptions/judged-requests.ts'
import type { LeftOut, Proposal, ProposalRequest } from '../../exceptions/proposal.ts'
import { text } from '../../kinds/conversions.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'

/** How many requests, and how many clients, are named one by one. */
const listedMax = 20

/**
 * A proposal as administrators are told it.
 *
 * @param service in which it may have been accepted already
 * @param rejected the ids of those that are rejected
 */
export function proposalReply(
  proposal: Proposal,
  service: ConfigurationObject,
  rejected: ReadonlySet<string>,
): object {
  const { id, url, rule, target, requests, clients, firstAt, lastAt } = proposal
  const alone = requests.filter(({ passesAlone }) => passesAlone)
  const accepted = acceptedAs(service, proposal)
  return {
    object: 'Rule Exception Proposal',
    id,
    url,
    rule: String(rule),
    target: target ?? '',
    accepted: accepted === undefined ? 'No' : 'Yes',
    ...(accepted === undefined ? {} : { 'rule-exception': accepted }),
    rejected: rejected.has(id) ? 'Yes' : 'No',
    requests: String(requests.length),
    'lets-through-alone': String(alone.length),
    'together-with': [...new Set(requests.flatMap(lacking))].slice(0, listedMax),
    clients: String(clients.length),
    'client-ips': clients.slice(0, listedMax),
    'first-seen': new Date(firstAt).toISOString(),
    'last-seen': new Date(lastAt).toISOString(),
    evidence: proposal.hasEnoughEvidence ? 'Enough' : 'Little',
    'speaks-against': proposal.speaksAgainst,
    'seen-requests': requests.slice(0, listedMax).map(toldSeenRequest),
  }
}

/** What is created for a proposal. @param comments what they are when empty, the evidence says */
export function exceptionFor(proposal: Proposal, comments: string): Body {
  const { id, url, rule, target, requests, clients } = proposal
  const evidence = `Proposed: ${requests.length} requests of ${clients.length} clients`
  return {
    name: `rule-${rule}-${id}`,
    url,
    rule,
    ...(target === undefined ? {} : { target }),
    comments: comments === '' ? evidence : comments,
  }
}

/** The proposals that a request needs besides. */
function lacking({ passesAlone, others }: ProposalRequest): readonly string[] {
  return passesAlone ? [] : others
}

function toldSeenRequest({ request, findings, passesAlone }: ProposalRequest): object {
  return { ...listedRequestReply({ ...request, findings }), 'passes-alone': passesAlone ? 'Yes' : 'No' }
}

/** A request as lists of requests tell it. */
export function listedRequestReply({
  id,
  time,
  client,
  method,
  url,
  score,
  findings,
}: JudgedRequest): object {
  return {
    id,
    time: new Date(time).toISOString(),
    'client-ip': client,
    method,
    url,
    score: String(score),
    rules: [...new Set(findings.map(({ rule }) => String(rule)))],
    'log-entries': findings.map(({ entry }) => entry),
    'attack-detail': findings[0]?.detail ?? '',
  }
}

/** The name of the exception that was created for a proposal; undefined when there is none, or when it is off. */
export function acceptedAs(service: ConfigurationObject, { url, rule, target }: LeftOut): string | undefined {
  return childrenOf(service, 'rule-exception').find(
    ({ content: { values } }) =>
      values.status !== 'Off' &&
      values.url === url &&
      Number(values.rule) === rule &&
      text(values.target) === (target ?? ''),
  )?.name
}
