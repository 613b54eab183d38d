import { compileCertificateRules } from '../features/allow-deny-clients/compile.ts'
import { scrapingPoliciesOf } from '../features/bots/compile.ts'
import { ineffectiveCaptcha } from '../features/captcha/ineffective.ts'
import {
  compileClientCertificates,
  rulesWithoutCertificates,
} from '../features/client-certificates/compile.ts'
import { unsupportedNonces } from '../features/content-security/compile.ts'
import { formSpamWithoutEffect } from '../features/form-spam/compile.ts'
import { blocklistReader, blocklistSourceReader, wantsBlocklist } from '../features/ip-reputation/compile.ts'
import { placesReader, regionsOfService } from '../features/ip-reputation/places.ts'
import { ineffectiveTokenProfiles } from '../features/json-web-tokens/ineffective.ts'
import { inspectionMode } from '../features/services/inspection.ts'
import { storedTrafficBounds } from '../features/stored-traffic/compile.ts'
import { ownCertificate } from '../features/tls/certificates.ts'
import { certificateReaders, domainCertificateReaders, tlsReader } from '../features/tls/compile.ts'
import { redirectsToNowhere } from '../features/url-acls/compile.ts'
import { ineffectiveCredentialChecks } from '../features/url-policies/compile.ts'
import { unusedFormProfiles } from '../features/website-profiles/compile.ts'
import { ineffectiveWebSocketPolicies } from '../features/websockets/ineffective.ts'
import { isAddressRange } from '../kinds/address-ranges.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { ReferenceReader } from '../objects/reference-reader.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { unenforcedMembers } from './enforcement.ts'

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
    ...ineffectiveGeoPool(service, snapshot),
    ...certificatesNotShown(service, snapshot),
    ...ineffectiveClientCertificates(service, snapshot),
    ...ineffectiveTokenProfiles(service, snapshot),
    ...ineffectiveWebSocketPolicies(service, snapshot),
    ...ineffectiveFormProtection(service),
    ...ineffectiveCredentialChecks(service),
    ...ineffectiveCaptcha(service, snapshot),
    ...keptOfScrapingPolicies(service, snapshot),
    ...ineffectiveStoredTraffic(service),
    ...unsupportedNonces(service),
    ...redirectsToNowhere(service).map(
      ({ kind, name }) =>
        `The rule ${name} of ${kind.segments.join('/')} does nothing: it has no redirect-url.`,
    ),
  ]
}

/** What the web scraping policies ask for that the service names, and nobody does. */
function keptOfScrapingPolicies(service: ConfigurationObject, snapshot: Snapshot): string[] {
  return scrapingPoliciesOf(service, snapshot).flatMap((policy) => {
    const members = unenforcedMembers(policy)
    return members.length === 0
      ? []
      : [`Kept, not enforced yet of the web scraping policy ${policy.name}: ${members.join(', ')}.`]
  })
}

function ineffectiveBlocklist(
  service: ConfigurationObject,
  blocklist: ConfigurationObject | undefined,
): string[] {
  if (blocklist === undefined || !wantsBlocklist(service)) return []
  const { isDownloaded, clients } = blocklistReader.of(blocklist)
  if (isDownloaded) {
    return blocklistSourceReader.of(blocklist).url === ''
      ? ['Nobody is blocked by custom-ip-blocklist: it is to be downloaded, and has no download-url.']
      : []
  }
  const unread = clients.filter((range) => !isAddressRange(range))
  return unread.length === 0
    ? []
    : [`No client is meant by these parts of custom-ip-blocklist: ${unread.slice(0, namedMax).join(', ')}.`]
}

function ineffectiveGeoPool(service: ConfigurationObject, snapshot: Snapshot): string[] {
  const regions = regionsOfService(service, snapshot)
  if (regions === undefined) return []
  const { pool, unknown, countries, continents } = regions
  const isEmpty = countries.length + continents.length === 0
  const isUnseen = inspectionMode(service) === 'passive' && !placesReader.of(service).logsPlaces
  return [
    ...(isEmpty ? [`The geo pool ${pool} is for no client: it names no region.`] : []),
    ...(unknown.length === 0
      ? []
      : [
          `No client is meant by these regions of the geo pool ${pool}: ${unknown.slice(0, namedMax).join(', ')}.`,
        ]),
    ...(!isEmpty && isUnseen
      ? [`Of the geo pool ${pool} nothing shows: the service only logs, and geoip-enable-logging is No.`]
      : []),
  ]
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
  const ofRules = rulesWithoutCertificates(service)
  return settings.authorities.length > 0
    ? ofRules
    : [
        ...ofRules,
        `The certificate of no client is trusted: ${section} trusted-certificates names no authority.`,
      ]
}

function ineffectiveFormProtection(service: ConfigurationObject): string[] {
  const unused = unusedFormProfiles(service)
  return [
    ...(unused.length === 0
      ? []
      : [
          `No form is protected by the URL profiles ${unused.slice(0, namedMax).join(', ')}: website-profile use-profile is No.`,
        ]),
    ...formSpamWithoutEffect(service),
  ]
}
