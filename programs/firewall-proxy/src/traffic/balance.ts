import type { SnapshotServer } from '@palisade/proxy-protocol'
import type { ServerPool } from './server-pool.ts'

/** A server as one service uses it. */
export interface Balanced {
  readonly server: SnapshotServer
  readonly pool: ServerPool
}

/**
 * Spreads requests over the servers in service, one after the other. Servers that failed a moment ago are passed over while
 * there are others, and backup servers wait until all others fail.
 */
export class RoundRobin {
  readonly #servers: readonly Balanced[]
  #next = 0

  constructor(servers: readonly Balanced[]) {
    this.#servers = servers.filter(({ server }) => server.state === 'in-service')
  }

  /**
   * The server for a request.
   *
   * @param tried those that this request has tried in vain
   */
  pick(tried: ReadonlySet<Balanced>): Balanced | undefined {
    const left = this.#servers.filter((one) => !tried.has(one))
    const rested = left.filter(({ pool }) => pool.isRested)
    const candidates = rested.length > 0 ? rested : left
    const preferred = candidates.filter(({ server }) => !server.isBackup)
    const among = preferred.length > 0 ? preferred : candidates
    return among[this.#next++ % Math.max(1, among.length)]
  }
}
