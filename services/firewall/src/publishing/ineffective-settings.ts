import { foreignCertificates, ownCertificate } from '../features/tls/own-certificates.ts'
import { isAddressRange } from '../kinds/address-ranges.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { referencesIn } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { wantsBlocklist } from './compile-checks.ts'
import { childrenOf, rangesIn, switchedOn, textIn } from './reading.ts'

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
    ...ineffectiveBlocklist(valuesOf(service.content, 'ip-reputation'), blocklist),
    ...certificatesNotShown(service, snapshot),
    ...ineffectiveClientCertificates(service, snapshot),
    ...redirectsToNowhere(service),
  ]
}

function ineffectiveBlocklist(values: Values, blocklist: ConfigurationObject | undefined): string[] {
  if (!wantsBlocklist(values)) return []
  const list = blocklist?.content.values ?? {}
  if (list['custom-ip-list'] === 'Download') {
    return ['Nobody is blocked by custom-ip-blocklist: lists are not downloaded. Give it as an upload.']
  }
  const unread = rangesIn(list['blacklisted-ips']).filter((range) => !isAddressRange(range))
  return unread.length === 0
    ? []
    : [`No client is meant by these parts of custom-ip-blocklist: ${unread.slice(0, namedMax).join(', ')}.`]
}

/** How many parts a sentence names. */
const namedMax = 5

/** Domains for which a certificate without a private key is named, or none: the certificate of the service is shown there. */
function certificatesNotShown(service: ConfigurationObject, snapshot: Snapshot): string[] {
  const section = 'ssl-security'
  const values = valuesOf(service.content, section)
  if (values.status !== 'On') return []
  const shown = (member: string) =>
    referencesIn(service, section, member).map((one) => ownCertificate(one, snapshot))
  const withoutKey = ['certificate', 'ecdsa-certificate']
    .filter((member) => shown(member).includes(undefined))
    .map((member) => `The ${member} of ${section} is not shown to clients: it has no private key.`)
  if (values['enable-sni'] !== 'Yes') return withoutKey
  const ofDomains = ['sni-certificate', 'sni-ecdsa-certificate'].map(shown)
  const domains = [values.domain ?? []].flat().map(String)
  return [
    ...withoutKey,
    ...domains
      .filter((_, index) => ofDomains.every((list) => list[index] === undefined))
      .map(
        (domain) =>
          `No certificate of its own is shown for the domain ${domain}: none with a private key is named.`,
      ),
  ]
}

function ineffectiveClientCertificates(service: ConfigurationObject, snapshot: Snapshot): string[] {
  const section = 'ssl-client-authentication'
  const isAsked = valuesOf(service.content, section)['client-authentication'] === 'For Service'
  const rules = switchedOn(service, 'allow-or-deny-client')
  if (!isAsked) {
    return rules.length === 0
      ? []
      : [
          `The rules of allow-deny-clients keep nobody out: ${section} does not ask clients for a certificate.`,
        ]
  }
  const trusted = foreignCertificates(referencesIn(service, section, 'trusted-certificates'), snapshot)
  return trusted.length > 0
    ? []
    : [`The certificate of no client is trusted: ${section} trusted-certificates names no authority.`]
}

/** Access rules that were to send clients elsewhere. */
function redirectsToNowhere(service: ConfigurationObject): string[] {
  return childrenOf(service, 'url-acl')
    .filter(
      ({ content: { values } }) =>
        values.enable !== 'No' &&
        values.enable !== 'Off' &&
        textIn(values, 'action').endsWith('Redirect') &&
        textIn(values, 'redirect-url') === '',
    )
    .map(
      ({ kind, name }) =>
        `The rule ${name} of ${kind.segments.join('/')} does nothing: it has no redirect-url.`,
    )
}
