import type { SnapshotCertificate } from '@palisade/proxy-protocol'
import { keptCertificate } from '../../behaviours/certificates/kept-certificate.ts'
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

/** The certificates, PEM, that references to those of others lead to. */
export function foreignCertificates(references: readonly Reference[], snapshot: Snapshot): string[] {
  return references.flatMap((reference) => {
    const object = referredObject(reference, snapshot)
    return (object && keptCertificate(object)?.certificate) ?? []
  })
}
