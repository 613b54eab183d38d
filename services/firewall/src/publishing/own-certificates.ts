import type { SnapshotCertificate } from '@palisade/proxy-protocol'
import { keptCertificate } from '../behaviours/certificates/kept-certificate.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { placeOf, type Reference, referencesOf } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/** The references that one member of a section makes, in the order in which they are written. */
export function referencesIn(object: ConfigurationObject, section: string, member: string): Reference[] {
  return referencesOf(object).filter(({ by }) => by.section === section && by.fieldName === member)
}

/** The certificate that a reference leads to; undefined when it has none, or no private key. */
export function ownCertificate(
  reference: Reference | undefined,
  snapshot: Snapshot,
): SnapshotCertificate | undefined {
  const place = reference && placeOf(reference, snapshot)
  const object = place && snapshot.object(place.kind, place.path)
  const kept = object && keptCertificate(object)
  if (kept?.privateKey === undefined) return undefined
  return { chain: [kept.certificate, ...kept.intermediates].join('\n'), privateKey: kept.privateKey }
}

/** The certificates, PEM, that references to those of others lead to. */
export function foreignCertificates(references: readonly Reference[], snapshot: Snapshot): string[] {
  return references.flatMap((reference) => {
    const place = placeOf(reference, snapshot)
    const object = place && snapshot.object(place.kind, place.path)
    return (object && keptCertificate(object)?.certificate) ?? []
  })
}
