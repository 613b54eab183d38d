import type {
  SnapshotClientCertificates,
  SnapshotDomain,
  SnapshotTls,
  TlsVersion,
} from '@palisade/proxy-protocol'
import { foreignCertificates, ownCertificate } from '../features/tls/own-certificates.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { referencesIn } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { compileCiphers } from './compile-ciphers.ts'

const section = 'ssl-security'

/** Oldest first. Older ones are switched off in the TLS library of our days, whatever is enabled. */
const versions: readonly (readonly [member: string, version: TlsVersion])[] = [
  ['enable-tls-1-2', 'TLSv1.2'],
  ['enable-tls-1-3', 'TLSv1.3'],
]

const secondsPerDay = 86_400

/** The oldest and newest version that are enabled of those that are spoken. */
export function enabledVersions(
  values: Values,
): Pick<SnapshotTls, 'oldestVersion' | 'newestVersion'> | undefined {
  const enabled = versions.filter(([member]) => values[member] === 'Yes').map(([, version]) => version)
  const [oldestVersion, newestVersion] = [enabled.at(0), enabled.at(-1)]
  return oldestVersion && newestVersion && { oldestVersion, newestVersion }
}

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
  const certificates = ['certificate', 'ecdsa-certificate'].flatMap((member) => {
    const [reference] = referencesIn(service, section, member)
    return ownCertificate(reference, snapshot) ?? []
  })
  if (certificates.length === 0) return 'It has no certificate with a private key to show to clients.'
  const spoken = enabledVersions(values)
  if (spoken === undefined) {
    return 'Neither TLS 1.2 nor TLS 1.3 is enabled, and older versions are not spoken.'
  }
  const ciphers = compileCiphers(values)
  return {
    certificates,
    domains: values['enable-sni'] === 'Yes' ? domainsOf(service, values, snapshot) : [],
    refusesOtherDomains: values['enable-sni'] === 'Yes' && values['enable-strict-sni-check'] === 'Yes',
    ...spoken,
    ...(ciphers === undefined ? {} : { ciphers }),
    ...clientCertificates(service, snapshot),
    offersHttp2: valuesOf(service.content, 'advanced-configuration')['enable-http2'] === 'Yes',
    ...strictTransportSecurity(values),
  }
}

/** The domains whose place in the lists beside them has a certificate. */
function domainsOf(service: ConfigurationObject, values: Values, snapshot: Snapshot): SnapshotDomain[] {
  const lists = ['sni-certificate', 'sni-ecdsa-certificate'].map((member) =>
    referencesIn(service, section, member),
  )
  return [values.domain ?? []].flat().flatMap((name, index) => {
    const certificates = lists.flatMap((list) => ownCertificate(list[index], snapshot) ?? [])
    return certificates.length === 0 ? [] : { name: String(name).toLowerCase(), certificates }
  })
}

function clientCertificates(
  service: ConfigurationObject,
  snapshot: Snapshot,
): { readonly clients?: SnapshotClientCertificates } {
  const authentication = 'ssl-client-authentication'
  const values = valuesOf(service.content, authentication)
  if (values['client-authentication'] !== 'For Service') return {}
  const trusted = referencesIn(service, authentication, 'trusted-certificates')
  return {
    clients: {
      areRequired: values['enforce-client-certificate'] === 'Yes',
      authorities: foreignCertificates(trusted, snapshot),
    },
  }
}

function strictTransportSecurity(values: Values): Pick<SnapshotTls, 'strictTransportSecurity'> {
  if (values['enable-hsts'] !== 'Yes') return {}
  const subDomains = values['include-hsts-sub-domains'] === 'Yes' ? '; includeSubDomains' : ''
  return {
    strictTransportSecurity: `max-age=${Number(values['hsts-max-age'] ?? 0) * secondsPerDay}${subDomains}`,
  }
}
