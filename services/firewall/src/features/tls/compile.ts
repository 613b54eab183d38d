import type { SnapshotDomain, SnapshotTls } from '@palisade/proxy-protocol'
import { isOn, items, number } from '../../kinds/conversions.ts'
import { carriedFields, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { optional } from '../../objects/reading.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { compileClientCertificates } from '../client-certificates/compile.ts'
import { service } from '../services/service.ts'
import { ownCertificate } from './certificates.ts'
import { compileCiphers } from './ciphers.ts'
import { versionMembers, versionRange } from './versions.ts'

const section = 'ssl-security'
const secondsPerDay = 86_400

/** How TLS is spoken with clients; undefined where it is not. */
export const tlsReader = whenOn(
  sectionReader(service, section, {
    isOn: ['status', isOn],
    hasDomains: ['enable-sni', isOn],
    refusesOtherDomains: ['enable-strict-sni-check', isOn],
    domains: ['domain', items],
    ...versionMembers,
  }),
)

/** The header Strict-Transport-Security (RFC 6797); undefined where it is not sent. */
export const strictTransportReader = whenOn(
  sectionReader(service, section, {
    isOn: ['enable-hsts', isOn],
    days: ['hsts-max-age', number],
    includesSubDomains: ['include-hsts-sub-domains', isOn],
  }),
)

/** Whether clients are offered HTTP/2 when they open TLS (RFC 9113, section 3.2). */
export const http2Reader = sectionReader(service, 'advanced-configuration', {
  offersHttp2: ['enable-http2', isOn],
})

/** Certificates that stand on the service itself, which its behaviour carries over to the section. */
export const certificatesOfService = carriedFields(service, 'certificate', 'ecdsa-certificate')

/** What clients are shown that ask for no domain. */
export const certificateReaders = [
  sectionReferenceReader(service, section, 'certificate'),
  sectionReferenceReader(service, section, 'ecdsa-certificate'),
] as const

/** Lists with one certificate for each domain. */
export const domainCertificateReaders = [
  sectionReferenceReader(service, section, 'sni-certificate'),
  sectionReferenceReader(service, section, 'sni-ecdsa-certificate'),
] as const

/**
 * How a service speaks TLS.
 *
 * @returns a sentence that says why it cannot, or undefined when it is not meant to
 */
export function compileTls(
  object: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotTls | string | undefined {
  const read = tlsReader.of(object)
  if (read === undefined) return undefined
  const certificates = certificateReaders.flatMap((reader) => {
    const [reference] = reader.referencesOf(object)
    return ownCertificate(reference, snapshot) ?? []
  })
  if (certificates.length === 0) return 'It has no certificate with a private key to show to clients.'
  const versions = versionRange(read)
  if (versions === undefined) {
    return 'Neither TLS 1.2 nor TLS 1.3 is enabled, and older versions are not spoken.'
  }
  return {
    certificates,
    domains: read.hasDomains ? domainsOf(object, read.domains, snapshot) : [],
    refusesOtherDomains: read.hasDomains && read.refusesOtherDomains,
    ...versions,
    ...optional('ciphers', compileCiphers(object)),
    ...optional('clients', compileClientCertificates(object, snapshot)),
    ...http2Reader.of(object),
    ...optional('strictTransportSecurity', strictTransportSecurity(object)),
  }
}

/** The domains whose place in the lists beside them has a certificate. */
function domainsOf(
  object: ConfigurationObject,
  names: readonly string[],
  snapshot: Snapshot,
): SnapshotDomain[] {
  const lists = domainCertificateReaders.map((reader) => reader.referencesOf(object))
  return names.flatMap((name, index) => {
    const certificates = lists.flatMap((list) => ownCertificate(list[index], snapshot) ?? [])
    return certificates.length === 0 ? [] : { name: name.toLowerCase(), certificates }
  })
}

function strictTransportSecurity(object: ConfigurationObject): string | undefined {
  const read = strictTransportReader.of(object)
  if (read === undefined) return undefined
  return `max-age=${read.days * secondsPerDay}${read.includesSubDomains ? '; includeSubDomains' : ''}`
}
