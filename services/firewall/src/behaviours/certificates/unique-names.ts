import type { LiveConfiguration } from '../../changes/live-configuration.ts'
import { describe } from '../../changes/plan.ts'
import { ConfigurationRefused } from '../../failure.ts'
import type { CompiledKind } from '../../kinds/compiled-kind.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import type { Snapshot } from '../../objects/snapshot.ts'

/** The kinds whose objects are one collection at the old address, so that a name stands for one certificate. */
export const certificateKindNames = [
  'signed-certificate',
  'self-signed-certificate',
  'trusted-ca-certificate',
  'trusted-server-certificate',
] as const

/** The kinds, in the order in which their objects are looked for. */
export function certificateKinds(configuration: Pick<LiveConfiguration, 'kind'>): CompiledKind[] {
  return certificateKindNames.map((name) => configuration.kind(name))
}

/** The certificate with this name, of whatever kind. */
export function certificateNamed(
  snapshot: Snapshot,
  kinds: readonly CompiledKind[],
  name: string,
): ConfigurationObject | undefined {
  return kinds.map((kind) => snapshot.object(kind, [name])).find((object) => object !== undefined)
}

/**
 * Refuses a name that another certificate has.
 *
 * @throws ConfigurationRefused duplicate-certificate
 */
export function refuseTakenName(snapshot: Snapshot, kinds: readonly CompiledKind[], name: string): void {
  const other = certificateNamed(snapshot, kinds, name)
  if (other)
    throw new ConfigurationRefused({
      code: 'duplicate-certificate',
      member: other.kind.identifiedBy ?? '',
      what: describe(other),
    })
}
