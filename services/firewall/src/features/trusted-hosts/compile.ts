import { isIPv4 } from 'node:net'
import type { SnapshotChecks } from '@palisade/proxy-protocol'
import { text } from '../../kinds/conversions.ts'
import { fieldReader, sectionReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { service } from '../services/service.ts'
import { trustedHost } from './trusted-host.ts'

/** "Allow" or "Passive"; with every other value, trusted hosts are as all others. */
export const trustedHostsAction = sectionReader(service, 'basic-security', {
  action: ['trusted-hosts-action', text],
})

/** The hosts that a service trusts: one group at most. */
export const groupOfTrustedHosts = sectionReferenceReader(service, 'basic-security', 'trusted-hosts-group')

/** A host or network. `version` says which pair of address and mask counts; each is empty where it is not given. */
export const trustedHostReader = fieldReader(trustedHost, {
  version: ['version', text],
  address4: ['ip-address', text],
  mask4: ['mask', text],
  address6: ['ipv6-address', text],
  mask6: ['ipv6-mask', text],
})

/** The clients that may do more than others, and what; undefined for none. */
export function compileTrustedHosts(
  object: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotChecks['trusted'] {
  const [group] = groupOfTrustedHosts.of(object, snapshot)
  const { action } = trustedHostsAction.of(object)
  if (group === undefined || (action !== 'Allow' && action !== 'Passive')) return undefined
  return { does: action === 'Allow' ? 'allow' : 'passive', clients: networksOf(group) }
}

/** The addresses and networks of a group of trusted hosts. */
export function networksOf(group: ConfigurationObject): string[] {
  return childrenOf(group, trustedHost.name).flatMap((host) => networkOf(host) ?? [])
}

/** An address with the length of its prefix. */
function networkOf(host: ConfigurationObject): string | undefined {
  const read = trustedHostReader.of(host)
  const [address, mask] = read.version === 'IPv6' ? [read.address6, read.mask6] : [read.address4, read.mask4]
  return address === '' ? undefined : withPrefixLength(address, mask)
}

/** A network as proxies take it; the address alone where there is no mask. */
export function withPrefixLength(address: string, mask: string): string {
  return mask === '' ? address : `${address}/${prefixLength(mask)}`
}

/** "255.255.255.0" is 24, "ffff:ffff::" is 32, "64" is 64. */
function prefixLength(mask: string): number {
  if (isIPv4(mask)) return onesIn(mask.split('.').map(Number))
  return mask.includes(':')
    ? onesIn(mask.split(':').map((group) => Number.parseInt(group || '0', 16)))
    : Number(mask)
}

function onesIn(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number.toString(2).replaceAll('0', '').length, 0)
}
