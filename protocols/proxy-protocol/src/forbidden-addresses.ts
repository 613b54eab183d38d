import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

/** Where nothing of ours connects to on an administrator's word. */
export interface ForbiddenAddresses {
  /** Addresses, or networks with "/", at every port. */
  readonly networks: readonly string[]
  /** The same at one port: where the management itself listens. */
  readonly endpoints: readonly { readonly network: string; readonly port: number }[]
}

/**
 * Where the machines of clouds tell whoever asks from them their credentials: link-local addresses, and those of Amazon, Google, Alibaba, Oracle and
 * Azure that are none.
 */
export const metadataNetworks = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
]

/** The operator has forbidden to connect there. */
export class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden'
}

/** Whether a text is an address, or a network with "/", as {@link ForbiddenAddresses} has them. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || more.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32)
}

/** Keeps connections from addresses that are forbidden: before a name was looked up, and after. */
export class AddressGuard {
  readonly #everywhere = new BlockList()
  readonly #atPorts = new Map<number, BlockList>()
  readonly #setting: string

  /**
   * @param forbidden nothing when left out
   * @param setting what says so, for whoever meets it
   */
  constructor(
    { networks, endpoints }: ForbiddenAddresses = { networks: [], endpoints: [] },
    setting = 'firewall.forbiddenAddresses, and where the management listens',
  ) {
    this.#setting = setting
    for (const network of networks) add(this.#everywhere, network)
    for (const { network, port } of endpoints) {
      const list = this.#atPorts.get(port) ?? new BlockList()
      add(list, network)
      this.#atPorts.set(port, list)
    }
  }

  /**
   * Whether an IP address is forbidden at a port; IPv4 in IPv6 counts as what it is, also behind NAT64 and 6to4. A name is not looked up, and is
   * not forbidden.
   */
  forbids(address: string, port: number): boolean {
    const [plain = ''] = address.split('%')
    const family = isIP(plain)
    if (family === 0) return false
    // To the system, no address is the machine itself.
    const meant = plain === '0.0.0.0' ? '127.0.0.1' : isUnspecified(plain) ? '::1' : plain
    const spellings = [meant, plain, ...(family === 6 ? translatedFrom(plain) : [])]
    return [this.#everywhere, this.#atPorts.get(port)].some((list) =>
      spellings.some((one) => list?.check(one, isIPv6(one) ? 'ipv6' : 'ipv4')),
    )
  }

  /** @throws AddressForbidden when the host is an IP address that is forbidden */
  refuse(host: string, port: number): void {
    if (this.forbids(host, port)) throw this.#forbidden(host, port)
  }

  /**
   * Looks names up for `connect` of node:net and node:tls, and gives those of their addresses that are not forbidden. The connection goes
   * to what was judged, however often the name is given other addresses.
   */
  lookupFor(port: number): LookupFunction {
    return (name, options, done) => {
      systemLookup(name, { ...options, all: true }, (error, addresses) => {
        if (error) {
          done(error, '', 0)
          return
        }
        const allowed = addresses.filter(({ address }) => !this.forbids(address, port))
        const [first] = allowed
        if (first === undefined) done(this.#forbidden(name, port), '', 0)
        else if (options.all) done(null, allowed)
        else done(null, first.address, first.family)
      })
    }
  }

  #forbidden(host: string, port: number): AddressForbidden {
    return new AddressForbidden(
      `the operator has forbidden connections to ${host}, port ${port} (${this.#setting})`,
    )
  }
}

/** All spellings of the IPv6 address that is none. */
function isUnspecified(address: string): boolean {
  return isIPv6(address) && /^[0:]+$/.test(address)
}

/** The IPv4 address that a gateway makes of an IPv6 one: NAT64 of 64:ff9b::/96 (RFC 6052), 6to4 of 2002::/16 (RFC 3056). */
function translatedFrom(address: string): string[] {
  const groups = groupsOf(address)
  const isNat64 = groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((one) => one === 0)
  const [high = 0, low = 0] = isNat64 ? groups.slice(6) : groups.slice(1)
  if (!isNat64 && groups[0] !== 0x2002) return []
  return [[high >> 8, high & 255, low >> 8, low & 255].join('.')]
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // In one spelling, without dots (WHATWG URL, "IPv6 serializer").
  const written = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [before = [], after = []] = written.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}

function add(list: BlockList, network: string): void {
  const [address = '', prefix] = network.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (prefix === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(prefix), family)
}
