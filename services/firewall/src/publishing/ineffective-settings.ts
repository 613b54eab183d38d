import { compileCertificateRules } from '../features/allow-deny-clients/compile.ts'
import { compileClientCertificates } from '../features/client-certificates/compile.ts'
import { blocklistReader, wantsBlocklist } from '../features/ip-reputation/compile.ts'
import { inspectionMode } from '../features/services/inspection.ts'
import { storedTrafficBounds } from '../features/stored-traffic/compile.ts'
import { ownCertificate } from '../features/tls/certificates.ts'
import { certificateReaders, domainCertificateReaders, tlsReader } from '../features/tls/compile.ts'
import { redirectsToNowhere } from '../features/url-acls/compile.ts'
import { isAddressRange } from '../kinds/address-ranges.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { ReferenceReader } from '../objects/reference-reader.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/**
 * What a service asks for in members that proxies obey, and what has no effect all the same, because something else is missing: sentences.
 *
 * @param blocklist the only object of its kind; undefined while nobody has changed it
 */
export function ineffectiveSettings(
  service: ConfigurationObject,
  snapshot: Snapshot,
  blocklist: ConfigurationObject | undefined,
): string[] {
  return [
    ...ineffectiveBlocklist(service, blocklist),
    ...certificatesNotShown(service, snapshot),
    ...ineffectiveClientCertificates(service, snapshot),
    ...ineffectiveStoredTraffic(service),
    ...redirectsToNowhere(service).map(
      ({ kind, name }) =>
        `The rule ${name} of ${kind.segments.join('/')} does nothing: it has no redirect-url.`,
    ),
  ]
}

function ineffectiveBlocklist(
  service: ConfigurationObject,
  blocklist: ConfigurationObject | undefined,
): string[] {
  if (blocklist === undefined || !wantsBlocklist(service)) return []
  const { source, clients } = blocklistReader.of(blocklist)
  if (source === 'Download') {
    return ['Nobody is blocked by custom-ip-blocklist: lists are not downloaded. Give it as an upload.']
  }
  const unread = clients.filter((range) => !isAddressRange(range))
  return unread.length === 0
    ? []
    : [`No client is meant by these parts of custom-ip-blocklist: ${unread.slice(0, namedMax).join(', ')}.`]
}

/** How many parts a sentence names. */
const namedMax = 5

/** Domains for which a certificate without a private key is named, or none: the certificate of the service is shown there. */
function certificatesNotShown(service: ConfigurationObject, snapshot: Snapshot): string[] {
  const read = tlsReader.of(service)
  if (read === undefined) return []
  const shown = (reader: ReferenceReader) =>
    reader.referencesOf(service).map((one) => ownCertificate(one, snapshot))
  const withoutKey = certificateReaders
    .filter((reader) => shown(reader).includes(undefined))
    .map(
      ({ section, fields }) =>
        `The ${[...fields.keys()]} of ${section} is not shown to clients: it has no private key.`,
    )
  if (!read.hasDomains) return withoutKey
  const ofDomains = domainCertificateReaders.map(shown)
  return [
    ...withoutKey,
    ...read.domains
      .filter((_, index) => ofDomains.every((list) => list[index] === undefined))
      .map(
        (domain) =>
          `No certificate of its own is shown for the domain ${domain}: none with a private key is named.`,
      ),
  ]
}

function ineffectiveStoredTraffic(service: ConfigurationObject): string[] {
  const isIdle = storedTrafficBounds.of(service) !== undefined && inspectionMode(service) === 'off'
  return isIdle
    ? [
        'What stored-traffic keeps cannot be tried: enable-web-application-firewall of advanced-configuration is off.',
      ]
    : []
}

function ineffectiveClientCertificates(service: ConfigurationObject, snapshot: Snapshot): string[] {
  const section = 'ssl-client-authentication'
  const settings = compileClientCertificates(service, snapshot)
  if (settings === undefined) {
    return compileCertificateRules(service) === undefined
      ? []
      : [
          `The rules of allow-deny-clients keep nobody out: ${section} does not ask clients for a certificate.`,
        ]
  }
  return settings.authorities.length > 0
    ? []
    : [`The certificate of no client is trusted: ${section} trusted-certificates names no authority.`]
}
