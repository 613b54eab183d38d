import type { SnapshotBalancing, SnapshotServer } from '@palisade/proxy-protocol'
import type { ServerPool } from './server-pool.ts'

/** A server as one service uses it. */
export interface BalancedServer {
  readonly server: SnapshotServer
  readonly pool: ServerPool
  /** The content rule that it belongs to; undefined for a server of the service. */
  readonly rule?: string | undefined
}

/**
 * Spreads requests over the servers in service. Servers that do not fare well are passed over while there are others, and backup
 * servers wait until all others fail.
 */
export class Balance {
  readonly #servers: readonly BalancedServer[]
  readonly #choose: (among: readonly BalancedServer[]) => BalancedServer | undefined

  constructor(servers: readonly BalancedServer[], algorithm: SnapshotBalancing['algorithm']) {
    this.#servers = servers.filter(({ server }) => server.state === 'in-service')
    this.#choose = choosers[algorithm]()
  }

  /**
   * The server for a request.
   *
   * @param tried those that this request has tried in vain
   */
  pick(tried: ReadonlySet<BalancedServer>): BalancedServer | undefined {
    const untriedServers = tried.size === 0 ? this.#servers : this.#servers.filter((one) => !tried.has(one))
    const usable = untriedServers.filter(({ pool }) => pool.health.isUsable)
    const candidates = usable.length > 0 ? usable : untriedServers
    const preferred = candidates.filter(({ server }) => !server.isBackup)
    return this.#choose(preferred.length > 0 ? preferred : candidates)
  }
}

const choosers: Readonly<
  Record<
    SnapshotBalancing['algorithm'],
    () => (among: readonly BalancedServer[]) => BalancedServer | undefined
  >
> = {
  'round-robin': roundRobin,
  'weighted-round-robin': smoothWeightedRoundRobin,
  'least-requests': leastRequests,
}

function roundRobin() {
  let next = 0
  return (among: readonly BalancedServer[]) => among[next++ % Math.max(1, among.length)]
}

/**
 * Each round every server gains its weight; the one that has gained most is chosen and pays for all. So heavy servers do not get
 * their requests in a burst.
 */
function smoothWeightedRoundRobin() {
  const gained = new Map<BalancedServer, number>()
  return (among: readonly BalancedServer[]) => {
    let total = 0
    let highest: BalancedServer | undefined
    for (const one of among) {
      const { weight } = one.server
      if (weight === 0) continue
      total += weight
      gained.set(one, (gained.get(one) ?? 0) + weight)
      if (highest === undefined || (gained.get(one) ?? 0) > (gained.get(highest) ?? 0)) highest = one
    }
    if (highest) gained.set(highest, (gained.get(highest) ?? 0) - total)
    return highest
  }
}

/** Of servers with as few requests the one after the last chosen, so that idle ones take turns. */
function leastRequests() {
  let turn = 0
  return (among: readonly BalancedServer[]) => {
    turn++
    let leastBusy: BalancedServer | undefined
    for (let step = 0; step < among.length; step++) {
      const one = among[(turn + step) % among.length]
      if (one && (leastBusy === undefined || one.pool.underWay < leastBusy.pool.underWay)) leastBusy = one
    }
    return leastBusy
  }
}
