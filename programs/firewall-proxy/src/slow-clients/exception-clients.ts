import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Clients by address: "192.0.2.1", "192.0.2.10-192.0.2.20" and "2001:db8::/32". */
export class ExceptionClients {
  readonly #matchers: readonly ((address: Address) => boolean)[]

  /** @param ranges those that are none of these forms name nobody */
  constructor(ranges: readonly string[]) {
    this.#matchers = ranges.flatMap((range) => matcherOf(range) ?? [])
  }

  has(clientAddress: string): boolean {
    if (this.#matchers.length === 0 || !ipaddr.isValid(clientAddress)) return false
    const address = ipaddr.process(clientAddress)
    return this.#matchers.some((matches) => matches(address))
  }
}

function matcherOf(range: string): ((address: Address) => boolean) | undefined {
  if (ipaddr.isValidCIDR(range)) {
    const [network, bits] = ipaddr.parseCIDR(range)
    return (address) => address.kind() === network.kind() && address.match(network, bits)
  }
  const [first = '', last = first, ...rest] = range.split('-').map((part) => part.trim())
  if (rest.length > 0 || !ipaddr.isValid(first) || !ipaddr.isValid(last)) return undefined
  const [from, to] = [ipaddr.process(first), ipaddr.process(last)]
  return (address) =>
    address.kind() === from.kind() && compare(address, from) >= 0 && compare(address, to) <= 0
}

function compare(a: Address, b: Address): number {
  return Buffer.compare(Buffer.from(a.toByteArray()), Buffer.from(b.toByteArray()))
}
