import type { SnapshotCertificate } from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { keptCertificate } from '../../objects/kept-certificate.ts'
import { type Reference, referredObject } from '../../objects/references.ts'
import type { Snapshot } from '../../objects/snapshot.ts'

/** The certificate that a reference leads to; undefined when it has none, or no private key. */
export function ownCertificate(
  reference: Reference | undefined,
  snapshot: Snapshot,
): SnapshotCertificate | undefined {
  const object = reference && referredObject(reference, snapshot)
  const kept = object && keptCertificate(object)
  if (kept?.privateKey === undefined) return undefined
  return { chain: [kept.certificate, ...kept.intermediates].join('\n'), privateKey: kept.privateKey }
}

/** The certificates of others, PEM. */
export function foreignCertificates(objects: readonly ConfigurationObject[]): string[] {
  return objects.flatMap((object) => keptCertificate(object)?.certificate ?? [])
}
