import { accessControlKinds } from '../catalogue/access-control/index.ts'
import { authenticationKinds } from '../catalogue/authentication/index.ts'
import { networkKinds } from '../catalogue/network/index.ts'
import { profilesKinds } from '../catalogue/profiles/index.ts'
import { trafficKinds } from '../catalogue/traffic/index.ts'
import { isEnforced, unenforcedFields } from '../features/enforced-fields.ts'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'

/** Kinds whose objects say nothing but what the traffic is to obey. */
const kindsOfTraffic: ReadonlySet<string> = new Set(
  [
    ...accessControlKinds,
    ...authenticationKinds,
    ...networkKinds,
    ...profilesKinds,
    ...trafficKinds,
    { name: 'trap-receiver' },
  ].map(({ name }) => name),
)

/** Sections beside the traffic that nothing obeys, by kind. */
const sectionsKept: Readonly<Record<string, readonly string[]>> = {
  system: ['two-factor-auth', 'email-notifications', 'ftp-access-logs', 'exception-heuristics'],
}

/**
 * The names of the fields that are taken and kept, and that nothing obeys: what docs/firewall-enforcement.md says.
 *
 * @param section undefined for the object's own fields
 */
export function unenforcedMemberNames(
  kind: CompiledKind,
  section: string | undefined,
  fields: FieldSet,
): ReadonlySet<string> {
  const [outermost = kind] = kind.lineage
  const asksOfTraffic = isEnforced(kind) || kindsOfTraffic.has(kind.name) || outermost.name === 'service'
  const isKept = section !== undefined && (sectionsKept[kind.name] ?? []).includes(section)
  return new Set(asksOfTraffic || isKept ? unenforcedFields(kind, section, fields) : [])
}
