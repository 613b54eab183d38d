import type { SnapshotAddressCategory, SnapshotIpReputation } from '@palisade/proxy-protocol'
import { byName, isOn, text, texts } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf, optional } from '../../objects/reading.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { service } from '../services/service.ts'
import { withPrefixLength } from '../trusted-hosts/compile.ts'
import { ipReputationReader } from './compile.ts'
import { geoPool } from './geo-pool.ts'
import { geoipAllowedNetwork } from './geoip-allowed-network.ts'
import { geoipBlockedNetwork } from './geoip-blocked-network.ts'
import { type Regions, regionsOf } from './regions.ts'

const section = 'ip-reputation'
const isBlocked = (value: Value | undefined) => value === 'Block'

/** How clients are met for where they are. */
export const placesReader = sectionReader(service, section, {
  /** Whether the connection of a client is closed that is refused for its own address; otherwise it is answered. */
  closesConnections: ['apply-policy-at', (value: Value | undefined) => value !== 'Application Layer'],
  /** Whether what is refused for where it comes from, or because nobody knows, is logged. */
  logsPlaces: ['geoip-enable-logging', isOn],
  /** Whether the country in which an address is registered counts beside that in which it is used. */
  countsRegistration: ['check-registered-country', isOn],
  /** Whether clients are refused of whose address no country is known. */
  blocksUnclassified: ['block-unclassified-ips', isBlocked],
})

/** What becomes of the clients of the pool: `block` refuses them, `allow` all others of which a country is known. */
export const poolActionReader = sectionReader(service, section, {
  does: ['geoip-action', byName({ Allow: 'allow' }, 'block')],
})

/** What is known of addresses beside where they are, by the names of the members; whether such clients are refused. */
export const categoriesReader = sectionReader(service, section, {
  'barracuda-reputation-blocklist': ['barracuda-reputation-blocklist', isBlocked],
  'anonymous-proxy': ['anonymous-proxy', isBlocked],
  'satellite-provider': ['satellite-provider', isBlocked],
  'tor-nodes': ['tor-nodes', isBlocked],
  'public-proxy': ['public-proxy', isBlocked],
  'datacenter-ip': ['datacenter-ip', isBlocked],
  'fake-crawler': ['fake-crawler', isBlocked],
  'known-http-attack-sources': ['known-http-attack-sources', isBlocked],
  'known-ssh-attack-sources': ['known-ssh-attack-sources', isBlocked],
})

/** The pool that a service names: one at most. */
export const poolOfService = sectionReferenceReader(service, section, 'geo-pool')

/** The names of its countries and continents. */
export const geoPoolReader = fieldReader(geoPool, { regions: ['region', texts] })

/** Networks that are let in wherever they are. */
export const allowedNetworkReader = fieldReader(geoipAllowedNetwork, {
  address: ['allow-ip', text],
  mask: ['allow-netmask', text],
})

/** Networks that are kept out wherever they are. */
export const blockedNetworkReader = fieldReader(geoipBlockedNetwork, {
  address: ['block-ip', text],
  mask: ['block-netmask', text],
})

/** What of IP reputation proxies look up in their own data; undefined where a service asks for none of it. */
export function compileIpReputation(
  object: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotIpReputation | undefined {
  if (!ipReputationReader.of(object).isOn) return undefined
  const settings = placesReader.of(object)
  const pool = poolOf(object, snapshot)
  const categories = Object.entries(categoriesReader.of(object)).flatMap(([name, isRefused]) =>
    isRefused ? [name as SnapshotAddressCategory] : [],
  )
  const blockedNetworks = childrenOf(object, geoipBlockedNetwork.name).map((one) =>
    networkOf(blockedNetworkReader.of(one)),
  )
  const asks =
    pool !== undefined || settings.blocksUnclassified || categories.length > 0 || blockedNetworks.length > 0
  if (!asks) return undefined
  const allowedNetworks = childrenOf(object, geoipAllowedNetwork.name).map((one) =>
    networkOf(allowedNetworkReader.of(one)),
  )
  return { ...settings, ...optional('pool', pool), categories, allowedNetworks, blockedNetworks }
}

/** A pool without a region that has a meaning refuses nobody; one that only lets in its own would refuse all. */
function poolOf(object: ConfigurationObject, snapshot: Snapshot): SnapshotIpReputation['pool'] {
  const regions = regionsOfService(object, snapshot)
  if (regions === undefined || regions.countries.length + regions.continents.length === 0) return undefined
  const { countries, continents } = regions
  return { ...poolActionReader.of(object), countries, continents }
}

/** The regions of the pool that a service names; undefined where its filter is off, or it names none. */
export function regionsOfService(
  object: ConfigurationObject,
  snapshot: Snapshot,
): (Regions & { readonly pool: string; readonly unknown: readonly string[] }) | undefined {
  const [pool] = poolOfService.of(object, snapshot)
  if (pool === undefined || !ipReputationReader.of(object).isOn) return undefined
  return { pool: pool.name, ...regionsOf(geoPoolReader.of(pool).regions) }
}

function networkOf({ address, mask }: { readonly address: string; readonly mask: string }): string {
  return withPrefixLength(address, mask)
}

/** How clients are met for where they are. */
export type SnapshotPlaceSettings = Settings<typeof placesReader>
