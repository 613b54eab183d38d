import type { SnapshotDownloadedBlocklist } from '@palisade/proxy-protocol'
import { isOn, ranges, text } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { service } from '../services/service.ts'
import { foreignCertificates } from '../tls/certificates.ts'
import { customIpBlocklist } from './custom-ip-blocklist.ts'

/** Whether a service blocks clients by their address; the list counts only where both are on. */
export const ipReputationReader = sectionReader(service, 'ip-reputation', {
  isOn: ['enable-ip-reputation-filter', isOn],
  blocksList: ['custom-blacklisted-ip-status', (value) => value === 'Block'],
})

/** The list of blocked clients that is in the configuration: addresses, ranges with "-" and networks with "/". */
export const blocklistReader = fieldReader(customIpBlocklist, {
  isDownloaded: ['custom-ip-list', (value) => value === 'Download'],
  clients: ['blacklisted-ips', ranges],
})

/** Where the list of blocked clients comes from that is downloaded. */
export const blocklistSourceReader = fieldReader(customIpBlocklist, {
  /** Of HTTP or HTTPS; a name and a password in it are sent by HTTP's Basic authentication. */
  url: ['download-url', text],
  validatesCertificate: ['validate-server-certificate', isOn],
})

/** The certificates by which the server of that list is believed. */
export const blocklistAuthorities = referenceReader(customIpBlocklist, 'trusted-certificate')

/** Where a list of blocked clients is downloaded from. */
export type SnapshotBlocklistSource = Settings<typeof blocklistSourceReader>

/** Whether a service blocks the clients of the list. */
export function wantsBlocklist(object: ConfigurationObject): boolean {
  const { isOn, blocksList } = ipReputationReader.of(object)
  return isOn && blocksList
}

/** The clients that are blocked for their address: those of the list that is in the configuration. */
export function blockedClients(
  object: ConfigurationObject,
  blocklist: ConfigurationObject | undefined,
): readonly string[] {
  if (blocklist === undefined || !wantsBlocklist(object)) return []
  const { isDownloaded, clients } = blocklistReader.of(blocklist)
  return isDownloaded ? [] : clients
}

/** The list that proxies download for a service; undefined where they need not. */
export function downloadedBlocklist(
  object: ConfigurationObject,
  blocklist: ConfigurationObject | undefined,
  snapshot: Snapshot,
): SnapshotDownloadedBlocklist | undefined {
  if (blocklist === undefined || !wantsBlocklist(object)) return undefined
  if (!blocklistReader.of(blocklist).isDownloaded) return undefined
  const source = blocklistSourceReader.of(blocklist)
  if (source.url === '') return undefined
  return { ...source, authorities: foreignCertificates(blocklistAuthorities.of(blocklist, snapshot)) }
}
