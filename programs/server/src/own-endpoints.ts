import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

interface Endpoint {
  /** An address, or a network with "/". */
  readonly network: string
  readonly port: number
}

const loopbackNetworks = ['127.0.0.0/8', '::1']

/**
 * Where this program listens, so that nothing that administrators name leads back to it. On all addresses of the machine loopback is among
 * them only where the server runs its own proxy: to a proxy on another machine, loopback is that machine, with applications at
 * any port.
 */
export class OwnEndpoints {
  readonly #runsProxy: boolean
  #endpoints: readonly Endpoint[] = []

  constructor(runsProxy: boolean) {
    this.#runsProxy = runsProxy
  }

  get endpoints(): readonly Endpoint[] {
    return this.#endpoints
  }

  /** @param host as `listen.host` has it: an address, all of them, or a name */
  async add(host: string, ports: readonly number[]): Promise<void> {
    const networks = await this.#networksOf(host)
    const added = ports.flatMap((port) => networks.map((network) => ({ network, port })))
    this.#endpoints = [...this.#endpoints, ...added]
  }

  async #networksOf(host: string): Promise<string[]> {
    const addresses = (await lookup(host, { all: true })).map(({ address }) => address)
    if (!addresses.some(isAll)) return addresses.map(withoutInterface)
    // Whoever listens at :: is reached by IPv4 as well.
    const takesIpv6 = addresses.some(isIPv6)
    const outside = Object.values(networkInterfaces())
      .flatMap((all = []) => all)
      .filter(({ internal, address }) => !internal && (takesIpv6 || !isIPv6(address)))
      .map(({ address }) => withoutInterface(address))
    return [...outside, ...(this.#runsProxy ? loopbackNetworks : [])]
  }
}

function isAll(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}

function withoutInterface(address: string): string {
  return address.replace(/%.*$/, '')
}
