import type { SnapshotTls, TlsVersion } from '@palisade/proxy-protocol'
import { keptCertificate } from '../behaviours/certificates/kept-certificate.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { placeOf, referencesOf } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'

const section = 'ssl-security'

/** Oldest first. Older ones are switched off in the TLS library of our days, whatever is enabled. */
const versions: readonly (readonly [member: string, version: TlsVersion])[] = [
  ['enable-tls-1-2', 'TLSv1.2'],
  ['enable-tls-1-3', 'TLSv1.3'],
]

const secondsPerDay = 86_400

/**
 * How a service speaks TLS.
 *
 * @returns a sentence that says why it cannot, or undefined when it is not meant to
 */
export function compileTls(
  service: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotTls | string | undefined {
  const values = valuesOf(service.content, section)
  if (values.status !== 'On') return undefined
  const certificates = certificatesOf(service, snapshot)
  if (certificates.length === 0) return 'It has no certificate with a private key to show to clients.'
  const enabled = versions.filter(([member]) => values[member] === 'Yes').map(([, version]) => version)
  const [oldestVersion, newestVersion] = [enabled.at(0), enabled.at(-1)]
  if (oldestVersion === undefined || newestVersion === undefined) {
    return 'Neither TLS 1.2 nor TLS 1.3 is enabled, and older versions are not spoken.'
  }
  return { certificates, oldestVersion, newestVersion, ...strictTransportSecurity(values) }
}

function certificatesOf(service: ConfigurationObject, snapshot: Snapshot): SnapshotTls['certificates'] {
  return referencesOf(service).flatMap((reference) => {
    const { section: from, fieldName } = reference.by
    if (from !== section || !['certificate', 'ecdsa-certificate'].includes(fieldName)) return []
    const place = placeOf(reference, snapshot)
    const object = place && snapshot.object(place.kind, place.path)
    const kept = object && keptCertificate(object)
    if (kept?.privateKey === undefined) return []
    return [{ chain: [kept.certificate, ...kept.intermediates].join('\n'), privateKey: kept.privateKey }]
  })
}

function strictTransportSecurity(values: Values): Pick<SnapshotTls, 'strictTransportSecurity'> {
  if (values['enable-hsts'] !== 'Yes') return {}
  const subDomains = values['include-hsts-sub-domains'] === 'Yes' ? '; includeSubDomains' : ''
  return {
    strictTransportSecurity: `max-age=${Number(values['hsts-max-age'] ?? 0) * secondsPerDay}${subDomains}`,
  }
}
