import { planCreation } from '../../changes/create.ts'
import type { LiveConfiguration } from '../../changes/live-configuration.ts'
import { type Body, readMembers } from '../../changes/members.ts'
import { ConfigurationRefused } from '../../failure.ts'
import { policyOfService } from '../../features/services/inspection.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import type { Snapshot, Write } from '../../objects/snapshot.ts'

/** What is to be tried at a service in the place of what it says now, besides what stays. */
export interface Candidate {
  /** Members of rule exceptions, without names. */
  readonly exceptions: readonly Body[]
  /** The name of another policy; empty for the one that it has. */
  readonly policy: string
  /** How the second stage of the policy would be switched; empty for as it is. */
  readonly secondStage: string
  /** The name of a rule set that proxies offer; empty for the one that counts. */
  readonly ruleSet: string
}

/** Under such names exceptions are tried. */
const triedName = 'palisade-trial-'

/**
 * The configuration as it would be with the candidate: nothing is stored.
 *
 * @throws ConfigurationRefused not-acceptable, for exceptions that could not be created; not-found, where there is no such policy
 */
export function withCandidate(
  configuration: LiveConfiguration,
  service: ConfigurationObject,
  { exceptions, policy, secondStage }: Omit<Candidate, 'ruleSet'>,
): Snapshot {
  let { snapshot } = configuration
  const apply = (writes: readonly Write[]) => {
    snapshot = snapshot.with(writes, snapshot.version)
  }
  const kind = configuration.kind('rule-exception')
  for (const [index, members] of exceptions.entries()) {
    const given = readMembers(kind.fields, kind.title, { ...members, name: `${triedName}${index}` })
    apply(planCreation(snapshot, kind, service.path, { given, settled: {}, behaviour: undefined }).writes)
  }
  if (policy !== '') {
    if (!snapshot.object(configuration.kind('security-policy'), [policy]))
      throw new ConfigurationRefused({
        code: 'not-found',
        what: `security-policy ${JSON.stringify(policy)}`,
      })
    apply([withMember(service, 'basic-security', 'web-firewall-policy', policy)])
  }
  if (secondStage !== '') {
    const tried = snapshot.object(service.kind, service.path) ?? service
    const [own] = policyOfService.of(tried, snapshot)
    if (own !== undefined) apply([withMember(own, 'second-stage', 'status', secondStage)])
  }
  return snapshot
}

/** An object with another value in one member of a section. */
function withMember(object: ConfigurationObject, section: string, member: string, value: string): Write {
  const { kind, path, content } = object
  const values = { ...content.sections[section], [member]: value }
  return { kind, path, content: { ...content, sections: { ...content.sections, [section]: values } } }
}
