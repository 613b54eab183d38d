import { BlockList, isIP } from 'node:net'

/**
 * The parts of a text that names clients: "192.0.2.1, 192.0.2.10-192.0.2.20" and one network in a line are told apart by commas,
 * blanks and line ends. Blanks around the "-" of a range belong to it.
 */
export function splitRanges(text: string): string[] {
  return text
    .replace(/\s*-\s*/g, '-')
    .split(/[\s,]+/)
    .filter((part) => part !== '')
}

/** Whether a part is an address, a network as "192.0.2.0/24", or a range as "192.0.2.10-192.0.2.20", whose first address is not the larger one. */
export function isAddressRange(part: string): boolean {
  const [, address = '', bits] = /^([^/-]+)\/(\d{1,3})$/.exec(part) ?? []
  if (bits !== undefined) return isIP(address) !== 0 && Number(bits) <= (isIP(address) === 4 ? 32 : 128)
  const [first = '', last = first, ...rest] = part.split('-')
  if (rest.length > 0 || isIP(first) === 0 || isIP(first) !== isIP(last)) return false
  return isInOrder(first, last)
}

function isInOrder(first: string, last: string): boolean {
  const family = isIP(first) === 4 ? 'ipv4' : 'ipv6'
  try {
    new BlockList().addRange(first, last, family)
    return true
  } catch {
    // What Node refuses of two addresses of one family is their order.
    return false
  }
}
