import type { ProxySnapshot, SnapshotChecks, SnapshotServer, SnapshotService } from '@palisade/proxy-protocol'

/**
 * Snapshots as one of several workers is to serve them. What may be there so often at once is divided among them: connections to a
 * server, and requests that are served of those that wait for their turn. What one client may have waiting is not divided: its
 * connections may all be one worker's.
 */
export class SnapshotShares {
  readonly #workers: number
  readonly #services = new WeakMap<SnapshotService, SnapshotService>()
  #newest: { readonly of: ProxySnapshot; readonly share: ProxySnapshot } | undefined

  constructor(workers: number) {
    this.#workers = workers
  }

  /** The share of one worker. The same service has the same share in every snapshot. */
  of(snapshot: ProxySnapshot): ProxySnapshot {
    if (this.#workers === 1) return snapshot
    if (this.#newest?.of !== snapshot) {
      const services = snapshot.services.map((service) => this.#ofService(service))
      this.#newest = { of: snapshot, share: { ...snapshot, services } }
    }
    return this.#newest.share
  }

  #ofService(service: SnapshotService): SnapshotService {
    const before = this.#services.get(service)
    if (before !== undefined) return before
    const share = shareOfService(service, this.#workers)
    this.#services.set(service, share)
    return share
  }
}

function shareOfService(service: SnapshotService, workers: number): SnapshotService {
  const ofServers = (servers: readonly SnapshotServer[]) =>
    servers.map((server) => shareOfServer(server, workers))
  return {
    ...service,
    servers: ofServers(service.servers),
    contentRules: service.contentRules.map((rule) => ({ ...rule, servers: ofServers(rule.servers) })),
    ...(service.checks ? { checks: shareOfChecks(service.checks, workers) } : {}),
  }
}

function shareOfChecks(checks: SnapshotChecks, workers: number): SnapshotChecks {
  const { requestPool: pool } = checks
  if (pool === undefined) return checks
  const { activeMax, clientsMax } = pool
  return {
    ...checks,
    requestPool: {
      ...pool,
      activeMax: shareOfLimit(activeMax, workers),
      clientsMax: shareOfLimit(clientsMax, workers),
    },
  }
}

/** A server as one of several workers is to use it: what may be there so often at once is divided among them. */
function shareOfServer(server: SnapshotServer, workers: number): SnapshotServer {
  const { connectionsMax, establishingMax, waitingMax } = server
  return {
    ...server,
    connectionsMax: shareOfLimit(connectionsMax, workers),
    ...(establishingMax === undefined ? {} : { establishingMax: shareOfLimit(establishingMax, workers) }),
    ...(waitingMax === undefined ? {} : { waitingMax: shareOfLimit(waitingMax, workers) }),
  }
}

/** The part of a limit that one of several workers gets: one at least, so that no worker is without; nothing of 0. */
function shareOfLimit(limit: number, workers: number): number {
  return limit === 0 ? 0 : Math.max(1, Math.floor(limit / workers))
}
