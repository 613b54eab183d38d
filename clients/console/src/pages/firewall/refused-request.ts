import { answer, type FirewallClient } from '@palisade/sdk'

/** Why a request was refused, and what would let it through. */
export type RefusedRequest = NonNullable<Awaited<ReturnType<typeof readRefusedRequest>>>

/** Something that a rule or a limit found in a request. */
export type Finding = RefusedRequest['findings'][number]

/** An exception that would let requests through. */
export type Proposal = RefusedRequest['proposals'][number]

/** Reads a request by its id; undefined for one that the log has no more. */
export async function readRefusedRequest(firewall: FirewallClient, id: string) {
  const { data } = await answer(
    firewall.GET('/restapi/v3.2/refused-requests/{id}', { params: { path: { id } } }),
  )
  return data[id]
}

/** The exceptions that the log of a service speaks for, those first that most requests need. */
export async function readProposals(firewall: FirewallClient, service: string): Promise<readonly Proposal[]> {
  const { data = {} } = await answer(
    firewall.GET('/restapi/v3.2/services/{service}/rule-exception-proposals', {
      params: { path: { service } },
    }),
  )
  return Object.values(data)
}

/** What rules found, those first that say why: others only add up, or did not count. */
export function tellingFindings(
  findings: readonly Finding[],
  isSum: (rule: string) => boolean,
): readonly Finding[] {
  const ranks = ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice']
  const rankOf = ({ severity }: Finding) => (ranks.indexOf(severity) + ranks.length + 1) % (ranks.length + 1)
  return findings.filter(({ rule }) => !isSum(rule)).toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** Proposals for the same part of the same requests. */
export type ProposalGroup = readonly [Proposal, ...Proposal[]]

/** Proposals with those beside each other that are for the same part of the same requests: one decides about them together. */
export function groupsOf(proposals: readonly Proposal[]): readonly ProposalGroup[] {
  const groups = Map.groupBy(proposals, ({ url, target }) => JSON.stringify([url, target]))
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  )
}
