import type { SnapshotCertificate } from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { type Reference, referredObject } from '../../objects/references.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { readStoredCertificate } from '../../objects/stored-certificate.ts'

/** The certificate that a reference leads to; undefined when it has none, or no private key. */
export function ownCertificate(
  reference: Reference | undefined,
  snapshot: Snapshot,
): SnapshotCertificate | undefined {
  const object = reference && referredObject(reference, snapshot)
  const stored = object && readStoredCertificate(object)
  if (stored?.privateKey === undefined) return undefined
  return { chain: [stored.certificate, ...stored.intermediates].join('\n'), privateKey: stored.privateKey }
}

/** The certificates of others, PEM. */
export function foreignCertificates(objects: readonly ConfigurationObject[]): string[] {
  return objects.flatMap((object) => readStoredCertificate(object)?.certificate ?? [])
}
