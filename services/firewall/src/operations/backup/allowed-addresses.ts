import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Why no connection was tried. */
export class AddressRefused extends Error {}

/**
 * Where the system does not connect to on an administrator's word: to itself, whose services trust whoever comes
 * from there, to what only one link reaches, such as the metadata of a cloud's machine, and to whole groups.
 */
const refusedAddresses = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  refusedAddresses.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 127],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  // IPv4 inside IPv6: translated, tunnelled, and of old. Whoever means such a host has its IPv4 address.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
  // The metadata of Amazon's machines.
  ['fd00:ec2::', 32],
] as const) {
  refusedAddresses.addSubnet(network, prefix, 'ipv6')
}

/** Whether the system connects to an address on an administrator's word. */
export function mayConnectTo(address: string): boolean {
  return !refusedAddresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/**
 * The address to connect to for a host. It is looked up once and then used as it is: a name that would lead
 * elsewhere the next time leads nowhere else.
 *
 * @throws AddressRefused when the host has no address, or any that is not allowed
 */
export async function addressOf(host: string, isAllowed = mayConnectTo): Promise<string> {
  const addresses = isIP(host) ? [host] : await addressesOf(host)
  const [first] = addresses
  if (first === undefined) throw new AddressRefused(`The host ${host} has no address.`)
  if (!addresses.every(isAllowed)) {
    throw new AddressRefused(
      `The host ${host} leads to this system itself, to a link-local or group address, or to one that its operator has forbidden: that is not tried.`,
    )
  }
  return first
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    // Whatever the reason, there is nothing to connect to.
    return []
  }
}
