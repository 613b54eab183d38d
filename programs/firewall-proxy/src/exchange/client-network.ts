import ipaddr from 'ipaddr.js'

/** The length of the prefix by which clients of IPv6 are told apart: whoever has one address mostly has all of its network. */
const prefixLengthOfIpv6 = 64

/**
 * The network that a client's address is in, as text; what is no address is returned as it is.
 *
 * @param prefixLength of an IPv4 address; all of it by default
 */
export function clientNetwork(address: string, prefixLength = 32): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  const bits = parsed.kind() === 'ipv4' ? prefixLength : prefixLengthOfIpv6
  const bytes = parsed.toByteArray().map((byte, index) => {
    const keepBits = Math.min(8, Math.max(0, bits - index * 8))
    return byte & (0xff << (8 - keepBits)) & 0xff
  })
  return bytes.join('.')
}
