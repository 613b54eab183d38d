import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Network = ReturnType<typeof ipaddr.parseCIDR>

/** Length of the network ::ffff:0:0/96, in which IPv6 writes IPv4 addresses. */
const mappedBits = 96

/**
 * Reads "192.0.2.1", "192.0.2.0/24", "2001:db8::1" or "2001:db8::/32"; an address is a network of itself.
 *
 * @returns undefined when the text is neither an address nor a network
 */
export function networkOf(text: string): Network | undefined {
  const [address = '', length, ...rest] = text.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  if (isIP(address) === 0 || rest.length > 0 || !(prefix <= bits)) return undefined
  const parsed = ipaddr.parse(address)
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && prefix >= mappedBits
  return isMapped ? [parsed.toIPv4Address(), prefix - mappedBits] : [parsed, prefix]
}

/** Whether the address is one of those listed, or lies in one of the networks. */
export function isListed(address: string, list: readonly string[]): boolean {
  if (isIP(address) === 0) return false
  const one = ipaddr.process(address)
  return list.some((text) => {
    const network = networkOf(text)
    return network !== undefined && network[0].kind() === one.kind() && one.match(network)
  })
}
