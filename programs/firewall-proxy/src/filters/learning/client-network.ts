import ipaddr from 'ipaddr.js'

/** Of an IPv6 address, the part that one subscriber has for himself, in groups of 16 bits. */
const groupsOfSubscriber = 4

/**
 * Who a client is, as far as clients are counted: its address, or the /64 that it is in, all of which one subscriber has (RFC 6177). Who
 * could be as many clients as he likes would decide alone what is ordinary.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const groups = ipaddr.IPv6.parse(address).toNormalizedString().split(':').slice(0, groupsOfSubscriber)
  return `${groups.join(':')}::/64`
}
